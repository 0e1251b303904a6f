"""AlphaZero's input for chess: 119 planes of 64 squares, as the player to move sees the board.

Eight boards, the present one first, of 14 planes each: the mover's pieces by kind (pawn to king), the
opponent's, and whether the position had occurred once and twice before. Then seven planes of one number each:

    112  1 if Black moves
    113  half moves so far, in units of `PLY_UNIT`
    114  may the mover castle short; 115 long
    116  may the opponent castle short; 117 long
    118  half moves without pawn move or capture, in hundreds

Boards from before the game are zero.

Verified: tests/games/chess/test_planes.py.
"""

import numpy as np

from sog.core.arrays import F32, U32
from sog.core.bits import lowest_index, swap_bytes
from sog.core.jit import ONE, ZERO, inlined, inner, kernel
from sog.games.chess.board import (
    CASTLING,
    CLOCK,
    NO_PARENT,
    NUM_KINDS,
    NUM_SQUARES,
    OWN,
    PLY,
    REPETITIONS,
    THEIRS,
    U64,
)

NUM_BOARDS = 8
PLANES_PER_BOARD = 14
NUM_PLANES = NUM_BOARDS * PLANES_PER_BOARD + 7
PLY_UNIT = 512.0  # the longest game of self-play
_CLOCK_UNIT = 100.0

_SQUARES = np.uint64(NUM_SQUARES)
_BOARD = np.uint64(PLANES_PER_BOARD)
_REPEATED = np.uint64(12)
_COLOUR = np.uint64(NUM_BOARDS * PLANES_PER_BOARD)
_KINDS = np.uint64(NUM_KINDS)
_CORNERS = np.array([7, 0, 63, 56], np.uint64)  # rooks that castle: own short and long, theirs short and long
_TWO, _SIX = np.uint64(2), np.uint64(6)


@kernel
def run_write_planes(positions: U64, parents: U32, node: np.uint64, planes: F32) -> None:
    """`write_planes` at the start of an array, for calls from Python."""
    write_planes(positions, parents, node, planes, ZERO)


@inner
def write_planes(positions: U64, parents: U32, node: np.uint64, planes: F32, start: np.uint64) -> None:
    """Write the input planes of a position to `planes[start : start + NUM_PLANES * 64]`.

    Shapes: positions [N, POSITION_WORDS]; parents [N]; planes [at least start + NUM_PLANES * 64], modified
    in place; square s of plane p is at `start + 64 p + s`.
    """
    for n in range(NUM_PLANES * NUM_SQUARES):
        planes[start + np.uint64(n)] = np.float32(0.0)
    row = np.uint32(node)
    for n in range(NUM_BOARDS):
        if row == NO_PARENT:
            break
        board = np.uint64(n)
        _write_board(positions, np.uint64(row), board & ONE != ZERO, planes, start, board * _BOARD)
        row = parents[np.uint64(row)]
    _fill(planes, start, _COLOUR, np.float32(positions[node, PLY] & ONE))
    _fill(planes, start, _COLOUR + ONE, np.float32(np.float64(positions[node, PLY]) / PLY_UNIT))
    for n in range(4):
        corner = np.uint64(n)
        right = positions[node, CASTLING] >> _CORNERS[corner] & ONE
        _fill(planes, start, _COLOUR + _TWO + corner, np.float32(right))
    _fill(planes, start, _COLOUR + _SIX, np.float32(np.float64(positions[node, CLOCK]) / _CLOCK_UNIT))


@inlined
def _write_board(
    positions: U64, row: np.uint64, is_turned: bool, planes: F32, start: np.uint64, plane: np.uint64
) -> None:
    """Write a board's 14 planes; a position of the other player's turn is turned over first."""
    mover, opponent = positions[row, OWN], positions[row, THEIRS]
    if is_turned:
        mover, opponent = opponent, mover
    for n in range(NUM_KINDS):
        kind = np.uint64(n)
        pieces = positions[row, kind]
        _mark(planes, start, plane + kind, pieces & mover, is_turned)
        _mark(planes, start, plane + _KINDS + kind, pieces & opponent, is_turned)
    if positions[row, REPETITIONS] >= ONE:
        _fill(planes, start, plane + _REPEATED, np.float32(1.0))
    if positions[row, REPETITIONS] >= _TWO:
        _fill(planes, start, plane + _REPEATED + ONE, np.float32(1.0))


@inlined
def _mark(planes: F32, start: np.uint64, plane: np.uint64, pieces: np.uint64, is_turned: bool) -> None:
    left = swap_bytes(pieces) if is_turned else pieces
    first = start + plane * _SQUARES
    while left != ZERO:
        planes[first + lowest_index(left)] = np.float32(1.0)
        left &= left - ONE


@inlined
def _fill(planes: F32, start: np.uint64, plane: np.uint64, value: np.float32) -> None:
    first = start + plane * _SQUARES
    for n in range(NUM_SQUARES):
        planes[first + np.uint64(n)] = value
