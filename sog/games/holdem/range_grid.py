"""The 13×13 grid of starting hands: pairs on the diagonal, suited hands above it, offsuit hands below.

Rows and columns run from the ace to the deuce, so cell (0, 0) is AA, (0, 1) is AKs and (1, 0) is AKo. A pair
has 6 hands, a suited cell 4, an offsuit cell 12.

Verified: tests/games/holdem/test_range_grid.py.
"""

import numpy as np

from sog.core.arrays import F64, I32
from sog.games.holdem.cards import HANDS, NUM_RANKS, NUM_SUITS, RANKS

NUM_CELLS = NUM_RANKS * NUM_RANKS


def _cells_of_hands() -> I32:
    ranks, suits = HANDS // NUM_SUITS, HANDS % NUM_SUITS
    low, high = (
        NUM_RANKS - 1 - ranks[:, 0],
        NUM_RANKS - 1 - ranks[:, 1],
    )  # the second card has the higher rank
    is_suited = suits[:, 0] == suits[:, 1]
    cells: I32 = np.where(is_suited, high * NUM_RANKS + low, low * NUM_RANKS + high).astype(np.int32)
    return cells


CELLS: I32 = _cells_of_hands()
"""[1326]: the cell of each hand, `row * 13 + column`."""


def find_cell(high: int, low: int, is_suited: bool) -> int:
    """Return the cell of two ranks (0 the deuce … 12 the ace); for a pair it does not matter what is suited.

    >>> find_cell(12, 11, True), find_cell(12, 11, False)
    (1, 13)
    """
    row, column = NUM_RANKS - 1 - high, NUM_RANKS - 1 - low
    return row * NUM_RANKS + column if is_suited else column * NUM_RANKS + row


def cell_name(row: int, column: int) -> str:
    """Return what people call the hands of a cell.

    >>> cell_name(0, 0), cell_name(0, 1), cell_name(1, 0)
    ('AA', 'AKs', 'AKo')
    """
    high, low = sorted((row, column))
    suffix = "" if row == column else "s" if row < column else "o"
    return RANKS[::-1][high] + RANKS[::-1][low] + suffix


def grid_sums(values: F64) -> F64:
    """Return the sum of the values of each cell's hands. values: [1326]; result: [13, 13]."""
    return np.bincount(CELLS, values, NUM_CELLS).astype(np.float64).reshape(NUM_RANKS, NUM_RANKS)


def grid_means(values: F64, weights: F64 | None = None) -> F64:
    """Return the weighted mean of the values of each cell's hands, NaN where a cell has no weight.

    values, weights: [1326], all hands alike if no weights are given; result: [13, 13].
    """
    weights = np.ones(CELLS.size) if weights is None else weights
    totals = grid_sums(weights)
    means = np.full_like(totals, np.nan)
    sums = grid_sums(weights * np.where(weights > 0, values, 0))  # without weight, a value may be anything
    return np.divide(sums, totals, out=means, where=totals > 0)
