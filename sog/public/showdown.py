"""Hold'em's leaves: folds and showdowns in a number of steps linear in the hands, card removal exact.

A leaf's value for hand h is `own weight · Σ_o opponent weight(o) · utility` over the hands o that share no
card with h. Let T be the total weight, T_c the weight of hands with card c. Then what h can meet at a fold is
`T − T_a − T_b + w(h)` for h = ab. At a showdown, with hands sorted by strength and the same sums kept over
the weaker hands (A) and over the weaker and equal ones (B), wins minus losses are `A + B − T`, each corrected
for both cards, and w(h) cancels.

Weights are divided by that of all deals, so values are in chips per hand dealt.

Verified: tests/public/test_showdown.py (against the matrix of all pairs).
"""

from math import prod
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import I32, U32, Float, Records, aligned_zeros
from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.core.lanes import (
    LANES,
    add_pairs,
    gather_columns,
    outside_pairs,
    scatter_columns,
)
from sog.games.base import TERMINAL
from sog.games.holdem.betting import NOBODY, Betting, at_stake
from sog.games.holdem.cards import HANDS, NUM_CARDS
from sog.games.holdem.ranges import count_deals
from sog.games.holdem.spot import Spot
from sog.games.holdem.strength import IMPOSSIBLE, RIVER_CARDS, board_strengths
from sog.public.frontier import register_evaluator
from sog.public.holdem import HoldemView
from sog.public.tree import Layout, PlayerLayout, PublicTree

WIDTH = np.uint64(LANES)
SHOWDOWN = 2  # otherwise the player who folded

END = np.dtype(
    [
        ("leaf", "u4"),  # number of the frontier node
        ("folded", "u4"),  # the player who folded, or SHOWDOWN
        ("scale", "f8"),  # chips at stake, times chance's probability of the cards dealt since the root
    ]
)
BATCH = np.dtype(
    [
        ("board", "u4"),
        ("is_showdown", "u4"),
        ("start", "u4"),  # range in ends
        ("count", "u4"),  # LANES at most
    ]
)


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


class HoldemPayoffs(NamedTuple):
    """All leaves of a spot. E leaves, N batches."""

    ends: Records  # [E] END
    batches: Records  # [N] BATCH: leaves of one board and kind, evaluated side by side
    boards: Boards
    work: "Work"

    @property
    def is_complete(self) -> bool:
        """Every leaf is a fold or a showdown."""
        return True

    @property
    def dtype(self) -> Any:
        """The kind of floats in which values are wanted."""
        return self.boards.deal[0].dtype


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


def collect_holdem_payoffs(tree: PublicTree[Any], layout: Layout, dtype: Any = np.float32) -> HoldemPayoffs:
    """Gather folds and showdowns of a spot's tree."""
    view = tree.view
    assert isinstance(view, HoldemView)
    spot, hands = view.spot, view.spot.hands
    numbers: dict[tuple[int, ...], int] = {}
    rows = []
    for leaf, node in enumerate(layout.frontier):
        state = tree.states[node]
        assert tree.actor[node] == TERMINAL
        board = numbers.setdefault(tuple(sorted(state.board)), len(numbers))
        rows.append((board, leaf, state.betting, chance_weight(spot, len(state.board))))
    ends, batches = collect_ends(rows)
    boards = collect_boards(spot, list(numbers), [hands] * len(numbers), dtype)
    return HoldemPayoffs(ends, batches, boards, make_work(hands.size, dtype))


def chance_weight(spot: Spot, num_cards: int) -> float:
    """Return chance's probability of a board of so many cards, given the spot's board and two hands."""
    return prod(1 / (48 - size) for size in range(len(spot.board), num_cards))


def collect_ends(leaves: list[tuple[int, int, Betting, float]]) -> tuple[Records, Records]:
    """Return END and BATCH records of leaves given as (board, leaf, betting, probability of the cards)."""
    rows = []
    for board, leaf, betting, chance in leaves:
        folded = SHOWDOWN if betting.folded == NOBODY else betting.folded
        rows.append((board, folded == SHOWDOWN, leaf, folded, at_stake(betting) * chance))
    rows.sort()
    return np.array([row[2:] for row in rows], END), _batches([(row[0], row[1]) for row in rows])


def _batches(keys: list[tuple[int, bool]]) -> Records:
    """Cut sorted (board, is showdown) keys into runs of equal ones, LANES at most."""
    batches: list[list[int]] = []
    for index, (board, is_showdown) in enumerate(keys):
        last = batches[-1] if batches else None
        if last is None or last[:2] != [board, is_showdown] or last[3] == LANES:
            batches.append([board, is_showdown, index, 0])
        batches[-1][3] += 1
    return np.array([tuple(batch) for batch in batches], BATCH)


def collect_boards(spot: Spot, boards: list[tuple[int, ...]], hands: list[I32], dtype: Any) -> Boards:
    """Return the tables of boards; `hands[g]` [H] are the infostates on board g."""
    tables = [_sorted_rows(board, rows) for board, rows in zip(boards, hands, strict=True)]
    sorted_hands = np.array([rows[table[1]] for rows, table in zip(hands, tables, strict=True)])  # [G, H]
    rows = hands[0].size
    cards = LANES * HANDS[sorted_hands].reshape(-1, 2)
    first, second = spot.ranges[:, sorted_hands.ravel()]
    return Boards(
        rows=rows,
        num_hands=np.array([table[0] for table in tables], np.uint32),
        hand=np.concatenate([table[1] for table in tables]).astype(np.uint32),
        first_card=cards[:, 0].astype(np.uint32),
        second_card=cards[:, 1].astype(np.uint32),
        is_sorted=np.array([np.array_equal(table[1], np.arange(rows)) for table in tables], np.uint32),
        group_end=np.concatenate([table[2] for table in tables]).astype(np.uint32),
        deal=((first / count_deals(spot.ranges)).astype(dtype), second.astype(dtype)),
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


@kernel
def evaluate_ends(
    own: PlayerLayout, other: PlayerLayout, payoffs: HoldemPayoffs, player: int, reach: Float, values: Float
) -> None:
    """Fill `player`'s values of every leaf; values and work space modified in place."""
    evaluate_ends_from(ZERO, own, other, payoffs, player, reach, values)


@inlined
def evaluate_ends_from(
    first_board: np.uint64,
    own: PlayerLayout,
    other: PlayerLayout,
    payoffs: HoldemPayoffs,
    player: int,
    reach: Float,
    values: Float,
) -> None:
    """Like `evaluate_ends`, the boards of the batches counted from `first_board` on."""
    work = payoffs.work
    for number in range(payoffs.batches.size):
        batch = payoffs.batches[number]
        board = first_board + np.uint64(batch["board"])
        weigh_hands(batch, board, other, payoffs.boards.deal[1 - player], reach, payoffs.boards, payoffs)
        if batch["is_showdown"]:
            compare_hands(board, payoffs.boards, work)
        else:
            meet_hands(board, payoffs.boards, work)
        for lane in range(np.uint64(batch["count"])):
            end = payoffs.ends[np.uint64(batch["start"]) + lane]
            is_lost = end["folded"] == np.uint32(player)
            work.scale[lane] = -end["scale"] if is_lost else end["scale"]
            work.place[lane] = own.leaves[np.uint64(end["leaf"])]["value"]
        write_values(
            np.uint64(batch["count"]), board, payoffs.boards, payoffs.boards.deal[player], values, work
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
def weigh_hands(
    batch: np.void,
    board: np.uint64,
    other: PlayerLayout,
    theirs: Float,
    reach: Float,
    boards: Boards,
    payoffs: HoldemPayoffs,
) -> None:
    """Write the opponent's weights at a batch's leaves; work space modified in place."""
    work = payoffs.work
    for lane in range(WIDTH):  # lanes beyond the batch's leaves repeat its last one; nobody reads them
        last = np.uint64(batch["count"]) - ONE
        end = payoffs.ends[np.uint64(batch["start"]) + (lane if lane < last else last)]
        work.place[lane] = other.leaves[np.uint64(end["leaf"])]["slot"]
    weigh_placed_hands(board, theirs, reach, boards, work)


@inlined
def weigh_placed_hands(board: np.uint64, theirs: Float, reach: Float, boards: Boards, work: Work) -> None:
    """Write the weights of rows that start at `work.place`, by hand, by card and in all; work modified."""
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
    for index in range(work.by_card.size):
        work.by_card[index] = 0
    for lane in range(WIDTH):
        work.total[lane] = 0
    add_pairs(
        work.total, work.by_card, boards.first_card, boards.second_card, base, work.weight, ZERO, num_hands
    )


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


register_evaluator(HoldemPayoffs, evaluate_ends)
