"""CFR over histories, in plain Python: slow, short, and obviously right.

This is algorithm 2 of the public-state CFR paper ("Hist-RegretUpdate"), the oracle of the tests. It
shares nothing with the public tree: it walks the worlds of a game, keeps its regrets in dictionaries keyed by
what a player has seen, and takes its discounts from the same rows of data.
"""

from collections.abc import Hashable
from typing import Any

import numpy as np

from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL, AnyGame, PublicStates
from sog.public.derived import WAIT, DerivedView
from sog.solvers.schedules import Variant, discounts
from sog.solvers.solver import Solver

Key = tuple[int, tuple[Hashable, ...]]
Table = dict[Key, list[float]]


class VanillaSolver:
    """Counterfactual regret minimisation on the history tree.

    >>> from sog.games.registry import load
    >>> solver = VanillaSolver(load("kuhn"), Variant())
    >>> solver.run(1)
    >>> len(solver.average)
    12
    """

    def __init__(self, game: AnyGame, variant: Variant) -> None:
        self.game, self.variant = game, variant
        self.iterations = 0
        self.regret: Table = {}
        self.average: Table = {}
        self._gains: Table = {}
        self._sums: Table = {}
        self._policy: Table = {}

    def run(self, iterations: int) -> None:
        """Run more iterations."""
        is_alternating = self.variant.updates == "alternating"
        for weights in discounts(self.variant, self.iterations + 1, iterations):
            for updated in ((0,), (1,)) if is_alternating else ((0, 1),):
                self._walk(self.game.initial_world(), ((), ()), [1.0, 1.0], 1.0, updated)
                self._update(*weights)
            self.iterations += 1

    def _walk(
        self,
        world: Any,
        seen: tuple[tuple[Hashable, ...], tuple[Hashable, ...]],
        reach: list[float],
        chance: float,
        updated: tuple[int, ...],
    ) -> float:
        """Return player 0's expected utility; note down gains and reach of the players being updated."""
        game = self.game
        actor = game.actor(world)
        if actor == TERMINAL:
            return game.returns(world)[0]
        if actor == CHANCE:
            return sum(
                probability * self._walk(after, knows, reach, chance * probability, updated)
                for action, probability in game.chance_outcomes(world)
                for after, knows in [self._step(world, action, seen)]
            )
        actions = game.legal_actions(world)
        key = actor, seen[actor]
        policy = self._policy.setdefault(key, [1 / len(actions)] * len(actions))
        utilities = []
        for action, probability in zip(actions, policy, strict=True):
            after, knows = self._step(world, action, seen)
            next_reach = list(reach)
            next_reach[actor] *= probability
            utilities.append(self._walk(after, knows, next_reach, chance, updated))
        mean = sum(p * u for p, u in zip(policy, utilities, strict=True))
        if actor in updated:
            sign = 1 if actor == 0 else -1
            gains = self._gains.setdefault(key, [0.0] * len(actions))
            sums = self._sums.setdefault(key, [reach[actor] * p for p in policy])
            for index, utility in enumerate(utilities):
                gains[index] += sign * chance * reach[1 - actor] * (utility - mean)
                sums[index] = reach[actor] * policy[index]
        return mean

    def _step(
        self, world: Any, action: int, seen: tuple[tuple[Hashable, ...], tuple[Hashable, ...]]
    ) -> tuple[Any, tuple[tuple[Hashable, ...], tuple[Hashable, ...]]]:
        """Apply a move and extend what each player has seen."""
        game = self.game
        actor, after = game.actor(world), game.apply(world, action)
        knows: list[tuple[Hashable, ...]] = []
        for player in range(NUM_PLAYERS):
            private = game.private_observation(player, world, action, after)
            if game.public_view is PublicStates.COMMON_KNOWLEDGE:
                knows.append((private,))
            else:
                own = game.action_name(world, action) if actor == player else None
                public = game.public_observation(world, action, after)
                knows.append((*seen[player], (own, public, private)))
        return after, (knows[0], knows[1])

    def _update(self, positive: float, negative: float, average: float, optimism: float) -> None:
        """Add the noted gains and reach to regrets and averages, discount them, make the next policies."""
        for key, gains in self._gains.items():
            regret = self.regret.setdefault(key, [0.0] * len(gains))
            total = self.average.setdefault(key, [0.0] * len(gains))
            for index, gain in enumerate(gains):
                regret[index] += gain
                regret[index] *= positive if regret[index] > 0 else negative
                total[index] = (total[index] + self._sums[key][index]) * average
            self._policy[key] = _match([r + optimism * g for r, g in zip(regret, gains, strict=True)])
        self._gains, self._sums = {}, {}


def _match(regret: list[float]) -> list[float]:
    """Regret matching."""
    positive = [max(value, 0.0) for value in regret]
    total = sum(positive)
    return [value / total if total > 0 else 1 / len(positive) for value in positive]


def slots_by_key(solver: Solver) -> dict[Key, tuple[int, Any]]:
    """Return (player, slots of the actions) of every infostate that decides, by `VanillaSolver`'s key."""
    store, layout = solver.whole
    view = store.view
    assert isinstance(view, DerivedView)
    result: dict[Key, tuple[int, Any]] = {}
    for place in np.flatnonzero(layout.actor < NUM_PLAYERS).tolist():
        state = view.state(store, int(layout.nodes[place]))
        for row, actions in enumerate(state.legal):
            if actions[0] != WAIT:
                key = state.actor, _seen(state.infostates[state.actor][row], view)
                result[key] = state.actor, layout.slots_of(place, row, len(actions))
    return result


def _seen(step: Any, view: DerivedView) -> tuple[Hashable, ...]:
    """Return what `VanillaSolver` knows an infostate by."""
    if view.game.public_view is PublicStates.COMMON_KNOWLEDGE:
        return (step.private,)
    seen: list[Hashable] = []
    while step.before is not None:
        seen.append((step.own_action, step.public, step.private))
        step = step.before
    return tuple(reversed(seen))
