"""A match as a picture: Elo with 95 % intervals, against what players differ in or in order of rating.

Players who are points of one curve (`sog/matches/curves.py`) are drawn against simulations or training steps,
all others as dashed lines across. Without curves everybody has a row. A rating without an estimate (below or
above everything that the results allow) is an arrow that begins at the end of its interval.

Verified: tests/interfaces/plots/test_match_plot.py.
"""

from collections.abc import Sequence
from math import inf, isfinite
from pathlib import Path
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from sog.evaluation.elo import Rating
from sog.interfaces.cli.match_table import rating_words
from sog.interfaces.output import shorten
from sog.interfaces.plots.picture_file import BLUE, INK, write_figure
from sog.interfaces.plots.plot_style import add_legend, colour_of, draw_curve, open_axes
from sog.matches.curves import SIMULATIONS, Arrangement, Curve
from sog.matches.tables import Table

_GREY = "#777777"
_LONGEST_NAME, _LONGEST_ANCHOR = 40, 30
_LONGEST_LABEL = 28  # beside the picture
_ARROW = 0.07  # of an axis: the length of an arrow
_LABEL_GAP = 0.055  # of the axis, between names beside the picture
_NARROWEST = 50.0  # Elo that an axis shows at least
_APART = 0.012  # of the axis, between bars at one place


class _Span(NamedTuple):
    """What is drawn of a rating: a bar from low to high, and an arrow where it has no end."""

    middle: float | None  # None without an estimate
    low: float
    high: float
    arrow: int  # -1 down, 1 up, 0 none


def draw_match(title: str, anchor: str, table: Table, arrangement: Arrangement, path: Path) -> None:
    """Draw the ratings of a match into a file."""
    write_figure(make_figure(title, anchor, table, arrangement), path)


def make_figure(title: str, anchor: str, table: Table, arrangement: Arrangement) -> Figure:
    """Return the picture of a match's ratings."""
    ratings = {line.name: line.rating for line in table.lines}
    spans = {name: span for name, rating in ratings.items() if (span := _span(rating)) is not None}
    unknown = [line.name for line in table.lines if line.name not in spans]
    if arrangement.axis is None:
        figure, axes = _draw_rows(title, spans, anchor)
    else:
        figure, axes = _draw_curves(title, spans, arrangement, anchor)
        _draw_others(axes, [name for name in arrangement.others if name in spans], spans, ratings)
    if unknown:
        words = "no rating: " + ", ".join(shorten(name, _LONGEST_NAME) for name in unknown)
        axes.text(0.01, 0.01, shorten(words, 100), transform=axes.transAxes, fontsize=8, color=_GREY)
    return figure


def _span(rating: Rating) -> _Span | None:
    """Return what can be drawn of a rating; None where the results say nothing."""
    elo, low, high = rating
    if isfinite(elo):
        return _Span(elo, low if isfinite(low) else elo, high if isfinite(high) else elo, 0)
    if elo == inf and isfinite(low):
        return _Span(None, low, low, 1)
    if elo == -inf and isfinite(high):
        return _Span(None, high, high, -1)
    return None


def _limits(spans: Sequence[_Span]) -> tuple[float, float]:
    """Return the ends of an Elo axis on which everything, arrows too, has room."""
    lows, highs = [0.0, *(span.low for span in spans)], [0.0, *(span.high for span in spans)]
    extent = max(max(highs) - min(lows), _NARROWEST)
    below = 0.05 + 1.3 * _ARROW * any(span.arrow < 0 for span in spans)
    above = 0.05 + 1.3 * _ARROW * any(span.arrow > 0 for span in spans)
    return min(lows) - below * extent, max(highs) + above * extent


def _draw_rows(title: str, spans: dict[str, _Span], anchor: str) -> tuple[Figure, Axes]:
    """Draw a row for everybody, best first."""
    figure, axes = open_axes(title, _elo_label(anchor), "", height=1.4 + 0.36 * len(spans))
    low, high = _limits(list(spans.values()))
    axes.set_xlim(low, high)
    axes.set_ylim(len(spans) - 0.4, -0.6)
    for row, span in enumerate(spans.values()):
        if span.middle is None:
            _draw_arrow(axes, (span.low, row), (span.low + span.arrow * _ARROW * (high - low), row), BLUE)
        else:
            axes.plot([span.low, span.high], [row, row], color=BLUE, linewidth=1.6)
            axes.plot(span.middle, row, color=BLUE, marker="o", markersize=6)
    axes.set_yticks(range(len(spans)), [shorten(name, _LONGEST_NAME) for name in spans])
    return figure, axes


def _draw_curves(
    title: str, spans: dict[str, _Span], arrangement: Arrangement, anchor: str
) -> tuple[Figure, Axes]:
    """Draw curves with bars; they are a little apart where several have a point at one place."""
    width = 6.8 if not arrangement.others else 8.4
    figure, axes = open_axes(title, arrangement.axis or "", _elo_label(anchor), width)
    axes.set_ylim(*_limits(list(spans.values())))
    places = sorted({place for curve in arrangement.curves for place in curve.places.values()})
    is_logarithmic = arrangement.axis == SIMULATIONS
    if is_logarithmic:
        margin = max(1.15, (places[-1] / places[0]) ** 0.08)
        axes.set_xscale("log")
        axes.set_xlim(places[0] / margin, places[-1] * margin)
        axes.xaxis.set_major_locator(FixedLocator(_numbered(places)))
        axes.xaxis.set_minor_locator(NullLocator())
    else:
        axes.set_xlim(-0.05 * places[-1], 1.06 * max(1, places[-1]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda place, _: f"{place:,.0f}"))
    has_one_agent = len({curve.who for curve in arrangement.curves}) == 1
    for number, curve in enumerate(arrangement.curves):
        apart = _APART * (number - (len(arrangement.curves) - 1) / 2)
        label = curve.how if has_one_agent else f"{shorten(curve.who, _LONGEST_NAME)}: {curve.how}"
        _draw_curve(axes, curve, spans, number, apart, label)
    heading = shorten(arrangement.curves[0].who, _LONGEST_NAME) if has_one_agent else None
    add_legend(axes, title=heading, title_fontsize=9)
    return figure, axes


def _numbered(places: Sequence[int]) -> list[int]:
    """Return the places on a logarithmic axis that have room for a number.

    >>> _numbered([100, 101, 200, 10_000])
    [100, 200, 10000]
    """
    least = (places[-1] / places[0]) ** 0.09
    numbered = [places[0]]
    for place in places[1:]:
        if place >= least * numbered[-1]:
            numbered.append(place)
    return numbered


def _draw_curve(
    axes: Axes, curve: Curve, spans: dict[str, _Span], number: int, apart: float, label: str
) -> None:
    """Draw one curve through the estimates; arrows are not joined to it."""
    colour = colour_of(number)
    ordered = sorted((place, name) for name, place in curve.places.items() if name in spans)
    low, high = axes.get_ylim()
    to_axes = axes.transScale + axes.transLimits
    estimates: list[tuple[float, float]] = []
    for place, name in ordered:
        span = spans[name]
        shifted = to_axes.transform((place, 0.0))[0] + apart
        across = float(to_axes.inverted().transform((shifted, 0.0))[0])
        if span.middle is None:
            tip = span.low + span.arrow * _ARROW * (high - low)
            _draw_arrow(axes, (across, span.low), (across, tip), colour)
        else:
            estimates.append((across, span.middle))
            axes.plot([across, across], [span.low, span.high], color=colour, linewidth=1.1)
    draw_curve(axes, estimates, number, label, markersize=5.5)


def _draw_others(
    axes: Axes, names: Sequence[str], spans: dict[str, _Span], ratings: dict[str, Rating]
) -> None:
    """Draw lines across, with bars at the right end and names beside the picture."""
    low, high = axes.get_ylim()
    ordered = sorted(names, key=lambda name: spans[name].low + spans[name].high)
    heights = [(_middle(spans[name]) - low) / (high - low) for name in ordered]
    for name, height, label_height in zip(ordered, heights, _spread(heights), strict=True):
        span = spans[name]
        style = "--" if span.middle is not None else ":"
        axes.axhline(_middle(span), color=_GREY, linewidth=1, linestyle=style)
        ends = [(end - low) / (high - low) for end in (span.low, span.high)]
        if span.middle is None:
            tip = (1.0, height + span.arrow * _ARROW)
            _draw_arrow(axes, (1.0, height), tip, _GREY, "axes fraction")
        else:
            axes.plot([1.0, 1.0], ends, transform=axes.transAxes, color=_GREY, linewidth=1.4, clip_on=False)
        elo = rating_words(ratings[name])[0]
        axes.annotate(
            f"{shorten(name, _LONGEST_LABEL)}\u2002{elo}",
            xy=(1.0, height),
            xytext=(1.025, label_height),
            xycoords="axes fraction",
            textcoords="axes fraction",
            fontsize=8.5,
            color=INK,
            va="center",
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": "#b0b0b0", "linewidth": 0.6, "shrinkA": 1, "shrinkB": 1},
        )


def _middle(span: _Span) -> float:
    return span.low if span.middle is None else span.middle


def _spread(heights: Sequence[float]) -> list[float]:
    """Move ascending heights apart so that names beside them can be read.

    >>> [round(height, 2) for height in _spread([0.1, 0.5, 0.5])]
    [0.1, 0.47, 0.53]
    """
    groups: list[list[float]] = []  # of heights that touch, to be centred together
    for height in heights:
        groups.append([height])
        while len(groups) > 1 and _top(groups[-2]) + _LABEL_GAP > _bottom(groups[-1]):
            last = groups.pop()
            groups[-1] += last
    return [_bottom(group) + place * _LABEL_GAP for group in groups for place in range(len(group))]


def _bottom(group: Sequence[float]) -> float:
    return sum(group) / len(group) - (len(group) - 1) / 2 * _LABEL_GAP


def _top(group: Sequence[float]) -> float:
    return _bottom(group) + (len(group) - 1) * _LABEL_GAP


def _draw_arrow(
    axes: Axes,
    start: tuple[float, float],
    tip: tuple[float, float],
    colour: str,
    coordinates: str = "data",
) -> None:
    """Draw an arrow that begins at a bound."""
    axes.annotate(
        "",
        xy=tip,
        xytext=start,
        xycoords=coordinates,
        textcoords=coordinates,
        annotation_clip=False,
        arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 1.6, "shrinkA": 0},
    )
    if coordinates == "data":
        axes.plot(*start, color=colour, marker="_" if start[0] == tip[0] else "|", markersize=9)


def _elo_label(anchor: str) -> str:
    """Name the axis; of an anchor that is a file the folder is left out, or the words would be cut off."""
    return f"Elo with 95 % interval, 0 = {shorten(anchor.rpartition('/')[2], _LONGEST_ANCHOR)}"
