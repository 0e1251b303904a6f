"""Evaluators that need no learning, by name: the instruments of the tests, and the default without a network.

| name | answers |
|---|---|
| `zero` | nothing: every leaf is worth zero (the search does not even ask) |
| `uniform-rollout(rollouts=10,seed=0)` | the mean of random plays to the end |
| `exact(iterations=100)` | the solution of the rest of the game (`sog.search.exact`) |
| `noisy(of=exact,epsilon=0.1,seed=0)` | another evaluator's answers, each value off by up to ε utilities |

Verified: tests/search/test_evaluators.py.
"""

import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from sog.core.arrays import F64
from sog.core.errors import InputError
from sog.core.rng import make_rng
from sog.core.spec import parse_spec
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL, AnyGame
from sog.public.evaluator import Batch, Evaluator
from sog.public.store import StateStore
from sog.search.exact import ExactEvaluator

ZERO = "zero"


class RolloutEvaluator:
    """Values of uniformly random play: every world of a state is played to the end several times."""

    has_priors = False

    def __init__(self, rollouts: int = 10, seed: int = 0) -> None:
        if not 1 <= rollouts <= 1_000_000:
            raise InputError(f"uniform-rollout: rollouts must be from 1 to 1000000, not {rollouts}")
        self.name = f"uniform-rollout(rollouts={rollouts},seed={seed})"
        self._rollouts, self._seed = rollouts, seed
        self._store: StateStore | None = None
        self._tables: dict[int, tuple[F64, F64]] = {}

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        """Answer every query of a batch; its values are modified in place."""
        if store is not self._store:
            self._store, self._tables = store, {}
        for query, node in enumerate(batch.nodes.tolist()):
            if node not in self._tables:
                self._tables[node] = self._play(store, node)
            utilities, weights = self._tables[node]
            rows = [batch.rows(player, query) for player in range(NUM_PLAYERS)]
            first, second = batch.ranges[0][rows[0]], batch.ranges[1][rows[1]]
            batch.values[0][rows[0]] = _ratio(utilities @ second, weights @ second)
            batch.values[1][rows[1]] = _ratio(-(first @ utilities), first @ weights)

    def evaluate_faced(self, store: StateStore, batch: Batch, faced: tuple[F64, F64]) -> None:
        """Answer what random play is worth where the ranges `faced` come: it is the same for all ranges."""
        self.evaluate(store, batch._replace(ranges=faced))

    def _play(self, store: StateStore, node: int) -> tuple[F64, F64]:
        """Return chance-weighted mean utilities over scale, and joint weights, [H0, H1] each."""
        view, rng = store.enumerated, make_rng(_node_seed(store, node, self._seed))
        utilities, weights = np.zeros(store.num_infostates(node)), np.zeros(store.num_infostates(node))
        for world, s0, s1, chance in view.worlds(store, node):
            plays = [_random_play(view.game, world, rng) for _ in range(self._rollouts)]
            utilities[s0, s1] += chance * sum(plays) / self._rollouts
            weights[s0, s1] += chance
        return utilities / store.value_scale(node), weights


class NoisyEvaluator:
    """Another evaluator's values with errors: uniform up to ε, fixed for each infostate of each state."""

    def __init__(self, of: Evaluator, epsilon: float, seed: int = 0) -> None:
        if not 0 <= epsilon < float("inf"):
            raise InputError(f"noisy: epsilon must be a number of at least 0, not {epsilon}")
        self.name = f"noisy(of={of.name},epsilon={epsilon:g},seed={seed})"
        self._of, self._epsilon, self._seed = of, epsilon, seed
        self._store: StateStore | None = None
        self._errors: dict[int, tuple[F64, F64]] = {}

    @property
    def has_priors(self) -> bool:
        """Whether the other evaluator has."""
        return self._of.has_priors

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        """Answer every query of a batch; its values are modified in place."""
        if store is not self._store:
            self._store, self._errors = store, {}
        self._of.evaluate(store, batch)
        for query, node in enumerate(batch.nodes.tolist()):
            if node not in self._errors:
                self._errors[node] = self._draw(store, node)
            for player in range(NUM_PLAYERS):
                batch.values[player][batch.rows(player, query)] += self._errors[node][player]

    def _draw(self, store: StateStore, node: int) -> tuple[F64, F64]:
        rng = make_rng(_node_seed(store, node, self._seed))
        size = self._epsilon / store.value_scale(node)
        sizes = store.num_infostates(node)
        return size * rng.uniform(-1, 1, sizes[0]), size * rng.uniform(-1, 1, sizes[1])


def make_evaluator(text: str) -> Evaluator | None:
    """Return the evaluator of a name; `None` for zero, which no search asks.

    >>> evaluator = make_evaluator("noisy(of=exact,epsilon=0.1)")
    >>> evaluator.name
    'noisy(of=exact(iterations=100),epsilon=0.1,seed=0)'
    """
    name, arguments = parse_spec(text, "evaluator")
    if name not in EVALUATORS:
        raise InputError(f"unknown evaluator {name!r}: choose from {', '.join(EVALUATORS)}")
    try:
        return EVALUATORS[name](**arguments)
    except TypeError:
        keys = ", ".join(arguments) or "none"
        raise InputError(f"evaluator {name!r} does not take these options: {keys}") from None


def _make_zero() -> None:
    return None


def _make_rollouts(rollouts: int = 10, seed: int = 0) -> Evaluator:
    return RolloutEvaluator(_whole("rollouts", rollouts), _whole("seed", seed))


def _make_exact(iterations: int = 100) -> Evaluator:
    return ExactEvaluator(_whole("iterations", iterations))


def _make_noisy(of: str = "exact", epsilon: float = 0.1, seed: int = 0) -> Evaluator:
    if isinstance(epsilon, bool) or not isinstance(epsilon, int | float):
        raise InputError(f"noisy: epsilon must be a number, not {epsilon!r}")
    if not isinstance(of, str):
        raise InputError(f"noisy: of must be the name of an evaluator, not {of!r}")
    inner = make_evaluator(of)
    if inner is None:
        raise InputError("noisy: zero has no values to disturb")
    return NoisyEvaluator(inner, float(epsilon), _whole("seed", seed))


EVALUATORS: dict[str, Callable[..., Evaluator | None]] = {
    ZERO: _make_zero,
    "uniform-rollout": _make_rollouts,
    "exact": _make_exact,
    "noisy": _make_noisy,
}


def _whole(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InputError(f"evaluator: {name} must be a whole number, not {value!r}")
    return value


def _random_play(game: AnyGame, world: Any, rng: np.random.Generator) -> float:
    """Return player 0's utility after uniformly random moves from a world on."""
    while (actor := game.actor(world)) != TERMINAL:
        if actor == CHANCE:
            outcomes, chances = zip(*game.chance_outcomes(world), strict=True)
            drawn = int(np.searchsorted(np.cumsum(chances), rng.random(), side="right"))
            world = game.apply(world, outcomes[min(drawn, len(outcomes) - 1)])
        else:
            actions = game.legal_actions(world)
            world = game.apply(world, actions[int(rng.integers(len(actions)))])
    return game.returns(world)[0]


def _node_seed(store: StateStore, node: int, seed: int) -> int:
    """Return a seed that depends on the public state, not on when it was met."""
    return zlib.crc32(f"{seed} {store.route(node)}".encode())


def _ratio(values: F64, masses: F64) -> F64:
    return np.divide(values, masses, out=np.zeros_like(values), where=masses > 0)
