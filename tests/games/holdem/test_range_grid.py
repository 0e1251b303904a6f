import numpy as np
import pytest

from sog.games.holdem.cards import HANDS, parse_hand
from sog.games.holdem.range_grid import CELLS, cell_name, find_cell, grid_means, grid_sums

RANKS = "AKQJT98765432"


def plain_cell_name(hand: int) -> str:
    low, high = (int(card) for card in HANDS[hand])
    ranks = RANKS[12 - high // 4] + RANKS[12 - low // 4]
    return ranks if ranks[0] == ranks[1] else ranks + ("s" if low % 4 == high % 4 else "o")


def test_every_hand_is_in_the_cell_that_has_its_name() -> None:
    for hand in range(1326):
        row, column = divmod(int(CELLS[hand]), 13)
        assert cell_name(row, column) == plain_cell_name(hand)


def test_cells_found_by_rank() -> None:
    names = {cell_name(row, column): row * 13 + column for row in range(13) for column in range(13)}
    assert len(names) == 169
    assert find_cell(12, 8, True) == names["ATs"]
    assert find_cell(12, 8, False) == names["ATo"]
    assert find_cell(3, 3, True) == find_cell(3, 3, False) == names["55"]


def test_sums_count_the_hands_of_each_cell() -> None:
    counts = grid_sums(np.ones(1326))
    assert (np.diag(counts) == 6).all()
    assert (counts[np.triu_indices(13, 1)] == 4).all()
    assert (counts[np.tril_indices(13, -1)] == 12).all()


def test_means_are_weighted_and_empty_cells_have_none() -> None:
    values, weights = np.full(1326, np.nan), np.zeros(1326)
    for name, value, weight in (("AhKh", 1.0, 0.5), ("AsKs", 3.0, 1.0), ("QsQh", 7.0, 0.25)):
        values[parse_hand(name)], weights[parse_hand(name)] = value, weight
    means = grid_means(values, weights)
    assert means[0, 1] == pytest.approx((0.5 * 1 + 3) / 1.5)
    assert means[2, 2] == 7
    assert np.isnan(means).sum() == 167


def test_means_without_weights() -> None:
    aces = [parse_hand(name) for name in ("AsAh", "AsAd", "AsAc", "AhAd", "AhAc", "AdAc")]
    assert grid_means(np.arange(1326.0))[0, 0] == np.mean(aces)
