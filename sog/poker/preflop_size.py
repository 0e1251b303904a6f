"""What solving a hand from before the flop would take: such a spot is for search, not for a solve in full.

Each of the 22,100 flops opens a tree of the same size. Boards that are alike but for the names of suits need
be solved once, so their number is divided by that of the renamings that leave both ranges as they are: no
class of boards is larger, and the figure is a lower bound that the full ranges come close to.

Verified: tests/interfaces/cli/test_holdem_starts.py.
"""

from math import ceil, comb
from typing import NoReturn

import numpy as np

from sog.core.errors import InputError
from sog.games.holdem.cards import BOARD_SIZES, NUM_CARDS, NUM_HANDS
from sog.games.holdem.isomorphism import find_symmetries
from sog.games.holdem.spot import Spot
from sog.poker.spot_size import available_bytes, bytes_of, count_moves, format_bytes

NUM_BOARDS = (1, 22_100, 22_100 * 49, 22_100 * 49 * 48)  # of each street, turn and river told apart


def refuse_preflop(spot: Spot, dtype: str) -> NoReturn:
    """Say what a solve from before the flop would take."""
    raise InputError(
        f"a solve from before the flop would take {format_bytes(least_bytes(spot, dtype))} of memory or more"
        f" ({format_bytes(available_bytes())} are available): give --board, --pot and --stack to start later"
    )


def least_bytes(spot: Spot, dtype: str) -> int:
    """Return how many bytes a solve from before the flop takes at least."""
    alike = len(find_symmetries(spot.board, spot.ranges))
    held = [int(hands) for hands in np.count_nonzero(spot.ranges, axis=1)]
    rows = []
    for number, known in zip(NUM_BOARDS, BOARD_SIZES, strict=True):
        share = number * comb(NUM_CARDS - known, 2) / NUM_HANDS / alike  # of the hands, over all boards
        rows.append((ceil(held[0] * share), ceil(held[1] * share)))
    return bytes_of(count_moves(spot), rows, dtype)
