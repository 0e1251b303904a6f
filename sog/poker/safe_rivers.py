"""Rivers solved anew for one player, safely: hands of the opponent may take a value instead of entering.

The player's range is the one that its play on the turn leads to. Every hand of the opponent chooses by regret
matching between the river and a *stop value*, what it would have won by the play that the turn's search had
in mind (CFR-D's gadget, Burch et al. 2014). The opponent then gains nothing by coming to a river with other
hands than was thought. Where stop values are those of its best response to some strategy of the rivers, the
new strategy is at most as exploitable as that one, but for the iterations that are missing.

Updates alternate: first the player learns, then the opponent together with its choice to enter.

Verified: tests/poker/test_safe_rivers.py.
"""

import numpy as np

from sog.core.arrays import F64, Float
from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.poker.ends import Ends
from sog.poker.regret_storage import AnySums, Need, open_sums
from sog.poker.visits import (
    LEARN,
    Layouts,
    Source,
    Visit,
    fetch_reach,
    fit_layout,
    play_board,
    value_board,
)
from sog.solvers.cfr import PlayerState, State
from sog.solvers.schedules import REGRET_MATCHING

_BOTH = (True, True)
_EVERYTHING = Need(True, True)
ENTERED, ENTERING, STOPPING, BEFORE = 0, 1, 2, 3  # share, regrets of both, range of the turn's play
GADGET_SIZE = 4
GADGET_MIX = 0.5  # α of Student of Games


@kernel
def resolve_boards(
    resolver: int,
    mix: float,
    weights: F64,
    above: np.uint64,
    first: np.uint64,
    count: np.uint64,
    units: Layouts,
    players: Layouts,
    ends: Ends,
    source: Source,
    sums: tuple[AnySums, AnySums],
    stops: Float,
    gadget: Float,
    work: State,
) -> None:
    """Run an iteration for each row of `weights` on every board; sums, gadget and work modified in place.

    stops: [boards, starts * rows] counterfactual values of the opponent's hands, as `visit_boards` has them.
    gadget: [4, starts * rows of a board at most] work space.
    mix: share of the opponent's range that is its choice to enter; the rest is the range of the turn's play.
    """
    nothing = ends.lists[0].place.view(np.uint8)[ZERO:ZERO]  # no hand's policy is given
    opponent = 1 - resolver
    for index in range(count):
        board = first + index
        rows = ends.lists[0].first_row, ends.lists[1].first_row
        for player in range(2):
            here = np.uint64(rows[player][board + ONE] - rows[player][board])
            fit_layout(here, units[player], players[player])
        state = (
            open_sums(board, _EVERYTHING, units[0], players[0], rows[0], sums[0], work[0]),
            open_sums(board, _EVERYTHING, units[1], players[1], rows[1], sums[1], work[1]),
        )
        size = np.uint64(players[opponent].steps[ZERO]["rows"])
        base = np.uint64(rows[opponent][board]) * np.uint64(units[opponent].steps[ZERO]["rows"])
        fetch_reach(board, above, resolver, source, rows[resolver], state[resolver])
        fetch_reach(board, above, opponent, source, rows[opponent], state[opponent])
        open_gadget(
            mix, np.uint64(rows[opponent][board + ONE] - rows[opponent][board]), size, gadget, state[opponent]
        )
        for player in range(2):
            learn = Visit(LEARN, REGRET_MATCHING, _BOTH, weights[0])
            play_board(learn, player, players[player], nothing, state[player])
        for iteration in range(weights.shape[0]):
            visit = Visit(LEARN, REGRET_MATCHING, _BOTH, weights[iteration])
            for turn in range(2):
                player = resolver if turn == 0 else opponent
                faced = state[1 - player].reach
                value_board(visit, board, player, players, ends, nothing, state[player], faced)
                if turn == 1:
                    learn_to_enter(mix, weights[iteration], base, size, stops, gadget, state[opponent])
                play_board(visit, player, players[player], nothing, state[player])


@inlined
def open_gadget(mix: float, rows: np.uint64, size: np.uint64, gadget: Float, mine: PlayerState) -> None:
    """Forget regrets; every hand enters half of the time. gadget and `mine.reach` modified in place.

    The range of the turn's play is kept with a mean of one, each start by itself.
    """
    kind = mine.reach.dtype.type
    for start in range(size // rows):
        first, total = start * rows, 0.0
        for row in range(rows):
            total += mine.reach[first + row]
        even = kind((1 - mix) * rows / total) if total > 0 else kind(0)
        for row in range(rows):
            index = first + row
            gadget[ENTERED, index] = kind(0.5)
            gadget[ENTERING, index], gadget[STOPPING, index] = 0, 0
            gadget[BEFORE, index] = even * mine.reach[index]
            mine.reach[index] = kind(mix) * gadget[ENTERED, index] + gadget[BEFORE, index]


@inlined
def learn_to_enter(
    mix: float, weights: F64, base: np.uint64, size: np.uint64, stops: Float, gadget: Float, mine: PlayerState
) -> None:
    """Compare entering with stopping, and choose anew; gadget and `mine.reach` modified in place."""
    kind = mine.reach.dtype.type
    keep, drop, zero = kind(weights[0]), kind(weights[1]), kind(0)
    for index in range(size):
        enter, value, stop = gadget[ENTERED, index], mine.values[index], stops[base + index]
        mean = stop + enter * (value - stop)
        entering = gadget[ENTERING, index] + value - mean
        stopping = gadget[STOPPING, index] + stop - mean
        gadget[ENTERING, index] = entering * (keep if entering > zero else drop)
        gadget[STOPPING, index] = stopping * (keep if stopping > zero else drop)
        for_it, against = max(gadget[ENTERING, index], zero), max(gadget[STOPPING, index], zero)
        total = for_it + against
        gadget[ENTERED, index] = for_it / total if total > zero else kind(0.5)
        mine.reach[index] = kind(mix) * gadget[ENTERED, index] + gadget[BEFORE, index]
