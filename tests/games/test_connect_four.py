import pytest

from sog.games.base import TERMINAL
from sog.games.connect_four import ConnectFour, ConnectFourWorld

GAME = ConnectFour()


def _play(columns: str) -> ConnectFourWorld:
    world = GAME.initial_world()
    for column in columns:
        assert "abcdefg".index(column) in GAME.legal_actions(world)
        world = GAME.apply(world, "abcdefg".index(column))
    return world


def test_number_of_positions_by_discs() -> None:
    """Tromp's counts (OEIS A212693)."""
    worlds, counts = {GAME.initial_world()}, []
    for _ in range(8):
        counts.append(len(worlds))
        open_worlds = [world for world in worlds if GAME.actor(world) != TERMINAL]
        worlds = {GAME.apply(world, action) for world in open_worlds for action in GAME.legal_actions(world)}
    assert counts == [1, 7, 49, 238, 1120, 4263, 16422, 54859]


@pytest.mark.parametrize(
    ("columns", "utility"),
    [("abababa", 1.0), ("aabbccd", 1.0), ("abbccdcddad", 1.0), ("dccbbabaaga", 1.0), ("gababaca", -1.0)],
)
def test_lines_win_in_every_direction(columns: str, utility: float) -> None:
    assert GAME.actor(_play(columns[:-1])) != TERMINAL
    world = _play(columns)
    assert GAME.actor(world) == TERMINAL
    assert GAME.returns(world) == (utility, -utility)


def test_no_line_runs_around_the_edge() -> None:
    assert GAME.actor(_play("aabbaabbaag")) != TERMINAL
    assert GAME.legal_actions(_play("aaaaaa")) == (1, 2, 3, 4, 5, 6)


def test_a_full_board_is_a_draw() -> None:
    columns = "aaaaaabbbbbbccccccgdddddd" + "eeeeeeffffffggggg"
    world = _play(columns)
    assert GAME.actor(world) == TERMINAL
    assert len(columns) == GAME.info.max_length
    assert GAME.returns(world) == (0.0, 0.0)


def test_planes_are_those_of_the_player_to_move() -> None:
    planes = GAME.public_features(GAME.apply(GAME.initial_world(), 3))
    assert planes == [0.0] * 42 + [float(square == 3) for square in range(42)] + [1.0] * 42
    planes = GAME.public_features(GAME.apply(GAME.apply(GAME.initial_world(), 3), 4))
    assert [planes.index(1.0), planes.index(1.0, 42) - 42, sum(planes)] == [3, 4, 2]
