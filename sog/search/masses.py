"""How much of the opponent's reach an infostate can meet: what values are expected over.

Verified: tests/search/test_gtcfr.py.
"""

import numpy as np

from sog.core.jit import inlined
from sog.games.products import multiply_row
from sog.public.store_arrays import StoreArrays
from sog.search.lanes import REACH, Index, Lanes


@inlined
def compatible_mass(
    arrays: StoreArrays, lanes: Lanes, lane: Index, node: np.uint64, player: Index, infostate: np.uint64
) -> float:
    """Return how much of the opponent's reach is compatible with an infostate, chance included."""
    slot = np.uint64(lanes.leaves[1 - player, lane, node]["slot"])
    columns = np.uint64(lanes.leaves[1 - player, lane, node]["rows"])
    number = np.uint64(lanes.matrix[lane, node])
    reach = lanes.slots[1 - player, lane, REACH]
    mass: float = multiply_row(arrays.matrices, player, number, infostate, columns, reach, slot)
    return mass * float(lanes.scale[lane, node])
