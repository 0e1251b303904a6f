"""How strong a hand is: the best five of five, six or seven cards as one number.

Cards become a set of bits, sixteen to a suit (`card_bit`), so that each suit is a 13-bit set of ranks. Bit
logic on the four suits tells which ranks occur once, twice, three and four times; tables over the 8,192 sets
of ranks answer the rest: flush, straight, the highest ranks of a set.

A strength is `class << 26 | main << 13 | kickers`, where `main` and `kickers` are sets of ranks: the paired
ranks, then those that break ties. Sets of equally many ranks compare as numbers do, so a stronger hand has
the larger strength and equal hands have equal ones. There are 7,462 different strengths.

Seven cards with five of a suit hold neither four of a kind nor a full house, so a flush is decided first.

Verified: tests/games/holdem/test_strength.py (all five-card and seven-card hands by class, random hands
against the best of 21 in plain Python).
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sog.core.arrays import I32
from sog.core.errors import InputError
from sog.core.jit import inlined, kernel
from sog.games.holdem.cards import HANDS, NUM_CARDS, NUM_HANDS, NUM_RANKS, check_board

HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)
IMPOSSIBLE = -1  # strength of a hand that holds a card of the board
RIVER_CARDS = 5
_NEIGHBOURS = 4  # hands before one that should not share its cards

_MAIN_SHIFT = 13
CLASS_SHIFT = 26  # a strength beyond it is its class
_NUM_SETS = 1 << NUM_RANKS
_WHEEL = 0b1_0000_0000_1111  # A2345, whose highest card is the five
_FIVE = 1 << 3

_RANK_BITS = np.uint64(_NUM_SETS - 1)
_LANE = np.uint64(16)  # bits from one suit to the next
_TWO, _THREE, _FOUR = np.uint64(2), np.uint64(3), np.uint64(4)
_ONE_BIT = np.uint64(1)

U16 = npt.NDArray[np.uint16]


class StrengthTables(NamedTuple):
    """Tables over sets of ranks, as kernels take them; get them from `strength_tables`."""

    flush: I32  # [8192] strength of the best flush or straight flush in one suit's ranks, 0 for none
    straight: I32  # [8192] strength of the best straight among the ranks, 0 for none
    top: U16  # [6, 8192] the highest one, two, … five ranks of a set (row 0 is unused)


@cache
def strength_tables() -> StrengthTables:
    """Return the tables, computed on first use in about a millisecond."""
    sets = np.arange(_NUM_SETS, dtype=np.int32)
    top = np.zeros((6, _NUM_SETS), np.int32)
    left = sets.copy()
    for count in range(1, 6):
        highest = np.where(left > 0, 1 << np.log2(np.maximum(left, 1)).astype(np.int32), 0)
        left -= highest
        top[count] = sets - left
    straight = np.where((sets & _WHEEL) == _WHEEL, _FIVE, 0)
    for lowest in range(NUM_RANKS - 4):
        run = 0b11111 << lowest
        straight = np.where((sets & run) == run, 1 << (lowest + 4), straight)
    has_five = np.bitwise_count(sets) >= 5
    flush = np.where(straight > 0, STRAIGHT_FLUSH << CLASS_SHIFT | straight, FLUSH << CLASS_SHIFT | top[5])
    return StrengthTables(
        flush=np.where(has_five, flush, 0).astype(np.int32),
        straight=np.where(straight > 0, STRAIGHT << CLASS_SHIFT | straight, 0).astype(np.int32),
        top=top.astype(np.uint16),
    )


@inlined
def card_bit(card: np.uint64) -> np.uint64:
    """Return the bit of a card in a set of cards."""
    return _ONE_BIT << ((card & _THREE) * _LANE + (card >> _TWO))


@inlined
def evaluate_bits(bits: np.uint64, tables: StrengthTables) -> int:
    """Return the strength of five, six or seven cards given as the sum of their `card_bit`."""
    spades = bits & _RANK_BITS
    hearts = (bits >> _LANE) & _RANK_BITS
    diamonds = (bits >> (_LANE * _TWO)) & _RANK_BITS
    clubs = (bits >> (_LANE * _THREE)) & _RANK_BITS
    flush = max(
        max(tables.flush[spades], tables.flush[hearts]), max(tables.flush[diamonds], tables.flush[clubs])
    )
    if flush > 0:
        return int(flush)
    return evaluate_ranks(spades, hearts, diamonds, clubs, tables)


@inlined
def evaluate_ranks(
    spades: np.uint64, hearts: np.uint64, diamonds: np.uint64, clubs: np.uint64, tables: StrengthTables
) -> int:
    """Return the strength of cards that make no flush, one set of ranks for each suit."""
    either, both = spades | hearts, spades & hearts
    either_minor, both_minor = diamonds | clubs, diamonds & clubs
    ranks = either | either_minor  # ranks that occur; then those that occur at least twice, three times, four
    twice = both | both_minor | (either & either_minor)
    if twice == 0:
        straight = int(tables.straight[ranks])
        return straight if straight > 0 else combine(HIGH_CARD, np.uint64(0), highest(ranks, 5, tables))
    four_times = both & both_minor
    if four_times > 0:
        return combine(QUADS, four_times, highest(ranks ^ four_times, 1, tables))
    trips = highest((both & either_minor) | (both_minor & either), 1, tables)
    pairs = highest(twice ^ trips, 2, tables)
    if trips > 0 and pairs > 0:
        return combine(FULL_HOUSE, trips, highest(pairs, 1, tables))
    straight = int(tables.straight[ranks])
    if straight > 0:
        return straight
    if trips > 0:
        return combine(TRIPS, trips, highest(ranks ^ trips, 2, tables))
    if pairs & (pairs - _ONE_BIT) > 0:
        return combine(TWO_PAIR, pairs, highest(ranks ^ pairs, 1, tables))
    return combine(PAIR, pairs, highest(ranks ^ pairs, 3, tables))


@inlined
def highest(ranks: np.uint64, count: int, tables: StrengthTables) -> np.uint64:
    """Return the `count` highest of a set of ranks, fewer if there are fewer."""
    return np.uint64(tables.top[np.uint64(count), ranks])


@inlined
def combine(class_index: int, main: np.uint64, kickers: np.uint64) -> int:
    """Return the strength of a class, its main ranks and its kickers."""
    return class_index << CLASS_SHIFT | int(main) << _MAIN_SHIFT | int(kickers)


@kernel
def _fill_strengths(boards: I32, tables: StrengthTables, strengths: I32) -> None:
    """Fill the strength of every hand on each board. boards: [B, 5]; strengths: [B, 1326], in place."""
    for index in range(np.uint64(boards.shape[0])):
        board = np.uint64(0)
        for place in range(np.uint64(RIVER_CARDS)):
            board |= card_bit(np.uint64(boards[index, place]))
        hand = np.uint64(0)
        for card in range(np.uint64(NUM_CARDS)):
            first = np.uint64(card)
            with_first = board | card_bit(first)
            for step in range(np.uint64(NUM_CARDS) - first - _ONE_BIT):
                second = card_bit(first + np.uint64(step) + _ONE_BIT)
                is_possible = with_first != board and with_first & second == 0
                strengths[index, hand] = (
                    evaluate_bits(with_first | second, tables) if is_possible else IMPOSSIBLE
                )
                hand += _ONE_BIT


def board_strengths(board: Sequence[int]) -> I32:
    """Return the strength of every hand on a board of five cards: [1326], larger is stronger.

    Hands that hold a card of the board get `IMPOSSIBLE`.

    >>> from sog.games.holdem.cards import parse_board, parse_hand
    >>> strengths = board_strengths(parse_board("9s7c5s4h3c"))
    >>> bool(strengths[parse_hand("8s6d")] > strengths[parse_hand("6h2h")] > strengths[parse_hand("AhAd")])
    True
    """
    return strengths_of_boards([board]).reshape(NUM_HANDS)


def strengths_of_boards(boards: Sequence[Sequence[int]]) -> I32:
    """Return the strength of every hand on each of several boards of five cards: [B, 1326]."""
    for board in boards:
        if len(check_board(board)) != RIVER_CARDS:
            raise InputError(f"hands have a strength on five cards, not on {len(board)}")
    cards = np.array(boards, np.int32).reshape(-1, RIVER_CARDS)
    strengths = np.empty((len(cards), NUM_HANDS), np.int32)
    _fill_strengths(cards, strength_tables(), strengths)
    return strengths


def order_by_strength(board: Sequence[int], hands: I32) -> I32:
    """Return hands that a river board leaves by increasing strength: [H].

    Hands of equal strength stand so that neighbours share no card where that can be: sums by card then do not
    wait for each other.
    """
    strengths = board_strengths(board)[hands]
    order = np.argsort(strengths, kind="stable")
    ordered = hands[order].astype(np.int32)
    _spread_equals(strengths[order], HANDS, ordered)
    return ordered


@kernel
def _spread_equals(strengths: I32, cards: I32, ordered: I32) -> None:
    """Swap hands of equal strength so that each shares no card with the few before it; ordered modified."""
    for place in range(ordered.size):
        best, fewest = place, 2 * _NEIGHBOURS * _NEIGHBOURS
        candidate = place
        while candidate < ordered.size and strengths[candidate] == strengths[place] and fewest > 0:
            shared = 0
            for back in range(min(_NEIGHBOURS, place)):
                if share_card(cards, ordered[candidate], ordered[place - 1 - back]):
                    shared += _NEIGHBOURS - back  # the nearer, the longer the wait
            if shared < fewest:
                best, fewest = candidate, shared
            candidate += 1
        ordered[place], ordered[best] = ordered[best], ordered[place]


@inlined
def share_card(cards: I32, one: int, two: int) -> bool:
    """Tell whether two hands have a card in common. cards: [1326, 2]."""
    return bool(
        cards[one, 0] == cards[two, 0]
        or cards[one, 0] == cards[two, 1]
        or cards[one, 1] == cards[two, 0]
        or cards[one, 1] == cards[two, 1]
    )
