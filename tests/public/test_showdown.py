"""Folds and showdowns in linear time against the matrix of all pairs of hands."""

from typing import Any

import numpy as np
import pytest

from sog.core.arrays import F64, I32
from sog.games.base import TERMINAL
from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.betting import at_stake
from sog.games.holdem.cards import HANDS
from sog.games.holdem.ranges import count_deals
from sog.games.holdem.spot import Spot, make_spot
from sog.games.holdem.strength import board_strengths
from sog.public.frontier import evaluate_frontier
from sog.public.holdem import HoldemState, HoldemView
from sog.public.showdown import collect_holdem_payoffs
from sog.public.tree import PublicTree, grow_fully


def compatible(hands: I32) -> F64:
    cards = HANDS[hands]
    shared: Any = (cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
    return np.asarray(~shared, np.float64)


def utilities(state: HoldemState, hands: I32) -> F64:
    """Return player 0's utility of every pair of hands at a leaf, zero where the board blocks a hand."""
    free: F64 = (~np.isin(HANDS[hands], state.board).any(axis=1)).astype(float)
    both = free[:, None] * free[None, :]
    if state.betting.folded >= 0:
        sign = -1.0 if state.betting.folded == 0 else 1.0
        return np.asarray(sign * at_stake(state.betting) * both)
    strengths = board_strengths(state.board)[hands]
    order = np.sign(strengths[:, None] - strengths[None, :])
    return np.asarray(order * at_stake(state.betting) * both)


def random_spot(seed: int, num_cards: int, sizes: str) -> Spot:
    rng = np.random.default_rng(seed)
    board = tuple(int(card) for card in rng.choice(52, num_cards, replace=False))
    ranges = rng.random((2, 1326)) * (rng.random((2, 1326)) < 0.3)
    return make_spot(board, 100, 300, parse_bet_sizes(sizes), ranges)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(("num_cards", "sizes"), [(5, "river:50,100,allin"), (4, "turn:none;river:none")])
@pytest.mark.parametrize("seed", range(3))
def test_equal_to_the_matrix_of_pairs(
    seed: int, num_cards: int, sizes: str, dtype: type[np.floating]
) -> None:
    spot = random_spot(seed, num_cards, sizes)
    tree = grow_fully(PublicTree(HoldemView(spot)))
    layout = tree.layout()
    payoffs = collect_holdem_payoffs(tree, layout, dtype)
    hands = spot.hands
    pairs = compatible(hands)
    ranges = spot.ranges[:, hands]
    deals = float(ranges[0] @ pairs @ ranges[1])
    assert count_deals(spot.ranges) == pytest.approx(deals)
    rng = np.random.default_rng(seed)
    for player in (0, 1):
        own, other = layout.players[player], layout.players[1 - player]
        reach = rng.random(layout.num_slots[1 - player]).astype(dtype)
        values = np.full(layout.num_values[player], np.nan, dtype)
        evaluate_frontier(own, other, payoffs, player, reach, values)
        for leaf, node in enumerate(layout.frontier):
            state = tree.states[node]
            assert tree.actor[node] == TERMINAL
            matrix = utilities(state, hands) * pairs / deals
            if len(state.board) > num_cards:
                matrix /= 44  # rivers that two hands and a board of four leave
            matrix = matrix if player == 0 else -matrix.T
            slot, first = int(other.leaves["slot"][leaf]), int(own.leaves["value"][leaf])
            weights = ranges[1 - player] * reach[slot : slot + hands.size]
            expected = ranges[player] * (matrix @ weights)
            close = 1e-12 if dtype is np.float64 else 2e-5 * np.abs(expected).max()
            np.testing.assert_allclose(values[first : first + hands.size], expected, atol=close)
