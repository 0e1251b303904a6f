"""Networks as evaluators of searches.

Inference is what a search spends most of its time on, so a multi-layer perceptron on the CPU goes a shorter
way than torch's own: features are constant for a public state, so their share of the first layer is computed
once a state and kept; the other layers are matrix products into buffers that stay. Anything else goes through
the plain forward pass, on whatever device the network is.

Verified: tests/nets/test_evaluator.py.
"""

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from sog.core.arrays import F32, I32
from sog.nets.answers import read_priors, read_values, write_ranges
from sog.nets.codes import BLOCK, Codes
from sog.nets.cvpn import Cvpn, Mlp
from sog.public.evaluator import Batch
from sog.public.store import StateStore

_HEAD_UNITS = 16  # heads are as wide as a multiple of this


class NetworkEvaluator:
    """Answers queries with a network's values, balanced, and its priors.

    Searches may go on while the network learns: what `refresh` last took is what answers.
    """

    def __init__(
        self,
        network: Cvpn,
        name: str = "network",
        is_fast: bool = True,
        has_priors: bool = True,
    ) -> None:
        """has_priors: False leaves the policy head out, for searches that have no use for priors."""
        self.name, self.has_priors = name, has_priors
        self.network = network
        self._is_fast = is_fast and isinstance(network.trunk, Mlp)
        self._codes: Codes | None = None
        self._capacity = 0
        self._forward: _MlpForward | _PlainForward
        self.refresh()

    def refresh(self) -> None:
        """Take over the network's present weights."""
        self.network.eval()
        forward = _MlpForward if self._is_fast else _PlainForward
        self._forward = forward(self.network, self.has_priors)

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


class _PlainForward:
    """The network as torch runs it."""

    def __init__(self, network: Cvpn, has_priors: bool) -> None:
        self._network = network
        self._device = next(network.parameters()).device

    @torch.inference_mode()
    def __call__(self, codes: Codes, numbers: I32, inputs: F32) -> tuple[F32, F32]:
        """Return values [B, V] and logits [B, R × C]."""
        features = torch.from_numpy(codes.features[numbers]).to(self._device)
        values, logits = self._network(features, torch.from_numpy(inputs).to(self._device))
        return values.cpu().numpy(), logits.flatten(1).cpu().numpy()


class _Layer(NamedTuple):
    weight: Tensor  # [inputs, units]
    bias: Tensor  # [units]
    norm: nn.LayerNorm | None
    activation: nn.Module | None


class _MlpForward:
    """A perceptron with the features' share of its first layer kept for each public state."""

    def __init__(self, network: Cvpn, has_priors: bool) -> None:
        assert isinstance(network.trunk, Mlp)
        self._layers = _copy_layers(network)
        heads = (network.value, network.policy) if has_priors else (network.value,)
        self._heads = [_copy_head(head) for head in heads]
        features = network.sizes.num_features
        first = self._layers[0]
        self._from_features = first.weight[:features].contiguous()
        self._from_ranges = first.weight[features:] * network.trunk.range_scale
        self._kept = torch.zeros((0, first.bias.numel()))
        self._num_kept = 0
        self._capacity = 0
        self._buffers: list[Tensor] = []

    @torch.inference_mode()
    def __call__(self, codes: Codes, numbers: I32, inputs: F32) -> tuple[F32, F32]:
        """Return values [B, V] and logits [B, R × C], valid until the next call; columns may follow."""
        if self._num_kept < codes.size:
            self._keep(codes)
        count = len(inputs)
        if count > self._capacity:
            self._capacity = 2 * count
            layers = (*self._layers, *self._heads)
            self._buffers = [torch.zeros((self._capacity, layer.bias.numel())) for layer in layers]
        hidden = self._buffers[0][:count]
        torch.index_select(self._kept, 0, torch.from_numpy(numbers), out=hidden)
        hidden.addmm_(torch.from_numpy(inputs), self._from_ranges)
        hidden = _finish(self._layers[0], hidden)
        for layer, buffer in zip(self._layers[1:], self._buffers[1:], strict=False):
            hidden = _finish(layer, torch.addmm(layer.bias, hidden, layer.weight, out=buffer[:count]))
        outputs = [
            torch.addmm(layer.bias, hidden, layer.weight, out=buffer[:count]).numpy()
            for layer, buffer in zip(self._heads, self._buffers[len(self._layers) :], strict=True)
        ]
        return outputs[0], outputs[-1]

    def _keep(self, codes: Codes) -> None:
        """Compute the features' share for public states that are new.

        Always in whole blocks: how a product is rounded may depend on its size, and a search should find the
        same no matter how many public states were known when the weights came.
        """
        first = self._num_kept // BLOCK
        shares = [
            torch.addmm(self._layers[0].bias, torch.from_numpy(codes.block(number)), self._from_features)
            for number in range(first, -(-codes.size // BLOCK))
        ]
        self._kept = torch.cat((self._kept[: first * BLOCK], *shares))
        self._num_kept = codes.size


def _copy_layers(network: Cvpn) -> list[_Layer]:
    """Return copies of the hidden layers."""
    layers: list[_Layer] = []
    for module in network.trunk.layers.children():  # type: ignore[union-attr]
        if isinstance(module, nn.Linear):
            layers.append(_copy(module))
        elif isinstance(module, nn.LayerNorm):
            layers[-1] = layers[-1]._replace(norm=_copy_norm(module))
        else:
            layers[-1] = layers[-1]._replace(activation=module)
    return layers


def _copy(linear: nn.Linear) -> _Layer:
    return _Layer(linear.weight.detach().T.contiguous().clone(), linear.bias.detach().clone(), None, None)


def _copy_head(linear: nn.Linear) -> _Layer:
    """Return a copy with units that nobody reads: products of few columns take longer than wider ones."""
    layer = _copy(linear)
    spare = -layer.bias.numel() % _HEAD_UNITS
    return layer._replace(
        weight=functional.pad(layer.weight, (0, spare)), bias=functional.pad(layer.bias, (0, spare))
    )


def _copy_norm(norm: nn.LayerNorm) -> nn.LayerNorm:
    copy = nn.LayerNorm(norm.normalized_shape, eps=norm.eps)
    copy.load_state_dict({key: value.detach().clone() for key, value in norm.state_dict().items()})
    return copy


def _finish(layer: _Layer, hidden: Tensor) -> Tensor:
    if layer.norm is not None:
        hidden = layer.norm(hidden)
    if isinstance(layer.activation, nn.ReLU):
        return hidden.relu_()
    return hidden if layer.activation is None else layer.activation(hidden)
