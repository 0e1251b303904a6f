"""What hands win when the river comes: a network's answers on all 48 rivers, their mean with card removal.

A search asks about all its leaves at once. On each river beliefs are pooled on the ladder, the network gives
the rungs' values, these are balanced, and every hand adds up what it wins times the mass of the opponent's
hands that it meets there. For a hand ab and a river c that mass is `met − T_c + r(ac) + r(bc)`, with met what
it meets before the river and T_c the reach of hands with c: no river is ever laid out.

Leaves stand side by side in memory, so that kernels take eight of them at a time.

Verified: tests/poker/test_river_values.py (against river by river, hand by hand).
"""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import F32, F64
from sog.core.jit import ONE, kernel
from sog.core.simd import LANES
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.bet_sizes import BetSizes
from sog.games.holdem.cards import NUM_RANKS, NUM_SUITS, Board
from sog.nets.ladder_forward import LadderForward
from sog.poker.turn_boards import NUM_LEFT, NUM_RIVERS, RiverTables
from sog.poker.turn_search import Beliefs

LEAST_REACH = 1e-6  # for the network, which has never seen nobody come
_NUMBERS = 5  # of the betting
NUM_FEATURES = _NUMBERS + NUM_RANKS + 3
_NOTHING = np.float32(1e-30)
_FAST = 8  # times at first in which averages move fast


def describe_board(board: Board) -> F32:
    """Return features of a river board that suits' names do not change: [NUM_RANKS + 3]."""
    features = np.zeros(NUM_RANKS + 3, np.float32)
    suits = np.zeros(NUM_SUITS, np.intp)
    for card in board:
        features[card // NUM_SUITS] += 1
        suits[card % NUM_SUITS] += 1
    if suits.max() >= 3:  # a flush is possible
        features[NUM_RANKS + suits.max() - 3] = 1
    return features


def bet_fractions(sizes: BetSizes) -> tuple[float, float, float]:
    """Return the river's smallest and largest first bet and its smallest later one, as shares of the pot."""
    street = sizes.river
    first, later = sorted(street.first.percents), sorted(street.raises.percents)
    return first[0] / 100, first[-1] / 100, later[0] / 100


def describe_betting(depth: float, fractions: tuple[float, float, float]) -> F32:
    """Return features of a river's betting: [5]. depth: chips behind for each in the pot."""
    return np.array(
        [np.log(depth + 0.02) / 2, depth / (1 + depth), *(4 * (f - 0.75) for f in fractions)], np.float32
    )


class Prepared(NamedTuple):
    """Beliefs as kernels take them. L leaves stand in W lanes."""

    leaves: int  # L
    reach: F32  # [1128, 2 W] player 0's lanes first
    met: F32  # [1128, 2 W] what hands can meet before the river comes
    by_card: F32  # [52, 2 W] reach of the hands with each card


def prepare(beliefs: Beliefs) -> Prepared:
    """Return beliefs with a least reach for every hand."""
    count = len(beliefs.leaves)
    width = -(-count // LANES) * LANES
    reach = np.zeros((NUM_LEFT, NUM_PLAYERS * width), np.float32)
    view = reach.reshape(NUM_LEFT, NUM_PLAYERS, width)
    np.maximum(beliefs.reach, LEAST_REACH, out=view[:, :, :count])
    return Prepared(count, reach, beliefs.board.met(reach), beliefs.board.card_rows @ reach)


class RiverValues:
    """Values of leaves by a network (`sog.poker.turn_search.LeafValues`)."""

    def __init__(
        self, network: LadderForward, sizes: BetSizes, every: int = 1, gamma: float | None = None
    ) -> None:
        """every: how many times in a row rungs are used before the network is asked again.

        gamma: the network is asked about averages of all beliefs so far, those of time t weighed by t to this
        power; None for the beliefs as they are. Averages move little, so their rungs may be used for long.
        """
        self._network, self._fractions, self._every = network, bet_fractions(sizes), every
        self._gamma = gamma
        self._asked, self._weight = 0, 0.0
        self._average: F64 = np.zeros(0)
        self._features = np.zeros((0, 0, 0), np.float32)
        self._board: Board | None = None
        self.queries = 0

    def __call__(self, beliefs: Beliefs) -> F32:
        """Return values beside those of checking down: [1128, 2, L]."""
        self._turn_to(beliefs)
        prepared = prepare(beliefs)
        asked = beliefs if self._gamma is None else self._add_to_average(beliefs, self._gamma)
        if self._asked % self._every == 0 or (self._gamma is not None and self._asked < _FAST):
            self._ask(beliefs.board.tables, prepared if asked is beliefs else prepare(asked))
        self._asked += 1
        return self._read(beliefs.board.tables, prepared, slice(None))

    def river_by_river(self, beliefs: Beliefs) -> F32:
        """Return the same for each river by itself, the network asked now: [48, 1128, 2, L]."""
        self._turn_to(beliefs)
        tables, prepared = beliefs.board.tables, prepare(beliefs)
        self._ask(tables, prepared)
        self._asked = 0
        rivers = [slice(river, river + 1) for river in range(NUM_RIVERS)]
        return np.array([self._read(tables, prepared, river) for river in rivers])

    def _turn_to(self, beliefs: Beliefs) -> None:
        """Forget other boards and other leaves."""
        if self._board != beliefs.board.board or self._features.shape[1] != len(beliefs.leaves):
            self._describe(beliefs)
            self._asked = 0

    def _add_to_average(self, beliefs: Beliefs, gamma: float) -> Beliefs:
        """Return the average of all beliefs so far."""
        if self._asked == 0:
            self._weight, self._average = 0.0, np.zeros(beliefs.reach.shape)
        weight = float((self._asked + 1) ** gamma)
        self._weight += weight
        self._average += (beliefs.reach - self._average) * (weight / self._weight)
        return beliefs._replace(reach=self._average.astype(np.float32))

    def _read(self, tables: RiverTables, prepared: Prepared, rivers: slice) -> F32:
        """Return the sum over some rivers."""
        count, reach, met, by_card = prepared
        values = np.zeros_like(reach)
        read_rivers(tables.some(rivers), reach, met, by_card, self._rungs[rivers], values)
        return values.reshape(NUM_LEFT, NUM_PLAYERS, -1)[:, :, :count]

    def _describe(self, beliefs: Beliefs) -> None:
        boards = np.array([describe_board(river) for river in beliefs.board.rivers])
        bettings = np.array([describe_betting(leaf.depth, self._fractions) for leaf in beliefs.leaves])
        shape = NUM_RIVERS, len(beliefs.leaves)
        self._features = np.concatenate(
            (
                np.broadcast_to(bettings[None], (*shape, bettings.shape[1])),
                np.broadcast_to(boards[:, None], (*shape, boards.shape[1])),
            ),
            axis=2,
        ).astype(np.float32)
        self._board = beliefs.board.board

    def _ask(self, tables: RiverTables, prepared: Prepared) -> None:
        count, reach, met, by_card = prepared
        rungs = self._network.rungs
        pooled = np.zeros((NUM_RIVERS, rungs, reach.shape[1]), np.float32)
        pool_rivers(tables, reach, met, by_card, pooled)
        inputs = np.zeros((NUM_RIVERS * count, self._network.num_inputs), np.float32)
        inputs[:, :NUM_FEATURES] = self._features.reshape(-1, NUM_FEATURES)
        fill_inputs(pooled, np.uint64(count), np.uint64(NUM_FEATURES), inputs)
        answers = self._network(inputs)
        self._rungs = np.zeros_like(pooled)
        balance_rungs(answers, inputs, np.uint64(count), np.uint64(NUM_FEATURES), self._rungs)
        self.queries += len(inputs)


@kernel
def pool_rivers(tables: RiverTables, reach: F32, met: F32, by_card: F32, pooled: F32) -> None:
    """Add up the beliefs of both players on the rungs of every river; pooled [48, K, 2 W] modified in place.

    reach, met: [1128, 2 W], player 0's lanes first; by_card: [52, 2 W].
    """
    width, one = np.uint64(reach.shape[1]) // np.uint64(2), np.float32(1)
    for river in range(np.uint64(tables.row.shape[0])):
        gone, target = by_card[np.uint64(tables.cards[river])], pooled[river]
        for index in range(np.uint64(tables.row.shape[1])):
            row = np.uint64(tables.row[river, index])
            mine, seen = reach[row], met[row]
            first, second = (
                reach[np.uint64(tables.first[river, index])],
                reach[np.uint64(tables.second[river, index])],
            )
            rung = np.uint64(tables.rung[river, index])
            up = tables.above[river, index]
            down = one - up
            low, high = target[rung], target[rung + ONE]
            for lane in range(width):
                other = width + lane
                belief = mine[lane] * (seen[other] - gone[other] + first[other] + second[other])
                low[lane] += down * belief
                high[lane] += up * belief
            for lane in range(width):
                other = width + lane
                belief = mine[other] * (seen[lane] - gone[lane] + first[lane] + second[lane])
                low[other] += down * belief
                high[other] += up * belief


@kernel
def fill_inputs(pooled: F32, count: np.uint64, first: np.uint64, inputs: F32) -> None:
    """Write beliefs as inputs from `first` on, each player's K in all; inputs [48 L, F + 2 K] modified."""
    rungs, width = np.uint64(pooled.shape[1]), np.uint64(pooled.shape[2]) // np.uint64(2)
    for river in range(np.uint64(pooled.shape[0])):
        for leaf in range(count):
            line = inputs[river * count + leaf]
            for player in range(np.uint64(2)):
                at, total = player * width + leaf, np.float32(0)
                for rung in range(rungs):
                    total += pooled[river, rung, at]
                factor = np.float32(rungs) / max(total, _NOTHING)
                for rung in range(rungs):
                    line[first + player * rungs + rung] = pooled[river, rung, at] * factor


@kernel
def balance_rungs(answers: F32, inputs: F32, count: np.uint64, first: np.uint64, rungs: F32) -> None:
    """Write rungs whose values cancel under the beliefs; rungs [48, K, 2 W] modified in place.

    answers: [48 L, 2 K or more].
    """
    size, width = np.uint64(rungs.shape[1]), np.uint64(rungs.shape[2]) // np.uint64(2)
    for river in range(np.uint64(rungs.shape[0])):
        for leaf in range(count):
            answer, line = answers[river * count + leaf], inputs[river * count + leaf]
            total = np.float32(0)
            for rung in range(np.uint64(2) * size):
                total += answer[rung] * line[first + rung]
            shift = total / np.float32(np.uint64(2) * size)
            for player in range(np.uint64(2)):
                for rung in range(size):
                    rungs[river, rung, player * width + leaf] = answer[player * size + rung] - shift


@kernel
def read_rivers(tables: RiverTables, reach: F32, met: F32, by_card: F32, rungs: F32, values: F32) -> None:
    """Add what every hand wins on each river times the mass that it meets; values [1128, 2 W] modified."""
    width, one = np.uint64(reach.shape[1]) // np.uint64(2), np.float32(1)
    for river in range(np.uint64(tables.row.shape[0])):
        gone, source = by_card[np.uint64(tables.cards[river])], rungs[river]
        for index in range(np.uint64(tables.row.shape[1])):
            row = np.uint64(tables.row[river, index])
            target, seen = values[row], met[row]
            first, second = (
                reach[np.uint64(tables.first[river, index])],
                reach[np.uint64(tables.second[river, index])],
            )
            rung = np.uint64(tables.rung[river, index])
            up = tables.above[river, index]
            down = one - up
            low, high = source[rung], source[rung + ONE]
            for lane in range(width):
                other = width + lane
                mass = seen[other] - gone[other] + first[other] + second[other]
                target[lane] += mass * (down * low[lane] + up * high[lane])
            for lane in range(width):
                other = width + lane
                mass = seen[lane] - gone[lane] + first[lane] + second[lane]
                target[other] += mass * (down * low[other] + up * high[other])
