"""What both players' ranges say together: how much of a range is compatible with each infostate of the other.

Verified: tests/public/test_beliefs.py.
"""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, I32, I64, U32, Records
from sog.core.jit import kernel
from sog.games.base import NUM_PLAYERS
from sog.games.products import LEAF, Leaves, multiply_leaves
from sog.public.store_arrays import StoreArrays

Pair = tuple[F64, F64]


class BeliefWork(NamedTuple):
    """Work space for B queries."""

    leaves: Records  # [P, B] LEAF
    numbers: U32  # [2, B] of queries, and of their matrices
    scales: F64  # [B]


def weigh_opponents(arrays: StoreArrays, nodes: I32, start: tuple[I64, I64], ranges: Pair) -> Pair:
    """Return the mass of the opponent's range that is compatible with each infostate, weighted by chance.

    nodes: [B]. start: [P][B + 1] first infostate of each node in ranges and masses [P][infostates].
    """
    masses = np.empty(ranges[0].size), np.empty(ranges[1].size)
    work = BeliefWork(
        np.zeros((NUM_PLAYERS, nodes.size), LEAF), np.zeros((2, nodes.size), np.uint32), np.zeros(nodes.size)
    )
    _weigh_opponents(arrays, nodes, start, ranges, work, masses)
    return masses


@kernel
def _weigh_opponents(
    arrays: StoreArrays, nodes: I32, start: tuple[I64, I64], ranges: Pair, work: BeliefWork, masses: Pair
) -> None:
    """Write the masses; they and the work space are modified in place."""
    size = np.uint64(nodes.size)
    leaves, scales = work.leaves, work.scales
    every, numbers = work.numbers[0], work.numbers[1]
    for query in range(size):
        record = arrays.nodes[np.uint64(nodes[query])]
        every[query], numbers[query], scales[query] = query, record["joint"], record["joint_scale"]
        for player in range(NUM_PLAYERS):
            leaf = leaves[player, query]
            leaf["slot"] = leaf["value"] = start[player][query]
            leaf["rows"] = start[player][query + np.uint64(1)] - start[player][query]
    for player in range(NUM_PLAYERS):
        both = Leaves(
            nodes=every,
            size=size,
            own=leaves[player],
            other=leaves[1 - player],
            numbers=numbers,
            scales=scales,
            is_negated=player == NUM_PLAYERS,  # never, and no constant: those are compiled once more
        )
        multiply_leaves(arrays.matrices, player, both, ranges[1 - player], masses[player])
