import pytest

from sog.games.registry import load
from tests.games.sequence_form import solve
from tests.games.walks import Sizes, histories, sizes


def test_sizes() -> None:
    expected = Sizes(9457, 5520, (468, 468), public_decisions=186, public_terminals=274)
    assert sizes(load("leduc")) == expected


def test_value() -> None:
    assert solve(load("leduc")).value == pytest.approx(-0.0856064241, abs=1e-9)


def test_the_largest_pot_is_thirteen_chips_each() -> None:
    game = load("leduc")
    terminals = [trace.world for trace in histories(game) if game.actor(trace.world) == 3]
    assert max(game.returns(world)[0] for world in terminals) == game.info.max_utility == 13.0


@pytest.mark.parametrize(
    ("cards", "rounds", "utility"),
    [
        ((0, 4, 1), ((1, 1), (1, 1)), 1),  # a pair of jacks beats a king
        ((2, 3, 5), ((1, 1), (2, 1)), 0),  # queens split
        ((2, 4, 0), ((2, 1), (1, 1)), -3),  # the higher rank wins
        ((5, 0), ((2, 2, 0),), -3),  # raise, raise, fold
        ((5, 0, 1), ((2, 2, 1), (2, 2, 1)), -13),
    ],
)
def test_payoffs(cards: tuple[int, ...], rounds: tuple[tuple[int, ...], ...], utility: int) -> None:
    assert load("leduc").returns((cards, rounds)) == (utility, -utility)
