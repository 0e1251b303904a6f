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

from sog.core.arrays import F32, F64, I64, U32
from sog.core.jit import kernel
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
    players: tuple[int, ...] = (0, 1)  # whose values are asked for


class Seat(NamedTuple):
    """Where kernels find what a player does. H hands, L leaves."""

    slots: U32  # [L] where the reach of a leaf begins
    places: U32  # [L] where its values do
    row: U32  # [H] of the hands that the player may have
    hand: U32  # [H] the same among all that the board leaves
    weight: F32  # [H] in the player's range


LeafValues = Callable[[Beliefs], F32]
"""Values [H, players, L] in pots beside those of checking down, for each hand times what it meets.

In other words: the sum over runouts of the mass of the opponent's reach that the hand meets there times what
the hand wins per unit of it. Leaves where both are all-in are not asked about.
"""


def check_down(beliefs: Beliefs) -> F32:
    """Return nothing beside the values of checking down."""
    return np.zeros((len(beliefs.reach), len(beliefs.players), len(beliefs.leaves)), np.float32)


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
        rows = self.level.rows(0)
        self._hands_of = rows
        self._seats = [
            Seat(
                (own.leaves["slot"][numbers] * mine.size).astype(np.uint32),
                (own.leaves["value"][numbers] * mine.size).astype(np.uint32),
                mine.row.astype(np.uint32),
                np.searchsorted(board.hands, mine.hands).astype(np.uint32),
                weights[mine.hands].astype(np.float32),
            )
            for own, mine, weights in zip(layout.players, rows, spot.ranges, strict=True)
        ]
        self._lane = np.full(len(self.leaves), -1)  # among live leaves
        self._lane[self.live_leaves] = np.arange(self.live_leaves.size)
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
        """Do so many iterations more; `on_iteration` sees what is asked first in each."""
        weights = discounts(self._variant, self.iterations + 1, iterations)
        turns = _IN_TURN if self._variant.updates == "alternating" else _BOTH
        for row in weights:
            for learners in turns:
                visit = Visit(LEARN, MINIMISERS.index(self._variant.minimiser), learners, row)
                self._call(visit, ENTER)
                beliefs = self._look()._replace(players=tuple(np.flatnonzero(learners).tolist()))
                if on_iteration is not None and learners[0]:
                    on_iteration(self.iterations, beliefs)
                self._write(beliefs)
                self._call(visit, LEAVE)
            self.iterations += 1

    def average_beliefs(self) -> Beliefs:
        """Return both players' reach at the leaves when they play their averages."""
        self._call(Visit(MEET, MINIMISERS.index(self._variant.minimiser), _BOTH[0], np.zeros(4)), ENTER)
        return self._look()

    def average_values(self) -> tuple[F64, F64]:
        """Return what each hand of both players wins when both play their averages: as `values`."""
        visit = Visit(MEET, MINIMISERS.index(self._variant.minimiser), _BOTH[0], np.zeros(4))
        self._call(visit, ENTER)
        self._write(self._look())
        self._call(visit, LEAVE)
        return self.values()

    def live(self, beliefs: Beliefs) -> Beliefs:
        """Return the leaves after which there is more to bet."""
        return Beliefs(
            beliefs.board,
            [self.leaves[leaf] for leaf in self.live_leaves],
            beliefs.reach[:, :, self.live_leaves],
            beliefs.players,
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
        for player, seat in enumerate(self._seats):
            take_reach(np.uint64(player), seat, self._work[player].reach, reach)
        return Beliefs(self.board, self.leaves, reach)

    def _write(self, beliefs: Beliefs) -> None:
        """Value all leaves: checking down, which is exact where both are all-in, and what is beside it."""
        faced = [1 - player for player in beliefs.players]
        down = self.board.check_down(beliefs.reach[:, faced])
        beside = self._values(self.live(beliefs)) if self.live_leaves.size else down
        chips = self._chips * self._scale
        for place, player in enumerate(beliefs.players):
            seat, out = self._seats[player], self._work[player].leaves
            write_leaves(np.uint64(place), seat, down, beside, self._lane, chips, out)

    def _call(self, visit: Visit, phase: int) -> None:
        nothing = np.zeros(0, np.uint8)
        visit_boards(
            visit, phase, _ROOT, _ROOT, np.uint64(1), _ROOT, self.street.layout.players, self._players,
            self._ends, self._source, self.sums, (nothing, nothing), self._work, self._out,
        )  # fmt: skip


@kernel
def take_reach(player: np.uint64, seat: Seat, own: F32, reach: F32) -> None:
    """Copy a player's reach at all leaves, the range included; reach [H, 2, L] modified in place."""
    for index in range(np.uint64(seat.row.size)):
        row, weight = np.uint64(seat.row[index]), seat.weight[index]
        target = reach[np.uint64(seat.hand[index]), player]
        for leaf in range(np.uint64(target.size)):
            target[leaf] = own[np.uint64(seat.slots[leaf]) + row] * weight


@kernel
def write_leaves(
    place: np.uint64, seat: Seat, down: F32, beside: F32, lane: I64, chips: F32, values: F32
) -> None:
    """Write what a player's hands win at all leaves; values, as a street has them, modified in place.

    place: the player's among those who are asked for; down: [H, players, L] halves of the pot from
    checking down; beside: [H, players, lanes] pots beside that; lane: [L], -1 where nothing is; chips: [L]
    half of the pot per deal.
    """
    two = np.float32(2)
    for index in range(np.uint64(seat.row.size)):
        row, weight, hand = np.uint64(seat.row[index]), seat.weight[index], np.uint64(seat.hand[index])
        for leaf in range(np.uint64(lane.size)):
            won = down[hand, place, leaf]
            if lane[leaf] >= 0:
                won += two * beside[hand, place, np.uint64(lane[leaf])]
            values[np.uint64(seat.places[leaf]) + row] = won * chips[leaf] * weight
