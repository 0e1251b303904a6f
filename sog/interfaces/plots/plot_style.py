"""How curves and their axes look, in all plots alike.

Verified: tests/interfaces/plots/test_convergence_plot.py, tests/interfaces/plots/test_search_plot.py.
"""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sog.interfaces.output import shorten
from sog.interfaces.plots.picture_file import BLUE, GREEN, INK, ORANGE, PURPLE, SKY, VERMILION

_COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, INK)
_MARKERS = "osD^vPX"
_LONGEST_TITLE = 60


def open_axes(
    title: str, across: str, upwards: str, width: float = 6.8, height: float = 4.6
) -> tuple[Figure, Axes]:
    """Return an empty plot with its names and its grid; sizes are inches."""
    figure = Figure(figsize=(width, height), layout="constrained", facecolor="white")
    axes = figure.add_subplot()
    axes.set_title(shorten(title, _LONGEST_TITLE), fontsize=12, color=INK, loc="left", weight="bold")
    axes.set_xlabel(across, color=INK)
    axes.set_ylabel(upwards, color=INK)
    axes.tick_params(colors=INK, which="both")
    axes.grid(which="major", color="#d0d0d0", linewidth=0.8)
    axes.grid(which="minor", color="#ececec", linewidth=0.5)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color("#a0a0a0")
    return figure, axes


def colour_of(number: int) -> str:
    """Return the colour of a curve."""
    return _COLOURS[number % len(_COLOURS)]


def draw_curve(
    axes: Axes, points: Sequence[tuple[float, float]], number: int, label: str, **style: Any
) -> Any:
    """Draw a curve through points, with its own colour and marks; return the line."""
    (line,) = axes.plot(
        [across for across, _ in points],
        [upwards for _, upwards in points],
        label=label,
        color=colour_of(number),
        **{
            "marker": _MARKERS[number % len(_MARKERS)],
            "linewidth": 1.7,
            "markersize": 4.5,
            "markeredgecolor": "white",
            "markeredgewidth": 0.6,
            **style,
        },
    )
    return line


def add_legend(axes: Axes, **place: Any) -> None:
    """Name the curves."""
    axes.legend(frameon=False, fontsize=9, labelcolor=INK, **place)
