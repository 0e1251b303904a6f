"""Networks as evaluators of searches.

Inference is what a search spends most of its time on, so perceptrons go a shorter way than torch's own
(`sog.nets.perceptron`), and do without torch. Anything else goes through the plain forward pass, on whatever
device the network is (`sog.nets.plain_forward`).

Verified: tests/nets/test_evaluator.py.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np

from sog.core.arrays import F32, I32
from sog.nets.answers import read_priors, read_values, write_ranges
from sog.nets.codes import Codes
from sog.nets.perceptron import Perceptron
from sog.nets.spec import NetworkSpec, Sizes
from sog.public.evaluator import Batch
from sog.public.store import StateStore

Forward = Callable[[Codes, I32, F32], tuple[F32, F32]]
"""Takes codes, the numbers [B] of those that are meant and ranges [B, V]; values and logits side by side."""


class Network(Protocol):
    """A network with weights by name: `sog.nets.cvpn.Cvpn`, or what is kept of one."""

    @property
    def spec(self) -> NetworkSpec:
        """The architecture."""

    @property
    def sizes(self) -> Sizes:
        """What it takes and returns."""

    def state_dict(self) -> Mapping[str, Any]:
        """Return the present weights: arrays, or tensors on any device."""


class KeptNetwork(NamedTuple):
    """A perceptron that learns no more."""

    spec: NetworkSpec
    sizes: Sizes
    weights: Mapping[str, F32]

    def state_dict(self) -> Mapping[str, F32]:
        """Return the weights."""
        return self.weights


class NetworkEvaluator:
    """Answers queries with a network's values, balanced, and its priors.

    Searches may go on while the network learns: what `refresh` last took is what answers.
    """

    def __init__(
        self,
        network: Network,
        name: str = "network",
        is_fast: bool = True,
        has_priors: bool = True,
    ) -> None:
        """has_priors: False leaves the policy head out, for searches that have no use for priors."""
        self.name, self.has_priors = name, has_priors
        self.network = network
        self._is_fast = is_fast and network.spec.kind == "mlp"
        self._codes: Codes | None = None
        self._capacity = 0
        self._forward: Forward
        self.refresh()

    def refresh(self) -> None:
        """Take over the network's present weights."""
        network = self.network
        if self._is_fast:
            weights = {name: as_float32(weight) for name, weight in network.state_dict().items()}
            self._forward = Perceptron(network.spec, network.sizes, weights, self.has_priors)
            return
        from sog.nets.plain_forward import PlainForward  # imports torch, which is slow

        self._forward = PlainForward(network)

    def snapshot(self) -> list[int]:
        """Return the nodes of the store that were met, in order: answers depend on it in their last bits."""
        return [] if self._codes is None else self._codes.nodes

    def restore(self, store: StateStore, nodes: list[int]) -> None:
        """Meet nodes in the order of a snapshot, for answers that are the same bit for bit."""
        codes = self._codes_of(store)
        for node in nodes:
            codes.numbers(np.array([node], np.int32))

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        """Answer every query of a batch; its values and priors are modified in place."""
        codes = self._codes_of(store)
        numbers, sizes = codes.numbers(batch.nodes), self.network.sizes
        count = numbers.size
        if count > self._capacity:
            self._capacity = 2 * count
            self._inputs = np.zeros((self._capacity, sizes.num_values), np.float32)
        tables, inputs = codes.tables(), self._inputs[:count]
        write_ranges(tables, numbers, batch, inputs)
        values, logits = self._forward(codes, numbers, inputs)
        read_values(store.arrays().matrices, tables, numbers, values, batch)
        if self.has_priors:
            read_priors(tables, numbers, logits, sizes.private[0], sizes.choices, batch)

    def _codes_of(self, store: StateStore) -> Codes:
        if self._codes is None or self._codes.store is not store:
            self._codes = Codes(store)
            self.refresh()
        return self._codes


def as_float32(weight: Any) -> F32:
    """Return an array, or a tensor on any device, as an array."""
    return np.asarray(weight if isinstance(weight, np.ndarray) else weight.detach().cpu().numpy(), np.float32)
