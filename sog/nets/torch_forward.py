"""Networks as torch runs them, on whatever device they are.

Verified: tests/nets/test_evaluator.py.
"""

from typing import Any

import numpy as np
import torch

from sog.core.arrays import F32
from sog.nets.cvpn import Cvpn
from sog.nets.folding import make_answering
from sog.nets.state_batch import StateBatch
from sog.public.codes import spread_features


def use_threads(count: int) -> None:
    """Have torch compute on so many cores; small networks are slower on several, above all on busy ones."""
    torch.set_num_threads(count)


class TorchForward:
    """A network as it is at present, whatever it learns later."""

    def __init__(self, network: Cvpn) -> None:
        self.answering = make_answering(network)
        self._device, self._takes_rows = next(network.parameters()).device, network.spec.kind == "rows"
        self._features = np.zeros((0, network.sizes.num_features), np.float32)

    @torch.inference_mode()
    def __call__(self, states: StateBatch, ranges: F32) -> tuple[F32, F32]:
        """Return values [B, V] and logits [W, L]."""
        count = len(ranges)
        if count > len(self._features):
            self._features = np.zeros((2 * count, self._features.shape[1]), np.float32)
        features = self._features[:count]
        if states.store.has_planes:
            states.store.planes.write_planes(states.store, states.nodes, features)
        else:
            spread_features(states.tables, states.numbers, features)
        inputs: list[Any] = [features, ranges]
        if self._takes_rows:
            inputs += states.rows(np.arange(count))
        values, logits = self.answering(*(torch.from_numpy(array).to(self._device) for array in inputs))
        return values.cpu().numpy(), logits.cpu().numpy()[states.wanted]
