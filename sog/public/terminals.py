"""The terminals of a layout: where values come from when both players' reach is known.

A terminal's chance-weighted utilities are a matrix of the view (`sog.games.products`). Where a kind of
matrices can take several leaves at a time, terminals stand by the number of their matrix.

Verified: tests/public/test_terminals.py.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sog.core.arrays import U32, Float
from sog.core.jit import kernel
from sog.games.base import TERMINAL
from sog.games.products import Index, Leaves, multiply_leaves, takes_runs
from sog.public.layout import Layout, PlayerLayout
from sog.public.store import StateStore


class Terminals(NamedTuple):
    """What is paid in T of a layout's F frontier nodes."""

    tables: Any  # matrices of the view
    leaves: U32  # [T] those of the F that are terminal
    numbers: U32  # [F] of each one's matrix
    scales: Float  # [F]

    @property
    def is_complete(self) -> bool:
        """Whether every leaf is terminal: no leaf waits to be expanded or estimated."""
        return self.leaves.size == self.numbers.size

    @property
    def dtype(self) -> Any:
        """The kind of floats in which values are asked for."""
        return self.scales.dtype


def collect_terminals(store: StateStore, layout: Layout, dtype: npt.DTypeLike = np.float64) -> Terminals:
    """Gather what all terminals of a layout pay."""
    nodes = store.arrays().nodes[layout.nodes[layout.frontier]]
    leaves = np.flatnonzero(nodes["actor"] == TERMINAL)
    tables = store.matrices(dtype)
    if takes_runs(tables):
        leaves = leaves[np.argsort(nodes["payoff"][leaves], kind="stable")]
    return Terminals(
        tables=tables,
        leaves=leaves.astype(np.uint32),
        numbers=np.ascontiguousarray(nodes["payoff"]),
        scales=nodes["payoff_scale"].astype(dtype),
    )


@kernel
def evaluate_terminals(
    own: PlayerLayout, other: PlayerLayout, terminals: Terminals, player: Index, reach: Float, values: Float
) -> None:
    """Fill `values` [leaf rows of `player`] from the opponent's reach [slots]; modified in place."""
    tables, nodes, numbers, scales = terminals
    count, is_negated = np.uint64(nodes.size), player == 1  # utilities are player 0's
    leaves = Leaves(nodes, count, own.leaves, other.leaves, numbers, scales, is_negated)
    multiply_leaves(tables, player, leaves, reach, values)
