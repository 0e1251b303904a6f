"""Exploitability against seconds of learning, both on logarithmic scales, for any learners of one game.

Verified: tests/interfaces/test_learning_plot.py.
"""

from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from sog.evaluation.curves import CurveFile
from sog.interfaces.output import shorten
from sog.interfaces.picture_file import BLUE, GREEN, INK, ORANGE, PURPLE, SKY, VERMILION, write_figure

_COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)
_MARKERS = "osD^vP"
_MARKS = 8  # on a curve, about
_LONGEST_LABEL = 40
_NUMBERED_DIGITS = "1235"  # ticks that begin with one of these have a number


def draw_learning(file: CurveFile, uniform: float | None, path: Path) -> None:
    """Draw every curve, and what uniform play is worth if that is known.

    Zeros, which have no logarithm, are left out.
    """
    figure = Figure(figsize=(6.8, 4.6), layout="constrained", facecolor="white")
    axes = figure.add_subplot()
    if uniform is not None:
        axes.axhline(uniform, color=INK, linewidth=1, linestyle=":", label="uniform play")
    for number, curve in enumerate(file.curves):
        points = [point for point in curve.points if point.seconds > 0 and point.exploitability > 0]
        axes.plot(
            [point.seconds for point in points],
            [point.exploitability for point in points],
            label=shorten(curve.label, _LONGEST_LABEL),
            color=_COLOURS[number % len(_COLOURS)],
            linewidth=1.7,
            marker=_MARKERS[number % len(_MARKERS)],
            markersize=4.5,
            markevery=max(1, len(points) // _MARKS),
            markeredgecolor="white",
            markeredgewidth=0.6,
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    for formatter in (axes.yaxis.set_major_formatter, axes.yaxis.set_minor_formatter):
        formatter(FuncFormatter(_plain_number))
    axes.set_title(f"{file.game}: learning by self-play", fontsize=12, color=INK, loc="left", weight="bold")
    axes.set_xlabel("seconds of learning", color=INK)
    axes.set_ylabel(f"exploitability, {file.unit}", color=INK)
    axes.tick_params(colors=INK, which="both")
    axes.grid(which="major", color="#d0d0d0", linewidth=0.8)
    axes.grid(which="minor", color="#ececec", linewidth=0.5)
    axes.set_axisbelow(True)
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=9, labelcolor=INK)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    write_figure(figure, path)


def _plain_number(value: float, position: int | None) -> str:
    """Return 300 or 0.05 where powers of ten would be drawn: exploitabilities are read off the axis."""
    return f"{value:g}" if f"{value:e}"[0] in _NUMBERED_DIGITS else ""
