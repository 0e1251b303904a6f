import pytest

from sog.games.registry import load
from tests.games.sequence_form import solve
from tests.games.walks import Sizes, sizes


def test_sizes() -> None:
    assert sizes(load("kuhn")) == Sizes(58, 30, (6, 6), public_decisions=4, public_terminals=5)


def test_value() -> None:
    assert solve(load("kuhn")).value == pytest.approx(-1 / 18)


@pytest.mark.parametrize(
    ("cards", "bets", "utility"),
    [
        ((0, 1), (0, 0), -1),
        ((2, 1), (0, 0), 1),
        ((0, 2), (1, 0), 1),
        ((2, 0), (0, 1, 0), -1),
        ((1, 0), (0, 1, 1), 2),
        ((1, 2), (1, 1), -2),
    ],
)
def test_payoffs(cards: tuple[int, int], bets: tuple[int, ...], utility: int) -> None:
    assert load("kuhn").returns((cards, bets)) == (utility, -utility)
