"""Exploitability against iterations, both on logarithmic scales, as the papers draw it.

Verified: tests/interfaces/test_convergence_plot.py.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sog.interfaces.output import shorten
from sog.interfaces.picture_file import (
    BLUE,
    GREEN,
    INK,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    write_figure,
)
from sog.solvers.loop import Progress

_COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, INK)
_DASHES: tuple[tuple[float, ...], ...] = ((), (5, 1.6), (1.4, 1.4), (6, 1.6, 1.4, 1.6), (9, 2, 3, 2))
_MARKERS = "osD^vPX"
_LONGEST_TITLE = 60
_LEGEND_BESIDE = 6  # more curves than that have their legend beside the picture


class Curve(NamedTuple):
    """How one solve converged."""

    label: str
    trace: Sequence[Progress]


def draw_convergence(title: str, curves: Sequence[Curve], path: Path) -> None:
    """Draw the curves into a file; measurements of zero, which have no logarithm, are left out."""
    is_beside = len(curves) > _LEGEND_BESIDE
    figure = Figure(figsize=(8.6 if is_beside else 6.8, 4.6), layout="constrained", facecolor="white")
    axes = figure.add_subplot()
    for number, curve in enumerate(curves):
        _draw_curve(axes, curve, number)
    _finish(axes, shorten(title, _LONGEST_TITLE))
    if any(progress.exploitability > 0 for curve in curves for progress in curve.trace):
        axes.set_xscale("log")
        axes.set_yscale("log")
    else:
        axes.text(0.5, 0.5, "never exploitable", transform=axes.transAxes, ha="center", color=INK)
    if len(curves) > 1:
        place = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)} if is_beside else {"loc": "best"}
        axes.legend(frameon=False, fontsize=9, handlelength=3.4, labelcolor=INK, **place)
    write_figure(figure, path)


def _draw_curve(axes: Axes, curve: Curve, number: int) -> None:
    """Draw one curve, told apart by colour, dashes and sparse marks."""
    points = [progress for progress in curve.trace if progress.exploitability > 0]
    colour = _COLOURS[number % len(_COLOURS)]
    spacing = max(1, len(points) // 8)
    dashes = _DASHES[number % len(_DASHES)]
    (line,) = axes.plot(
        [progress.iterations for progress in points],
        [progress.exploitability for progress in points],
        label=curve.label,
        color=colour,
        linewidth=1.7,
        marker=_MARKERS[number % len(_MARKERS)],
        markersize=4.5,
        markevery=(number * spacing // 3 % spacing, spacing),
        markeredgecolor="white",
        markeredgewidth=0.6,
    )
    if dashes:
        line.set_dashes(dashes)


def _finish(axes: Axes, title: str) -> None:
    """Set grid and names."""
    axes.set_title(title, fontsize=12, color=INK, loc="left", weight="bold")
    axes.set_xlabel("iterations", color=INK)
    axes.set_ylabel("exploitability", color=INK)
    axes.tick_params(colors=INK, which="both")
    axes.grid(which="major", color="#d0d0d0", linewidth=0.8)
    axes.grid(which="minor", color="#ececec", linewidth=0.5)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color("#a0a0a0")
