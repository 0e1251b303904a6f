"""A turn board with its 48 rivers: who is how strong on each, and who meets whom.

Hands are the 1,128 that the turn leaves, in the order of their numbers. On each river they stand on a ladder:
a hand's place is the share of the river's hands that are weaker, equals counted half, on a scale of so many
rungs. What hands win when both players check to the end, or are all-in, is added up river by river in time
linear in the hands, for many ranges side by side; a product with the equities of all pairs takes longer,
since their 5 MB have to be read every time.

Verified: tests/poker/test_turn_boards.py.
"""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F32, I32, I64, U16
from sog.core.eights import EIGHT, load_eight, spread, store_eight
from sog.core.jit import inlined, kernel
from sog.core.simd import LANES
from sog.games.holdem.bet_sizes import TURN
from sog.games.holdem.cards import BOARD_SIZES, HANDS, NUM_CARDS, NUM_HANDS, Board
from sog.games.holdem.strength import IMPOSSIBLE, order_by_strength, strengths_of_boards
from sog.poker.street_boards import StreetBoard, find_places

NUM_LEFT = 1_128  # hands on a turn
NUM_RIVERS = 48
ON_RIVER = 1_081  # hands on a river
_ALL = slice(None)


class RiverTables(NamedTuple):
    """For kernels: N = 1,081 hands by strength on each of 48 rivers, by their rows among the turn's hands."""

    cards: I32  # [48]
    row: U16  # [48, N]
    first: U16  # [48, N] row of the hand with the first card of a hand and the river's
    second: U16  # [48, N] the same with its second card
    rung: U16  # [48, N] the rung below its place
    above: F32  # [48, N] how far it is from there to the next rung
    group_end: U16  # [48, N] where the hands end that are as strong as each

    def some(self, rivers: slice | I64) -> "RiverTables":
        """Return the tables of some of the rivers."""
        return RiverTables(
            self.cards[rivers],
            self.row[rivers],
            self.first[rivers],
            self.second[rivers],
            self.rung[rivers],
            self.above[rivers],
            self.group_end[rivers],
        )


class Pairs(NamedTuple):
    """For kernels: the two cards of the 1,128 hands."""

    one: U16  # [1128] multiplied by LANES
    two: U16  # [1128] the same
    row: U16  # [52, 52] of the hand with two cards, 1,128 where there is none


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
        row_of = np.zeros(NUM_HANDS, np.uint16)
        row_of[self.hands] = np.arange(NUM_LEFT)
        tables = RiverTables(
            cards=np.array([river[-1] for river in self.rivers], np.int32),
            row=np.zeros((NUM_RIVERS, ON_RIVER), np.uint16),
            first=np.zeros((NUM_RIVERS, ON_RIVER), np.uint16),
            second=np.zeros((NUM_RIVERS, ON_RIVER), np.uint16),
            rung=np.zeros((NUM_RIVERS, ON_RIVER), np.uint16),
            above=np.zeros((NUM_RIVERS, ON_RIVER), np.float32),
            group_end=np.zeros((NUM_RIVERS, ON_RIVER), np.uint16),
        )
        for number, strengths in enumerate(self._strengths):
            left = np.flatnonzero(strengths != IMPOSSIBLE).astype(np.int32)
            hands = order_by_strength(self.rivers[number], left)
            mine = strengths[hands]
            tables.group_end[number] = np.searchsorted(mine, mine, side="right")
            card = int(tables.cards[number])
            tables.row[number] = row_of[hands]
            tables.first[number] = row_of[_with_card(HANDS[hands, 0], card)]
            tables.second[number] = row_of[_with_card(HANDS[hands, 1], card)]
            places = find_places(strengths[None], self.rungs)[0][hands]
            tables.rung[number] = np.minimum(places.astype(np.uint16), self.rungs - 2)
            tables.above[number] = places - tables.rung[number]
        return tables

    @cached_property
    def pairs(self) -> Pairs:
        """What kernels take of the cards of hands."""
        rows = np.full((NUM_CARDS, NUM_CARDS), NUM_LEFT, np.uint16)
        for one, two in (self.cards.T, self.cards.T[::-1]):
            rows[one, two] = np.arange(NUM_LEFT)
        one, two = (LANES * self.cards.T).astype(np.uint16)
        return Pairs(one, two, rows)

    def check_down(self, reach: F32, rivers: slice = _ALL) -> F32:
        """The same, over all rivers or some."""
        columns = reach[0].size
        padded = _pad(reach.reshape(NUM_LEFT, columns))
        _, by_card = self.meet(padded)
        found, width = np.zeros_like(padded), np.uint64(padded.shape[1])
        weaker, before = (np.zeros(2 * LANES * size, np.float32) for size in (NUM_CARDS, ON_RIVER))
        tables = self.tables.some(rivers)
        flat = padded.ravel(), by_card.ravel(), weaker, before, found.ravel()
        add_showdowns(tables, self.pairs, width, *flat)
        return found[:, :columns].reshape(reach.shape)

    def row_of(self, hands: I32) -> I32:
        """Return the rows of hands among those that the board leaves."""
        rows: I32 = np.searchsorted(self.hands, hands).astype(np.int32)
        return rows

    def meet(self, reach: F32) -> tuple[F32, F32]:
        """Return the reach that each hand can meet before the river comes, and that of hands with each card.

        reach: [1128, lanes]; found: [1128, lanes] and [52, lanes].
        """
        padded = _pad(reach)
        met, by_card = np.zeros_like(padded), np.zeros((NUM_CARDS, padded.shape[1]), np.float32)
        meet_before(self.pairs, np.uint64(padded.shape[1]), padded.ravel(), met.ravel(), by_card.ravel())
        return met[:, : reach.shape[1]], by_card[:, : reach.shape[1]]


def _pad(reach: F32) -> F32:
    """Return lanes that fill whole eights."""
    lanes = reach.shape[1]
    if lanes % LANES == 0:
        return reach
    padded = np.zeros((len(reach), -(-lanes // LANES) * LANES), np.float32)
    padded[:, :lanes] = reach
    return padded


def _with_card(cards: I32, card: int) -> I32:
    """Return the hands of other cards and one: [N]."""
    low, high = np.minimum(cards, card), np.maximum(cards, card)
    numbers: I32 = low * (2 * NUM_CARDS - low - 1) // 2 + high - low - 1
    return numbers


@kernel
def meet_before(pairs: Pairs, width: np.uint64, reach: F32, met: F32, by_card: F32) -> None:
    """Add up reach by card, and write what each hand meets; met [1128 W], by_card [52 W], zeros, modified.

    reach: [1128 W].
    """
    for group in range(width // EIGHT):
        lane = group * EIGHT
        total = spread(np.float32(0))
        for row in range(np.uint64(pairs.one.size)):
            own = load_eight(reach, row * width + lane)
            first = np.uint64(pairs.one[row]) // EIGHT * width + lane
            second = np.uint64(pairs.two[row]) // EIGHT * width + lane
            total = total + own
            store_eight(by_card, first, load_eight(by_card, first) + own)
            store_eight(by_card, second, load_eight(by_card, second) + own)
        for row in range(np.uint64(pairs.one.size)):
            first = np.uint64(pairs.one[row]) // EIGHT * width + lane
            second = np.uint64(pairs.two[row]) // EIGHT * width + lane
            outside = total - load_eight(by_card, first) - load_eight(by_card, second)
            store_eight(met, row * width + lane, outside + load_eight(reach, row * width + lane))


@kernel
def add_showdowns(
    tables: RiverTables,
    pairs: Pairs,
    width: np.uint64,
    reach: F32,
    by_card: F32,
    weaker: F32,
    before: F32,
    won: F32,
) -> None:
    """Add wins minus losses of each hand against reach on all rivers; won [1128 W] modified in place.

    On a river W hands are weaker than a hand and E are weaker or equal, each less those that share a card
    with it; of T in all it wins `W + E - T`. So sums over hands by strength start at minus half of what they
    come to. Two eights of lanes are taken at once, since half of the time goes to finding a hand's cards.
    reach: [1128 W]; by_card: [52 W]; weaker [52 x 2 LANES], before [1081 x 2 LANES]: work space.
    """
    two_eights = EIGHT + EIGHT
    for river in range(np.uint64(tables.row.shape[0])):
        rows, ends, card = tables.row[river], tables.group_end[river], np.uint64(tables.cards[river])
        for pair in range(width // two_eights):
            lane = pair * two_eights
            add_two_eights(card, rows, ends, pairs, width, lane, reach, by_card, weaker, before, won)
        for _ in range(width // EIGHT - np.uint64(2) * (width // two_eights)):
            lane = width // two_eights * two_eights
            add_eight(card, rows, ends, pairs, width, lane, reach, by_card, weaker, before, won)


@inlined
def add_eight(
    card: np.uint64,
    rows: U16,
    ends: U16,
    pairs: Pairs,
    width: np.uint64,
    lane: np.uint64,
    reach: F32,
    by_card: F32,
    weaker: F32,
    before: F32,
    won: F32,
) -> None:
    """The same on the river with a card, for the eight lanes from `lane` on."""
    count, start = np.uint64(rows.size), np.uint64(0)
    below = start_sums(card, pairs, width, lane, reach, by_card, weaker, np.uint64(0), EIGHT)
    while start < count:
        size = np.uint64(ends[start]) - start
        for index in range(size):
            row = np.uint64(rows[start + index])
            one, two = np.uint64(pairs.one[row]), np.uint64(pairs.two[row])
            store_eight(before, index * EIGHT, leave_out(below, weaker, one, two))
        for index in range(size):
            row = np.uint64(rows[start + index])
            own = load_eight(reach, row * width + lane)
            add_hand(weaker, np.uint64(pairs.one[row]), np.uint64(pairs.two[row]), own)
            below = below + own
        for index in range(size):
            row = np.uint64(rows[start + index])
            one, two, at = np.uint64(pairs.one[row]), np.uint64(pairs.two[row]), row * width + lane
            known = load_eight(won, at) + load_eight(before, index * EIGHT)
            store_eight(won, at, known + leave_out(below, weaker, one, two))
        start += size


@inlined
def add_two_eights(
    card: np.uint64,
    rows: U16,
    ends: U16,
    pairs: Pairs,
    width: np.uint64,
    lane: np.uint64,
    reach: F32,
    by_card: F32,
    weaker: F32,
    before: F32,
    won: F32,
) -> None:
    """The same for sixteen lanes; sums of the second eight stand beside those of the first."""
    count, start, twice, both = np.uint64(rows.size), np.uint64(0), np.uint64(2), EIGHT + EIGHT
    low = start_sums(card, pairs, width, lane, reach, by_card, weaker, np.uint64(0), both)
    high = start_sums(card, pairs, width, lane + EIGHT, reach, by_card, weaker, EIGHT, both)
    while start < count:
        size = np.uint64(ends[start]) - start
        for index in range(size):
            row = np.uint64(rows[start + index])
            one, two = twice * np.uint64(pairs.one[row]), twice * np.uint64(pairs.two[row])
            store_eight(before, index * both, leave_out(low, weaker, one, two))
            store_eight(before, index * both + EIGHT, leave_out(high, weaker, one + EIGHT, two + EIGHT))
        for index in range(size):
            row = np.uint64(rows[start + index])
            one, two = twice * np.uint64(pairs.one[row]), twice * np.uint64(pairs.two[row])
            first = load_eight(reach, row * width + lane)
            second = load_eight(reach, row * width + lane + EIGHT)
            add_hand(weaker, one, two, first)
            add_hand(weaker, one + EIGHT, two + EIGHT, second)
            low, high = low + first, high + second
        for index in range(size):
            row = np.uint64(rows[start + index])
            one, two = twice * np.uint64(pairs.one[row]), twice * np.uint64(pairs.two[row])
            at, place = row * width + lane, index * both
            known = load_eight(won, at) + load_eight(before, place)
            store_eight(won, at, known + leave_out(low, weaker, one, two))
            known = load_eight(won, at + EIGHT) + load_eight(before, place + EIGHT)
            store_eight(won, at + EIGHT, known + leave_out(high, weaker, one + EIGHT, two + EIGHT))
        start += size


@inlined
def start_sums(
    card: np.uint64,
    pairs: Pairs,
    width: np.uint64,
    lane: np.uint64,
    reach: F32,
    by_card: F32,
    weaker: F32,
    first: np.uint64,
    step: np.uint64,
) -> Any:
    """Return minus half of all reach on a river; that of hands with each card is written from `first` on."""
    half, below = spread(np.float32(0.5)), spread(np.float32(0))
    for other in range(np.uint64(NUM_CARDS)):  # hands with the river's card are not there
        total, pair = load_eight(by_card, other * width + lane), np.uint64(pairs.row[card, other])
        if pair < np.uint64(NUM_LEFT):
            total = total - load_eight(reach, pair * width + lane)
        if other != card:
            below = below - total * half
        store_eight(weaker, other * step + first, spread(np.float32(0)) - total * half)
    return below * half  # each hand has two cards


@inlined
def leave_out(below: Any, weaker: F32, one: np.uint64, two: np.uint64) -> Any:
    """Return a sum without the hands that have one of two cards."""
    return below - load_eight(weaker, one) - load_eight(weaker, two)


@inlined
def add_hand(weaker: F32, one: np.uint64, two: np.uint64, own: Any) -> None:
    """Add a hand's reach to the sums of its cards; weaker modified in place."""
    first, second = load_eight(weaker, one) + own, load_eight(weaker, two) + own
    store_eight(weaker, one, first)
    store_eight(weaker, two, second)
