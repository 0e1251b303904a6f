"""Exploitability of searching agents, against the size of their searches or against what they have learned.

Verified: tests/interfaces/test_search_plot.py.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from sog.interfaces.output import shorten
from sog.interfaces.picture_file import BLUE, GREEN, INK, ORANGE, PURPLE, VERMILION, write_figure

_COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE)
_MARKERS = "osD^v"
_LONGEST_TITLE = 60


class Point(NamedTuple):
    """One agent, over several seeds."""

    size: int  # of its search in simulations, of its training in steps, or playthroughs
    low: float
    mean: float
    high: float


def draw_searches(title: str, unit: str, curves: Mapping[str, Sequence[Point]], path: Path) -> None:
    """Draw means with a ribbon from minimum to maximum, and theorem 1's rate as a reference."""
    figure, axes = _open(title, "simulations of each search", unit)
    for number, (label, points) in enumerate(curves.items()):
        ordered = sorted(points)
        _draw_curve(axes, ordered, label or "mean of the seeds", number)
        if number == 0 and ordered[0].mean > 0:
            sizes = [point.size for point in ordered]
            rate = [ordered[0].mean * (sizes[0] / size) ** 0.5 for size in sizes]
            axes.plot(sizes, rate, color=INK, linewidth=1, linestyle=":", label="1/√T, theorem 1's rate")
    axes.set_xscale("log")
    _finish(axes, curves)
    write_figure(figure, path)


def draw_playthroughs(title: str, unit: str, curves: Mapping[str, Sequence[Point]], path: Path) -> None:
    """Draw upper bounds on exploitability against the playthroughs that were averaged."""
    figure, axes = _open(title, "playthroughs averaged", unit)
    axes.set_ylabel(f"exploitability at most, {unit}", color=INK)
    for number, (label, points) in enumerate(curves.items()):
        _draw_curve(axes, sorted(points), label, number)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda count, _: f"{count:,.0f}"))
    _finish(axes, curves)
    write_figure(figure, path)


def draw_training(title: str, unit: str, curves: Mapping[str, Sequence[Point]], path: Path) -> None:
    """Draw exploitability against training steps, a line for each search setting, step 0 at the left end."""
    figure, axes = _open(title, "training steps", unit)
    for number, (label, points) in enumerate(curves.items()):
        _draw_curve(axes, sorted(points), label, number)
    steps = sorted({point.size for points in curves.values() for point in points})
    first = next((size for size in steps if size > 0), 1)
    if 0 in steps:  # which has no logarithm: below the first step the axis is linear
        axes.set_xscale("symlog", linthresh=first, linscale=0.5)
        axes.set_xlim(0, 1.15 * max(first, steps[-1]))
    else:
        axes.set_xscale("log")
    _finish(axes, curves)
    write_figure(figure, path)


def _open(title: str, size: str, unit: str) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(6.8, 4.6), layout="constrained", facecolor="white")
    axes = figure.add_subplot()
    axes.set_title(shorten(title, _LONGEST_TITLE), fontsize=12, color=INK, loc="left", weight="bold")
    axes.set_xlabel(size, color=INK)
    axes.set_ylabel(f"exploitability, {unit}", color=INK)
    return figure, axes


def _draw_curve(axes: Axes, ordered: Sequence[Point], label: str, number: int) -> None:
    """Draw the means, and a ribbon from minimum to maximum."""
    sizes = [point.size for point in ordered]
    colour = _COLOURS[number % len(_COLOURS)]
    axes.plot(
        sizes,
        [point.mean for point in ordered],
        label=label,
        color=colour,
        marker=_MARKERS[number % len(_MARKERS)],
        markersize=5,
        linewidth=1.7,
    )
    low, high = [point.low for point in ordered], [point.high for point in ordered]
    axes.fill_between(sizes, low, high, color=colour, alpha=0.18, linewidth=0)


def _finish(axes: Axes, curves: Mapping[str, Sequence[Point]]) -> None:
    if all(point.mean > 0 for points in curves.values() for point in points):
        axes.set_yscale("log")
    axes.grid(which="major", color="#d0d0d0", linewidth=0.8)
    axes.grid(which="minor", color="#ececec", linewidth=0.5)
    axes.set_axisbelow(True)
    axes.legend(frameon=False, fontsize=9, labelcolor=INK)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
