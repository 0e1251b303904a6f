import random
from typing import Any

import numpy as np
import pytest

from sog.games.base import TERMINAL
from sog.games.go.game import Go


@pytest.mark.parametrize("size", [2, 5, 9, 19])
def test_planes_are_the_last_eight_positions(size: int) -> None:
    game, rng = Go(size=size), random.Random(size)
    world = game.initial_world()
    boards: list[Any] = []
    while game.actor(world) != TERMINAL and len(boards) < 60:
        boards.append(np.array([list(line) for line in reversed(world.lines())]))
        player = game.actor(world)
        planes = game.planes(world)
        assert planes.shape == (17, size, size)
        assert (planes[16] == (player == 0)).all()
        for ago in range(8):
            for offset, stone in enumerate("XO" if player == 0 else "OX"):
                meant = boards[-1 - ago] == stone if ago < len(boards) else np.zeros((size, size))
                assert (planes[2 * ago + offset] == meant).all()
        world = game.apply(world, rng.choice(game.legal_actions(world)))


def test_points_are_in_the_order_of_actions() -> None:
    game = Go(size=5)
    planes = game.planes(game.apply(game.initial_world(), 7))
    assert planes[1].reshape(-1).nonzero()[0].tolist() == [7]  # white is to move: black is the opponent
