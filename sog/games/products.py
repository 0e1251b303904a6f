"""Ranges times matrices over both players' infostates: payoffs and joint weights in solves and searches.

What a terminal pays and how often chance deals two infostates together are both matrices, with a row for each
infostate of player 0 and a column for each of player 1. A view keeps its matrices by number, up to a scale:
`sog.games.matrices` is the kind without kernels of its own, which serves every view but hold'em's. Another
kind is a class of tables (a NamedTuple of arrays) with four kernels; the compiler picks them by the class.

Player 1 sees every matrix transposed. Utilities have the opposite sign for player 1, joint weights have not:
the caller says which (`Leaves.is_negated`). Scratch space in tables belongs to one caller.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from sog.core.arrays import U32, Float, Records
from sog.core.jit import OVERLOAD_FLAGS, note_source

Index = int | np.int64  # of a player, or a small number: signed, unlike nodes and slots

LEAF = np.dtype(
    [
        ("slot", "u4"),  # first slot of the node's row of infostates
        ("rows", "u4"),  # infostates
        ("value", "u4"),  # first place among the leaf values
    ]
)


class Leaves(NamedTuple):
    """Nodes whose rows are multiplied by a matrix each."""

    nodes: U32  # those that are meant
    size: np.uint64  # the first so many of them
    own: Records  # [N] LEAF of the player whose values are wanted
    other: Records  # [N] LEAF of the opponent
    numbers: U32  # [N] of each node's matrix
    scales: Float  # [N]
    is_negated: bool  # whether products count with the opposite sign


class Kernels(NamedTuple):
    """The functions of one class of tables, with the signatures of the four below."""

    multiply_leaves: Callable[..., None]
    multiply_row: Callable[..., float]
    entry: Callable[..., float]
    is_alive: Callable[..., bool]
    takes_runs: bool = False  # whether leaves of one matrix are faster side by side


_KERNELS: dict[type, Kernels] = {}
_FLAGS: Any = {**OVERLOAD_FLAGS, "forceinline": True}


def register_products(tables: type, kernels: Kernels) -> None:
    """Make these the kernels of a class of tables (a NamedTuple of arrays)."""
    _KERNELS[tables] = kernels
    for function in kernels[:4]:
        note_source(function)


def takes_runs(tables: Any) -> bool:
    """Return whether a class of tables multiplies leaves faster that stand by the number of their matrix."""
    return _KERNELS[type(tables)].takes_runs


def multiply_leaves(tables: Any, player: Index, leaves: Leaves, reach: Float, values: Float) -> None:
    """Write `player`'s products at leaves; reach [slots] of the opponent, values [leaf rows] modified."""
    _KERNELS[type(tables)].multiply_leaves(tables, player, leaves, reach, values)


def multiply_row(
    tables: Any,
    player: Index,
    number: np.uint64,
    row: np.uint64,
    columns: np.uint64,
    reach: Float,
    slot: np.uint64,
) -> float:
    """Return one row of a matrix, as `player` sees it, times the opponent's range, which starts at `slot`."""
    return _KERNELS[type(tables)].multiply_row(tables, player, number, row, columns, reach, slot)


def entry(tables: Any, number: np.uint64, row: np.uint64, column: np.uint64, columns: np.uint64) -> float:
    """Return one entry of a matrix with so many columns, as player 0 sees it."""
    return _KERNELS[type(tables)].entry(tables, number, row, column, columns)


def is_alive(tables: Any, player: Index, number: np.uint64, row: np.uint64) -> bool:
    """Return whether a row of joint weights, as `player` sees them, has any."""
    return _KERNELS[type(tables)].is_alive(tables, player, number, row)


# The compiler wants the signature of each function below, and of the one it returns, to be the one above,
# annotations included.
@overload(multiply_leaves, jit_options=_FLAGS)
def _compile_multiply_leaves(tables: Any, player: Any, leaves: Any, reach: Any, values: Any) -> Any:
    multiply = _KERNELS[tables.instance_class].multiply_leaves

    def call(tables: Any, player: Any, leaves: Any, reach: Any, values: Any) -> Any:
        multiply(tables, player, leaves, reach, values)

    return call


@overload(multiply_row, jit_options=_FLAGS)
def _compile_multiply_row(
    tables: Any, player: Any, number: Any, row: Any, columns: Any, reach: Any, slot: Any
) -> Any:
    multiply = _KERNELS[tables.instance_class].multiply_row

    def call(tables: Any, player: Any, number: Any, row: Any, columns: Any, reach: Any, slot: Any) -> Any:
        return multiply(tables, player, number, row, columns, reach, slot)

    return call


@overload(entry, jit_options=_FLAGS)
def _compile_entry(tables: Any, number: Any, row: Any, column: Any, columns: Any) -> Any:
    find = _KERNELS[tables.instance_class].entry

    def call(tables: Any, number: Any, row: Any, column: Any, columns: Any) -> Any:
        return find(tables, number, row, column, columns)

    return call


@overload(is_alive, jit_options=_FLAGS)
def _compile_is_alive(tables: Any, player: Any, number: Any, row: Any) -> Any:
    find = _KERNELS[tables.instance_class].is_alive

    def call(tables: Any, player: Any, number: Any, row: Any) -> Any:
        return find(tables, player, number, row)

    return call
