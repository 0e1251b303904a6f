import numpy as np
import pytest

from sog.evaluation.shares import wilson


@pytest.mark.parametrize(("won", "games"), [(0, 7), (3, 10), (200, 400), (399, 400), (5, 5)])
def test_the_ends_are_shares_that_the_results_just_do_not_refute(won: int, games: int) -> None:
    """Wilson's ends solve |share - p| = 1.96 sqrt(p (1 - p) / n) for p."""
    low, high = wilson(won, games)
    assert 0 <= low <= won / games <= high <= 1
    for end in (low, high):
        if 1e-9 < end < 1 - 1e-9:
            away = abs(won / games - end)
            assert away == pytest.approx(1.96 * np.sqrt(end * (1 - end) / games))


def test_both_sides_have_the_same_interval() -> None:
    low, high = wilson(85, 100)
    assert wilson(15, 100) == pytest.approx((1 - high, 1 - low))
