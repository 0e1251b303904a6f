"""The 13×13 grid of a hold'em strategy as a picture.

A cell's width is shared among the actions; how high it is filled is how much of its hands gets to the node,
against the cell that gets there most.

Verified: tests/interfaces/cli/test_holdem_command.py.
"""

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from sog.games.holdem.cards import NUM_RANKS, compatible_hands
from sog.games.holdem.range_grid import cell_name, grid_means
from sog.interfaces.plots.picture_file import INK, write_figure
from sog.poker.solved_spot import NodeStrategy
from sog.poker.strategy_grid import action_colours, action_shares, cell_shares

_EMPTY, _LINE = "#F1F1F1", "#FFFFFF"
_LEGEND_COLUMNS = 4


def draw_strategy(title: str, subtitle: str, strategy: NodeStrategy, path: Path) -> None:
    """Draw a strategy into a file."""
    lines = -(-len(strategy.actions) // _LEGEND_COLUMNS)
    height = 8.7 + 0.3 * lines  # inches
    figure = Figure(figsize=(8.2, height), facecolor="white")
    axes = figure.add_axes((0.03, 1 - 8.37 / height, 0.94, 7.71 / height))
    _draw_cells(axes, strategy)
    figure.text(0.03, 1 - 0.27 / height, title, color=INK, fontsize=14, weight="bold")
    figure.text(0.03, 1 - 0.52 / height, subtitle, color=INK, fontsize=11)
    shares = action_shares(strategy)
    handles = [
        Patch(color=colour, label=action if np.isnan(share) else f"{action}  {100 * share:.1f}%")
        for action, colour, share in zip(
            strategy.actions, action_colours(strategy.actions), shares, strict=True
        )
    ]
    figure.text(
        0.97,
        1 - 8.45 / height,
        "height: how much of a cell gets here, against the fullest",
        color=INK,
        fontsize=8.5,
        ha="right",
        va="top",
    )
    figure.legend(
        handles=handles, loc="lower left", bbox_to_anchor=(0.02, 0.0), ncols=_LEGEND_COLUMNS,
        frameon=False, fontsize=11, labelcolor=INK,
    )  # fmt: skip
    write_figure(figure, path)


def _draw_cells(axes: Axes, strategy: NodeStrategy) -> None:
    """Draw all cells, one unit wide and high, the first row on top."""
    shares, colours = cell_shares(strategy), action_colours(strategy.actions)
    is_possible = compatible_hands(strategy.board).astype(np.float64)
    weights = np.nan_to_num(grid_means(strategy.reach, is_possible))
    heights = weights / max(weights.max(), np.finfo(np.float64).tiny)
    for row in range(NUM_RANKS):
        for column in range(NUM_RANKS):
            axes.add_patch(Rectangle((column, row), 1, 1, facecolor=_EMPTY, linewidth=0))
            left, height = float(column), float(heights[row, column])
            for share, colour in zip(np.nan_to_num(shares[:, row, column]), colours, strict=True):
                axes.add_patch(
                    Rectangle((left, row + 1 - height), share, height, facecolor=colour, linewidth=0)
                )
                left += share
            axes.add_patch(Rectangle((column, row), 1, 1, fill=False, edgecolor=_LINE, linewidth=1.6))
            faint = INK if height > 0 else "#B0B0B0"
            axes.text(column + 0.06, row + 0.28, cell_name(row, column), fontsize=9.5, color=faint)
    axes.set_xlim(0, NUM_RANKS)
    axes.set_ylim(NUM_RANKS, 0)
    axes.set_aspect("equal")
    axes.set_axis_off()
