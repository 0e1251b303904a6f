"""Both players' arrays for one street on one board: policies, reach and values, with or without sums.

Verified: tests/poker/test_turn_search.py, tests/poker/test_river_queries.py.
"""

import numpy as np

from sog.core.arrays import aligned_zeros
from sog.games.base import NUM_PLAYERS
from sog.public.layout import Layout
from sog.solvers.cfr import PlayerState, State


def make_states(layout: Layout, rows: tuple[int, int], has_sums: bool) -> State:
    """Return arrays of zeros for a street that is laid out for one hand, with so many rows of each player.

    has_sums: regrets and averages too; they are not kept anywhere else.
    """
    states, nothing = [], np.zeros(0, np.float32)
    for player in range(NUM_PLAYERS):
        slots = rows[player] * layout.num_slots[player]
        policy, reach, values = (aligned_zeros(slots, np.float32) for _ in range(3))
        states.append(
            PlayerState(
                regret=aligned_zeros(slots, np.float32) if has_sums else nothing,
                average=aligned_zeros(slots, np.float32) if has_sums else nothing,
                policy=policy,
                reach=reach,
                gain=nothing,
                values=values,
                rows=aligned_zeros(rows[player] * layout.num_rows[player], np.float32),
                leaves=aligned_zeros(rows[player] * layout.num_values[player], np.float32),
                faced=nothing,
            )
        )
    return states[0], states[1]
