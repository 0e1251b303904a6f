"""A turned board must be a position of equal worth: moves, planes and ends of random games correspond."""

import numpy as np
import pytest

from sog.games.base import TERMINAL
from sog.games.registry import load

GAMES = ["tictactoe", "connect_four", "breakthrough(rows=5,columns=4)", "go(size=3)", "go(size=5)"]


@pytest.mark.parametrize("name", GAMES)
def test_turned_games_are_the_same_games(name: str) -> None:
    game, rng = load(name), np.random.default_rng(1)
    assert game.symmetries is not None
    assert game.encoding is not None
    planes = game.encoding.features[0]
    squares, choices = np.array(game.symmetries.squares), np.array(game.symmetries.choices)
    assert squares[0].tolist() == sorted(squares[0].tolist())
    assert choices[0].tolist() == sorted(choices[0].tolist())
    assert len(np.unique(squares, axis=0)) == len(squares) == len(choices)
    for places, moves in zip(squares, choices, strict=True):
        one = other = game.initial_world()
        while game.actor(one) != TERMINAL:
            assert game.actor(other) == game.actor(one)
            legal = game.legal_actions(one)
            assert sorted(moves[list(legal)].tolist()) == list(game.legal_actions(other))
            ours = np.array(game.public_features(one)).reshape(planes, -1)
            turned = np.zeros_like(ours)
            turned[:, places] = ours
            np.testing.assert_array_equal(turned, np.array(game.public_features(other)).reshape(planes, -1))
            action = int(rng.choice(legal))
            one, other = game.apply(one, action), game.apply(other, int(moves[action]))
        assert game.actor(other) == TERMINAL
        assert game.returns(one) == game.returns(other)
