"""Terminal payoffs of derived public views, as matrices that terminals share.

A terminal's chance-weighted utilities form a matrix over the two players' infostates. Few matrices are
different up to a scale (every fold of a poker game is one matrix times the pot), so terminals keep a scale
and the number of a **pattern**. Patterns are dense where most pairs are compatible and sparse otherwise, and
are stored once for each player's point of view.

Verified: tests/public/test_payoffs.py.
"""

from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F64, I32, U32, Float, Records
from sog.core.jit import ONE, inlined, kernel
from sog.games.base import TERMINAL
from sog.public.derived import DerivedView
from sog.public.frontier import register_evaluator
from sog.public.tree import Layout, PlayerLayout, PublicTree

DENSE_SHARE = 0.3  # patterns with a larger share of compatible pairs are stored dense
NO_PATTERN = -1  # a leaf that is not terminal


PATTERN = np.dtype(
    [
        ("start", "u4"),  # first entry in dense, or first row in row_start
        ("is_dense", "u4"),
    ]
)


class PlayerPatterns(NamedTuple):
    """All patterns as one player sees them: rows are own infostates, columns the opponent's."""

    patterns: Records  # [Q] PATTERN
    dense: Float  # entries of dense patterns, row by row
    row_start: U32  # range of a sparse row's entries in the two arrays below
    column: U32
    entry: Float


class Payoffs(NamedTuple):
    """Payoffs of every frontier node that is terminal."""

    pattern: I32  # [F] or NO_PATTERN
    scale: Float  # [F] of player 0
    players: tuple[PlayerPatterns, PlayerPatterns]

    @property
    def is_complete(self) -> bool:
        """Whether every leaf is terminal."""
        return not bool(np.any(self.pattern == NO_PATTERN))

    @property
    def dtype(self) -> Any:
        """The kind of floats in which values are wanted."""
        return self.scale.dtype


def collect_payoffs(tree: PublicTree[Any], layout: Layout, dtype: Any = np.float64) -> Payoffs:
    """Gather the payoffs of all terminals of a tree."""
    view = tree.view
    assert isinstance(view, DerivedView)
    numbers: dict[bytes, int] = {}
    matrices: list[F64] = []
    pattern = np.full(layout.frontier.size, NO_PATTERN, np.int32)
    scale = np.zeros(layout.frontier.size, dtype)
    for index, node in enumerate(layout.frontier):
        if tree.actor[node] != TERMINAL:
            continue
        payoff = view.payoff(tree.states[node])
        matrix = np.zeros((tree.size[0][node], tree.size[1][node]))
        np.add.at(matrix, (payoff.infostates[0], payoff.infostates[1]), payoff.utilities)
        largest = float(np.abs(matrix).max())
        if largest > 0:
            sign = np.sign(matrix.flat[np.flatnonzero(matrix)[0]])
            matrix /= largest * sign
            largest *= sign
        key = matrix.shape[0].to_bytes(4, "little") + np.round(matrix, 12).tobytes()
        if key not in numbers:
            numbers[key] = len(matrices)
            matrices.append(matrix)
        pattern[index], scale[index] = numbers[key], largest
    return Payoffs(
        pattern,
        scale,
        (_patterns(matrices, dtype), _patterns([-matrix.T for matrix in matrices], dtype)),
    )


def _patterns(matrices: list[F64], dtype: Any) -> PlayerPatterns:
    """Store matrices of shape [own, opponent]."""
    start, is_dense, num_dense, num_rows = [], [], 0, 0
    dense, entries = [np.zeros(0)], [np.zeros(0)]
    row_sizes, columns = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for matrix in matrices:
        if np.count_nonzero(matrix) >= DENSE_SHARE * matrix.size:
            start.append(num_dense)
            dense.append(matrix.ravel())
            num_dense += matrix.size
            is_dense.append(1)
        else:
            start.append(num_rows)
            row, column = np.nonzero(matrix)
            row_sizes.append(np.bincount(row, minlength=matrix.shape[0]))
            columns.append(column)
            entries.append(matrix[row, column])
            num_rows += matrix.shape[0]
            is_dense.append(0)
    patterns = np.zeros(len(matrices), PATTERN)
    patterns["start"], patterns["is_dense"] = start, is_dense
    return PlayerPatterns(
        patterns=patterns,
        dense=np.concatenate(dense).astype(dtype),
        row_start=np.concatenate(([0], np.cumsum(np.concatenate(row_sizes)))).astype(np.uint32),
        column=np.concatenate(columns).astype(np.uint32),
        entry=np.concatenate(entries).astype(dtype),
    )


@inlined
def evaluate_terminal(
    leaf: np.uint64,
    own: PlayerLayout,
    other: PlayerLayout,
    numbers: I32,
    scales: Float,
    matrices: PlayerPatterns,
    reach: Float,
    values: Float,
) -> None:
    """Write the counterfactual values of one terminal, `own` player's view; `values` modified in place."""
    if numbers[leaf] == NO_PATTERN:
        return
    pattern = matrices.patterns[np.uint64(numbers[leaf])]
    scale = scales[leaf]
    rows, columns = np.uint64(own.leaves[leaf]["rows"]), np.uint64(other.leaves[leaf]["rows"])
    first, slot = np.uint64(own.leaves[leaf]["value"]), np.uint64(other.leaves[leaf]["slot"])
    start = np.uint64(pattern["start"])
    if pattern["is_dense"]:
        for row in range(rows):
            total = scale * 0
            for column in range(columns):
                total += matrices.dense[start + column] * reach[slot + column]
            values[first + row] = total * scale
            start += columns
    else:
        for row in range(rows):
            total = scale * 0
            begin = np.uint64(matrices.row_start[start + row])
            for index in range(np.uint64(matrices.row_start[start + row + ONE]) - begin):
                entry = begin + index
                total += matrices.entry[entry] * reach[slot + np.uint64(matrices.column[entry])]
            values[first + row] = total * scale


@kernel
def evaluate_terminals(
    own: PlayerLayout, other: PlayerLayout, payoffs: Payoffs, player: int, reach: Float, values: Float
) -> None:
    """Fill `player`'s values of every terminal; modified in place."""
    pattern, scale, matrices = payoffs.pattern, payoffs.scale, payoffs.players[player]
    for leaf in range(pattern.size):
        evaluate_terminal(np.uint64(leaf), own, other, pattern, scale, matrices, reach, values)


register_evaluator(Payoffs, evaluate_terminals)
