"""CFR-AVE on the turn: leaves are valued under the average policies instead of those of the iteration.

Average policies move little from one iteration to the next, so a network needs to know less. An iteration is
then worth what the averages' values say of it, in the form that ReBeL's experiments use (Brown et al. 2020,
appendix E): with weights w and W_t = w_1 + … + w_t,

    v_t = (W_t v(average_t) − W_{t−1} v(average_{t−1})) / w_t

which is v of the iteration itself wherever v is linear in both players' reach, one at a time.

Verified: tests/poker/test_average_values.py.
"""

import numpy as np

from sog.core.arrays import F64, Float
from sog.poker.turn_search import Beliefs, LeafValues


class AverageValues:
    """Values of leaves by others that are asked about average policies (`LeafValues`)."""

    def __init__(self, values: LeafValues, gamma: float) -> None:
        """gamma: iteration t counts t to this power in averages, as in the search that asks."""
        self._values, self._gamma = values, gamma
        self._asked, self._weight = 0, 0.0
        self._reach: F64 | None = None
        self._before: F64 | None = None  # the last values times their weight

    def __call__(self, beliefs: Beliefs) -> Float:
        """Return what the iteration with these beliefs is worth; iterations come one after the other."""
        assert beliefs.players == (0, 1), "updates are simultaneous"
        self._asked += 1
        weight = float(self._asked**self._gamma)
        self._weight += weight
        reach = beliefs.reach.astype(np.float64)
        self._reach = (
            reach if self._reach is None else self._reach + (reach - self._reach) * (weight / self._weight)
        )
        average = beliefs._replace(reach=self._reach.astype(np.float32))
        summed = self._weight * self._values(average).astype(np.float64)
        found = summed if self._before is None else summed - self._before
        self._before = summed
        return (found / weight).astype(np.float32)
