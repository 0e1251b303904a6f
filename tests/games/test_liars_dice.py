from typing import Any

import pytest

from sog.core.errors import InputError
from sog.games.base import TERMINAL
from sog.games.liars_dice import LiarsDice
from sog.games.registry import load
from tests.games.sequence_form import solve
from tests.games.walks import sizes


@pytest.mark.parametrize(
    ("dice", "faces", "histories", "terminals", "infostates"),
    [
        (1, 3, 1_147, 567, 96),
        (1, 4, 8_181, 4_080, 512),
        (1, 5, 51_181, 25_575, 2_560),
        (1, 6, 294_883, 147_420, 12_288),
        (2, 3, 294_883, 147_420, 12_288),
    ],
)
def test_sizes(dice: int, faces: int, histories: int, terminals: int, infostates: int) -> None:
    counted = sizes(LiarsDice(dice, faces))
    assert (counted.histories, counted.terminals) == (histories, terminals)
    assert counted.infostates == (infostates, infostates)


@pytest.mark.parametrize(("faces", "value"), [(3, 1 / 9), (4, 1 / 16), (5, 0.008), (6, -0.0271317829)])
def test_values(faces: int, value: float) -> None:
    assert solve(LiarsDice(1, faces)).value == pytest.approx(value, abs=1e-9)


def test_value_of_two_dice() -> None:
    assert solve(LiarsDice(2, 3)).value == pytest.approx(0.0617283951, abs=1e-9)


def test_bids_rise_by_quantity_then_face() -> None:
    game = LiarsDice(1, 3)
    world = game.apply(game.apply(game.initial_world(), 0), 2)
    assert [game.action_name(world, action) for action in game.legal_actions(world)] == [
        *("1x1", "1x2", "1x3"),
        *("2x1", "2x2", "2x3"),
    ]
    world = game.apply(world, 3)
    assert [game.action_name(world, action) for action in game.legal_actions(world)] == ["2x2", "2x3", "liar"]


def test_rolls_are_sorted_multisets() -> None:
    game = LiarsDice(2, 3)
    start = game.initial_world()
    outcomes = {game.action_name(start, roll): chance for roll, chance in game.chance_outcomes(start)}
    assert outcomes == {name: pytest.approx((1 if name[0] == name[1] else 2) / 9) for name in outcomes}
    assert list(outcomes) == ["11", "12", "13", "22", "23", "33"]


@pytest.mark.parametrize(
    ("rolls", "bids", "utility"),
    [
        (("1", "3"), ["2x1"], 1),  # the three is wild: two ones
        (("1", "3"), ["2x3"], -1),  # but a one is no three
        (("1", "2"), ["1x2", "2x2"], 1),  # player 1 claimed too much
        (("2", "3"), ["1x2", "2x2"], -1),  # player 1 was right
    ],
)
def test_the_highest_face_is_wild(rolls: tuple[str, str], bids: list[str], utility: int) -> None:
    game = LiarsDice(1, 3)
    world = game.initial_world()
    for name in rolls:
        world = game.apply(world, int(name) - 1)
    for name in [*bids, "liar"]:
        world = game.apply(world, next(a for a in range(7) if game.action_name(world, a) == name))
    assert game.actor(world) == TERMINAL
    assert game.returns(world) == (utility, -utility)


def test_only_the_roller_sees_the_roll() -> None:
    game = LiarsDice(1, 6)
    start = game.initial_world()
    after = game.apply(start, 4)
    assert game.public_observation(start, 4, after) == "roll"
    assert game.private_observation(0, start, 4, after) == "5"
    assert game.private_observation(1, start, 4, after) is None


@pytest.mark.parametrize("bad", [0, -1, 6, 10**9, True, 1.0, "x", None, [1]])
def test_illegal_parameters(bad: Any) -> None:
    with pytest.raises(InputError, match="dice must be a whole number from 1 to 5, not"):
        LiarsDice(dice=bad)
    if bad not in (6,):
        with pytest.raises(InputError, match="faces must be a whole number from 2 to 9, not"):
            LiarsDice(faces=bad)


def test_bare_name_is_one_die_with_six_faces() -> None:
    assert load("liars_dice").info.name == "liars_dice(dice=1,faces=6)"
