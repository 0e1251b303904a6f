"""Stop values of rivers from a search of the turn: what its network says that hands win there.

A search that ends before the river holds no values after it, which safe re-solving needs. They are asked for
at the end, under both players' average ranges: what checking down is worth on each river, exactly, and what
the network adds to that.

Verified: tests/poker/test_safe_rivers.py.
"""

import numpy as np

from sog.core.arrays import F32, Float
from sog.games.base import NUM_PLAYERS
from sog.poker.composed import Stops
from sog.poker.streets import Level, Street
from sog.poker.turn_search import TurnSearch


def ask_stops(search: TurnSearch, street: Street, level: Level, beside: F32 | None) -> Stops:
    """Return the stop values of all rivers, as `ComposedPlay` takes them.

    street: the turn of the whole spot; level: its rivers; beside: what is added to checking down in pots for
    the leaves with more to bet, [48, 1128, 2, live leaves], see `RiverValues.river_by_river`.
    """
    beliefs, place = search.average_beliefs(), np.zeros(street.layout.frontier.size, np.intp)
    place[search.numbers] = np.arange(search.numbers.size)
    leaves = [place[link.leaves] for link in street.below]
    stops = [
        tuple(np.zeros(int(level.lists[player].first_row[-1]) * own.size, np.float32) for player in range(2))
        for own in leaves
    ]
    cards = [river[-1] for river in search.board.rivers]
    for number, board in enumerate(level.boards):
        river = cards.index(board[-1])
        won = search.board.check_down(beliefs.reach[:, ::-1], slice(river, river + 1))
        if beside is not None:
            won[:, :, search.live_leaves] += 2 * beside[river]
        values = search.in_chips(won)
        for pair, own in zip(stops, leaves, strict=True):
            for player in range(NUM_PLAYERS):
                _write(search, level, number, player, values[:, player, own], pair[player])
    return [(first, second) for first, second in stops]


def _write(search: TurnSearch, level: Level, number: int, player: int, values: F32, out: Float) -> None:
    """Write a board's values [1128, starts] where its rows are; out [boards, starts * rows] modified."""
    rows, starts = level.rows(number)[player], values.shape[1]
    first = int(level.lists[player].first_row[number]) * starts
    block = out[first : first + starts * rows.size].reshape(starts, rows.size)
    weights = search.spot.ranges[player][rows.hands]
    np.add.at(block.T, rows.row, values[search.board.row_of(rows.hands)] * weights[:, None])
