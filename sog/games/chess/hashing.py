"""Zobrist hashes: a random number for each fact about a position, joined by exclusive or.

Facts are those that make two positions the same for repetition: pieces, whose turn, castling rights, and an
en passant capture that is legal. Squares and colours are White's view here, so a hash changes by what a move
changes and not by turning the board.

Verified: tests/games/chess/test_play.py.
"""

import numpy as np

from sog.core.jit import ONE, inlined
from sog.games.chess.board import (
    CASTLING,
    EN_PASSANT,
    NUM_KINDS,
    NUM_SQUARES,
    OWN,
    PLY,
    THEIRS,
    TURN,
    U64,
)

_SEED = 1997
COLOUR_KEYS = np.uint64(NUM_KINDS * NUM_SQUARES)  # from a white piece's key to the black one's
_NUM_PIECE_KEYS = 2 * NUM_KINDS * NUM_SQUARES
_RANDOM = np.random.PCG64(_SEED).random_raw(_NUM_PIECE_KEYS + 16 + 8 + 1)  # the raw stream never changes
PIECE_KEYS: U64 = _RANDOM[:_NUM_PIECE_KEYS].copy()  # [2 * 6 * 64]
CASTLING_KEYS: U64 = _RANDOM[_NUM_PIECE_KEYS : _NUM_PIECE_KEYS + 16].copy()
EN_PASSANT_KEYS: U64 = _RANDOM[-9:-1].copy()  # by file
BLACK_KEY = np.uint64(_RANDOM[-1])

_CORNERS = (0, 7, 56, 63)
_TWO, _FIFTEEN = np.uint64(2), np.uint64(15)


@inlined
def castling_key(rights: np.uint64, black: np.uint64) -> np.uint64:
    """Return the key of castling rights; `black` is 1 if the squares are as Black sees them."""
    corners = (  # the bits of _CORNERS, side by side
        rights & ONE
        | rights >> np.uint64(6) & np.uint64(2)
        | rights >> np.uint64(54) & np.uint64(4)
        | rights >> np.uint64(60) & np.uint64(8)
    )
    if black != np.uint64(0):
        corners = (corners >> _TWO | corners << _TWO) & _FIFTEEN
    return np.uint64(CASTLING_KEYS[corners])


def full_hash(position: U64) -> np.uint64:
    """Return the hash of a position from scratch."""
    words = [int(word) for word in position]
    black = words[PLY] % 2
    rights = [words[CASTLING] >> (corner ^ TURN * black) & 1 for corner in _CORNERS]
    corners = sum(right << number for number, right in enumerate(rights))
    result = int(BLACK_KEY) * black ^ int(CASTLING_KEYS[corners])
    for side, colour in ((OWN, black), (THEIRS, 1 - black)):
        for kind in range(NUM_KINDS):
            pieces = words[kind] & words[side]
            for square in range(NUM_SQUARES):
                if pieces >> square & 1:
                    key = (colour * NUM_KINDS + kind) * NUM_SQUARES + (square ^ TURN * black)
                    result ^= int(PIECE_KEYS[key])
    if words[EN_PASSANT]:
        result ^= int(EN_PASSANT_KEYS[(words[EN_PASSANT].bit_length() - 1) % 8])
    return np.uint64(result)
