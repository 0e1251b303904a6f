"""What hands win when the river comes: a network's answers on all 48 rivers, their mean with card removal.

A search asks about all its leaves at once. On each river beliefs are pooled on the ladder, the network gives
the rungs' values, these are balanced, and every hand adds up what it wins times the mass of the opponent's
hands that it meets there. For a hand ab and a river c that mass is `met − T_c + r(ac) + r(bc)`, with met what
it meets before the river and T_c the reach of hands with c: no river is ever laid out.

Leaves stand side by side in memory, so that kernels take eight of them at a time.

Verified: tests/poker/test_river_values.py (against river by river, hand by hand).
"""

from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F32, F64, I64
from sog.core.eights import EIGHT, load_eight, spread, store_eight
from sog.core.jit import inlined, kernel
from sog.core.simd import LANES
from sog.games.holdem.bet_sizes import BetSizes
from sog.games.holdem.cards import NUM_RANKS, NUM_SUITS, Board
from sog.nets.ladder_forward import LadderForward
from sog.poker.turn_boards import NUM_LEFT, NUM_RIVERS, RiverTables
from sog.poker.turn_search import Beliefs

LEAST_REACH = 1e-6  # for the network, which has never seen nobody come
_NUMBERS = 5  # of the betting
NUM_FEATURES = _NUMBERS + NUM_RANKS + 3
_BOTH = (0, 1)
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


class Lanes(NamedTuple):
    """Beliefs of players at L leaves as kernels take them, one player's lanes after the other's: W in all."""

    reach: F32  # [1128 W]
    faced: F32  # [1128 W] the opponent's reach
    met: F32  # [1128 W] what hands can meet of it before the river comes
    by_card: F32  # [52 W] of it the hands with each card
    width: np.uint64  # W


def prepare(beliefs: Beliefs, players: tuple[int, ...]) -> Lanes:
    """Return beliefs with a least reach for every hand."""
    used = len(players) * len(beliefs.leaves)
    width = _fill_eights(used)
    reach, faced = (np.zeros((NUM_LEFT, width), np.float32) for _ in range(2))
    for lanes, own in ((reach, players), (faced, [1 - player for player in players])):
        np.maximum(beliefs.reach[:, own].reshape(NUM_LEFT, used), LEAST_REACH, out=lanes[:, :used])
    met, by_card = beliefs.board.meet(faced)
    return Lanes(reach.ravel(), faced.ravel(), met.ravel(), by_card.ravel(), np.uint64(width))


def _fill_eights(lanes: int) -> int:
    return -(-lanes // LANES) * LANES


class RiverValues:
    """Values of leaves by a network (`sog.poker.turn_search.LeafValues`)."""

    def __init__(
        self,
        network: LadderForward,
        sizes: BetSizes,
        every: int = 1,
        gamma: float | None = None,
        rivers: int = NUM_RIVERS,
        rng: np.random.Generator | None = None,
    ) -> None:
        """every: how many times in a row rungs are used before the network is asked again.

        gamma: the network is asked about averages of all beliefs so far, those of time t weighed by t to this
        power; None for the beliefs as they are. Averages move little, so their rungs may be used for long.
        rivers: how many are drawn each time the network is asked, to stand for all 48; they need a generator.
        """
        assert rivers == NUM_RIVERS or rng is not None
        self._network, self._fractions, self._every = network, bet_fractions(sizes), every
        self._gamma = gamma
        self._count, self._rng = rivers, rng
        self._rivers: I64 | None = None  # those that rungs are about; None for all
        self._asked, self._weight = 0, 0.0
        self._average: F64 = np.zeros(0)
        self._features = np.zeros((0, 0, 0), np.float32)
        self._rungs = np.zeros((0, 0, 0), np.float32)  # of both players: [48, K, W]
        self._board: Board | None = None
        self.queries = 0

    def __call__(self, beliefs: Beliefs) -> F32:
        """Return values beside those of checking down: [1128, players, L]."""
        self._turn_to(beliefs)
        lanes = prepare(beliefs, beliefs.players)
        asked = beliefs if self._gamma is None else self._add_to_average(beliefs, self._gamma)
        if self._asked % self._every == 0 or (self._gamma is not None and self._asked < _FAST):
            if self._rng is not None and self._count < NUM_RIVERS:
                self._rivers = self._rng.permutation(NUM_RIVERS)[: self._count]
            is_prepared = asked is beliefs and beliefs.players == _BOTH
            self._ask(asked, lanes if is_prepared else prepare(asked, _BOTH))
        self._asked += 1
        return self._read(beliefs, lanes, slice(None))

    def river_by_river(self, beliefs: Beliefs) -> F32:
        """Return the same for each river by itself, the network asked now: [48, 1128, 2, L]."""
        self._turn_to(beliefs)
        lanes = prepare(beliefs, _BOTH)
        self._rivers = None
        self._ask(beliefs, lanes)
        self._asked = 0
        rivers = [slice(river, river + 1) for river in range(NUM_RIVERS)]
        return np.array([self._read(beliefs, lanes, river) for river in rivers])

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

    def _read(self, beliefs: Beliefs, lanes: Lanes, rivers: slice) -> F32:
        """Return the sum over some rivers: [1128, players, L]."""
        values, shape = np.zeros_like(lanes.reach), (len(beliefs.players), len(beliefs.leaves))
        rungs, used = self._rungs[rivers], shape[0] * shape[1]
        if beliefs.players != _BOTH:
            first = beliefs.players[0] * shape[1]
            own = np.zeros((*rungs.shape[:2], int(lanes.width)), np.float32)
            own[:, :, :used] = rungs[:, :, first : first + used]
            rungs = own
        tables: RiverTables = beliefs.board.tables
        if self._rivers is None:
            read_rivers(tables.some(rivers), lanes, rungs.ravel(), values)
        else:
            read_rivers(tables.some(self._rivers), lanes, rungs.ravel(), values)
            values *= np.float32(NUM_RIVERS / self._rivers.size)
        return values.reshape(NUM_LEFT, -1)[:, :used].reshape(NUM_LEFT, *shape)

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

    def _ask(self, beliefs: Beliefs, lanes: Lanes) -> None:
        """Ask about both players' lanes."""
        tables: RiverTables = beliefs.board.tables
        features = self._features
        if self._rivers is not None:
            tables, features = tables.some(self._rivers), features[self._rivers]
        count, rungs = len(beliefs.leaves), self._network.rungs
        inputs = np.zeros((len(features) * count, self._network.num_inputs), np.float32)
        inputs[:, :NUM_FEATURES] = features.reshape(-1, NUM_FEATURES)
        pooled = np.zeros((len(features), rungs, int(lanes.width)), np.float32)
        pool_rivers(tables, lanes, pooled.ravel())
        fill_inputs(pooled, np.uint64(count), np.uint64(NUM_FEATURES), inputs)
        answers = self._network(inputs)
        self._rungs = np.zeros_like(pooled)
        balance_rungs(answers, inputs, np.uint64(count), np.uint64(NUM_FEATURES), self._rungs)
        self.queries += len(inputs)


@inlined
def meet_eight(
    lanes: Lanes, row: np.uint64, card: np.uint64, first: np.uint64, second: np.uint64, lane: np.uint64
) -> Any:
    """Return what a hand meets on a river, in eight lanes.

    row, card, first, second: where the lanes of the hand, of the river's card, and of the two hands with it
    begin. They are read once for all lanes: the compiler would read them again after everything written.
    """
    return (
        load_eight(lanes.met, row + lane)
        - load_eight(lanes.by_card, card + lane)
        + load_eight(lanes.faced, first + lane)
        + load_eight(lanes.faced, second + lane)
    )


@kernel
def pool_rivers(tables: RiverTables, lanes: Lanes, pooled: F32) -> None:
    """Add up beliefs on the rungs of every river; pooled [48 K W] modified in place."""
    rivers, width = np.uint64(tables.row.shape[0]), lanes.width
    size = np.uint64(pooled.size) // rivers
    for river in range(rivers):
        card = np.uint64(tables.cards[river]) * width
        for index in range(np.uint64(tables.row.shape[1])):
            row, up = np.uint64(tables.row[river, index]) * width, spread(tables.above[river, index])
            first = np.uint64(tables.first[river, index]) * width
            second = np.uint64(tables.second[river, index]) * width
            rung = river * size + np.uint64(tables.rung[river, index]) * width
            for group in range(width // EIGHT):
                lane = group * EIGHT
                belief = load_eight(lanes.reach, row + lane) * meet_eight(
                    lanes, row, card, first, second, lane
                )
                upper = belief * up
                at, next_at = rung + lane, rung + width + lane
                below, above = load_eight(pooled, at), load_eight(pooled, next_at)
                store_eight(pooled, at, below + (belief - upper))
                store_eight(pooled, next_at, above + upper)


@kernel
def fill_inputs(pooled: F32, count: np.uint64, first: np.uint64, inputs: F32) -> None:
    """Write beliefs as inputs from `first` on, each player's K in all; inputs [48 L, F + 2 K] modified.

    pooled: [48, K, W].
    """
    rungs = np.uint64(pooled.shape[1])
    for river in range(np.uint64(pooled.shape[0])):
        for leaf in range(count):
            line = inputs[river * count + leaf]
            for player in range(np.uint64(2)):
                at, total = player * count + leaf, np.float32(0)
                for rung in range(rungs):
                    total += pooled[river, rung, at]
                factor = np.float32(rungs) / max(total, _NOTHING)
                for rung in range(rungs):
                    line[first + player * rungs + rung] = pooled[river, rung, at] * factor


@kernel
def balance_rungs(answers: F32, inputs: F32, count: np.uint64, first: np.uint64, rungs: F32) -> None:
    """Write rungs whose values cancel under the beliefs; rungs [48, K, W] modified in place.

    answers: [48 L, 2 K or more]; inputs: beliefs from `first` on.
    """
    size = np.uint64(rungs.shape[1])
    for river in range(np.uint64(rungs.shape[0])):
        for leaf in range(count):
            answer, line = answers[river * count + leaf], inputs[river * count + leaf]
            total = np.float32(0)
            for rung in range(np.uint64(2) * size):
                total += answer[rung] * line[first + rung]
            shift = total / np.float32(np.uint64(2) * size)
            for player in range(np.uint64(2)):
                for rung in range(size):
                    rungs[river, rung, player * count + leaf] = answer[player * size + rung] - shift


@kernel
def read_rivers(tables: RiverTables, lanes: Lanes, rungs: F32, values: F32) -> None:
    """Add what hands win on each river times the mass that they meet; values [1128 W] modified.

    rungs: [rivers K W].
    """
    rivers, width = np.uint64(tables.row.shape[0]), lanes.width
    size = np.uint64(rungs.size) // rivers
    for river in range(rivers):
        card = np.uint64(tables.cards[river]) * width
        for index in range(np.uint64(tables.row.shape[1])):
            row, up = np.uint64(tables.row[river, index]) * width, spread(tables.above[river, index])
            first = np.uint64(tables.first[river, index]) * width
            second = np.uint64(tables.second[river, index]) * width
            rung = river * size + np.uint64(tables.rung[river, index]) * width
            for group in range(width // EIGHT):
                lane = group * EIGHT
                mass = meet_eight(lanes, row, card, first, second, lane)
                low, high = load_eight(rungs, rung + lane), load_eight(rungs, rung + width + lane)
                won = load_eight(values, row + lane) + mass * (low + up * (high - low))
                store_eight(values, row + lane, won)
