"""Folds and showdowns in a number of steps linear in the hands, card removal exact.

A leaf's value for hand h is `own weight · Σ_o opponent weight(o) · utility` over the hands o that share no
card with h. Let T be the total weight, T_c the weight of hands with card c. Then what h can meet at a fold is
`T − T_a − T_b + w(h)` for h = ab. At a showdown, with hands sorted by strength and the same sums kept over
the weaker hands (A) and over the weaker and equal ones (B), wins minus losses are `A + B − T`, each corrected
for both cards, and w(h) cancels.

Eight leaves are weighed side by side. Weights are divided by that of all deals, so values are in chips per
hand dealt.

Verified: tests/games/holdem/test_hands.py (against the matrix of all pairs).
"""

from itertools import pairwise
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F64, I32, U32, Float, aligned_zeros
from sog.core.jit import ZERO, inlined
from sog.core.lanes import (
    LANES,
    add_pairs,
    gather_columns,
    outside_pairs,
    scatter_columns,
)
from sog.games.holdem.cards import BOARD_SIZES, HANDS, NUM_CARDS
from sog.games.holdem.ranges import count_deals
from sog.games.holdem.strength import IMPOSSIBLE, RIVER_CARDS, board_strengths

WIDTH = np.uint64(LANES)
NUM_UNSEEN = 48  # cards that two hands leave


class Boards(NamedTuple):
    """Tables of boards. G boards, H rows (hands, in the infostates' order)."""

    rows: int  # H
    num_hands: U32  # [G] hands that the board leaves
    hand: U32  # [G * H] those rows by increasing strength, then the blocked ones
    first_card: U32  # [G * H] LANES times their cards
    second_card: U32
    is_sorted: U32  # [G] whether the rows themselves stand in that order
    group_end: U32  # [G * H] place after the last hand of equal strength
    deal: tuple[Float, Float]  # [G * H] range weights; player 0's divided by the weight of all deals


class Work(NamedTuple):
    """Work space of one batch, LANES numbers for each thing."""

    weight: Float  # [H, LANES] the opponent's weights
    result: Float  # [H, LANES]
    total: Float  # [LANES]
    by_card: Float  # [52, LANES]
    place: U32  # [LANES] where a leaf's row starts
    scale: Float  # [LANES]


def make_work(rows: int, dtype: Any) -> Work:
    """Return work space for so many hands."""
    return Work(
        weight=aligned_zeros(rows * LANES, dtype),
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


def collect_boards(ranges: F64, boards: list[tuple[int, ...]], hands: list[I32], dtype: Any) -> Boards:
    """Return the tables of boards; `hands[g]` [H] are the infostates on board g, ranges: [2, 1326]."""
    tables = [_sorted_rows(board, rows) for board, rows in zip(boards, hands, strict=True)]
    sorted_hands = np.array([rows[table[1]] for rows, table in zip(hands, tables, strict=True)])  # [G, H]
    rows = hands[0].size
    cards = LANES * HANDS[sorted_hands].reshape(-1, 2)
    first, second = ranges[:, sorted_hands.ravel()]
    return Boards(
        rows=rows,
        num_hands=np.array([table[0] for table in tables], np.uint32),
        hand=np.concatenate([table[1] for table in tables]).astype(np.uint32),
        first_card=cards[:, 0].astype(np.uint32),
        second_card=cards[:, 1].astype(np.uint32),
        is_sorted=np.array([np.array_equal(table[1], np.arange(rows)) for table in tables], np.uint32),
        group_end=np.concatenate([table[2] for table in tables]).astype(np.uint32),
        deal=((first / count_deals(ranges)).astype(dtype), second.astype(dtype)),
    )


def _sorted_rows(board: tuple[int, ...], hands: I32) -> tuple[int, I32, I32]:
    """Return how many hands a board leaves, all rows with those first by strength, and the group ends."""
    if len(board) == RIVER_CARDS:
        strengths = board_strengths(board)[hands]
    else:
        strengths = np.where(np.isin(HANDS[hands], board).any(axis=1), IMPOSSIBLE, 0)
    count = int(np.count_nonzero(strengths != IMPOSSIBLE))
    order = np.argsort(np.where(strengths == IMPOSSIBLE, np.iinfo(np.int32).max, strengths), kind="stable")
    ends = np.searchsorted(strengths[order][:count], strengths[order][:count], side="right")
    return (
        count,
        order.astype(np.int32),
        np.concatenate((ends, np.zeros(hands.size - count))).astype(np.int32),
    )


@inlined
def write_values(
    count: np.uint64, board: np.uint64, boards: Boards, mine: Float, values: Float, work: Work
) -> None:
    """Spread `work.result` over the leaves of a batch, weighed by the own range; values modified in place."""
    rows = np.uint64(boards.rows)
    base, num_hands, done = board * rows, np.uint64(boards.num_hands[board]), ZERO
    if boards.is_sorted[board]:
        for block in range(num_hands // WIDTH):
            place = block * WIDTH
            scatter_columns(
                values, work.place, place, work.result, place * WIDTH, mine, base, work.scale, count
            )
        done = num_hands // WIDTH * WIDTH
    for index in range(num_hands - done):
        place = done + index
        row = np.uint64(boards.hand[base + place])
        for lane in range(count):
            values[np.uint64(work.place[lane]) + row] = (
                mine[base + place] * work.scale[lane] * work.result[place * WIDTH + lane]
            )
    for index in range(rows - num_hands):
        row = np.uint64(boards.hand[base + num_hands + index])
        for lane in range(count):
            values[np.uint64(work.place[lane]) + row] = 0


@inlined
def place_weights(board: np.uint64, theirs: Float, reach: Float, boards: Boards, work: Work) -> None:
    """Write the weights of rows that start at `work.place`, hand by hand; `work.weight` modified in place."""
    base, num_hands = board * np.uint64(boards.rows), np.uint64(boards.num_hands[board])
    done = ZERO
    if boards.is_sorted[board]:
        for block in range(num_hands // WIDTH):
            place = block * WIDTH
            gather_columns(work.weight, place * WIDTH, reach, work.place, place, theirs, base)
        done = num_hands // WIDTH * WIDTH
    for index in range(num_hands - done):
        place = done + index
        row = np.uint64(boards.hand[base + place])
        for lane in range(WIDTH):
            work.weight[place * WIDTH + lane] = (
                theirs[base + place] * reach[np.uint64(work.place[lane]) + row]
            )


@inlined
def sum_weights(board: np.uint64, boards: Boards, work: Work) -> None:
    """Add up the weights by card and in all; work modified in place."""
    for index in range(work.by_card.size):
        work.by_card[index] = 0
    for lane in range(WIDTH):
        work.total[lane] = 0
    add_pairs(
        work.total, work.by_card, boards.first_card, boards.second_card, board * np.uint64(boards.rows),
        work.weight, ZERO, np.uint64(boards.num_hands[board]),
    )  # fmt: skip


@inlined
def meet_hands(board: np.uint64, boards: Boards, work: Work) -> None:
    """Write the opponent's weight that each hand can meet into `work.result`."""
    base = board * np.uint64(boards.rows)
    num_hands = np.uint64(boards.num_hands[board])
    outside_pairs(
        work.total, work.by_card, boards.first_card, boards.second_card, base, work.result, ZERO, num_hands
    )
    for index in range(num_hands * WIDTH):
        work.result[index] += work.weight[index]


@inlined
def compare_hands(board: np.uint64, boards: Boards, work: Work) -> None:
    """Write wins minus losses of each hand into `work.result`.

    Sums start at minus all weights. A group of equal hands is added once before its hands are read and once
    after: then what a hand reads is the weaker ones twice and its equals once, less all.
    """
    base = board * np.uint64(boards.rows)
    one, two, num_hands = boards.first_card, boards.second_card, np.uint64(boards.num_hands[board])
    for index in range(work.by_card.size):
        work.by_card[index] = -work.by_card[index]
    for lane in range(WIDTH):
        work.total[lane] = -work.total[lane]
    start = ZERO
    while start < num_hands:
        size = np.uint64(boards.group_end[base + start]) - start
        add_pairs(work.total, work.by_card, one, two, base, work.weight, start, size)
        outside_pairs(work.total, work.by_card, one, two, base, work.result, start, size)
        add_pairs(work.total, work.by_card, one, two, base, work.weight, start, size)
        start = np.uint64(start + size)
