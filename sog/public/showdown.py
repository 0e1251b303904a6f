"""Hold'em's leaves: folds and showdowns in a number of steps linear in the hands, card removal exact.

A leaf's value for hand h is `own weight · Σ_o opponent weight(o) · utility` over the hands o that share no
card with h. Let T be the total weight, T_c the weight of hands with card c. Then what h can meet at a fold is
`T − T_a − T_b + w(h)` for h = ab. At a showdown, with hands sorted by strength and the same sums kept over
the weaker hands (A) and over the weaker and equal ones (B), wins minus losses are `A + B − T`, each corrected for
both cards, and w(h) cancels.

Weights are divided by that of all deals, so values are in chips per hand dealt.

Verified: tests/public/test_showdown.py (against the matrix of all pairs).
"""

from math import prod
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F64, I32, U32, Float, Records
from sog.core.jit import ONE, inlined, kernel
from sog.games.base import TERMINAL
from sog.games.holdem.betting import NOBODY, at_stake
from sog.games.holdem.cards import HANDS, NUM_CARDS
from sog.games.holdem.spot import count_deals
from sog.games.holdem.strength import IMPOSSIBLE, board_strengths
from sog.public.frontier import register_evaluator
from sog.public.holdem import HoldemView
from sog.public.tree import Layout, PlayerLayout, PublicTree

_RIVER_CARDS = 5
SHOWDOWN = 2  # otherwise the player who folded

END = np.dtype(
    [
        ("leaf", "u4"),  # number of the frontier node
        ("kind", "u4"),  # SHOWDOWN, or the player who folded
        ("board", "u4"),
        ("scale", "f8"),  # chips at stake, times chance's probability of the cards dealt since the root
    ]
)


class HoldemPayoffs(NamedTuple):
    """All leaves of a spot. E leaves, G boards, H hands."""

    ends: Records  # [E] END, leaves of one board together
    num_hands: U32  # [G] hands that the board leaves
    hand: U32  # [G, H] those hands by increasing strength (or in any order where there is no showdown)
    first_card: U32  # [G, H] their cards
    second_card: U32
    group_end: U32  # [G, H] place after the last hand of equal strength
    deal: tuple[Float, Float]  # [H] range weights; player 0's divided by the weight of all deals
    weight: F64  # [H] work space
    lower: F64  # [H] work space
    card_total: F64  # [52] work space
    card_lower: F64  # [52] work space

    @property
    def is_complete(self) -> bool:
        """Every leaf is a fold or a showdown."""
        return True

    @property
    def dtype(self) -> Any:
        """The kind of floats in which values are wanted."""
        return self.deal[0].dtype


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
        kind = SHOWDOWN if state.betting.folded == NOBODY else state.betting.folded
        chance = prod(1 / (48 - size) for size in range(len(spot.board), len(state.board)))
        board = boards.setdefault(tuple(sorted(state.board)), len(boards))
        rows.append((leaf, kind, board, at_stake(state.betting) * chance))
    ends = np.array(sorted(rows, key=lambda row: row[2]), END)
    tables = [_sorted_hands(board, hands) for board in boards]
    deals = count_deals(spot)
    return HoldemPayoffs(
        ends=ends,
        num_hands=np.array([table[0] for table in tables], np.uint32),
        hand=np.array([table[1] for table in tables], np.uint32),
        first_card=np.array([HANDS[hands[table[1]], 0] for table in tables], np.uint32),
        second_card=np.array([HANDS[hands[table[1]], 1] for table in tables], np.uint32),
        group_end=np.array([table[2] for table in tables], np.uint32),
        deal=((spot.ranges[0, hands] / deals).astype(dtype), spot.ranges[1, hands].astype(dtype)),
        weight=np.zeros(hands.size),
        lower=np.zeros(hands.size),
        card_total=np.zeros(NUM_CARDS),
        card_lower=np.zeros(NUM_CARDS),
    )


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
    """Fill `player`'s values of every leaf; modified in place."""
    for index in range(payoffs.ends.size):
        end = payoffs.ends[index]
        leaf = np.uint64(end["leaf"])
        slot, first = np.uint64(other.leaves[leaf]["slot"]), np.uint64(own.leaves[leaf]["value"])
        mine, theirs = payoffs.deal[player], payoffs.deal[1 - player]
        board = np.uint64(end["board"])
        total = weigh_hands(board, slot, theirs, reach, payoffs)
        for row in range(np.uint64(own.leaves[leaf]["rows"])):
            values[first + row] = 0
        if end["kind"] == SHOWDOWN:
            compare_hands(board, first, end["scale"], total, mine, values, payoffs)
        else:
            scale = -end["scale"] if end["kind"] == np.uint32(player) else end["scale"]
            collect_fold(board, first, scale, total, mine, values, payoffs)


@inlined
def weigh_hands(
    board: np.uint64, slot: np.uint64, theirs: Float, reach: Float, payoffs: HoldemPayoffs
) -> float:
    """Write the opponent's weights by strength and by card; return their total. Work space modified."""
    for card in range(NUM_CARDS):
        payoffs.card_total[card] = 0
    total = 0.0
    for place in range(np.uint64(payoffs.num_hands[board])):
        hand = np.uint64(payoffs.hand[board, place])
        weight = float(theirs[hand] * reach[slot + hand])
        payoffs.weight[place] = weight
        total += weight
        payoffs.card_total[np.uint64(payoffs.first_card[board, place])] += weight
        payoffs.card_total[np.uint64(payoffs.second_card[board, place])] += weight
    return total


@inlined
def collect_fold(
    board: np.uint64,
    first: np.uint64,
    scale: float,
    total: float,
    mine: Float,
    values: Float,
    payoffs: HoldemPayoffs,
) -> None:
    """Write what each hand wins (or loses) when somebody folds; values modified in place."""
    for place in range(np.uint64(payoffs.num_hands[board])):
        hand = np.uint64(payoffs.hand[board, place])
        met = (
            total
            - payoffs.card_total[np.uint64(payoffs.first_card[board, place])]
            - payoffs.card_total[np.uint64(payoffs.second_card[board, place])]
            + payoffs.weight[place]
        )
        values[first + hand] = mine[hand] * scale * met


@inlined
def compare_hands(
    board: np.uint64,
    first: np.uint64,
    scale: float,
    total: float,
    mine: Float,
    values: Float,
    payoffs: HoldemPayoffs,
) -> None:
    """Write wins minus losses of each hand; values and work space modified in place."""
    lower, card_lower = 0.0, payoffs.card_lower
    for card in range(NUM_CARDS):
        card_lower[card] = 0
    place, num_hands = np.uint64(0), np.uint64(payoffs.num_hands[board])
    while place < num_hands:
        start, size = place, np.uint64(payoffs.group_end[board, place]) - place
        for index in range(size):
            at = start + index
            one, two = np.uint64(payoffs.first_card[board, at]), np.uint64(payoffs.second_card[board, at])
            payoffs.lower[at] = lower - card_lower[one] - card_lower[two]
        for index in range(size):
            at = start + index
            weight = payoffs.weight[at]
            lower += weight
            card_lower[np.uint64(payoffs.first_card[board, at])] += weight
            card_lower[np.uint64(payoffs.second_card[board, at])] += weight
        for index in range(size):
            at = start + index
            one, two = np.uint64(payoffs.first_card[board, at]), np.uint64(payoffs.second_card[board, at])
            upto = lower - card_lower[one] - card_lower[two]
            met = total - payoffs.card_total[one] - payoffs.card_total[two]
            hand = np.uint64(payoffs.hand[board, at])
            values[first + hand] = mine[hand] * scale * (payoffs.lower[at] + upto - met)
        place += max(size, ONE)


register_evaluator(HoldemPayoffs, evaluate_ends)
