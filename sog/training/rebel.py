"""ReBeL's self-play (Brown et al. 2020, algorithm 2): subgames in lockstep, each begun at a leaf of the last.

Every subgame that is solved becomes one example: the averages of the values and of the policy at its root.
An iteration is drawn, everybody plays as in it, one player now and then at random, and the leaf that is
reached begins the next subgame. There are no queries: the examples are the states that are played.

Verified: tests/training/test_rebel.py.
"""

import time

import numpy as np
import torch

from sog.core.rng import make_rng
from sog.games.registry import load
from sog.nets.cvpn import make_network
from sog.nets.evaluator import NetworkEvaluator
from sog.nets.spec import sizes_of
from sog.public.atlas import Atlas
from sog.public.encoding import make_encoder
from sog.search.gtcfr import Searcher
from sog.search.rebel import Subgame, first_subgame, sample_leaf
from sog.training.config import Config
from sog.training.generator import Lot, State, Weights, weights_of
from sog.training.plain import pack, unpack
from sog.training.records import PLAYED, ExampleWriter, Finding
from sog.training.standing import Counts

_SEEDS = 2**63
_KINDS = (Subgame,)


class RebelGenerator:
    """Solves the present subgame of every game, and goes on from there."""

    def __init__(self, config: Config, seed: int) -> None:
        self._config, self._game = config, load(config.game)
        self._encoder = make_encoder(self._game)
        self._sizes = sizes_of(self._encoder.encoding)
        self._network = make_network(config.network, self._sizes, config.run.seed)
        self._rng = make_rng(seed)
        self._max_states = config.selfplay.max_states
        self._open_atlas()
        self._subgames = [first_subgame(self.atlas)] * config.selfplay.games

    def _open_atlas(self) -> None:
        """Begin with an empty atlas."""
        self.atlas = Atlas(self._game)
        self._evaluator = NetworkEvaluator(self._network, self._encoder, has_priors=False)
        self._searcher = Searcher(self.atlas, self._evaluator, self._config.rebel.search())
        self._writer = ExampleWriter(self.atlas, self._encoder, self._sizes)

    def _forget(self) -> None:
        """Go on with an atlas that knows the subgames alone: one that keeps all would fill the memory."""
        routes = [self.atlas.route(subgame.node) for subgame in self._subgames]
        self._open_atlas()
        self._subgames = [
            subgame._replace(node=self.atlas.locate(route))
            for subgame, route in zip(self._subgames, routes, strict=True)
        ]
        self._max_states = max(self._config.selfplay.max_states, 2 * self.atlas.num_nodes)

    def take_weights(self, weights: Weights) -> None:
        """Go on with new weights of the network."""
        self._network.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
        self._evaluator.refresh()

    def round(self) -> Lot:
        """Solve one subgame of every game."""
        started, games = time.process_time(), 0
        if self.atlas.num_nodes > self._max_states:
            self._forget()
        count, rng, exploration = len(self._subgames), self._rng, self._config.selfplay.uniform_mix
        iterations = self._config.rebel.draw_iterations(count, rng)
        tasks = [subgame.task(kept) for subgame, kept in zip(self._subgames, iterations, strict=True)]
        results = self._searcher.search_many(tasks, rng.integers(_SEEDS, size=count).tolist())
        findings = []
        for index, (subgame, result) in enumerate(zip(self._subgames, results, strict=True)):
            values = result.summary(0).values
            findings.append(Finding(subgame.node, subgame.ranges, values, result.policy, PLAYED))
            assert result.kept is not None
            leaf = sample_leaf(self.atlas, subgame, result.kept, exploration, rng)
            games += leaf is None
            self._subgames[index] = first_subgame(self.atlas) if leaf is None else leaf
        examples = self._writer.write(findings)
        counts = Counts(games=games, searches=count, solved=count, seconds=time.process_time() - started)
        return Lot([examples], counts, 0)

    def state(self) -> State:
        """Return everything to go on with."""
        state = {
            "weights": weights_of(self._network),
            "charted": np.array(self.atlas.charted, np.int32),
            "coded": np.array(self._evaluator.coded, np.int32),
            "max_states": self._max_states,
            "rng": self._rng,
            "subgames": self._subgames,
        }
        return pack(state, _KINDS)

    def restore(self, packed: State) -> None:
        """Go on from a state; for a generator that has done nothing yet."""
        state = unpack(packed, _KINDS)
        for node in state["charted"].tolist():
            self.atlas.chart(node)
        self._evaluator.code(self.atlas, state["coded"].tolist())
        self.take_weights(state["weights"])
        self._rng, self._max_states = state["rng"], state["max_states"]
        self._subgames = state["subgames"]
