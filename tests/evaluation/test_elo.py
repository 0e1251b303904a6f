from math import inf, isnan, log, log10

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize

from sog.evaluation.elo import rate, win_probability

PER_NAT = 400 / log(10)


def two(wins: float, losses: float) -> np.ndarray:
    return np.array([[0.0, wins], [losses, 0.0]])


@pytest.mark.parametrize(("wins", "losses"), [(3, 1), (1, 3), (50, 50), (0.5, 9.5), (75.5, 24.5)])
def test_two_players_have_a_closed_form(wins: float, losses: float) -> None:
    rating = rate(two(wins, losses), anchor=1)[0]
    share, games = wins / (wins + losses), wins + losses
    assert rating.elo == pytest.approx(400 * log10(wins / losses), abs=1e-3)

    def fall(elo: float) -> float:
        chance = win_probability(elo)
        gap = share * log(share / chance) + (1 - share) * log((1 - share) / (1 - chance))
        return games * gap - 3.841459 / 2

    assert rating.low == pytest.approx(brentq(fall, -6000, rating.elo), abs=0.01)
    assert rating.high == pytest.approx(brentq(fall, rating.elo, 6000), abs=0.01)


def test_the_interval_of_many_games_is_that_of_the_information() -> None:
    """1,000 games: 1.96 standard errors of the logistic model's Fisher information, n p (1 - p)."""
    rating = rate(two(600, 400), anchor=1)[0]
    error = 1.959964 * PER_NAT / np.sqrt(1000 * 0.6 * 0.4)
    assert (rating.high - rating.low) / 2 == pytest.approx(error, rel=2e-3)


def test_a_lost_match_bounds_a_rating_from_one_side() -> None:
    """Of 20 lost games the likeliest chance is 0, and chances p with (1 - p)^20 > exp(-1.92) are possible."""
    loser, winner = rate(two(0, 20), anchor=1)
    highest = 1 - np.exp(-3.841459 / 40)
    assert (loser.elo, loser.low) == (-inf, -inf)
    assert loser.high == pytest.approx(400 * log10(highest / (1 - highest)), abs=0.1)
    assert winner == (0, 0, 0)
    assert rate(two(0, 20), anchor=0)[1].low == pytest.approx(-loser.high, abs=0.1)


def test_nothing_is_known_without_games() -> None:
    rating = rate(two(0, 0))[1]
    assert isnan(rating.elo)
    assert (rating.low, rating.high) == (-inf, inf)


def test_players_who_lost_to_one_are_still_told_apart() -> None:
    points = np.array([[0.0, 15.0, 0.0], [5.0, 0.0, 0.0], [20.0, 20.0, 0.0]])
    ratings = rate(points, anchor=0)
    assert ratings[1].elo == pytest.approx(-400 * log10(3), abs=0.1)
    assert ratings[2].elo == inf
    assert ratings[2].low > 300


@settings(deadline=None, max_examples=25)
@given(st.integers(2, 5), st.integers(0, 2**32 - 1))
def test_ratings_are_the_likeliest(players: int, seed: int) -> None:
    """Another optimiser finds the same, and intervals hold the ratings and move with the anchor."""
    points = np.random.default_rng(seed).integers(1, 9, (players, players)).astype(float)
    np.fill_diagonal(points, 0)

    def loss(free: np.ndarray) -> float:
        nats = np.concatenate(([0.0], free))
        return float((points * np.logaddexp(0, nats[None, :] - nats[:, None])).sum())

    best = minimize(loss, np.zeros(players - 1), method="BFGS", options={"gtol": 1e-9}).x
    ratings = rate(points)
    assert [rating.elo for rating in ratings[1:]] == pytest.approx((best * PER_NAT).tolist(), abs=0.05)
    assert all(rating.low <= rating.elo <= rating.high for rating in ratings)
    mirrored = rate(points, anchor=1)[0]
    assert mirrored.low == pytest.approx(-ratings[1].high, abs=0.05)
