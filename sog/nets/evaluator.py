"""Networks as evaluators of searches.

Inference is what a search spends most of its time on, so perceptrons go a shorter way than torch's own
(`sog.nets.perceptron`), and do without torch. Anything else goes through torch, on whatever device the
network is (`sog.nets.torch_forward`).

Verified: tests/nets/test_evaluator.py.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np

from sog.core.arrays import F32
from sog.nets.answer_cache import AnswerCache, make_batch
from sog.nets.answers import read_priors, read_values, write_ranges
from sog.nets.perceptron import Perceptron
from sog.nets.rows_forward import RowsForward
from sog.nets.spec import NetworkSpec, Sizes
from sog.nets.state_batch import StateBatch
from sog.public.beliefs import weigh_opponents
from sog.public.evaluator import Batch
from sog.public.store import StateStore

Forward = Callable[[StateBatch, F32], tuple[F32, F32]]
"""Takes what is asked about and ranges [B, V]; returns values [B, V] and logits [W, L], perhaps wider."""


_NONE = np.zeros(0, np.int64)
FAST: dict[str, Callable[[NetworkSpec, Sizes, Mapping[str, F32]], Forward]] = {
    "mlp": Perceptron,
    "rows": RowsForward,
}


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
        """has_priors: False leaves the policy head out, for searches that have no use for priors.

        Where nothing is hidden it comes along in any case.
        """
        self.name, self.network = name, network
        self.has_priors = has_priors or network.sizes.is_board
        self._is_fast = is_fast and network.spec.kind in FAST and not network.sizes.is_board
        self._cache: AnswerCache | None = None
        self._inputs = np.zeros((0, network.sizes.num_values), np.float32)
        self._forward: Forward
        self.refresh()

    def refresh(self) -> None:
        """Take over the network's present weights."""
        self.forget()
        network = self.network
        if self._is_fast:
            weights = {name: as_float32(weight) for name, weight in network.state_dict().items()}
            self._forward = FAST[network.spec.kind](network.spec, network.sizes, weights)
            return
        from sog.nets.torch_forward import TorchForward  # imports torch, which is slow

        self._forward = TorchForward(network)  # type: ignore[arg-type]

    def forget(self) -> None:
        """Drop all answers; batches, and so last bits, are then those of an evaluator that begins here."""
        if self._cache is not None:
            self._cache.forget()

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        """Answer every query of a batch; its values and priors are modified in place."""
        if not store.facts.hides_nothing:
            self._answer(store, batch)
            return
        if self._cache is None or self._cache.store is not store:
            self._cache = AnswerCache(store)
        unknown = self._cache.pick(batch.nodes)
        if unknown.size > 0:
            asked = make_batch(store, unknown)
            self._answer(store, asked)
            self._cache.keep(asked)
        self._cache.read(batch)

    def _answer(self, store: StateStore, batch: Batch) -> None:
        """Ask the network about every query of a batch."""
        count, nodes = batch.nodes.size, batch.nodes.view(np.uint32)
        tables, numbers = store.codes(nodes)
        if count > len(self._inputs):
            self._inputs = np.zeros((2 * count, self._inputs.shape[1]), np.float32)
        inputs = self._inputs[:count]
        write_ranges(tables, numbers, batch, inputs)
        wanted = np.flatnonzero(np.diff(batch.prior_start)) if self.has_priors else _NONE
        values, logits = self._forward(StateBatch(store, nodes, tables, numbers, wanted), inputs)
        masses = weigh_opponents(store.arrays(), batch.nodes, batch.start, batch.ranges)
        read_values(tables, numbers, values, masses, batch)
        if wanted.size > 0:
            read_priors(tables, numbers, wanted, logits, self.network.sizes.logits, batch)


def as_float32(weight: Any) -> F32:
    """Return an array, or a tensor on any device, as an array."""
    return np.asarray(weight if isinstance(weight, np.ndarray) else weight.detach().cpu().numpy(), np.float32)
