"""The passes of `traversal` and `cfr` spread over the cores, for trees wide enough to pay for it.

Steps of one wave do not touch each other's slots, so they may be walked at the same time; every number is
added up in the same order as on one core, and the results are equal bit for bit.

Verified: tests/solvers/test_wide.py.
"""

import numpy as np

from sog.core.arrays import F64, I32, Float
from sog.core.jit import parallel_kernel, prange
from sog.public.payoffs import Payoffs, PlayerPatterns, evaluate_terminal
from sog.public.tree import PlayerLayout
from sog.solvers.cfr import PlayerState, State, add_to_average, fill_faced, update_step
from sog.solvers.schedules import BEST_RESPONSE
from sog.solvers.traversal import BEST, MEAN, pull_step, push_reach

MIN_SLOTS = 100_000  # of both players together; smaller trees are walked on one core


def iterate_wide(
    minimiser: int,
    is_alternating: bool,
    weights: F64,
    players: tuple[PlayerLayout, PlayerLayout],
    payoffs: Payoffs,
    state: State,
) -> None:
    """Like `cfr.iterate`."""
    for positive, negative, average, optimism in weights:
        for turn in ((0,), (1,)) if is_alternating else ((0, 1),):
            for player in turn:
                own, other = players[player], players[1 - player]
                theirs = state[1 - player]
                if minimiser == BEST_RESPONSE:
                    fill_faced(optimism, theirs)
                faced = theirs.faced if minimiser == BEST_RESPONSE else theirs.reach
                matrices, leaves = payoffs.players[player], state[player].leaves
                evaluate_leaves_wide(own, other, payoffs.pattern, payoffs.scale, matrices, faced, leaves)
            for player in turn:
                own, mine = players[player], state[player]
                if minimiser == BEST_RESPONSE:
                    pull_values_wide(own, BEST, mine.leaves, mine.policy, mine.rows, mine.values)
                    push_reach(own, mine.policy, mine.reach)
                    add_to_average(average, mine)
                else:
                    add_to_average(average, mine)
                    pull_values_wide(own, MEAN, mine.leaves, mine.policy, mine.rows, mine.values)
                    update_policy_wide(own, minimiser, positive, negative, optimism, mine)


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
    """Like `payoffs.evaluate_terminals`."""
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
