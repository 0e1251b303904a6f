"""Positions of any board game without secrets and chance, as a list of its worlds.

The rules are asked in Python, position by position: slower than kernels, and enough for small games.

Verified: tests/public/test_boards.py.
"""

from typing import Any

import numpy as np

from sog.core.arrays import F32, F64, U32
from sog.games.base import TERMINAL, AnyGame


class WorldRows:
    """A row is the number of a world."""

    root = 0

    def __init__(self, game: AnyGame, world: Any) -> None:
        self._game = game
        self._worlds = [world]

    def look(self, row: int) -> tuple[int, float, U32]:
        """Return who acts, player 0's utility if nobody does, and the legal actions."""
        game, world = self._game, self._worlds[row]
        actor = game.actor(world)
        if actor == TERMINAL:
            return TERMINAL, game.returns(world)[0], np.zeros(0, np.uint32)
        return actor, 0.0, np.array(game.legal_actions(world), np.uint32)

    def add(self, row: int, action: int) -> int:
        """Return a new row, with the position after an action."""
        self._worlds.append(self._game.apply(self._worlds[row], action))
        return len(self._worlds) - 1

    def preview(self, row: int, actions: U32, actors: U32, counts: U32, utilities: F64) -> None:
        """Write what `look` would say after each action; all but `actions` modified in place."""
        game, world = self._game, self._worlds[row]
        for index, action in enumerate(actions.tolist()):
            after = game.apply(world, action)
            actors[index] = actor = game.actor(after)
            if actor == TERMINAL:
                counts[index], utilities[index] = 0, game.returns(after)[0]
            else:
                counts[index], utilities[index] = len(game.legal_actions(after)), 0.0

    def write_features(self, rows: U32, features: F32) -> None:
        """Write the planes of B positions; features [B, F] modified in place."""
        for index, row in enumerate(rows.tolist()):
            features[index] = self._game.public_features(self._worlds[row])
