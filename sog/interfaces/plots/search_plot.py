"""Exploitability of searching agents, against the size of their searches or against what they have learned.

Verified: tests/interfaces/plots/test_search_plot.py.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from sog.interfaces.plots.picture_file import INK, write_figure
from sog.interfaces.plots.plot_style import add_legend, colour_of, draw_curve, open_axes


class Point(NamedTuple):
    """One agent, over several seeds."""

    size: int  # of its search in simulations, of its training in steps, or playthroughs
    low: float
    mean: float
    high: float


def draw_searches(title: str, unit: str, curves: Mapping[str, Sequence[Point]], path: Path) -> None:
    """Draw means with a ribbon from minimum to maximum, and theorem 1's rate as a reference."""
    figure, axes = open_axes(title, "simulations of each search", f"exploitability, {unit}")
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
    figure, axes = open_axes(title, "playthroughs averaged", f"exploitability at most, {unit}")
    for number, (label, points) in enumerate(curves.items()):
        _draw_curve(axes, sorted(points), label, number)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda count, _: f"{count:,.0f}"))
    _finish(axes, curves)
    write_figure(figure, path)


def draw_training(title: str, unit: str, curves: Mapping[str, Sequence[Point]], path: Path) -> None:
    """Draw exploitability against training steps, a line for each search setting, step 0 at the left end."""
    figure, axes = open_axes(title, "training steps", f"exploitability, {unit}")
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


def _draw_curve(axes: Axes, ordered: Sequence[Point], label: str, number: int) -> None:
    """Draw the means, and a ribbon from minimum to maximum."""
    draw_curve(axes, [(point.size, point.mean) for point in ordered], number, label, markersize=5)
    sizes, low, high = ([getattr(point, name) for point in ordered] for name in ("size", "low", "high"))
    axes.fill_between(sizes, low, high, color=colour_of(number), alpha=0.18, linewidth=0)


def _finish(axes: Axes, curves: Mapping[str, Sequence[Point]]) -> None:
    if all(point.mean > 0 for points in curves.values() for point in points):
        axes.set_yscale("log")
    add_legend(axes)
