"""Terminal payoffs of derived public views, as matrices that terminals share.

A terminal's chance-weighted utilities form a matrix over the two players' infostates. Few matrices are
different up to a scale (every fold of a poker game is one matrix times the pot), so terminals keep a scale
and the number of a **pattern**. Patterns are dense where most pairs are compatible and sparse otherwise, and
are stored once for each player's point of view.

Verified: tests/public/test_payoffs.py.
"""

from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F64, I32, U32, Float, Growable, Records
from sog.core.jit import ONE, inlined, kernel
from sog.games.base import TERMINAL
from sog.public.derived import DerivedState, DerivedView
from sog.public.frontier import register_evaluator
from sog.public.products import Kernels, register_products
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


class PatternTables(NamedTuple):
    """All patterns, for `sog.public.products`."""

    players: tuple[PlayerPatterns, PlayerPatterns]


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


class PatternBook:
    """Matrices over both players' infostates, each kept once up to scale; grows matrix by matrix.

    Player 1 sees every entry with the opposite sign, as utilities are.

    >>> book = PatternBook()
    >>> book.add(np.array([[1.0, 2.0], [-2.0, 1.0]])), book.add(np.array([[-3.0, -6.0], [6.0, -3.0]]))
    ((0, 2.0), (0, -6.0))
    """

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self._players = (_GrowingPatterns(), _GrowingPatterns())

    def add(self, matrix: F64) -> tuple[int, float]:
        """Return the number of the pattern [H0, H1] and the scale that makes it `matrix`."""
        scale = float(np.abs(matrix).max())
        if scale > 0:
            scale *= float(np.sign(matrix.flat[np.flatnonzero(matrix)[0]]))
            matrix = matrix / scale
        key = matrix.shape[0].to_bytes(4, "little") + np.round(matrix, 12).tobytes()
        number = self._numbers.setdefault(key, len(self._numbers))
        if number == len(self._players[0].is_dense):
            self._players[0].append(matrix)
            self._players[1].append(-matrix.T)
        return number, scale

    def players(self, dtype: Any = np.float64) -> tuple[PlayerPatterns, PlayerPatterns]:
        """Return the patterns as either player sees them; the next matrix may leave the arrays behind."""
        return self._players[0].arrays(dtype), self._players[1].arrays(dtype)


class WorldBook:
    """Payoffs and joint weights of a derived view's states, summed over their worlds."""

    def __init__(self, view: DerivedView) -> None:
        self._view = view
        self._book = PatternBook()

    def add(self, state: DerivedState, is_over: bool) -> tuple[int, float]:
        """Return number and scale of a state's payoffs, if it is over, or of its joint weights."""
        return self._book.add(
            payoff_matrix(self._view, state) if is_over else self._view.joint_weights(state)
        )

    def tables(self) -> PatternTables:
        """Return all patterns; the next state may leave the arrays behind."""
        return PatternTables(self._book.players())


class _GrowingPatterns:
    """One player's patterns, of shape [own, opponent]."""

    def __init__(self) -> None:
        self.is_dense: list[bool] = []
        self._patterns: Growable[Any] = Growable(PATTERN)
        self._dense = Growable(np.float64)
        self._row_start = Growable(np.uint32)
        self._row_start.append(0)
        self._column = Growable(np.uint32)
        self._entry = Growable(np.float64)

    def append(self, matrix: F64) -> None:
        """Store one more matrix, dense or sparse."""
        is_dense = bool(np.count_nonzero(matrix) >= DENSE_SHARE * matrix.size)
        self.is_dense.append(is_dense)
        if is_dense:
            self._patterns.append((len(self._dense), 1))
            self._dense.extend(matrix.ravel())
            return
        self._patterns.append((len(self._row_start) - 1, 0))
        row, column = np.nonzero(matrix)
        counts = np.bincount(row, minlength=matrix.shape[0])
        self._row_start.extend(self._row_start[-1] + np.cumsum(counts))
        self._column.extend(column)
        self._entry.extend(matrix[row, column])

    def arrays(self, dtype: Any) -> PlayerPatterns:
        """Return what has been stored."""
        return PlayerPatterns(
            patterns=self._patterns.values,
            dense=self._dense.values.astype(dtype, copy=False),
            row_start=self._row_start.values,
            column=self._column.values,
            entry=self._entry.values.astype(dtype, copy=False),
        )


def collect_payoffs(tree: PublicTree[Any], layout: Layout, dtype: Any = np.float64) -> Payoffs:
    """Gather the payoffs of all terminals of a tree."""
    view = tree.view
    assert isinstance(view, DerivedView)
    book = PatternBook()
    pattern = np.full(layout.frontier.size, NO_PATTERN, np.int32)
    scale = np.zeros(layout.frontier.size, dtype)
    for index, node in enumerate(layout.frontier):
        if tree.actor[node] == TERMINAL:
            pattern[index], scale[index] = book.add(payoff_matrix(view, tree.states[node]))
    return Payoffs(pattern, scale, book.players(dtype))


def payoff_matrix(view: DerivedView, state: DerivedState) -> F64:
    """Return a terminal's chance-weighted utilities [H0, H1] of player 0."""
    payoff = view.payoff(state)
    matrix = np.zeros(view.num_infostates(state))
    np.add.at(matrix, (payoff.infostates[0], payoff.infostates[1]), payoff.utilities)
    return matrix


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


@inlined
def multiply_patterns(
    tables: PatternTables,
    player: int,
    nodes: U32,
    count: np.uint64,
    own: PlayerLayout,
    other: PlayerLayout,
    numbers: I32,
    scales: F64,
    reach: F64,
    values: F64,
) -> None:
    """`multiply_leaves` of patterns, leaf by leaf; values modified in place."""
    matrices = tables.players[player]
    for index in range(count):
        evaluate_terminal(np.uint64(nodes[index]), own, other, numbers, scales, matrices, reach, values)


@inlined
def multiply_pattern_row(
    tables: PatternTables,
    player: int,
    number: np.uint64,
    row: np.uint64,
    columns: np.uint64,
    reach: F64,
    slot: np.uint64,
) -> float:
    """`multiply_row` of a pattern."""
    matrices = tables.players[player]
    pattern = matrices.patterns[number]
    start = np.uint64(pattern["start"])
    total = 0.0
    if pattern["is_dense"]:
        start += row * columns
        for column in range(columns):
            total += matrices.dense[start + column] * reach[slot + column]
        return total
    begin = np.uint64(matrices.row_start[start + row])
    for index in range(np.uint64(matrices.row_start[start + row + ONE]) - begin):
        entry = begin + index
        total += matrices.entry[entry] * reach[slot + np.uint64(matrices.column[entry])]
    return total


register_evaluator(Payoffs, evaluate_terminals)
register_products(PatternTables, Kernels(multiply_patterns, multiply_pattern_row))
