"""What searches must know of positions on a board, of many at once."""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, U32


class Looks(NamedTuple):
    """B positions."""

    actors: U32  # [B]
    counts: U32  # [B] legal actions
    utilities: F64  # [B] of player 0, where the game is over


def allocate_looks(size: int) -> Looks:
    """Return room for so many."""
    return Looks(np.zeros(size, np.uint32), np.zeros(size, np.uint32), np.zeros(size))
