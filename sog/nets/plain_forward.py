"""Networks as torch runs them.

Verified: tests/nets/test_evaluator.py.
"""

from typing import Any

import torch

from sog.core.arrays import F32, I32
from sog.nets.codes import Codes


class PlainForward:
    """A network on the device where it is."""

    def __init__(self, network: Any) -> None:
        self._network = network.eval()
        self._device = next(network.parameters()).device

    @torch.inference_mode()
    def __call__(self, codes: Codes, numbers: I32, inputs: F32) -> tuple[F32, F32]:
        """Return values [B, V] and logits [B, R × C]."""
        features = torch.from_numpy(codes.features[numbers]).to(self._device)
        values, logits = self._network(features, torch.from_numpy(inputs).to(self._device))
        return values.cpu().numpy(), logits.flatten(1).cpu().numpy()
