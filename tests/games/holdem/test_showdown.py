"""Folds and showdowns of whole spots in linear time against the matrix of all pairs of hands."""

from typing import Any

import numpy as np
import pytest

from sog.core.arrays import F64, I32
from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.betting import Betting, at_stake
from sog.games.holdem.cards import HANDS, Board
from sog.games.holdem.ranges import count_deals
from sog.games.holdem.spot import Spot, make_spot
from sog.games.holdem.strength import board_strengths
from sog.games.holdem.view import unpack_state
from sog.games.products import Leaves
from sog.public.layout import lay_out
from sog.public.store import StateStore
from tests.games.holdem.test_hands import multiply


def compatible(hands: I32) -> F64:
    cards = HANDS[hands]
    shared: Any = (cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
    return np.asarray(~shared, np.float64)


def utilities(betting: Betting, board: Board, hands: I32) -> F64:
    """Return player 0's utility of every pair of hands at a leaf, zero where the board blocks a hand."""
    free: F64 = (~np.isin(HANDS[hands], board).any(axis=1)).astype(float)
    both = free[:, None] * free[None, :]
    if betting.folded >= 0:
        sign = -1.0 if betting.folded == 0 else 1.0
        return np.asarray(sign * at_stake(betting) * both)
    strengths = board_strengths(board)[hands]
    order = np.sign(strengths[:, None] - strengths[None, :])
    return np.asarray(order * at_stake(betting) * both)


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
    store = StateStore(spot.own_view())
    layout = lay_out(store)
    hands, pairs = spot.hands, compatible(spot.hands)
    ranges = spot.ranges[:, hands]
    deals = float(ranges[0] @ pairs @ ranges[1])
    assert count_deals(spot.ranges) == pytest.approx(deals)
    rng, ends = np.random.default_rng(seed), store.arrays().nodes[layout.nodes[layout.frontier]]
    for player in (0, 1):
        own, other = layout.players[player].leaves, layout.players[1 - player].leaves
        reach = rng.random(layout.num_slots[1 - player]).astype(dtype)
        values = np.full(layout.num_values[player], np.nan, dtype)
        leaves = Leaves(
            nodes=np.arange(own.size, dtype=np.uint32),
            size=np.uint64(own.size),
            own=own,
            other=other,
            numbers=ends["payoff"].copy(),
            scales=ends["payoff_scale"].astype(dtype),
            is_negated=player == 1,
        )
        multiply(store.matrices(dtype), player, leaves, reach, values)
        for leaf, node in enumerate(layout.nodes[layout.frontier]):
            betting, board = unpack_state(store.records[node])
            matrix = utilities(betting, board, hands) * pairs / deals
            if len(board) > num_cards:
                matrix /= 44  # rivers that two hands and a board of four leave
            matrix = matrix if player == 0 else -matrix.T
            slot, first = int(other["slot"][leaf]), int(own["value"][leaf])
            weights = ranges[1 - player] * reach[slot : slot + hands.size]
            expected = ranges[player] * (matrix @ weights)
            close = 1e-12 if dtype is np.float64 else 2e-5 * np.abs(expected).max()
            np.testing.assert_allclose(values[first : first + hands.size], expected, atol=close)
