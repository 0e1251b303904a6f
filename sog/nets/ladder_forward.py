"""Networks of kind `ladder` without torch: from pooled beliefs to rungs.

Pooling and reading are left to those who have the infostates (`sog.poker.river_values`).

Verified: tests/nets/test_ladder.py.
"""

from collections.abc import Mapping

from sog.core.arrays import F32
from sog.nets.perceptron import Head, HiddenLayers
from sog.nets.spec import NetworkSpec


class LadderForward:
    """A trunk and its rungs."""

    def __init__(self, spec: NetworkSpec, num_features: int, weights: Mapping[str, F32]) -> None:
        """weights: by the names of `sog.nets.ladder.Ladder`."""
        self.rungs, self.num_inputs = spec.row_units, num_features + 2 * spec.row_units
        self._hidden = HiddenLayers(spec, weights, "layers", 0, 1.0)
        self._head = Head(weights, ("value",))

    def __call__(self, inputs: F32) -> F32:
        """Return rungs [B, at least 2 K] of both players, valid until the next call.

        inputs: [B, F + 2 K] features, then pooled beliefs times K.
        """
        return self._head(self._hidden.dense(inputs))
