from typing import Any

import pytest

from sog.core.errors import InputError
from sog.games.matrix import matrix, rps
from sog.games.registry import load
from tests.games.sequence_form import solve
from tests.games.walks import Sizes, sizes


def test_rps_equilibrium() -> None:
    solution = solve(rps())
    assert solution.value == pytest.approx(0.0, abs=1e-9)
    (plan,) = solution.plan.values()
    assert plan == {0: pytest.approx(0.4), 1: pytest.approx(0.4), 2: pytest.approx(0.2)}


def test_rps_sizes() -> None:
    assert sizes(rps()) == Sizes(13, 9, (1, 1), public_decisions=2, public_terminals=1)


@pytest.mark.parametrize(
    ("choices", "utility"),
    [("rr", 0), ("rp", -1), ("rs", 2), ("pr", 1), ("ps", -2), ("sr", -2), ("sp", 2), ("ss", 0)],
)
def test_rps_payoffs(choices: str, utility: int) -> None:
    game = rps()
    world: tuple[int, ...] = ()
    for letter in choices:
        actions = {game.action_name(world, action)[0]: action for action in game.legal_actions(world)}
        world = game.apply(world, actions[letter])
    assert game.returns(world) == (utility, -utility)


@pytest.mark.parametrize(
    ("payoffs", "value"),
    [([[3, 0], [1, 2]], 1.5), (((1, -1), (-1, 1)), 0.0), ([[5]], 5.0), ([[4, -2.5, 7]], -2.5)],
)
def test_values(payoffs: Any, value: float) -> None:
    assert solve(matrix(payoffs)).value == pytest.approx(value)


def test_the_row_player_is_player_0() -> None:
    game = matrix([[1, 2, 3], [4, 5, 6]])
    assert game.legal_actions(()) == (0, 1)
    assert game.legal_actions((1,)) == (0, 1, 2)
    assert game.returns((1, 2)) == (6.0, -6.0)


def test_names_keep_every_digit() -> None:
    game = matrix([[0.1 + 0.2, 1e-30], [1e300, -7]])
    assert load(game.info.name).info == game.info
    assert load(game.info.name).returns((0, 0)) == game.returns((0, 0))


@pytest.mark.parametrize(
    "bad",
    [
        *("x", 3, None, [], [[]], [1, 2], [[1, 2], [3]], [[1], []], "12", {1: 2}),
        *([["1"]], [[None]], [[True]], [[float("nan")]], [[float("inf")]], [[10**400]], [[[1]]]),
        *([[0] * 1001], [[0]] * 1001),
    ],
)
def test_illegal_payoffs(bad: Any) -> None:
    with pytest.raises(InputError, match=r"^matrix: payoffs must .*, not .{1,60}$"):
        matrix(bad)
