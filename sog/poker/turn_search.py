"""Search of a street: all of its betting, and values where a card would come.

The street's tree, its regrets and its traversal are those of the street solver (`sog.poker.visits`), with
no streets below. Each iteration both players' reach at the leaves is handed to whatever values them
(`LeafValues`): a network's mean over all rivers, check-down values, or exact solves. Leaves where both
players are all-in are exact. It was made for the turn, and searches the flop and before it as well: a board
(`StreetBoard`) brings the hands that it leaves and their equities.

Verified: tests/poker/test_turn_search.py.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F32, F64, U32
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.betting import NOBODY, Betting, pot_size
from sog.games.holdem.ranges import count_deals
from sog.games.holdem.showdown import make_work
from sog.games.holdem.spot import Spot
from sog.poker.ends import Ends
from sog.poker.regret_storage import make_sums
from sog.poker.spot_solver import check_variant
from sog.poker.street_boards import StreetBoard
from sog.poker.streets import make_levels, make_single_street
from sog.poker.visits import ENTER, LEARN, LEAVE, MEET, Source, Visit, fit_board, visit_boards
from sog.poker.work_states import make_states
from sog.solvers.algorithms import parse_algorithm
from sog.solvers.schedules import MINIMISERS, discounts

_ROOT = np.uint64(0)
_IN_TURN = ((True, False), (False, True))
_BOTH = ((True, True),)


class Leaf(NamedTuple):
    """Where a card comes."""

    start: Betting  # of the next street
    chips: float  # that each player has in the pot
    is_over: bool  # both are all-in

    @property
    def depth(self) -> float:
        """Chips behind for each chip in the pot."""
        return (self.start.stack - self.start.committed[0]) / pot_size(self.start)


class Beliefs(NamedTuple):
    """What a search plays: both players' reach at every leaf. L leaves; H hands that the board leaves."""

    board: Any  # a StreetBoard, of the kind that the search was given
    leaves: list[Leaf]
    reach: F32  # [H, 2, L] ranges included


LeafValues = Callable[[Beliefs], F32]
"""Values [H, 2, L] in pots beside those of checking down, for each hand times what it meets on all runouts.

In other words: the sum over runouts of the mass of the opponent's reach that the hand meets there times what
the hand wins per unit of it. Leaves where both are all-in are not asked about.
"""


def check_down(beliefs: Beliefs) -> F32:
    """Return nothing beside the values of checking down."""
    return np.zeros_like(beliefs.reach)


class TurnSearch:
    """A search of one street, by iterations of a variant of CFR."""

    def __init__(
        self,
        spot: Spot,
        board: StreetBoard,
        values: LeafValues,
        algorithm: str = "dcfr(updates=simultaneous)",
    ) -> None:
        self.spot, self._values = spot, values
        self.board: Any = board  # of the kind that it was given
        self._variant = check_variant(parse_algorithm(algorithm))
        self.street, deals = make_single_street(spot, [spot.betting])
        self.level = make_levels(spot, 1, False, np.float32)[0]
        self.leaves = [Leaf(start, pot_size(start) / 2, start.to_act == NOBODY) for _, start in deals]
        self.live_leaves = np.flatnonzero([not leaf.is_over for leaf in self.leaves])
        self._chips = np.array([leaf.chips for leaf in self.leaves], np.float32)
        self._scale = np.float32(1 / (board.runouts * count_deals(spot.ranges)))
        layout, numbers = self.street.layout, np.array([leaf for leaf, _ in deals], np.intp)
        self.numbers = numbers  # of the leaves among all of the street
        self._slots = [own.leaves["slot"][numbers].astype(np.intp) for own in layout.players]
        self._places = [own.leaves["value"][numbers].astype(np.intp) for own in layout.players]
        rows = self.level.rows(0)
        self._hands_of = rows
        row_of = np.full(spot.ranges.shape[1], board.hands.size)
        row_of[board.hands] = np.arange(board.hands.size)
        self._rows = [own.row for own in rows]  # of the hands that a player may have
        self._hands = [row_of[own.hands] for own in rows]  # the same among all that the board leaves
        self._weights = [spot.ranges[player][own.hands].astype(np.float32) for player, own in enumerate(rows)]
        self.iterations = 0
        self._prepare()

    def _prepare(self) -> None:
        layout, lists = self.street.layout, self.level.lists
        sizes = [own.size for own in self._hands_of]
        self._work = make_states(layout, (sizes[0], sizes[1]), False)
        first, second = (
            make_sums(layout, player, lists[player].first_row, self._variant.optimism > 0, np.float32)
            for player in range(NUM_PLAYERS)
        )
        self.sums = first, second
        units = layout.players
        one, two = (own._replace(steps=own.steps.copy(), leaves=own.leaves.copy()) for own in units)
        self._players = one, two
        self._ends = Ends(self.street.ends, self.street.batches, lists, make_work(max(sizes), np.float32))
        fit_board(_ROOT, units, self._players, self._ends)
        start: U32 = np.zeros(1, np.uint32)
        ones, rows_of = np.ones(max(sizes), np.float32), np.arange(max(sizes), dtype=np.uint16)
        first_rows = lists[0].first_row, lists[1].first_row
        self._source = Source((ones, ones), (start, start), first_rows, (rows_of, rows_of))
        self._out = np.zeros(sizes[0], np.float32), np.zeros(sizes[1], np.float32)

    def run(self, iterations: int, on_iteration: Callable[[int, Beliefs], None] | None = None) -> None:
        """Do so many iterations more; `on_iteration` sees what was asked in each."""
        weights = discounts(self._variant, self.iterations + 1, iterations)
        turns = _IN_TURN if self._variant.updates == "alternating" else _BOTH
        for row in weights:
            for learners in turns:
                visit = Visit(LEARN, MINIMISERS.index(self._variant.minimiser), learners, row)
                self._call(visit, ENTER)
                beliefs = self._look()
                if on_iteration is not None:
                    on_iteration(self.iterations, beliefs)
                self._write(beliefs)
                self._call(visit, LEAVE)
            self.iterations += 1

    def average_beliefs(self) -> Beliefs:
        """Return both players' reach at the leaves when they play their averages."""
        self._call(Visit(MEET, MINIMISERS.index(self._variant.minimiser), _BOTH[0], np.zeros(4)), ENTER)
        return self._look()

    def live(self, beliefs: Beliefs) -> Beliefs:
        """Return the leaves after which there is more to bet."""
        return Beliefs(
            beliefs.board,
            [self.leaves[leaf] for leaf in self.live_leaves],
            beliefs.reach[:, :, self.live_leaves],
        )

    def in_chips(self, won: F32) -> F32:
        """Return values per deal of what hands win, in halves of the pot times the reach that they meet.

        Both: [H, 2, L].
        """
        chips: F32 = won * (self._chips * self._scale)
        return chips

    def values(self) -> tuple[F64, F64]:
        """Return what each hand of both players won in the last iteration, in chips per deal: [1326]."""
        found = []
        for player, rows in enumerate(self._hands_of):
            values = np.zeros(self.spot.ranges.shape[1])
            values[rows.hands] = self._out[player][rows.row]
            found.append(values)
        return found[0], found[1]

    def _look(self) -> Beliefs:
        """Return both players' reach at all leaves."""
        reach = np.zeros((self.board.hands.size, NUM_PLAYERS, len(self.leaves)), np.float32)
        for player, rows in enumerate(self._hands_of):
            table = self._work[player].reach.reshape(-1, rows.size)[self._slots[player]]
            mine = table[:, self._rows[player]] * self._weights[player]
            reach[self._hands[player], player] = mine.T
        return Beliefs(self.board, self.leaves, reach)

    def _write(self, beliefs: Beliefs) -> None:
        """Value all leaves: checking down, which is exact where both are all-in, and what is beside it."""
        count = len(self.leaves)
        flat = beliefs.reach.reshape(beliefs.reach.shape[0], -1)
        found = (self.board.equity @ flat).reshape(-1, NUM_PLAYERS, count)[:, ::-1]  # against the other
        values = self.in_chips(found)
        live = self.live_leaves
        if live.size:
            values[:, :, live] += 2 * self._scale * self._chips[live] * self._values(self.live(beliefs))
        for player, rows in enumerate(self._hands_of):
            table = self._work[player].leaves.reshape(-1, rows.size)
            mine = values[self._hands[player], player] * self._weights[player][:, None]
            table[self._places[player][:, None], self._rows[player]] = mine.T

    def _call(self, visit: Visit, phase: int) -> None:
        nothing = np.zeros(0, np.uint8)
        visit_boards(
            visit, phase, _ROOT, _ROOT, np.uint64(1), _ROOT, self.street.layout.players, self._players,
            self._ends, self._source, self.sums, (nothing, nothing), self._work, self._out,
        )  # fmt: skip
