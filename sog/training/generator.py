"""An actor and a query solver on one store with one network: everything that makes examples.

A generator is handed weights and returns examples. It knows no learner, and several of them may work at the
same time in processes of their own. Its state is plain data: the order in which public states were met is
part of it, so that a generator that goes on from a state does the same, bit for bit.

Verified: tests/training/test_generator.py.
"""

import time
from typing import NamedTuple

from sog.core.rng import make_rng
from sog.public.store import StateStore
from sog.search.gtcfr import Searcher
from sog.search.result import SearchResult, Statistics
from sog.search.tree_reuse import ReusableTree, Tree
from sog.training.config import MAX_STEPS, Config, searches_of
from sog.training.context import SelfPlayContext, State, Weights
from sog.training.examples import Examples
from sog.training.plain import pack, unpack
from sog.training.records import ExampleWriter, Query, SearchTarget
from sog.training.replay import QueryQueue
from sog.training.run_status import Counts
from sog.training.selfplay import Actor, Play, SearchAdvisor, Visit
from sog.training.solving import QuerySolver

LANES = 128  # queries that are solved side by side

_KINDS = (SearchTarget, Play, Query, SearchResult, Statistics, ReusableTree, Tree, Visit)


class RoundOutput(NamedTuple):
    """What one round brought in."""

    examples: list[Examples]
    counts: Counts
    waiting: int  # queries
    memory: dict[str, int] = {}  # noqa: RUF012  # what parts take, in bytes; never modified


class Generator:
    """Plays, asks and solves."""

    def __init__(self, config: Config, seed: int) -> None:
        self._config, self._steps = config, 0
        every = (*searches_of(config, 0), *searches_of(config, MAX_STEPS))
        self._context = SelfPlayContext(config, has_priors=any(search.uses_priors for search in every))
        self._rng = make_rng(seed)
        self._queue = QueryQueue(config.replay.queries)
        self._actor = Actor(*self._open(), config.selfplay, make_rng(seed + 1))

    def _open(self) -> tuple[SearchAdvisor, ExampleWriter]:
        """Make searches on its present store; return what the actor needs."""
        config, context = self._config, self._context
        search, solver = searches_of(config, self._steps)
        self._solver = QuerySolver(
            Searcher(context.store, context.evaluator, solver, context.shares[1]),
            context.writer,
            config.selfplay.recursive_queries,
        )
        self._searcher = Searcher(context.store, context.evaluator, search, context.shares[0])
        return SearchAdvisor(self._searcher, context.writer, config.selfplay.queries), context.writer

    @property
    def store(self) -> StateStore:
        """The public states met so far."""
        return self._context.store

    def take_weights(self, weights: Weights, steps: int) -> None:
        """Go on with weights of the network after so many steps, and the searches that are due then."""
        self._context.take_weights(weights)
        before, self._steps = searches_of(self._config, self._steps), steps
        if searches_of(self._config, steps) != before:
            self._actor.take_advice(self._open()[0])

    def round(self) -> RoundOutput:
        """Solve what waits; where less than a batch waits, play first."""
        started, before = time.process_time(), self._actor.counts.copy()
        examples: list[Examples] = []
        if len(self._queue) < LANES:
            output = self._actor.advance()
            examples += output.examples
            self._queue.extend(output.queries)
        solved = recursive = 0
        if len(self._queue) > 0:
            found = self._solver.solve(self._queue.pop(LANES), self._rng)
            examples.append(found.examples)
            self._queue.extend(found.queries)
            solved, recursive = found.examples.size, len(found.queries)
        after = self._actor.counts
        counts = Counts(
            games=after.games - before.games,
            resigned=after.resigned - before.resigned,
            score=after.score - before.score,
            searches=after.searches - before.searches,
            moves=after.moves - before.moves,
            solved=solved,
            recursive=recursive,
            seconds=time.process_time() - started,
        )
        lanes = self._searcher.num_bytes + self._solver.searcher.num_bytes
        memory = {**self._context.memory(), "lanes": lanes}
        if self._context.is_crowded:  # go on with the games under way alone
            self._context.clear()
            self._actor.move_to(*self._open())
            self._context.settle()
        return RoundOutput(examples, counts, len(self._queue), memory)

    def state(self) -> State:
        """Return everything to go on with."""
        state = {
            **self._context.state(),
            "steps": self._steps,
            "rng": self._rng,
            "queries": self._queue.waiting(),
            "actor": self._actor.state(),
        }
        return pack(state, _KINDS)

    def restore(self, packed: State) -> None:
        """Go on from a state; for a generator that has done nothing yet."""
        state = unpack(packed, _KINDS)
        self._context.restore(state)
        self._steps = state.get("steps", 0)
        self._actor.take_advice(self._open()[0])
        self._rng = state["rng"]
        self._queue.extend(state["queries"])
        self._actor.restore(state["actor"])
