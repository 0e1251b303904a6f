"""Networks as torch runs them, on whatever device they are.

Verified: tests/nets/test_evaluator.py.
"""

import numpy as np
import torch

from sog.core.arrays import F32, I32
from sog.core.jit import kernel
from sog.nets.asked import Asked
from sog.nets.cvpn import Cvpn
from sog.nets.folding import make_answering
from sog.public.codes import CodeTables


class TorchForward:
    """A network as it is at present, whatever it learns later."""

    def __init__(self, network: Cvpn) -> None:
        self.answering = make_answering(network)
        self._device = next(network.parameters()).device
        self._features = np.zeros((0, network.sizes.num_features), np.float32)

    @torch.inference_mode()
    def __call__(self, asked: Asked, ranges: F32) -> tuple[F32, F32]:
        """Return values [B, V] and logits [B, L]."""
        count = len(ranges)
        if count > len(self._features):
            self._features = np.zeros((2 * count, self._features.shape[1]), np.float32)
        features = self._features[:count]
        if asked.store.has_planes:
            asked.store.planes.write_planes(asked.store, asked.nodes, features)
        else:
            spread_features(asked.tables, asked.numbers, features)
        values, logits = self.answering(
            torch.from_numpy(features).to(self._device), torch.from_numpy(ranges).to(self._device)
        )
        return values.cpu().numpy(), logits.cpu().numpy()


@kernel
def spread_features(tables: CodeTables, numbers: I32, features: F32) -> None:
    """Write the features of B codes, zeros included; features [B, F] modified in place."""
    features[:] = 0
    for query in range(np.uint64(numbers.size)):
        record = tables.codes[np.uint64(numbers[query])]
        first = np.uint64(record["features"])
        for place in range(np.uint64(record["features_end"]) - first):
            features[query, np.uint64(tables.feature[first + place])] = tables.value[first + place]
