"""Small random games, wild in every way that the contract of a game allows.

Everything is drawn by hashing: who acts depends on the public past alone, how many actions there are on what
the actor knows, and observations, chance and utilities on the whole history. So infostates split on private
observations, public outcomes depend on hidden facts, legal actions depend on private information, and moves
may be hidden, in one game or another.
"""

import zlib
from collections.abc import Hashable
from typing import NamedTuple

from sog.games.base import CHANCE, TERMINAL, Game, GameInfo

MAX_ACTIONS = 3


class RandomWorld(NamedTuple):
    history: tuple[int, ...]
    public: tuple[int, ...]
    seen: tuple[tuple[int, ...], tuple[int, ...]]  # private observations and own actions


class RandomGame(Game[RandomWorld]):
    def __init__(self, seed: int, length: int = 4) -> None:
        self.seed, self.length = seed, length
        self.info = GameInfo(f"random(seed={seed})", MAX_ACTIONS, False, 8.0, length)

    def initial_world(self) -> RandomWorld:
        return RandomWorld((), (), ((), ()))

    def actor(self, world: RandomWorld) -> int:
        if len(world.history) >= self.length:
            return TERMINAL
        if len(world.history) > 1 and self._draw("end", world.public, 8) == 0:
            return TERMINAL
        return (CHANCE, 0, 1, 0, 1)[self._draw("actor", world.public, 5)]

    def legal_actions(self, world: RandomWorld) -> tuple[int, ...]:
        player = self.actor(world)
        mask = 1 + self._draw("legal", (player, world.public, world.seen[player]), 2**MAX_ACTIONS - 1)
        return tuple(action for action in range(MAX_ACTIONS) if mask >> action & 1)

    def chance_outcomes(self, world: RandomWorld) -> tuple[tuple[int, float], ...]:
        weights = [1 + self._draw("chance", (world.history, outcome), 4) for outcome in range(2)]
        return tuple((outcome, weight / sum(weights)) for outcome, weight in enumerate(weights))

    def apply(self, world: RandomWorld, action: int) -> RandomWorld:
        actor, after = self.actor(world), (*world.history, action)
        seen = [(*world.seen[player], self._private(player, after)) for player in (0, 1)]
        if actor < 2:
            seen[actor] = (*seen[actor], 100 + action)
        return RandomWorld(after, (*world.public, self._public(after)), (seen[0], seen[1]))

    def public_observation(self, before: RandomWorld, action: int, after: RandomWorld) -> Hashable:
        return after.public[-1]

    def private_observation(
        self, player: int, before: RandomWorld, action: int, after: RandomWorld
    ) -> Hashable:
        return self._private(player, after.history)

    def returns(self, world: RandomWorld) -> tuple[float, float]:
        # Finely grained, so that no two actions are equally good by accident: where a regret is exactly zero,
        # the last bit decides what is played next, and equal algorithms part.
        utility = self._draw("utility", world.history, 1_600_001) / 100_000 - 8
        return utility, -utility

    def action_name(self, world: RandomWorld, action: int) -> str:
        return f"a{action}"

    def _public(self, history: tuple[int, ...]) -> int:
        return self._draw("public", history, 2)

    def _private(self, player: int, history: tuple[int, ...]) -> int:
        return self._draw("private", (player, history), 1 + self._draw("spread", (player, len(history)), 3))

    def _draw(self, what: str, key: object, count: int) -> int:
        return zlib.crc32(repr((self.seed, what, key)).encode()) // 7 % count
