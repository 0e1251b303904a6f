"""A position as a row of numbers, always seen by the player to move.

The board is turned so that the mover's pawns go up: squares are numbered from the mover's a1 = 0 along the
ranks to h8 = 63, and a set of squares is a number with one bit for each. After a move the board is turned
over (ranks swapped, files kept), so one set of rules serves both colours.

A **position** is `POSITION_WORDS` unsigned numbers, by the names below: six sets of squares for the kinds of
pieces, whoever owns them; the mover's pieces and the opponent's; the rooks' squares that may still castle;
the square behind a pawn that can be taken en passant (only if that is legal now); half moves since a pawn
moved or something was taken; half moves since the game began; the hash; how often the position was there
before.

A **move** is `from | to << 6 | piece << 12 | promoted << 15`, squares as the mover sees them, `promoted` 0 or
the kind of the new piece.
"""

import numpy as np
import numpy.typing as npt

U64 = npt.NDArray[np.uint64]

NUM_SQUARES = 64
NUM_KINDS = 6
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = (np.uint64(kind) for kind in range(NUM_KINDS))
PIECE_LETTERS = "pnbrqk"

# The words of a position; the kinds' sets come first, at the kinds' own numbers.
OWN = np.uint64(6)
THEIRS = np.uint64(7)
CASTLING = np.uint64(8)
EN_PASSANT = np.uint64(9)
CLOCK = np.uint64(10)
PLY = np.uint64(11)  # even: White moves
HASH = np.uint64(12)
REPETITIONS = np.uint64(13)
POSITION_WORDS = 14

MAX_MOVES = 256  # no position has more than 218
NO_PARENT = np.uint32(0xFFFFFFFF)  # of a position whose past is not known

TO_SHIFT = np.uint64(6)
PIECE_SHIFT = np.uint64(12)
PROMOTED_SHIFT = np.uint64(15)
SQUARE_BITS = np.uint64(63)
KIND_BITS = np.uint64(7)

ALL_SQUARES = np.uint64(0xFFFFFFFFFFFFFFFF)
FILE_A = np.uint64(0x0101010101010101)
FILE_H = np.uint64(0x8080808080808080)
RANK_1 = np.uint64(0xFF)
RANK_3 = np.uint64(0xFF << 16)
LIGHT_SQUARES = np.uint64(0x55AA55AA55AA55AA)

TURN = 56  # a square seen by the other player is `square ^ TURN`
SQUARE_NAMES = tuple(file + rank for rank in "12345678" for file in "abcdefgh")


def square_of(name: str) -> int:
    """Return a square's number as White sees it.

    >>> square_of("e4")
    28
    """
    return SQUARE_NAMES.index(name)
