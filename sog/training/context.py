"""What every generator stands on: a game's store, a copy of the network that answers about it, and a writer.

A store that keeps every public state would fill the memory, so it is exchanged for an empty one whenever it,
its codes and its answers take more than their part, and the generator finds its games again there. Queries
that wait are routes, and are found when they are solved. What is counted depends on what is in a generator's
state alone: one that goes on from it forgets at the same moments.

Verified: tests/training/test_generator.py, tests/training/test_rebel.py, tests/training/test_alphazero.py.
"""

from typing import Any

import numpy as np
import torch

from sog.core.arrays import MB
from sog.games.registry import load
from sog.nets.answer_cache import most_bytes
from sog.nets.cvpn import make_network
from sog.nets.evaluator import NetworkEvaluator
from sog.nets.spec import sizes_of
from sog.public.opening import encoding_of, open_store
from sog.public.store import StateStore
from sog.search.lanes import LANES_PART, LaneShare
from sog.training.config import Config
from sog.training.examples import check_sizes
from sog.training.records import ExampleWriter

Weights = dict[str, Any]  # arrays by the network's own names
State = dict[str, Any]  # arrays, as `sog.training.plain.pack` makes them
_STORE_PART = 0.5  # of a process's memory: the store, codes and answers


class SelfPlayContext:
    """A store, its evaluator and its writer."""

    store: StateStore
    evaluator: NetworkEvaluator
    writer: ExampleWriter

    def __init__(self, config: Config, has_priors: bool = True) -> None:
        """has_priors: False if nobody asks for the network's policy; a board's comes along in any case."""
        self._game, self._has_priors = load(config.game), has_priors
        self.sizes = sizes_of(encoding_of(self._game))
        check_sizes(self.sizes, config.game)
        self.network = make_network(config.network, self.sizes, config.run.seed)
        memory = config.run.memory_mb * MB
        self._wanted = self._most = _STORE_PART * memory
        self.shares = LaneShare(LANES_PART * memory), LaneShare(LANES_PART * memory)
        self.clear()

    def clear(self) -> None:
        """Begin with an empty store."""
        self.store = open_store(self._game)
        self.evaluator = NetworkEvaluator(self.network, has_priors=self._has_priors)
        self.writer = ExampleWriter(self.store)

    @property
    def is_crowded(self) -> bool:
        """Whether the store takes more than it should."""
        return sum(self.memory().values()) > self._most

    def memory(self) -> dict[str, int]:
        """Return what the parts take, in bytes."""
        store = self.store
        answers = most_bytes(store) if store.facts.hides_nothing else 0
        return {"store": store.num_bytes, "codes": store.num_code_bytes, "answers": answers}

    def settle(self) -> None:
        """Take note of what is needed from the start, once it has been found again in an empty store.

        It may be much; half of what there is room for must be new before the store is crowded again.
        """
        self._most = max(self._wanted, 2 * sum(self.memory().values()))

    def take_weights(self, weights: Weights) -> None:
        """Go on with new weights of the network."""
        self.network.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
        self.evaluator.refresh()

    def state(self) -> State:
        """Return everything to go on with, bit for bit: states are met again in the same order."""
        self.evaluator.forget()
        return {
            "weights": weights_of(self.network),
            "expanded": np.array(self.store.expanded, np.int32),
            "coded": self.store.coded(),
            "most": self._most,
            "at_once": [share.at_once for share in self.shares],
        }

    def restore(self, state: State) -> None:
        """Go on from a state; for a context on which nothing has been done yet."""
        expanded: list[int] = state["expanded"].tolist()
        while expanded:  # as many at once as are known so far
            known = self.store.num_nodes
            count = next((index for index, node in enumerate(expanded) if node >= known), len(expanded))
            self.store.expand(expanded[: max(count, 1)])
            expanded = expanded[max(count, 1) :]
        self.take_weights(state["weights"])
        if state["coded"].size:
            self.store.codes(state["coded"])
        self._most = state["most"]
        for share, count in zip(self.shares, state["at_once"], strict=True):
            share.at_once = count


def weights_of(network: torch.nn.Module) -> Weights:
    """Return copies of a network's weights as arrays."""
    return {name: value.detach().cpu().numpy().copy() for name, value in network.state_dict().items()}
