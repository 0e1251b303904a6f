"""The passes of `traversal` and `cfr` spread over the cores, for trees wide enough to pay for it.

Steps of one wave do not touch each other's slots, so they may be walked at the same time; every number is
added up in the same order as on one core, and the results are equal bit for bit.

Verified: tests/solvers/test_wide.py.
"""

import numpy as np

from sog.core.arrays import F64, U32, Float, Records
from sog.core.jit import ONE, parallel_kernel, prange
from sog.games.matrices import Matrices, PlayerMatrices, multiply_leaf
from sog.games.products import Leaves
from sog.public.layout import PlayerLayout
from sog.public.terminals import Terminals
from sog.solvers.cfr import PlayerState, State, add_to_average, fill_faced, update_step
from sog.solvers.schedules import BEST_RESPONSE
from sog.solvers.traversal import BEST, MEAN, pull_step, push_reach

MIN_SLOTS = 100_000  # of both players together; smaller trees are walked on one core


def is_wide(terminals: Terminals, num_slots: tuple[int, int]) -> bool:
    """Whether a tree is worth several cores. Matrices of other kinds have one scratch space for all."""
    return isinstance(terminals.tables, Matrices) and sum(num_slots) >= MIN_SLOTS


def iterate_wide(
    minimiser: int,
    is_alternating: bool,
    weights: F64,
    players: tuple[PlayerLayout, PlayerLayout],
    terminals: Terminals,
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
                evaluate_terminals_wide(
                    terminals.tables.players[player], terminals.leaves, own.leaves, other.leaves,
                    terminals.numbers, terminals.scales, player == 1, faced, state[player].leaves,
                )  # fmt: skip
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
def evaluate_terminals_wide(
    mine: PlayerMatrices,
    nodes: U32,
    own: Records,
    other: Records,
    numbers: U32,
    scales: Float,
    is_negated: bool,
    reach: Float,
    values: Float,
) -> None:
    """Like `terminals.evaluate_terminals`, for `Matrices`; loops over cores take no tuples of tuples."""
    for index in prange(nodes.size):
        leaf = np.uint64(nodes[index])
        leaves = Leaves(nodes, ONE, own, other, numbers, scales, is_negated)
        multiply_leaf(mine, leaves, leaf, reach, values)


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
