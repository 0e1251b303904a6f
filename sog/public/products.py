"""Ranges times matrices over both players' infostates: how searches meet payoffs and joint weights.

What a terminal pays and how often chance deals two infostates together are both matrices, one row for each
infostate of player 0 and one column for each of player 1. A game's tables keep its matrices by number, up to
a scale, in whatever form multiplies fastest: patterns of entries (`sog.public.payoffs`), or nothing but cards
and strengths (`sog.public.hands`). The compiler picks the kernels by the class of the tables. Player 1 sees
every matrix transposed and with the opposite sign, as utilities are, joint weights too.

The two products are for kernels to call: most kernels behind them have no way in from Python.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
from numba.extending import overload

from sog.core.arrays import F64, I32, U32
from sog.core.jit import OVERLOAD_FLAGS
from sog.public.tree import PlayerLayout

Index = int | np.int64


class Book(Protocol):
    """Gathers the matrices of public states, state by state."""

    def add(self, state: Any, is_over: bool) -> tuple[int, float]:
        """Return number and scale of a state's payoffs, if it is over, or of its joint weights."""

    def tables(self) -> Any:
        """Return all matrices, for kernels; the next state may leave the arrays behind."""


class Kernels(NamedTuple):
    """The functions of one class of tables, with the signatures of the two below."""

    multiply_leaves: Callable[..., None]
    multiply_row: Callable[..., float]


_KERNELS: dict[type, Kernels] = {}
_FLAGS: Any = {**OVERLOAD_FLAGS, "forceinline": True}


def register_products(tables: type, kernels: Kernels) -> None:
    """Make these the kernels of a class of tables (a NamedTuple of arrays)."""
    _KERNELS[tables] = kernels


def multiply_leaves(
    tables: Any,
    player: Index,
    nodes: U32,
    count: np.uint64,
    own: PlayerLayout,
    other: PlayerLayout,
    numbers: I32,
    scales: F64,
    reach: F64,
    values: F64,
) -> None:
    """Write `player`'s products at the first `count` of `nodes`; values [leaf rows] modified in place.

    numbers, scales: [N] of each node's matrix. reach: [slots] of the opponent.
    """
    call = _KERNELS[type(tables)].multiply_leaves
    call(tables, player, nodes, count, own, other, numbers, scales, reach, values)


def multiply_row(
    tables: Any,
    player: Index,
    number: np.uint64,
    row: np.uint64,
    columns: np.uint64,
    reach: F64,
    slot: np.uint64,
) -> float:
    """Return one row of joint weights times the opponent's range, which starts at `slot`."""
    return _KERNELS[type(tables)].multiply_row(tables, player, number, row, columns, reach, slot)


@overload(multiply_leaves, jit_options=_FLAGS)
def _compile_multiply_leaves(
    tables: Any,
    player: Any,
    nodes: Any,
    count: Any,
    own: Any,
    other: Any,
    numbers: Any,
    scales: Any,
    reach: Any,
    values: Any,
) -> Any:
    multiply = _KERNELS[tables.instance_class].multiply_leaves

    # The compiler wants this signature to be the one above, annotations included.
    def call(
        tables: Any,
        player: Any,
        nodes: Any,
        count: Any,
        own: Any,
        other: Any,
        numbers: Any,
        scales: Any,
        reach: Any,
        values: Any,
    ) -> Any:
        multiply(tables, player, nodes, count, own, other, numbers, scales, reach, values)

    return call


@overload(multiply_row, jit_options=_FLAGS)
def _compile_multiply_row(
    tables: Any, player: Any, number: Any, row: Any, columns: Any, reach: Any, slot: Any
) -> Any:
    multiply = _KERNELS[tables.instance_class].multiply_row

    def call(tables: Any, player: Any, number: Any, row: Any, columns: Any, reach: Any, slot: Any) -> Any:
        return multiply(tables, player, number, row, columns, reach, slot)

    return call
