from math import log

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.evaluation.elo import win_probability
from sog.evaluation.sprt import PAIR_SCORES, Sprt, parse_sprt

WON_OR_LOST = np.array([0.0, 1.0])


@pytest.mark.parametrize(("losses", "wins"), [(10, 30), (25, 25), (3, 1), (400, 600)])
def test_without_draws_it_is_walds_ratio(losses: int, wins: int) -> None:
    test = Sprt(-10, 60)
    low, high = win_probability(-10), win_probability(60)
    expected = wins * log(high / low) + losses * log((1 - high) / (1 - low))
    assert test.ratio(np.array([losses, wins], float), WON_OR_LOST) == pytest.approx(expected, abs=1e-6)


def test_bounds_are_walds() -> None:
    assert Sprt(0, 10).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert Sprt(0, 10, 0.01, 0.1).bounds == pytest.approx((log(0.1 / 0.99), log(0.9 / 0.01)))


def test_swapping_sides_swaps_the_hypotheses() -> None:
    counts = np.array([3.0, 10.0, 40.0, 17.0, 5.0])
    assert Sprt(-20, 5).ratio(counts[::-1]) == pytest.approx(-Sprt(-5, 20).ratio(counts), abs=1e-6)


def test_draws_vary_less_and_say_more() -> None:
    """The same mean of pairs, once by draws and once by wins and losses."""
    test = Sprt(0, 50)
    assert test.ratio(np.array([0, 0, 50, 50, 0.0])) > test.ratio(np.array([31, 0, 13, 0, 56.0])) > 0


def test_nothing_is_decided_without_games_and_all_wins_decide() -> None:
    test = Sprt(0, 50)
    assert test.ratio(np.zeros(5)) == 0
    assert test.decision(0.0) is None
    assert "at least 50" in str(test.decision(test.ratio(np.array([0, 0, 0, 0, 30.0]))))
    assert "at most 0" in str(test.decision(test.ratio(np.array([30, 0, 0, 0, 0.0]))))


@pytest.mark.parametrize(("elo", "wrong"), [(0.0, "accepted"), (100.0, "rejected")])
def test_it_errs_as_seldom_as_it_says(elo: float, wrong: str) -> None:
    """200 matches of two games a round: at most 5 % errors, and 3.3 standard errors."""
    test, rng, errors = Sprt(0, 100), np.random.default_rng(1), 0
    win = win_probability(elo) - 0.2  # 40 % of the games are draws
    for _ in range(200):
        counts = np.zeros(len(PAIR_SCORES))
        decision = None
        while decision is None:
            drawn = rng.choice(3, 2, p=[1 - 0.4 - win, 0.4, win])
            counts[drawn.sum()] += 1
            decision = test.decision(test.ratio(counts)) if counts.sum() >= 10 else None
        errors += decision.startswith(wrong)
    assert errors / 200 < 0.05 + 3.3 * np.sqrt(0.05 * 0.95 / 200)


@pytest.mark.parametrize("wrong", ["", "1", "1,2,3", "a,b", "5,0", "0,0", "0,1,0,0.5", "nan,1", "0,9999"])
def test_tests_that_make_no_sense_are_refused(wrong: str) -> None:
    with pytest.raises(InputError):
        parse_sprt(wrong)
    assert parse_sprt("-5,5,0.1,0.2") == Sprt(-5, 5, 0.1, 0.2)


@pytest.mark.parametrize(("mean", "wrong"), [(0.0, "accepted"), (1.0, "rejected")])
def test_means_err_as_seldom_as_they_say(mean: float, wrong: str) -> None:
    """200 matches whose pairs win 0 or 1 on average: at most 5 % errors, and 3.3 standard errors."""
    test, rng, errors = Sprt(0, 1, unit="chips"), np.random.default_rng(3), 0
    for _ in range(200):
        won = np.zeros(0)
        while (decision := test.decision(test.ratio_of_means(won))) is None:
            won = np.append(won, mean + rng.choice([-6.0, -1.0, 1.0, 6.0]))  # far from normal
        errors += decision.startswith(wrong)
    assert errors <= 200 * 0.05 + 3.3 * np.sqrt(200 * 0.05 * 0.95)


def test_means_in_other_units() -> None:
    test = parse_sprt("0,5000,0.01,0.1", "mbb/h")
    assert (test.alpha, test.beta, test.unit) == (0.01, 0.1, "mbb/h")
    assert test.ratio_of_means(np.full(9, 9999.0)) == 0  # too few
    assert test.decision(test.ratio_of_means(np.full(10, 9999.0))) == "accepted: at least 5000 mbb/h"
    assert test.decision(test.ratio_of_means(np.zeros(10))) == "rejected: at most 0 mbb/h"
    assert -test.ratio_of_means(np.arange(10.0)) == pytest.approx(
        Sprt(-5000, 0, unit="mbb/h").ratio_of_means(-np.arange(10.0))
    )
    with pytest.raises(InputError, match="below the second"):
        parse_sprt("1,0", "mbb/h")
