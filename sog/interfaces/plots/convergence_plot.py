"""Exploitability against iterations, both on logarithmic scales, as the papers draw it.

Verified: tests/interfaces/plots/test_convergence_plot.py.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from matplotlib.axes import Axes

from sog.interfaces.plots.picture_file import INK, write_figure
from sog.interfaces.plots.plot_style import add_legend, draw_curve, open_axes
from sog.solvers.loop import Progress

_DASHES: tuple[tuple[float, ...], ...] = ((), (5, 1.6), (1.4, 1.4), (6, 1.6, 1.4, 1.6), (9, 2, 3, 2))
_LEGEND_BESIDE = 6  # more curves than that have their legend beside the picture


class Curve(NamedTuple):
    """How one solve converged."""

    label: str
    trace: Sequence[Progress]


def draw_convergence(title: str, curves: Sequence[Curve], path: Path) -> None:
    """Draw the curves into a file; measurements of zero, which have no logarithm, are left out."""
    is_beside = len(curves) > _LEGEND_BESIDE
    figure, axes = open_axes(title, "iterations", "exploitability", 8.6 if is_beside else 6.8)
    for number, curve in enumerate(curves):
        _draw_curve(axes, curve, number)
    if any(progress.exploitability > 0 for curve in curves for progress in curve.trace):
        axes.set_xscale("log")
        axes.set_yscale("log")
    else:
        axes.text(0.5, 0.5, "never exploitable", transform=axes.transAxes, ha="center", color=INK)
    if len(curves) > 1:
        place = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)} if is_beside else {"loc": "best"}
        add_legend(axes, handlelength=3.4, **place)
    write_figure(figure, path)


def _draw_curve(axes: Axes, curve: Curve, number: int) -> None:
    """Draw one curve, told apart by colour, dashes and sparse marks."""
    points = [(at.iterations, at.exploitability) for at in curve.trace if at.exploitability > 0]
    spacing = max(1, len(points) // 8)
    dashes = _DASHES[number % len(_DASHES)]
    line = draw_curve(axes, points, number, curve.label, markevery=(number * spacing // 3 % spacing, spacing))
    if dashes:
        line.set_dashes(dashes)
