"""The passes of `traversal` and `cfr` spread over the cores, for trees wide enough to pay for it.

Steps of one wave do not touch each other's slots, so they may be walked at the same time; every number is
added up in the same order as on one core, and the results are equal bit for bit.

Verified: tests/solvers/test_wide.py.
"""

import numpy as np

from sog.core.arrays import I32, Float
from sog.core.jit import parallel_kernel, prange
from sog.public.payoffs import PlayerPatterns, evaluate_terminal
from sog.public.tree import PlayerLayout
from sog.solvers.cfr import PlayerState, update_step
from sog.solvers.traversal import pull_step


@parallel_kernel
def evaluate_leaves_wide(
    own: PlayerLayout,
    other: PlayerLayout,
    pattern: I32,
    scale: Float,
    matrices: PlayerPatterns,
    opponent_reach: Float,
    leaf_values: Float,
) -> None:
    """Like `traversal.evaluate_leaves`."""
    for leaf in prange(pattern.size):
        evaluate_terminal(np.uint64(leaf), own, other, pattern, scale, matrices, opponent_reach, leaf_values)


@parallel_kernel
def pull_values_wide(
    own: PlayerLayout, rule: int, leaf_values: Float, policy: Float, row_values: Float, values: Float
) -> None:
    """Like `traversal.pull_values`, wave by wave from the bottom."""
    for index in range(own.wave_start.size - 1):
        wave = own.wave_start.size - 2 - index
        start = np.int64(own.wave_start[wave])
        for place in prange(np.int64(own.wave_start[wave + 1]) - start):
            number = np.uint64(own.wave[start + place])
            pull_step(number, own, rule, leaf_values, policy, row_values, values)


@parallel_kernel
def update_policy_wide(
    own: PlayerLayout, minimiser: int, positive: float, negative: float, optimism: float, mine: PlayerState
) -> None:
    """Like `cfr.update_policy`, wave by wave from the top."""
    for wave in range(1, own.wave_start.size - 1):
        start = np.int64(own.wave_start[wave])
        for place in prange(np.int64(own.wave_start[wave + 1]) - start):
            number = np.uint64(own.wave[start + place])
            update_step(number, own, minimiser, positive, negative, optimism, mine)
