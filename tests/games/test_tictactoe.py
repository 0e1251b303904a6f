from collections import Counter
from functools import cache

from sog.games.base import TERMINAL
from sog.games.tictactoe import TicTacToe, TicTacToeWorld

GAME = TicTacToe()


@cache
def _results(world: TicTacToeWorld) -> Counter[float]:
    """Count the plays from a world by player 0's result."""
    if GAME.actor(world) == TERMINAL:
        return Counter([GAME.returns(world)[0]])
    return sum((_results(GAME.apply(world, action)) for action in GAME.legal_actions(world)), Counter())


@cache
def _value(world: TicTacToeWorld) -> float:
    actor = GAME.actor(world)
    if actor == TERMINAL:
        return GAME.returns(world)[0]
    best = min if actor else max
    return best(_value(GAME.apply(world, action)) for action in GAME.legal_actions(world))


def test_every_play_is_counted() -> None:
    assert _results(GAME.initial_world()) == {1.0: 131_184, -1.0: 77_904, 0.0: 46_080}


def test_there_are_5478_positions() -> None:
    worlds, stack = set(), [GAME.initial_world()]
    while stack:
        world = stack.pop()
        if world not in worlds:
            worlds.add(world)
            is_over = GAME.actor(world) == TERMINAL
            stack += [] if is_over else [GAME.apply(world, action) for action in GAME.legal_actions(world)]
    assert len(worlds) == 5_478


def test_best_play_is_a_draw() -> None:
    assert _value(GAME.initial_world()) == 0.0


def test_squares_are_named_as_in_chess() -> None:
    names = [GAME.action_name((0, 0), action) for action in range(9)]
    assert names == ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]


def test_planes_are_those_of_the_player_to_move() -> None:
    planes = GAME.public_features(GAME.apply(GAME.initial_world(), 3))
    assert planes == [0.0] * 9 + [float(square == 3) for square in range(9)] + [1.0] * 9
    planes = GAME.public_features(GAME.apply(GAME.apply(GAME.initial_world(), 3), 4))
    assert [planes.index(1.0), planes.index(1.0, 9) - 9, sum(planes)] == [3, 4, 2]
