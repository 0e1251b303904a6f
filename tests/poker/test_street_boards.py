"""Boards of every street against plain Python."""

from itertools import combinations

import numpy as np
import pytest

from sog.games.holdem.cards import NUM_HANDS, compatible_hands, parse_board, parse_hand
from sog.games.holdem.strength import strengths_of_boards
from sog.poker.street_boards import DEAD, StreetBoard, places_of
from sog.poker.turn_boards import TurnBoard


def percentiles(scores: dict[int, float]) -> dict[int, float]:
    """Return the share of hands with a lower score, equals counted half."""
    values = sorted(scores.values())
    return {
        hand: (sum(v < own for v in values) + sum(v <= own for v in values)) / (2 * len(values))
        for hand, own in scores.items()
    }


def means(board: tuple[int, ...], some: list[int]) -> dict[int, float]:
    """Return the mean place of some hands over all rivers."""
    left = [card for card in range(52) if card not in board]
    runouts = [(*board, *cards) for cards in combinations(left, 5 - len(board))]
    found: dict[int, list[float]] = {hand: [] for hand in some}
    for strengths in strengths_of_boards(runouts):
        alive = strengths[strengths >= 0]
        for hand in some:
            if (own := strengths[hand]) >= 0:
                found[hand].append(((alive < own).mean() + (alive <= own).mean()) / 2)
    return {hand: float(np.mean(places)) for hand, places in found.items()}


@pytest.mark.parametrize("board", ["3s7hTdKc2c", "3s7hTdKc", "9d9c4d"])
def test_places_are_those_of_the_mean_over_rivers(board: str) -> None:
    cards = parse_board(board)
    places, alive = places_of(cards), compatible_hands(cards)
    assert ((places == DEAD) == ~alive).all()
    if len(cards) > 3:
        whole = percentiles(means(cards, np.flatnonzero(alive).tolist()))
        for hand, place in whole.items():
            assert places[hand] == pytest.approx(place, abs=2e-3)  # ties by rounding
        return
    some = np.random.default_rng(0).choice(np.flatnonzero(alive), 40, replace=False).tolist()
    mean = means(cards, some)
    order = sorted(some, key=lambda hand: mean[hand])
    assert (np.diff(places[order]) >= -1e-6).all()


def test_alike_flops_have_alike_places() -> None:
    one, other = places_of(parse_board("QsJh2h")), places_of(parse_board("JcQd2c"))
    assert one[parse_hand("AhKh")] == other[parse_hand("AcKc")]
    assert one[parse_hand("AsTs")] == other[parse_hand("AdTd")]
    assert np.sort(one) == pytest.approx(np.sort(other))


def test_before_the_flop_aces_stand_highest() -> None:
    places = places_of(())
    assert places.argmax() in [parse_hand(name) for name in ("AsAh", "AsAd", "AsAc", "AhAd", "AhAc", "AdAc")]
    assert places.min() > 0
    assert places.mean() == pytest.approx(0.5)
    assert StreetBoard(()).equity.shape == (NUM_HANDS, NUM_HANDS)


def test_checking_down_river_by_river_is_the_product_with_all_equities() -> None:
    turn = TurnBoard(parse_board("3s7hTdKs"), 8)
    reach = np.random.default_rng(0).random((turn.hands.size, 2, 3)).astype(np.float32)
    scale = np.abs(turn.equity).sum(axis=1).max()
    assert np.allclose(turn.check_down(reach), StreetBoard.check_down(turn, reach), atol=1e-6 * scale)
    assert turn.runouts == 44
