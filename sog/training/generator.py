"""An actor and a query solver on one atlas with one network: everything that makes examples.

A generator is handed weights and returns examples. It knows no learner, and several of them may work at the
same time in processes of their own.

Verified: tests/training/test_generator.py.
"""

import time
from dataclasses import dataclass
from typing import Any, NamedTuple

from sog.core.rng import make_rng
from sog.games.registry import load
from sog.nets.cvpn import make_network
from sog.nets.evaluator import NetworkEvaluator
from sog.nets.spec import sizes_of
from sog.public.atlas import Atlas
from sog.public.encoding import make_encoder
from sog.search.gtcfr import Searcher
from sog.training.config import Config
from sog.training.records import Examples, ExampleWriter
from sog.training.replay import QueryQueue
from sog.training.selfplay import Actor
from sog.training.solving import QuerySolver

LANES = 128  # queries that are solved side by side


@dataclass
class GeneratorCounts:
    """What a generator has done."""

    solved: int = 0
    recursive: int = 0
    seconds: float = 0.0  # of its process's CPU


class Lot(NamedTuple):
    """What one round brought in."""

    examples: list[Examples]
    counts: dict[str, float]


class Generator:
    """Plays, asks and solves."""

    def __init__(self, config: Config, seed: int) -> None:
        game = load(config.game)
        encoder = make_encoder(game)
        sizes = sizes_of(encoder.encoding)
        self.atlas = Atlas(game)
        self._network = make_network(config.network, sizes, config.run.seed)
        self._evaluator = NetworkEvaluator(self._network, encoder)
        self._rng = make_rng(seed)
        writer = ExampleWriter(self.atlas, encoder, sizes)
        self._queue = QueryQueue(config.replay.queries)
        self._actor = Actor(
            Searcher(self.atlas, self._evaluator, config.search.settings()),
            writer,
            config.selfplay,
            make_rng(seed + 1),
        )
        self._solver = QuerySolver(
            Searcher(self.atlas, self._evaluator, config.solver.settings()),
            writer,
            config.selfplay.recursive_queries,
        )
        self._counts = GeneratorCounts()

    def take_weights(self, weights: dict[str, Any]) -> None:
        """Go on with new weights of the network."""
        self._network.load_state_dict(weights)
        self._evaluator.refresh()

    def round(self) -> Lot:
        """Solve what waits; where less than a batch waits, play first."""
        started = time.process_time()
        examples: list[Examples] = []
        if len(self._queue) < LANES:
            harvest = self._actor.advance()
            examples += harvest.examples
            self._queue.extend(harvest.queries)
        if len(self._queue) > 0:
            solved = self._solver.solve(self._queue.pop(LANES), self._rng)
            examples.append(solved.examples)
            self._queue.extend(solved.queries)
            self._counts.solved += solved.examples.size
            self._counts.recursive += len(solved.queries)
        self._counts.seconds += time.process_time() - started
        return Lot(examples, self.counts())

    def counts(self) -> dict[str, float]:
        """Return what was done so far, and how long the queue is."""
        return {**vars(self._actor.counts), **vars(self._counts), "queries": len(self._queue)}
