"""Kernels that write ranges, beliefs and values of one example where a network has them.

Verified: tests/training/test_records.py.
"""

import numpy as np

from sog.core.arrays import F32, F64, I64
from sog.core.jit import inlined, kernel
from sog.games.base import NUM_PLAYERS

Pair = tuple[F64, F64]


@kernel
def write_belief(
    columns: tuple[I64, I64], weights: F64, ranges: Pair, masses: Pair, inputs: F32, beliefs: F32
) -> None:
    """Write ranges and beliefs [V], one in all for each player; the last three are modified in place.

    columns: [P][H]. weights: [H0, H1] joint. masses: [P][H] of the opponent's range that is compatible with
    each infostate. Ranges that cannot meet leave no beliefs to write.
    """
    for player in range(NUM_PLAYERS):
        own, mass = ranges[player], masses[player]
        total, joint = 0.0, 0.0
        for index in range(own.size):
            row = np.uint64(index)
            mass[row] = _compatible(weights, player, row, ranges[1 - player])
            total += own[row]
            joint += own[row] * mass[row]
        for index in range(own.size):
            row = np.uint64(index)
            column = np.uint64(columns[player][row])
            inputs[column] = own[row] / total
            if joint > 0:
                beliefs[column] = own[row] * mass[row] / joint


@inlined
def _compatible(weights: F64, player: int, row: np.uint64, rival: F64) -> float:
    """Return the mass of the opponent's range that is compatible with an infostate."""
    total = 0.0
    for index in range(rival.size):
        column = np.uint64(index)
        total += (weights[row, column] if player == 0 else weights[column, row]) * rival[column]
    return total


@kernel
def write_values(
    columns: tuple[I64, I64], masses: Pair, scale: float, found: Pair, values: F32, weights: F32
) -> None:
    """Write what was found as shares of a scale, and how much that counts [V]; both modified in place.

    found: [P][H] counterfactual values. An infostate that cannot be counts for nothing; the others count for
    one on average over all infostates.
    """
    for player in range(NUM_PLAYERS):
        mass, total = masses[player], 0.0
        for index in range(mass.size):
            total += mass[np.uint64(index)]
        for index in range(mass.size):
            row = np.uint64(index)
            if mass[row] > 0:
                column = np.uint64(columns[player][row])
                values[column] = found[player][row] / (mass[row] * scale)
                weights[column] = mass[row] * (mass.size / total)
