"""What searches must know of positions on a board, of many at once."""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, U32
from sog.core.jit import ONE, ZERO, kernel


class Looks(NamedTuple):
    """B positions."""

    actors: U32  # [B]
    counts: U32  # [B] legal actions
    utilities: F64  # [B] of player 0, where the game is over


def allocate_looks(size: int) -> Looks:
    """Return room for so many."""
    return Looks(np.zeros(size, np.uint32), np.zeros(size, np.uint32), np.zeros(size))


def count_up(sizes: U32) -> U32:
    """Return the numbers from 0 on, for one size after the other.

    >>> count_up(np.array([2, 0, 3], np.uint32)).tolist()
    [0, 1, 0, 1, 2]
    """
    numbers = np.empty(int(sizes.sum()), np.uint32)
    _count_up(sizes, numbers)
    return numbers


@kernel
def _count_up(sizes: U32, numbers: U32) -> None:
    at = ZERO
    for index in range(sizes.size):
        for number in range(np.uint64(sizes[index])):
            numbers[at] = number
            at += ONE
