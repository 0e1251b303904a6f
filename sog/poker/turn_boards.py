"""A turn board with its 48 rivers: who is how strong on each, and who meets whom.

Hands are the 1,128 that the turn leaves, in the order of their numbers. On each river they stand on a ladder:
a hand's place is the share of the river's hands that are weaker, equals counted half, on a scale of so many
rungs. `equity` adds up wins minus losses of every pair over all rivers, so that one product gives what all
hands win when both players check to the end, or are all-in.

Verified: tests/poker/test_turn_boards.py.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F32, I32, U32
from sog.core.jit import kernel
from sog.games.holdem.bet_sizes import TURN
from sog.games.holdem.cards import BOARD_SIZES, HANDS, NUM_CARDS, NUM_HANDS, Board
from sog.games.holdem.strength import IMPOSSIBLE, strengths_of_boards
from sog.poker.street_boards import StreetBoard, find_places

NUM_LEFT = 1_128  # hands on a turn
NUM_RIVERS = 48
ON_RIVER = 1_081  # hands on a river


class RiverTables(NamedTuple):
    """For kernels: N = 1,081 hands on each of 48 rivers, by their rows among the turn's hands."""

    cards: I32  # [48]
    row: U32  # [48, N]
    first: U32  # [48, N] row of the hand with the first card of a hand and the river's
    second: U32  # [48, N] the same with its second card
    rung: U32  # [48, N] the rung below its place
    above: F32  # [48, N] how far it is from there to the next rung

    def some(self, rivers: slice) -> "RiverTables":
        """Return the tables of some of the rivers."""
        return RiverTables(
            self.cards[rivers],
            self.row[rivers],
            self.first[rivers],
            self.second[rivers],
            self.rung[rivers],
            self.above[rivers],
        )


class TurnBoard(StreetBoard):
    """A board of four cards with its rivers."""

    def __init__(self, board: Board, rungs: int) -> None:
        """rungs: of the ladder."""
        assert len(board) == BOARD_SIZES[TURN]
        super().__init__(board)
        self.rungs = rungs
        self.rivers = [(*board, card) for card in range(NUM_CARDS) if card not in board]
        self._strengths = strengths_of_boards(self.rivers)  # [48, 1326]

    @cached_property
    def tables(self) -> RiverTables:
        """What kernels take."""
        row_of = np.zeros(NUM_HANDS, np.uint32)
        row_of[self.hands] = np.arange(NUM_LEFT)
        tables = RiverTables(
            cards=np.array([river[-1] for river in self.rivers], np.int32),
            row=np.zeros((NUM_RIVERS, ON_RIVER), np.uint32),
            first=np.zeros((NUM_RIVERS, ON_RIVER), np.uint32),
            second=np.zeros((NUM_RIVERS, ON_RIVER), np.uint32),
            rung=np.zeros((NUM_RIVERS, ON_RIVER), np.uint32),
            above=np.zeros((NUM_RIVERS, ON_RIVER), np.float32),
        )
        for number, strengths in enumerate(self._strengths):
            hands = np.flatnonzero(strengths != IMPOSSIBLE)
            card = int(tables.cards[number])
            tables.row[number] = row_of[hands]
            tables.first[number] = row_of[_with_card(HANDS[hands, 0], card)]
            tables.second[number] = row_of[_with_card(HANDS[hands, 1], card)]
            places = find_places(strengths[None], self.rungs)[0][hands]
            tables.rung[number] = np.minimum(places.astype(np.uint32), self.rungs - 2)
            tables.above[number] = places - tables.rung[number]
        return tables

    def showdowns(self, river: int) -> F32:
        """The same for one river: [1128, 1128]."""
        found = np.zeros((NUM_LEFT, NUM_LEFT), np.float32)
        strengths = np.ascontiguousarray(self._strengths[river : river + 1, self.hands])
        add_showdowns(self.cards.astype(np.uint32), strengths, found)
        return found

    def row_of(self, hands: I32) -> I32:
        """Return the rows of hands among those that the board leaves."""
        rows: I32 = np.searchsorted(self.hands, hands).astype(np.int32)
        return rows

    @cached_property
    def card_rows(self) -> F32:
        """Which hands hold which card: [52, 1128] of zeros and ones."""
        rows = np.zeros((NUM_CARDS, NUM_LEFT), np.float32)
        for place in range(2):
            rows[self.cards[:, place], np.arange(NUM_LEFT)] = 1
        return rows

    def met(self, reach: F32) -> F32:
        """Return the reach that each hand can meet; both [1128, lanes], before the river comes."""
        by_card = self.card_rows @ reach
        met: F32 = reach.sum(axis=0) - by_card[self.cards[:, 0]] - by_card[self.cards[:, 1]] + reach
        return met


def _with_card(cards: I32, card: int) -> I32:
    """Return the hands of other cards and one: [N]."""
    low, high = np.minimum(cards, card), np.maximum(cards, card)
    numbers: I32 = low * (2 * NUM_CARDS - low - 1) // 2 + high - low - 1
    return numbers


@kernel
def add_showdowns(cards: U32, strengths: I32, equity: F32) -> None:
    """Add wins minus losses of all pairs over rivers; equity [H, H], zeros, modified in place.

    cards: [H, 2]; strengths: [rivers, H], IMPOSSIBLE where a river blocks a hand.
    """
    hands = np.uint64(cards.shape[0])
    for river in range(np.uint64(strengths.shape[0])):
        strength = strengths[river]
        for hand in range(hands):
            own = strength[hand]
            if own != IMPOSSIBLE:
                row = equity[hand]
                for other in range(hands):
                    theirs = strength[other]
                    won = np.float32(own > theirs) - np.float32(own < theirs)
                    row[other] += won if theirs != IMPOSSIBLE else np.float32(0)
    for hand in range(hands):
        one, two = cards[hand, 0], cards[hand, 1]
        for other in range(hands):
            first, second = cards[other, 0], cards[other, 1]
            if first in (one, two) or second in (one, two):
                equity[hand, other] = 0
