"""Matrices over both players' infostates that need no kernels of a game's own: ones, dense or sparse.

Few matrices of a game differ up to a scale (every fold of a poker game is one matrix times the pot), so
public states keep a scale and a number. Matrix 0 has a one for every pair, whatever its size. Others are
dense where most pairs are compatible and sparse otherwise, and are stored once for each player's point of
view.

Verified: tests/games/test_matrices.py.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sog.core.arrays import F64, U32, Float, Growable, Records
from sog.core.jit import ONE, inlined
from sog.games.products import Index, Kernels, Leaves, register_products

ONES = 0  # the number of the matrix that has a one for every pair
DENSE_SHARE = 0.3  # matrices with a larger share of compatible pairs are stored dense
KIND_ONES, KIND_DENSE, KIND_SPARSE = range(3)

MATRIX = np.dtype(
    [
        ("start", "u4"),  # first entry in dense, or first row in row_start
        ("kind", "u4"),
        ("has_dead", "u4"),  # some rows are empty; the matrix is sparse then
    ]
)


class PlayerMatrices(NamedTuple):
    """All matrices as one player sees them: rows are own infostates, columns the opponent's."""

    matrices: Records  # [Q] MATRIX
    dense: Float  # entries of dense matrices, row by row
    row_start: U32  # range of a sparse row's entries in the two arrays below
    column: U32  # ascending in a row
    entry: Float


class Matrices(NamedTuple):
    """All matrices of a view."""

    players: tuple[PlayerMatrices, PlayerMatrices]


class MatrixBook:
    """Gathers matrices, each kept once up to scale.

    >>> book = MatrixBook()
    >>> book.add(np.array([[1.0, 2.0], [-2.0, 1.0]])), book.add(np.array([[-3.0, -6.0], [6.0, -3.0]]))
    ((1, 2.0), (1, -6.0))
    >>> book.add(np.full((2, 3), 0.25))
    (0, 0.25)
    """

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self._players = (_GrowingMatrices(), _GrowingMatrices())

    def add(self, matrix: F64) -> tuple[int, float]:
        """Return the number of a matrix [H0, H1] and the scale that makes it `matrix`."""
        if matrix.size == 1 and matrix.item() != 0:
            return ONES, matrix.item()
        scale = max(float(matrix.max()), -float(matrix.min()))
        if scale > 0:
            if matrix.flat[(matrix != 0).argmax()] < 0:
                scale = -scale
            matrix = matrix / scale
        rounded = matrix.round(12)
        if scale != 0 and (rounded == 1.0).all():
            return ONES, scale
        key = matrix.shape[0].to_bytes(4, "little") + rounded.tobytes()
        number = self._numbers.setdefault(key, len(self._numbers) + 1)
        if number == self._players[0].size:
            self._players[0].append(matrix)
            self._players[1].append(np.ascontiguousarray(matrix.T))
        return number, scale

    def tables(self, dtype: npt.DTypeLike = np.float64) -> Matrices:
        """Return all matrices so far; the next one may leave the arrays behind."""
        return Matrices((self._players[0].arrays(dtype), self._players[1].arrays(dtype)))


class _GrowingMatrices:
    """One player's matrices, of shape [own, opponent]."""

    def __init__(self) -> None:
        self._matrices: Growable[Any] = Growable(MATRIX)
        self._matrices.append((0, KIND_ONES, 0))
        self._dense = Growable(np.float64)
        self._row_start = Growable(np.uint32)
        self._row_start.append(0)
        self._column = Growable(np.uint32)
        self._entry = Growable(np.float64)

    @property
    def size(self) -> int:
        """How many matrices there are."""
        return len(self._matrices)

    def append(self, matrix: F64) -> None:
        """Store one more matrix, dense or sparse."""
        has_dead = not np.all(np.any(matrix, axis=1))
        if np.count_nonzero(matrix) >= DENSE_SHARE * matrix.size and not has_dead:
            self._matrices.append((len(self._dense), KIND_DENSE, 0))
            self._dense.extend(matrix.ravel())
            return
        self._matrices.append((len(self._row_start) - 1, KIND_SPARSE, has_dead))
        row, column = np.nonzero(matrix)
        counts = np.bincount(row, minlength=matrix.shape[0])
        self._row_start.extend(self._row_start[-1] + np.cumsum(counts))
        self._column.extend(column)
        self._entry.extend(matrix[row, column])

    def arrays(self, dtype: npt.DTypeLike) -> PlayerMatrices:
        """Return what has been stored."""
        return PlayerMatrices(
            matrices=self._matrices.values,
            dense=self._dense.values.astype(dtype, copy=False),
            row_start=self._row_start.values,
            column=self._column.values,
            entry=self._entry.values.astype(dtype, copy=False),
        )


@inlined
def multiply_leaf(mine: PlayerMatrices, leaves: Leaves, leaf: np.uint64, reach: Float, values: Float) -> None:
    """Write the products of one leaf; `values` modified in place."""
    matrix = mine.matrices[np.uint64(leaves.numbers[leaf])]
    scale = -leaves.scales[leaf] if leaves.is_negated else leaves.scales[leaf]
    rows, columns = np.uint64(leaves.own[leaf]["rows"]), np.uint64(leaves.other[leaf]["rows"])
    first, slot = np.uint64(leaves.own[leaf]["value"]), np.uint64(leaves.other[leaf]["slot"])
    start = np.uint64(matrix["start"])
    if matrix["kind"] == KIND_DENSE:
        for row in range(rows):
            total = scale * 0
            for column in range(columns):
                total += mine.dense[start + column] * reach[slot + column]
            values[first + row] = total * scale
            start += columns
    elif matrix["kind"] == KIND_SPARSE:
        for row in range(rows):
            total = scale * 0
            begin = np.uint64(mine.row_start[start + row])
            for index in range(np.uint64(mine.row_start[start + row + ONE]) - begin):
                place = begin + index
                total += mine.entry[place] * reach[slot + np.uint64(mine.column[place])]
            values[first + row] = total * scale
    else:
        total = scale * 0
        for column in range(columns):
            total += reach[slot + column]
        for row in range(rows):
            values[first + row] = total * scale


@inlined
def multiply_matrices(tables: Matrices, player: Index, leaves: Leaves, reach: Float, values: Float) -> None:
    """`multiply_leaves`, leaf by leaf; values modified in place."""
    mine = tables.players[player]
    for index in range(leaves.size):
        multiply_leaf(mine, leaves, np.uint64(leaves.nodes[index]), reach, values)


@inlined
def multiply_matrix_row(
    tables: Matrices,
    player: Index,
    number: np.uint64,
    row: np.uint64,
    columns: np.uint64,
    reach: Float,
    slot: np.uint64,
) -> float:
    """`multiply_row`."""
    mine = tables.players[player]
    matrix = mine.matrices[number]
    start = np.uint64(matrix["start"])
    total = 0.0
    if matrix["kind"] == KIND_DENSE:
        start += row * columns
        for column in range(columns):
            total += mine.dense[start + column] * reach[slot + column]
    elif matrix["kind"] == KIND_SPARSE:
        begin = np.uint64(mine.row_start[start + row])
        for index in range(np.uint64(mine.row_start[start + row + ONE]) - begin):
            place = begin + index
            total += mine.entry[place] * reach[slot + np.uint64(mine.column[place])]
    else:
        for column in range(columns):
            total += reach[slot + column]
    return total


@inlined
def matrix_entry(
    tables: Matrices, number: np.uint64, row: np.uint64, column: np.uint64, columns: np.uint64
) -> float:
    """`entry`: of a sparse row by halving."""
    mine = tables.players[0]
    matrix = mine.matrices[number]
    start = np.uint64(matrix["start"])
    if matrix["kind"] == KIND_ONES:
        return 1.0
    if matrix["kind"] == KIND_DENSE:
        return float(mine.dense[start + row * columns + column])
    low, high = np.uint64(mine.row_start[start + row]), np.uint64(mine.row_start[start + row + ONE])
    end = high
    while low < high:
        middle = (low + high) >> ONE
        if np.uint64(mine.column[middle]) < column:
            low = middle + ONE
        else:
            high = middle
    if low < end and np.uint64(mine.column[low]) == column:
        return float(mine.entry[low])
    return 0.0


@inlined
def is_matrix_row_alive(tables: Matrices, player: Index, number: np.uint64, row: np.uint64) -> bool:
    """`is_alive`."""
    mine = tables.players[player]
    matrix = mine.matrices[number]
    place = np.uint64(matrix["start"]) + row
    return bool(matrix["has_dead"] == 0 or mine.row_start[place] != mine.row_start[place + ONE])


register_products(
    Matrices, Kernels(multiply_matrices, multiply_matrix_row, matrix_entry, is_matrix_row_alive)
)
