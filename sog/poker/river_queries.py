"""Rivers solved from arrays, many boards of one betting at a time: what a value network learns from.

A query is a board, a betting at the start of the river, and both players' ranges. Its answer is what each of
the 1,326 hands wins when both play the solution. Spots would be built anew for each (tree, tables, storage);
here the betting tree is laid out once, boards share it, and regrets are work space that stays in the cache.

Ranges enter as reach, and all hands take part: one that never gets there has a value too. Shares are lifted
to a smallest one, since a hand without any reach would have no average policy.

Verified: tests/poker/test_river_queries.py (against `SpotSolver`).
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F32, F64, I32, Float
from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.bet_sizes import BetSizes
from sog.games.holdem.betting import Betting
from sog.games.holdem.cards import NUM_HANDS, Board, compatible_hands
from sog.games.holdem.ranges import met_weights
from sog.games.holdem.showdown import HandLists, Rows, Work, join_boards, list_board, make_work
from sog.games.holdem.spot import Spot
from sog.games.holdem.strength import RIVER_CARDS, order_by_strength, strengths_of_boards
from sog.poker.ends import Ends
from sog.poker.spot_solver import check_variant
from sog.poker.streets import Street, make_single_street
from sog.poker.visits import LEARN, MEET, Layouts, Visit, fit_layout, play_board, value_board
from sog.poker.work_states import make_states
from sog.solvers.algorithms import parse_algorithm
from sog.solvers.cfr import PlayerState, State
from sog.solvers.schedules import REGRET_MATCHING, discounts

HANDS_LEFT = 1_081  # on a river
ROWS = 1_088  # with those that fill whole vectors
LEAST_SHARE = 1e-7  # of a range, for hands that the board leaves
_SHAPES_KEPT = 256  # laid out bettings
_ALGORITHM = "dcfr"
_BOTH = True, True


class RiverHands(NamedTuple):
    """The hands of B boards by increasing strength, with the tables that kernels take."""

    boards: list[Board]
    hands: I32  # [B, 1081] numbers of hands
    lists: HandLists


class Plan(NamedTuple):
    """A river's betting, laid out, with work space for one board."""

    street: Street
    units: Layouts  # for one hand
    players: Layouts  # for the rows of a board
    work: State
    ends: Work


def list_rivers(boards: Sequence[Board]) -> RiverHands:
    """Return the hands that boards leave; both players may hold all of them."""
    weights, parts, orders = np.ones(NUM_HANDS), [], []
    for board, strengths in zip(boards, strengths_of_boards(boards), strict=True):
        hands = order_by_strength(board, np.flatnonzero(compatible_hands(board)).astype(np.int32))
        rows = Rows(hands, np.arange(HANDS_LEFT, dtype=np.int32), ROWS)
        parts.append(list_board(weights, rows, rows, strengths, np.float32))
        orders.append(hands)
    return RiverHands(list(boards), np.array(orders), join_boards(parts))


@lru_cache(maxsize=_SHAPES_KEPT)
def make_plan(betting: Betting, sizes: BetSizes) -> Plan:
    """Lay out a river's betting."""
    street, _ = make_single_street(_bare_spot(betting, sizes), [betting])
    layout = street.layout
    units = layout.players
    first, second = (own._replace(steps=own.steps.copy(), leaves=own.leaves.copy()) for own in units)
    work = make_states(layout, (ROWS, ROWS), True)
    return Plan(street, units, (first, second), work, make_work(ROWS, np.float32))


def _bare_spot(betting: Betting, sizes: BetSizes) -> Spot:
    """Return a spot that tells of the betting alone."""
    board = tuple(range(RIVER_CARDS))
    return Spot(board, betting, sizes, np.ones((NUM_PLAYERS, NUM_HANDS)), betting, ())


def solve_rivers(
    betting: Betting, sizes: BetSizes, rivers: RiverHands, ranges: F64, iterations: int
) -> tuple[F64, F64]:
    """Return what every hand wins in chips, and the opponent's share that it meets; both [B, 2, 1326].

    ranges: [B, 2, 1326] of any size; hands that a board blocks are left out, and have zeros.
    Values are those of the average policies after so many iterations, per hand that can be met.
    """
    count = len(rivers.boards)
    plan, shares = make_plan(betting, sizes), _share(rivers, ranges)
    reach = np.zeros((count, NUM_PLAYERS, ROWS), np.float32)
    index = rivers.hands[:, None, :]
    reach[:, :, :HANDS_LEFT] = np.take_along_axis(shares, index, axis=2)
    out = np.zeros((count, NUM_PLAYERS, ROWS), np.float32)
    ends = Ends(plan.street.ends, plan.street.batches, (rivers.lists, rivers.lists), plan.ends)
    weights = discounts(check_variant(parse_algorithm(_ALGORITHM)), 1, iterations)
    solve_boards(weights, plan.units, plan.players, ends, plan.work, reach, out)
    won, met = np.zeros_like(shares), np.zeros_like(shares)
    np.put_along_axis(won, index, out[:, :, :HANDS_LEFT].astype(np.float64), axis=2)
    left = np.array([compatible_hands(board) for board in rivers.boards])
    for player in range(NUM_PLAYERS):
        for query in range(count):
            met[query, player] = np.where(left[query], met_weights(shares[query, 1 - player]), 0)
    np.divide(won, met, out=won, where=met > 0)
    return won, met


def _share(rivers: RiverHands, ranges: F64) -> F64:
    """Return ranges whose hands are shares of one, none of them nothing: [B, 2, 1326]."""
    left = np.array([compatible_hands(board) for board in rivers.boards])[:, None, :]
    shares = np.where(left, ranges, 0.0)
    shares /= shares.sum(axis=2, keepdims=True)
    shares[:] = np.where(left, np.maximum(shares, LEAST_SHARE), 0.0)
    return np.asarray(shares / shares.sum(axis=2, keepdims=True))


@kernel
def solve_boards(
    weights: F64, units: Layouts, players: Layouts, ends: Ends, work: State, reach: F32, out: F32
) -> None:
    """Run an iteration for each row of `weights` on every board, then value the averages.

    reach: [B, 2, rows] at the start; out: [B, 2, rows], work and players modified in place.
    """
    nothing = ends.lists[0].place.view(np.uint8)[ZERO:ZERO]  # no hand's policy is given
    for board in range(np.uint64(reach.shape[0])):
        learn = Visit(LEARN, REGRET_MATCHING, _BOTH, weights[0])
        for player in range(2):
            first_row = ends.lists[player].first_row
            fit_layout(np.uint64(first_row[board + ONE] - first_row[board]), units[player], players[player])
            open_board(player, players, work[player], reach[board, player])
            play_board(learn, player, players[player], nothing, work[player])
        for iteration in range(weights.shape[0]):
            visit = Visit(LEARN, REGRET_MATCHING, _BOTH, weights[iteration])
            for player in range(2):
                faced = work[1 - player].reach
                value_board(visit, np.uint64(board), player, players, ends, nothing, work[player], faced)
                play_board(visit, player, players[player], nothing, work[player])
        meet = Visit(MEET, REGRET_MATCHING, _BOTH, weights[0])
        for player in range(2):
            play_board(meet, player, players[player], nothing, work[player])
        for player in range(2):
            faced = work[1 - player].reach
            value_board(meet, np.uint64(board), player, players, ends, nothing, work[player], faced)
            for row in range(np.uint64(out.shape[2])):
                out[board, player, row] = work[player].values[row]


@inlined
def open_board(player: int, players: Layouts, mine: PlayerState, reach: Float) -> None:
    """Forget what was learned on another board, and take the reach of the start; `mine` modified in place."""
    for slot in range(mine.regret.size):
        mine.regret[slot] = 0
        mine.average[slot] = 0
    for row in range(reach.size):
        mine.reach[row] = reach[row]
