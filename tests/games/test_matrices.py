"""Products by number against dense ones, written out with numpy."""

from typing import Any

import numpy as np
import pytest

from sog.core.arrays import F64
from sog.core.jit import kernel
from sog.games import matrices as module
from sog.games.matrices import KIND_DENSE, KIND_ONES, KIND_SPARSE, ONES, Matrices, MatrixBook
from sog.games.products import LEAF, Leaves, entry, is_alive, multiply_leaves, multiply_row

SHAPES = [(1, 1), (1, 7), (6, 1), (5, 4), (9, 12)]


@kernel
def multiply_all(tables: Any, player: int, leaves: Any, reach: Any, values: Any) -> None:
    multiply_leaves(tables, player, leaves, reach, values)


@kernel
def one_row(tables: Any, player: int, number: int, row: int, columns: int, reach: Any, slot: int) -> float:
    return multiply_row(
        tables, player, np.uint64(number), np.uint64(row), np.uint64(columns), reach, np.uint64(slot)
    )


@kernel
def one_entry(tables: Any, number: int, row: int, column: int, columns: int) -> float:
    return entry(tables, np.uint64(number), np.uint64(row), np.uint64(column), np.uint64(columns))


@kernel
def row_is_alive(tables: Any, player: int, number: int, row: int) -> bool:
    return is_alive(tables, player, np.uint64(number), np.uint64(row))


def some_matrices(seed: int) -> list[F64]:
    """Constant, full, half empty, almost empty and empty ones, of several shapes and signs."""
    rng = np.random.default_rng(seed)
    found = []
    for shape in SHAPES:
        full = rng.normal(size=shape)
        found += [np.full(shape, -2.5), full, full * (rng.random(shape) < 0.5)]
        found += [full * (rng.random(shape) < 0.1), np.zeros(shape)]
    return found


def leaf_records(rows: list[int]) -> tuple[Any, int]:
    """Rows that stand in the slots with gaps of one; values stand without gaps."""
    leaves = np.zeros(len(rows), LEAF)
    leaves["rows"] = rows
    leaves["value"][1:] = np.cumsum(rows)[:-1]
    leaves["slot"] = leaves["value"] + np.arange(len(rows))
    return leaves, sum(rows) + len(rows)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.1], ids=["dense", "mixed", "sparse"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("is_negated", [False, True])
def test_leaves_rows_and_entries_are_those_of_the_matrix(
    share: float, dtype: type[Any], player: int, is_negated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "DENSE_SHARE", share)
    book, written = MatrixBook(), some_matrices(3)
    numbers, scales = zip(*(book.add(matrix) for matrix in written), strict=True)
    tables = book.tables(dtype)
    own, num_values = leaf_records([matrix.shape[player] for matrix in written])
    other, num_slots = leaf_records([matrix.shape[1 - player] for matrix in written])
    nodes = np.arange(len(written), dtype=np.uint32)[::-1].copy()
    reach = np.random.default_rng(1).random(num_slots).astype(dtype)
    leaves = Leaves(
        nodes, np.uint64(len(written) - 1), own, other, np.array(numbers, np.uint32),
        np.array(scales, dtype), is_negated,
    )  # fmt: skip
    values = np.full(num_values, np.nan, dtype)
    multiply_all(tables, player, leaves, reach, values)
    close = 1e-12 if dtype is np.float64 else 1e-5
    for leaf, (matrix, number, scale) in enumerate(zip(written, numbers, scales, strict=True)):
        seen, slot = matrix if player == 0 else matrix.T, int(other["slot"][leaf])
        expected = seen @ reach[slot : slot + seen.shape[1]].astype(np.float64)
        here = values[own["value"][leaf] : own["value"][leaf] + seen.shape[0]]
        if leaf == nodes[-1]:
            assert np.all(np.isnan(here)), "beyond the count"
        else:
            np.testing.assert_allclose(here, -expected if is_negated else expected, rtol=close, atol=close)
        for row, product in enumerate(expected):
            found = one_row(tables, player, number, row, seen.shape[1], reach, slot)
            assert scale * found == pytest.approx(product, rel=close, abs=close)
        for (row, column), value in np.ndenumerate(matrix):
            assert scale * one_entry(tables, number, row, column, matrix.shape[1]) == pytest.approx(
                value, rel=close, abs=close
            )


def kinds(tables: Matrices) -> list[int]:
    return [int(kind) for kind in tables.players[0].matrices["kind"]]


def test_matrices_are_kept_once_up_to_scale() -> None:
    book = MatrixBook()
    matrix = np.array([[0.0, 3.0], [-1.5, 0.0]])
    assert book.add(matrix) == (1, 3.0)
    assert book.add(-2 * matrix) == (1, -6.0)
    assert book.add(matrix.T)[0] == 2
    assert book.add(matrix.reshape(1, 4))[0] == 3, "the same entries in another shape"
    assert book.add(np.full((2, 2), -4.0)) == (ONES, -4.0)
    assert book.add(np.full((1, 1), 0.5)) == (ONES, 0.5)
    assert book.add(np.zeros((2, 2))) == (4, 0.0)
    assert kinds(book.tables()) == [KIND_ONES, KIND_DENSE, KIND_DENSE, KIND_DENSE, KIND_SPARSE]


def test_tables_go_on_growing() -> None:
    """Tables that were handed out stay right for the matrices that they have."""
    book, rng = MatrixBook(), np.random.default_rng(0)
    first = rng.normal(size=(3, 3))
    number, scale = book.add(first)
    tables = book.tables()
    for _ in range(100):
        book.add(rng.normal(size=(4, 4)))
    assert scale * one_entry(tables, number, 2, 1, 3) == pytest.approx(first[2, 1])
    assert scale * one_entry(book.tables(), number, 2, 1, 3) == pytest.approx(first[2, 1])


def test_rows_without_entries_are_dead() -> None:
    book, matrices = MatrixBook(), some_matrices(3)
    numbers = [book.add(matrix)[0] for matrix in matrices]
    tables, dead = book.tables(), 0
    for number, matrix in zip(numbers, matrices, strict=True):
        for player, own in enumerate((matrix, matrix.T)):
            found = [row_is_alive(tables, player, number, row) for row in range(own.shape[0])]
            assert found == own.any(axis=1).tolist()
            dead += found.count(False)
    assert dead > 10
