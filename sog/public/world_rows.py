"""Positions of any board game without secrets and chance, as a list of its worlds.

The rules are asked in Python, position by position: slower than kernels, and enough for small games.

Verified: tests/public/test_boards.py.
"""

from typing import Any

import numpy as np

from sog.core.arrays import F32, U32
from sog.games.base import TERMINAL, AnyGame
from sog.public.looks import Looks, allocate_looks


class WorldRows:
    """A row is the number of a world."""

    root = 0

    def __init__(self, game: AnyGame, world: Any) -> None:
        self._game = game
        self._worlds = [world]

    def look(self, rows: U32) -> tuple[Looks, U32]:
        """Return what there is to know of B positions, and their legal actions one after the other."""
        looks, actions = allocate_looks(rows.size), list[int]()
        for index, row in enumerate(rows.tolist()):
            actions += self._look_at(self._worlds[row], looks, index)
        return looks, np.array(actions, np.uint32)

    def add(self, rows: U32, actions: U32) -> int:
        """Add the positions after an action in each of B rows; return the first one's row."""
        first = len(self._worlds)
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            self._worlds.append(self._game.apply(self._worlds[row], action))
        return first

    def preview(self, rows: U32, counts: U32, actions: U32) -> Looks:
        """Return what there is to know after each action; counts [B] of each row's actions."""
        looks = allocate_looks(actions.size)
        parents = np.repeat(rows, counts).tolist()
        for index, (row, action) in enumerate(zip(parents, actions.tolist(), strict=True)):
            self._look_at(self._game.apply(self._worlds[row], action), looks, index)
        return looks

    def _look_at(self, world: Any, looks: Looks, index: int) -> tuple[int, ...]:
        """Note what there is to know of a world; return its legal actions."""
        game = self._game
        looks.actors[index] = actor = game.actor(world)
        if actor == TERMINAL:
            looks.utilities[index] = game.returns(world)[0]
            return ()
        actions = game.legal_actions(world)
        looks.counts[index] = len(actions)
        return actions

    def write_features(self, rows: U32, features: F32) -> None:
        """Write the planes of B positions; features [B, F] modified in place."""
        for index, row in enumerate(rows.tolist()):
            features[index] = self._game.public_features(self._worlds[row])
