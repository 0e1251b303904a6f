"""`sog ranges RANGE`: what a range holds, hands counted, written short, as a grid.

Verified: tests/interfaces/cli/test_ranges_command.py.
"""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64
from sog.games.holdem.cards import NUM_HANDS, NUM_RANKS, hand_name, parse_board
from sog.games.holdem.range_grid import cell_name, grid_means
from sog.games.holdem.ranges import format_range, parse_range, restrict_range
from sog.interfaces.output import print_json


class Options(NamedTuple):
    """The options of `sog ranges`."""

    range: str
    board: str | None
    json: bool


def run(options: Options) -> int:
    """Print a range as text, combos and percentage, and as a grid or as JSON."""
    weights = parse_range(options.range)
    text = format_range(weights)  # before the board, which would only make it long
    if options.board is not None:
        weights = restrict_range(weights, parse_board(options.board))
    combos, hands = float(weights.sum()), int(np.count_nonzero(weights))
    if options.json:
        named = {hand_name(int(hand)): float(weights[hand]) for hand in np.flatnonzero(weights)}
        figures = {"range": format_range(weights), "combos": combos, "hands": hands}
        print_json({**figures, "percent": 100 * combos / NUM_HANDS, "weights": named})
        return 0
    print(text)
    print(f"{combos:.10g} combos of {hands:,} hands, {100 * combos / NUM_HANDS:.3g}% of all")
    print("\n".join(["", *_grid_lines(weights)]))
    return 0


def _grid_lines(weights: F64) -> list[str]:
    """Return the 13×13 grid, a hand's name where it is whole, its percentage where it is not."""
    means = grid_means(weights)
    lines = []
    for row in range(NUM_RANKS):
        cells = []
        for column, mean in enumerate(means[row].tolist()):
            part = f"{100 * mean:.0f}%" if mean > 0 else "."
            cells.append(cell_name(row, column) if mean == 1 else part)
        lines.append("".join(f"{cell:<5}" for cell in cells).rstrip())
    return lines
