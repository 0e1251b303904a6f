"""Folds and showdowns in a number of steps linear in the hands, card removal exact.

A leaf's value for hand h is `own weight · Σ_o opponent weight(o) · utility` over the hands o that share no
card with h. Let T be the total weight, T_c the weight of hands with card c. Then what h can meet at a fold is
`T − T_a − T_b + w(h)` for h = ab. At a showdown, with hands sorted by strength and the same sums kept over
the weaker hands (A) and over the weaker and equal ones (B), wins minus losses are `A + B − T`, each corrected
for both cards, and w(h) cancels.

Each player has its own list of hands. Its rows are what a solver keeps numbers for; a row may stand for
several hands that are alike (equal up to the names of suits), and then has their values' sum.

Eight leaves are weighed side by side. Weights are divided by that of all deals, so values are in chips per
hand dealt.

Verified: tests/games/holdem/test_hands.py (against the matrix of all pairs).
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F64, I32, U16, U32, Float, Growable, aligned_zeros
from sog.core.jit import ONE, ZERO, inlined
from sog.core.simd import (
    LANES,
    add_eights,
    add_outside_pairs,
    add_pairs,
    gather_columns,
    outside_pairs,
    scatter_columns,
    take_outside_pairs,
)
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.cards import BOARD_SIZES, HAND_INDEX, HANDS, NUM_CARDS, NUM_HANDS, Board
from sog.games.holdem.ranges import count_deals
from sog.games.holdem.strength import RIVER_CARDS, strengths_of_boards

WIDTH = np.uint64(LANES)
NUM_UNSEEN = 48  # cards that two hands leave


class Rows(NamedTuple):
    """One player's N hands on a board."""

    hands: I32  # [N] by increasing strength on the river
    row: I32  # [N] the row of each
    size: int  # rows, those without a hand included


class HandLists(NamedTuple):
    """One player's hands on G boards. R rows, N hands, M rows with a hand, K groups of equally strong rows.

    Places and cards are multiplied by LANES; other numbers count from the first of their board.
    """

    first_row: U32  # [G + 1] ranges of each board
    first_hand: U32  # [G + 1]
    first_head: U32  # [G + 1]
    first_group: U32  # [G + 1]
    weight: Float  # [R] of each hand of a row; player 0's divided by the weight of all deals
    deal: Float  # [R] of all hands of a row
    place: U16  # [N] the row of a hand; hands stand by increasing strength
    one: U16  # [N] its cards
    two: U16  # [N]
    head_place: U16  # [M] a row, by increasing strength
    head_one: U16  # [M] the cards of one of its hands
    head_two: U16  # [M]
    twin: U16  # [M] the opponent's row of that hand, or the one after the last
    group_end: U16  # [K] rows up to the end of the group
    weaker: U16  # [K] the opponent's hands that are weaker
    not_stronger: U16  # [K] the opponent's hands that are weaker or equal


class Work(NamedTuple):
    """Work space of one batch, LANES numbers for each thing."""

    weight: Float  # [H + 1, LANES] the opponent's weights, then zeros
    result: Float  # [H, LANES]
    total: Float  # [LANES]
    by_card: Float  # [52, LANES]
    place: U32  # [LANES] where a leaf's row starts
    scale: Float  # [LANES]


def make_work(rows: int, dtype: Any) -> Work:
    """Return work space for so many rows."""
    return Work(
        weight=aligned_zeros((rows + 1) * LANES, dtype),
        result=aligned_zeros(rows * LANES, dtype),
        total=aligned_zeros(LANES, dtype),
        by_card=aligned_zeros(NUM_CARDS * LANES, dtype),
        place=aligned_zeros(LANES, np.uint32),
        scale=aligned_zeros(LANES, dtype),
    )


def chance_weight(known: int, num_cards: int) -> float:
    """Return chance's probability of a board of so many cards, given two hands and `known` cards of it.

    >>> chance_weight(4, 5) == 1 / 44, chance_weight(0, 3) == 1 / 17_296
    (True, True)
    """
    sizes = [size for size in BOARD_SIZES if known <= size <= num_cards]
    return prod(1 / comb(NUM_UNSEEN - before, after - before) for before, after in pairwise(sizes))


def list_hands(
    ranges: F64, boards: Sequence[Board], rows: Sequence[tuple[Rows, Rows]], dtype: Any
) -> tuple[HandLists, HandLists]:
    """Return both players' hands on boards of one street. ranges: [2, 1326]."""
    if boards and len(boards[0]) == RIVER_CARDS:
        strengths = strengths_of_boards(boards)
    else:
        strengths = np.zeros((len(boards), NUM_HANDS), np.int32)
    scales = 1 / count_deals(ranges), 1.0
    lists = []
    for player in range(NUM_PLAYERS):
        weights = ranges[player] * scales[player]
        parts = (
            list_board(weights, own[player], own[1 - player], strength, dtype)
            for own, strength in zip(rows, strengths, strict=True)
        )
        lists.append(join_boards(parts))
    return lists[0], lists[1]


def list_board(weights: F64, own: Rows, other: Rows, strengths: I32, dtype: Any) -> tuple[Any, ...]:
    """Return a board's fields of `HandLists` after the ranges. weights, strengths: [1326]."""
    _, first = np.unique(own.row, return_index=True)
    first.sort()  # of each row the first hand, rows by strength
    heads = own.hands[first]
    weight, twin = np.zeros(own.size), np.full(NUM_HANDS, other.size)
    weight[own.row[first]] = weights[heads]
    twin[other.hands] = other.row
    ladder, theirs = strengths[heads], strengths[other.hands]
    ends = np.append(np.flatnonzero(np.diff(ladder)) + 1, heads.size) if heads.size else np.zeros(0, np.intp)
    numbers = (
        LANES * own.row,
        *(LANES * HANDS[own.hands]).T,
        LANES * own.row[first],
        *(LANES * HANDS[heads]).T,
        LANES * twin[heads],
        ends,
        np.searchsorted(theirs, ladder[ends - 1], side="left"),
        np.searchsorted(theirs, ladder[ends - 1], side="right"),
    )
    deal = weight * np.bincount(own.row, minlength=own.size)
    return weight.astype(dtype), deal.astype(dtype), *(number.astype(np.uint16) for number in numbers)


def join_boards(parts: Iterable[tuple[Any, ...]]) -> HandLists:
    """Return the lists of several boards from the fields of each; no board is kept beside them."""
    sizes: list[tuple[int, ...]] = []
    fields: list[Any] = []
    for part in parts:
        fields = fields or [Growable(field.dtype) for field in part]
        sizes.append(tuple(part[field].size for field in (0, 2, 5, 9)))
        for joined, field in zip(fields, part, strict=True):
            joined.extend(field)
    ranges = np.cumsum([(0,) * len(sizes[0]), *sizes], axis=0).astype(np.uint32)
    for number, joined in enumerate(fields):
        fields[number] = joined.values.copy()  # one after the other without its room to spare
    return HandLists._make([*(column.copy() for column in ranges.T), *fields])


def read_rows(lists: HandLists, board: int) -> Rows:
    """Return the hands on a board as `list_board` was given them."""
    first, end = lists.first_hand[board : board + 2].tolist()
    one, two, place = (numbers[first:end] // LANES for numbers in (lists.one, lists.two, lists.place))
    size = int(lists.first_row[board + 1]) - int(lists.first_row[board])
    return Rows(HAND_INDEX[one, two].astype(np.int32), place.astype(np.int32), size)


@inlined
def range_of(first: U32, board: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the start and the length of a board's part."""
    start = np.uint64(first[board])
    return start, np.uint64(first[board + ONE]) - start


@inlined
def write_values(count: np.uint64, board: np.uint64, own: HandLists, values: Float, work: Work) -> None:
    """Spread `work.result` over the leaves of a batch, weighed by the own range; values modified in place."""
    base, rows = range_of(own.first_row, board)
    for block in range(rows // WIDTH):
        place = block * WIDTH
        scatter_columns(
            values, work.place, place, work.result, place * WIDTH, own.deal, base, work.scale, count
        )
    done = rows // WIDTH * WIDTH
    for index in range(rows - done):
        row = done + index
        for lane in range(count):
            values[np.uint64(work.place[lane]) + row] = (
                own.deal[base + row] * work.scale[lane] * work.result[row * WIDTH + lane]
            )


@inlined
def place_weights(board: np.uint64, theirs: HandLists, reach: Float, work: Work) -> None:
    """Write the weights of rows that start at `work.place`; `work.weight` modified in place."""
    base, rows = range_of(theirs.first_row, board)
    for block in range(rows // WIDTH):
        place = block * WIDTH
        gather_columns(work.weight, place * WIDTH, reach, work.place, place, theirs.weight, base)
    done = rows // WIDTH * WIDTH
    for index in range(rows - done):
        row = done + index
        for lane in range(WIDTH):
            work.weight[row * WIDTH + lane] = (
                theirs.weight[base + row] * reach[np.uint64(work.place[lane]) + row]
            )
    for lane in range(WIDTH):
        work.weight[rows * WIDTH + lane] = 0


@inlined
def _clear_sums(work: Work) -> None:
    for index in range(work.by_card.size):
        work.by_card[index] = 0
    for lane in range(WIDTH):
        work.total[lane] = 0


@inlined
def meet_hands(board: np.uint64, own: HandLists, theirs: HandLists, work: Work) -> None:
    """Write the opponent's weight that each row's hands can meet into `work.result`."""
    _clear_sums(work)
    base, hands = range_of(theirs.first_hand, board)
    add_pairs(
        work.total, work.by_card, theirs.one, theirs.two, theirs.place, base, work.weight, ZERO, hands
    )  # fmt: skip
    base, heads = range_of(own.first_head, board)
    outside_pairs(
        work.total, work.by_card, own.head_one, own.head_two, own.head_place, base, work.result, ZERO, heads
    )
    add_eights(work.result, own.head_place, work.weight, own.twin, base, heads)


@inlined
def compare_hands(board: np.uint64, own: HandLists, theirs: HandLists, work: Work) -> None:
    """Write wins minus losses of each row's hands into `work.result`.

    The opponent's hands are added from weak to strong. Rows read the sums before their equals are added and
    after that, and take away what all hands come to.
    """
    _clear_sums(work)
    their, hands = range_of(theirs.first_hand, board)
    mine, heads = range_of(own.first_head, board)
    base, groups = range_of(own.first_group, board)
    row, added = ZERO, ZERO
    for index in range(groups):
        group = base + index
        size = np.uint64(own.group_end[group]) - row
        weaker, beaten = np.uint64(own.weaker[group]), np.uint64(own.not_stronger[group])
        add_pairs(
            work.total, work.by_card, theirs.one, theirs.two, theirs.place, their, work.weight,
            added, np.uint64(weaker - added),
        )  # fmt: skip
        outside_pairs(
            work.total, work.by_card, own.head_one, own.head_two, own.head_place, mine, work.result, row, size
        )
        add_pairs(
            work.total, work.by_card, theirs.one, theirs.two, theirs.place, their, work.weight,
            weaker, np.uint64(beaten - weaker),
        )  # fmt: skip
        add_outside_pairs(
            work.total, work.by_card, own.head_one, own.head_two, own.head_place, mine, work.result, row, size
        )
        row, added = np.uint64(row + size), beaten
    add_pairs(
        work.total, work.by_card, theirs.one, theirs.two, theirs.place, their, work.weight,
        added, np.uint64(hands - added),
    )  # fmt: skip
    take_outside_pairs(
        work.total, work.by_card, own.head_one, own.head_two, own.head_place, mine, work.result, ZERO, heads
    )
