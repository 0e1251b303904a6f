"""A report over flops as a picture: how often each action is played on each flop, with EV and equity.

Verified: tests/interfaces/cli/test_report_command.py.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sog.interfaces.plots.picture_file import BLUE, INK, VERMILION, write_figure
from sog.poker.flop_report import FlopRow
from sog.poker.strategy_grid import action_colours

_NAMED = 100  # flops that have room for their names
_ROW, _SMALL_ROW = 0.17, 0.012  # inches


def draw_report(title: str, rows: Sequence[FlopRow], whole: FlopRow, path: Path) -> None:
    """Draw rows into a file, the last line being all of them together; a row's height is the same for all."""
    lines = [*rows, whole]
    is_named = len(rows) <= _NAMED
    tall = 1.5 + len(lines) * (_ROW if is_named else _SMALL_ROW)
    height = max(tall, 3.0)
    figure = Figure(figsize=(9.0, height), facecolor="white")
    bottom, top = 0.62 / height, 1 - 0.75 / height
    bars = figure.add_axes((0.10, bottom, 0.52, top - bottom))
    points = figure.add_axes((0.66, bottom, 0.31, top - bottom), sharey=bars)
    _draw_bars(bars, lines, is_named)
    _draw_points(points, lines)
    figure.text(0.02, 1 - 0.27 / height, title, color=INK, fontsize=13, weight="bold")
    handles, labels = bars.get_legend_handles_labels()
    handles += points.get_legend_handles_labels()[0]
    labels += points.get_legend_handles_labels()[1]
    figure.legend(
        handles, labels, loc="upper left", bbox_to_anchor=(0.01, 1 - 0.36 / height), ncols=6,
        frameon=False, fontsize=9, labelcolor=INK,
    )  # fmt: skip
    write_figure(figure, path)


def _draw_bars(axes: Axes, lines: Sequence[FlopRow], is_named: bool) -> None:
    places, start = np.arange(len(lines)), np.zeros(len(lines))
    for number, (action, colour) in enumerate(
        zip(lines[0].actions, action_colours(lines[0].actions), strict=True)
    ):
        shares = np.nan_to_num([100 * row.frequencies[number] for row in lines])
        mean = lines[-1].frequencies[number]
        axes.barh(
            places, shares, 0.86 if is_named else 1.0, start, color=colour, label=f"{action} {mean:.1%}"
        )
        start = start + shares
    axes.set_xlim(0, 100)
    axes.set_ylim(len(lines) - 0.5, -0.5)
    axes.set_xlabel("how often, percent", color=INK, fontsize=9)
    axes.set_yticks(places if is_named else [len(lines) - 1])
    axes.set_yticklabels([row.flop for row in lines] if is_named else ["all"], fontsize=7.5, color=INK)
    axes.tick_params(colors=INK, labelsize=8, length=2)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _draw_points(axes: Axes, lines: Sequence[FlopRow]) -> None:
    """Draw EV as a share of the pot beside equity, so that both have one axis."""
    places = np.arange(len(lines))
    size = 14 if len(lines) <= _NAMED + 1 else 2
    values = [100 * row.ev / row.pot for row in lines]
    player = lines[-1].player
    axes.scatter(values, places, size, BLUE, label=f"EV {player}, % of the pot", zorder=3)
    axes.scatter(
        [100 * row.equity for row in lines], places, size, VERMILION, label="equity, %", marker="D", zorder=2
    )
    axes.set_xlabel("percent of the pot", color=INK, fontsize=9)
    axes.grid(axis="x", color="#d0d0d0", linewidth=0.7)
    axes.tick_params(colors=INK, labelsize=8, labelleft=False, length=2)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
