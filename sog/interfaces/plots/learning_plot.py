"""Exploitability against seconds of learning, both on logarithmic scales, for any learners of one game.

Verified: tests/interfaces/plots/test_learning_plot.py.
"""

from pathlib import Path

from matplotlib.ticker import FuncFormatter

from sog.evaluation.curves import CurveFile
from sog.interfaces.output import shorten
from sog.interfaces.plots.picture_file import INK, write_figure
from sog.interfaces.plots.plot_style import draw_curve, open_axes

_MARKS = 8  # on a curve, about
_LONGEST_LABEL = 40
_NUMBERED_DIGITS = "1235"  # ticks that begin with one of these have a number


def draw_learning(file: CurveFile, uniform: float | None, path: Path) -> None:
    """Draw every curve, and what uniform play is worth if that is known.

    Zeros, which have no logarithm, are left out.
    """
    title = f"{file.game}: learning by self-play"
    figure, axes = open_axes(title, "seconds of learning", f"exploitability, {file.unit}")
    if uniform is not None:
        axes.axhline(uniform, color=INK, linewidth=1, linestyle=":", label="uniform play")
    for number, curve in enumerate(file.curves):
        points = [
            (point.seconds, point.exploitability)
            for point in curve.points
            if point.seconds > 0 and point.exploitability > 0
        ]
        label = shorten(curve.label, _LONGEST_LABEL)
        draw_curve(axes, points, number, label, markevery=max(1, len(points) // _MARKS))
    axes.set_xscale("log")
    axes.set_yscale("log")
    for formatter in (axes.yaxis.set_major_formatter, axes.yaxis.set_minor_formatter):
        formatter(FuncFormatter(_plain_number))
    figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=9, labelcolor=INK)
    write_figure(figure, path)


def _plain_number(value: float, position: int | None) -> str:
    """Return 300 or 0.05 where powers of ten would be drawn: exploitabilities are read off the axis."""
    return f"{value:g}" if f"{value:e}"[0] in _NUMBERED_DIGITS else ""
