"""An actor and a query solver on one atlas with one network: everything that makes examples.

A generator is handed weights and returns examples. It knows no learner, and several of them may work at the
same time in processes of their own. Its state is plain data: the order in which public states were met is
part of it, so that a generator that goes on from a state does the same, bit for bit.

Verified: tests/training/test_generator.py.
"""

import time
from typing import Any, NamedTuple

import numpy as np
import torch

from sog.core.rng import make_rng
from sog.games.registry import load
from sog.nets.boards import BoardEvaluator
from sog.nets.cvpn import make_network
from sog.nets.evaluator import NetworkEvaluator
from sog.nets.spec import sizes_of
from sog.public.atlas import open_atlas
from sog.public.encoding import make_encoder
from sog.search.gtcfr import Searcher
from sog.search.memory import Decisions, Memory
from sog.search.result import SearchResult, Statistics
from sog.training.config import Config
from sog.training.formats import AnyExamples, Writer, make_writer
from sog.training.plain import pack, unpack
from sog.training.records import Finding, Query
from sog.training.replay import QueryQueue
from sog.training.selfplay import Actor, Play, SearchAdvisor, Visit
from sog.training.solving import QuerySolver
from sog.training.standing import Counts

LANES = 128  # queries that are solved side by side

Weights = dict[str, Any]  # arrays by the network's own names
State = dict[str, Any]  # arrays, as `pack` makes them
_KINDS = (Decisions, Finding, Memory, Play, Query, SearchResult, Statistics, Visit)


class Lot(NamedTuple):
    """What one round brought in."""

    examples: list[AnyExamples]
    counts: Counts
    waiting: int  # queries


class Generator:
    """Plays, asks and solves."""

    def __init__(self, config: Config, seed: int) -> None:
        self._config, self._game = config, load(config.game)
        self._encoder = make_encoder(self._game)
        self._sizes = sizes_of(self._encoder.encoding)
        self._network = make_network(config.network, self._sizes, config.run.seed)
        self._rng = make_rng(seed)
        self._queue = QueryQueue(config.replay.queries)
        self._max_states = config.selfplay.max_states
        self._actor = Actor(*self._open_atlas(), config.selfplay, make_rng(seed + 1))

    def _open_atlas(self) -> tuple[SearchAdvisor, Writer]:
        """Begin with an empty atlas; return what the actor needs."""
        config, atlas = self._config, open_atlas(self._game)
        self.atlas = atlas
        self._evaluator: NetworkEvaluator | BoardEvaluator
        if atlas.is_board:
            self._evaluator = BoardEvaluator(self._network)
        else:
            self._evaluator = NetworkEvaluator(self._network, self._encoder)
        writer = make_writer(atlas, self._encoder, self._sizes)
        self._solver = QuerySolver(
            Searcher(atlas, self._evaluator, config.solver.settings()),
            writer,
            config.selfplay.recursive_queries,
        )
        searcher = Searcher(atlas, self._evaluator, config.search.settings())
        return SearchAdvisor(searcher, writer, config.selfplay.queries), writer

    def _forget(self) -> None:
        """Go on with an atlas that knows the games under way alone: one that keeps all would fill the memory.

        What is left may be a lot itself; half of what there is room for must be new before it happens again.
        """
        self._actor.move_to(*self._open_atlas())
        self._max_states = max(self._config.selfplay.max_states, 2 * self.atlas.num_nodes)

    def take_weights(self, weights: Weights) -> None:
        """Go on with new weights of the network."""
        self._network.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
        self._evaluator.refresh()

    def round(self) -> Lot:
        """Solve what waits; where less than a batch waits, play first."""
        started, before = time.process_time(), self._actor.counts.copy()
        if self.atlas.num_nodes > self._max_states:
            self._forget()
        examples: list[AnyExamples] = []
        if len(self._queue) < LANES:
            harvest = self._actor.advance()
            examples += harvest.examples
            self._queue.extend(harvest.queries)
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
            searches=after.searches - before.searches,
            moves=after.moves - before.moves,
            solved=solved,
            recursive=recursive,
            seconds=time.process_time() - started,
        )
        return Lot(examples, counts, len(self._queue))

    def state(self) -> State:
        """Return everything to go on with."""
        if isinstance(self._evaluator, BoardEvaluator):
            self._evaluator.forget()  # batches, and so last bits, are then those of who goes on from here
        state = {
            "weights": weights_of(self._network),
            "charted": np.array(self.atlas.charted, np.int32),
            "coded": np.array(self._coded(), np.int32),
            "max_states": self._max_states,
            "rng": self._rng,
            "queries": self._queue.waiting(),
            "actor": self._actor.state(),
        }
        return pack(state, _KINDS)

    def _coded(self) -> list[int]:
        """Return the public states that were coded, in order; positions are coded as they are asked about."""
        return self._evaluator.coded if isinstance(self._evaluator, NetworkEvaluator) else []

    def restore(self, packed: State) -> None:
        """Go on from a state; for a generator that has done nothing yet."""
        state = unpack(packed, _KINDS)
        for node in state["charted"].tolist():
            self.atlas.chart(node)
        if isinstance(self._evaluator, NetworkEvaluator):
            self._evaluator.code(self.atlas, state["coded"].tolist())
        self.take_weights(state["weights"])
        self._rng, self._max_states = state["rng"], state["max_states"]
        self._queue.extend(state["queries"])
        self._actor.restore(state["actor"])


def weights_of(network: torch.nn.Module) -> Weights:
    """Return copies of a network's weights as arrays."""
    return {name: value.detach().cpu().numpy().copy() for name, value in network.state_dict().items()}
