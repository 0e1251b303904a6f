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

from sog.core.arrays import I32, U32, Float, Records
from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.core.lanes import (
    LANES,
    add_lanes,
    add_many_lanes,
    add_outside_lanes,
    gather_columns,
    outside_lanes,
    scatter_columns,
    subtract_outside_lanes,
)
from sog.games.base import TERMINAL
from sog.games.holdem.betting import NOBODY, at_stake
from sog.games.holdem.cards import HANDS, NUM_CARDS
from sog.games.holdem.spot import count_deals
from sog.games.holdem.strength import IMPOSSIBLE, board_strengths
from sog.public.frontier import register_evaluator
from sog.public.holdem import HoldemView
from sog.public.tree import Layout, PlayerLayout, PublicTree

_RIVER_CARDS = 5
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


class HoldemPayoffs(NamedTuple):
    """All leaves of a spot. E leaves, N batches, G boards, H hands."""

    ends: Records  # [E] END
    batches: Records  # [N] BATCH: leaves of one board and kind, evaluated side by side
    num_hands: U32  # [G] hands that the board leaves
    hand: U32  # [G, H] those hands by increasing strength, then the blocked ones
    first_card: U32  # [G, H] LANES times their cards
    second_card: U32
    is_sorted: U32  # [G] whether the infostates themselves stand in that order
    group_end: U32  # [G, H] place after the last hand of equal strength
    deal: tuple[Float, Float]  # [H] range weights; player 0's divided by the weight of all deals
    work: "Work"

    @property
    def is_complete(self) -> bool:
        """Every leaf is a fold or a showdown."""
        return True

    @property
    def dtype(self) -> Any:
        """The kind of floats in which values are wanted."""
        return self.deal[0].dtype


class Work(NamedTuple):
    """Work space of one batch, LANES numbers for each thing."""

    weight: Float  # [H, LANES] the opponent's weights
    lower: Float  # [H, LANES]
    total: Float  # [LANES]
    running: Float  # [LANES]
    card_total: Float  # [52, LANES]
    card_lower: Float  # [52, LANES]
    place: U32  # [LANES] where a leaf's row starts
    scale: Float  # [LANES]


def collect_holdem_payoffs(tree: PublicTree[Any], layout: Layout, dtype: Any = np.float32) -> HoldemPayoffs:
    """Gather folds and showdowns of a spot's tree."""
    view = tree.view
    assert isinstance(view, HoldemView)
    spot, hands = view.spot, view.spot.hands
    boards: dict[tuple[int, ...], int] = {}
    rows = []
    for leaf, node in enumerate(layout.frontier):
        state = tree.states[node]
        assert tree.actor[node] == TERMINAL
        folded = SHOWDOWN if state.betting.folded == NOBODY else state.betting.folded
        chance = prod(1 / (48 - size) for size in range(len(spot.board), len(state.board)))
        board = boards.setdefault(tuple(sorted(state.board)), len(boards))
        rows.append((board, folded == SHOWDOWN, leaf, folded, at_stake(state.betting) * chance))
    rows.sort()
    tables = [_sorted_hands(board, hands) for board in boards]
    deals = count_deals(spot)
    return HoldemPayoffs(
        ends=np.array([row[2:] for row in rows], END),
        batches=_batches([(row[0], row[1]) for row in rows]),
        num_hands=np.array([table[0] for table in tables], np.uint32),
        hand=np.array([table[1] for table in tables], np.uint32),
        first_card=np.array([LANES * HANDS[hands[table[1]], 0] for table in tables], np.uint32),
        second_card=np.array([LANES * HANDS[hands[table[1]], 1] for table in tables], np.uint32),
        is_sorted=np.array([np.array_equal(table[1], np.arange(hands.size)) for table in tables], np.uint32),
        group_end=np.array([table[2] for table in tables], np.uint32),
        deal=((spot.ranges[0, hands] / deals).astype(dtype), spot.ranges[1, hands].astype(dtype)),
        work=Work(
            weight=np.zeros(hands.size * LANES, dtype),
            lower=np.zeros(hands.size * LANES, dtype),
            total=np.zeros(LANES, dtype),
            running=np.zeros(LANES, dtype),
            card_total=np.zeros(NUM_CARDS * LANES, dtype),
            card_lower=np.zeros(NUM_CARDS * LANES, dtype),
            place=np.zeros(LANES, np.uint32),
            scale=np.zeros(LANES, dtype),
        ),
    )


def _batches(keys: list[tuple[int, bool]]) -> Records:
    """Cut sorted (board, is showdown) keys into runs of equal ones, LANES at most."""
    batches: list[list[int]] = []
    for index, (board, is_showdown) in enumerate(keys):
        last = batches[-1] if batches else None
        if last is None or last[:2] != [board, is_showdown] or last[3] == LANES:
            batches.append([board, is_showdown, index, 0])
        batches[-1][3] += 1
    return np.array([tuple(batch) for batch in batches], BATCH)


def _sorted_hands(board: tuple[int, ...], hands: I32) -> tuple[int, I32, I32]:
    """Return how many hands a board leaves, all hands with those first by strength, and the group ends."""
    if len(board) == _RIVER_CARDS:
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
    work = payoffs.work
    for number in range(payoffs.batches.size):
        batch = payoffs.batches[number]
        weigh_hands(batch, other, payoffs.deal[1 - player], reach, payoffs)
        if batch["is_showdown"]:
            compare_hands(np.uint64(batch["board"]), payoffs)
        else:
            meet_hands(np.uint64(batch["board"]), payoffs)
        for lane in range(np.uint64(batch["count"])):
            end = payoffs.ends[np.uint64(batch["start"]) + lane]
            is_lost = end["folded"] == np.uint32(player)
            work.scale[lane] = -end["scale"] if is_lost else end["scale"]
            work.place[lane] = own.leaves[np.uint64(end["leaf"])]["value"]
        write_values(batch, payoffs.deal[player], values, payoffs)


@inlined
def write_values(batch: np.void, mine: Float, values: Float, payoffs: HoldemPayoffs) -> None:
    """Spread `work.lower` over the leaves of a batch, weighed by the own range; values modified in place."""
    work, board, count = payoffs.work, np.uint64(batch["board"]), np.uint64(batch["count"])
    num_hands, done = np.uint64(payoffs.num_hands[board]), ZERO
    if payoffs.is_sorted[board]:
        for block in range(num_hands // WIDTH):
            place = block * WIDTH
            scatter_columns(values, work.place, place, work.lower, place * WIDTH, mine, work.scale, count)
        done = num_hands // WIDTH * WIDTH
    for index in range(num_hands - done):
        place = done + index
        hand = np.uint64(payoffs.hand[board, place])
        for lane in range(count):
            values[np.uint64(work.place[lane]) + hand] = (
                mine[hand] * work.scale[lane] * work.lower[place * WIDTH + lane]
            )
    for index in range(np.uint64(payoffs.hand.shape[1]) - num_hands):
        hand = np.uint64(payoffs.hand[board, num_hands + index])
        for lane in range(count):
            values[np.uint64(work.place[lane]) + hand] = 0


@inlined
def weigh_hands(
    batch: np.void, other: PlayerLayout, theirs: Float, reach: Float, payoffs: HoldemPayoffs
) -> None:
    """Write the opponent's weights by hand, by card and in all; work space modified in place."""
    work, board = payoffs.work, np.uint64(batch["board"])
    num_hands = np.uint64(payoffs.num_hands[board])
    for lane in range(WIDTH):  # lanes beyond the batch's leaves repeat its last one; nobody reads them
        last = np.uint64(batch["count"]) - ONE
        end = payoffs.ends[np.uint64(batch["start"]) + (lane if lane < last else last)]
        work.place[lane] = other.leaves[np.uint64(end["leaf"])]["slot"]
    done = ZERO
    if payoffs.is_sorted[board]:
        for block in range(num_hands // WIDTH):
            place = block * WIDTH
            gather_columns(work.weight, place * WIDTH, reach, work.place, place, theirs)
        done = num_hands // WIDTH * WIDTH
    for index in range(num_hands - done):
        place = done + index
        hand = np.uint64(payoffs.hand[board, place])
        for lane in range(WIDTH):
            work.weight[place * WIDTH + lane] = theirs[hand] * reach[np.uint64(work.place[lane]) + hand]
    for index in range(work.card_total.size):
        work.card_total[index] = 0
        work.card_lower[index] = 0
    for lane in range(WIDTH):
        work.total[lane] = 0
        work.running[lane] = 0
    add_many_lanes(work.total, work.weight, ZERO, num_hands)
    for row in range(num_hands):
        add_lanes(work.card_total, np.uint64(payoffs.first_card[board, row]), work.weight, row * WIDTH)
        add_lanes(work.card_total, np.uint64(payoffs.second_card[board, row]), work.weight, row * WIDTH)


@inlined
def meet_hands(board: np.uint64, payoffs: HoldemPayoffs) -> None:
    """Write the opponent's weight that each hand can meet into `work.lower`."""
    work = payoffs.work
    for place in range(np.uint64(payoffs.num_hands[board])):
        at, one = place * WIDTH, np.uint64(payoffs.first_card[board, place])
        outside_lanes(
            work.lower, at, work.total, work.card_total, one, np.uint64(payoffs.second_card[board, place])
        )
        add_lanes(work.lower, at, work.weight, at)


@inlined
def compare_hands(board: np.uint64, payoffs: HoldemPayoffs) -> None:
    """Write wins minus losses of each hand into `work.lower`."""
    work = payoffs.work
    start, num_hands = np.uint64(0), np.uint64(payoffs.num_hands[board])
    while start < num_hands:
        size = np.uint64(payoffs.group_end[board, start]) - start
        for index in range(size):
            place = start + index
            one, two = (
                np.uint64(payoffs.first_card[board, place]),
                np.uint64(payoffs.second_card[board, place]),
            )
            outside_lanes(work.lower, place * WIDTH, work.running, work.card_lower, one, two)
            subtract_outside_lanes(work.lower, place * WIDTH, work.total, work.card_total, one, two)
        add_many_lanes(work.running, work.weight, start * WIDTH, size)
        for index in range(size):
            place = start + index
            at = place * WIDTH
            add_lanes(work.card_lower, np.uint64(payoffs.first_card[board, place]), work.weight, at)
            add_lanes(work.card_lower, np.uint64(payoffs.second_card[board, place]), work.weight, at)
        for index in range(size):
            place = start + index
            one, two = (
                np.uint64(payoffs.first_card[board, place]),
                np.uint64(payoffs.second_card[board, place]),
            )
            add_outside_lanes(work.lower, place * WIDTH, work.running, work.card_lower, one, two)
        start = np.uint64(start + size)


register_evaluator(HoldemPayoffs, evaluate_ends)
