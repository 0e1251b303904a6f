"""Exploitability of searching agents against the size of their searches.

Verified: tests/interfaces/test_search_plot.py.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from matplotlib.figure import Figure

from sog.interfaces.output import shorten
from sog.interfaces.picture_file import BLUE, GREEN, INK, ORANGE, PURPLE, VERMILION, write_figure

_COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE)
_MARKERS = "osD^v"
_LONGEST_TITLE = 60


class Point(NamedTuple):
    """One size of search, over several seeds."""

    simulations: int
    low: float
    mean: float
    high: float


def draw_searches(title: str, unit: str, curves: Mapping[str, Sequence[Point]], path: Path) -> None:
    """Draw means with a ribbon from minimum to maximum, and theorem 1's rate as a reference."""
    figure = Figure(figsize=(6.8, 4.6), layout="constrained", facecolor="white")
    axes = figure.add_subplot()
    for number, (label, points) in enumerate(curves.items()):
        ordered = sorted(points)
        sizes = [point.simulations for point in ordered]
        colour = _COLOURS[number % len(_COLOURS)]
        axes.plot(
            sizes,
            [point.mean for point in ordered],
            label=label or "mean of the seeds",
            color=colour,
            marker=_MARKERS[number % len(_MARKERS)],
            markersize=5,
            linewidth=1.7,
        )
        low, high = [point.low for point in ordered], [point.high for point in ordered]
        axes.fill_between(sizes, low, high, color=colour, alpha=0.18, linewidth=0)
        if number == 0 and ordered[0].mean > 0:
            rate = [ordered[0].mean * (sizes[0] / size) ** 0.5 for size in sizes]
            axes.plot(sizes, rate, color=INK, linewidth=1, linestyle=":", label="1/√T, theorem 1's rate")
    axes.set_xscale("log")
    if all(point.mean > 0 for points in curves.values() for point in points):
        axes.set_yscale("log")
    axes.set_title(shorten(title, _LONGEST_TITLE), fontsize=12, color=INK, loc="left", weight="bold")
    axes.set_xlabel("simulations of each search", color=INK)
    axes.set_ylabel(f"exploitability, {unit}", color=INK)
    axes.grid(which="major", color="#d0d0d0", linewidth=0.8)
    axes.grid(which="minor", color="#ececec", linewidth=0.5)
    axes.set_axisbelow(True)
    axes.legend(frameon=False, fontsize=9, labelcolor=INK)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    write_figure(figure, path)
