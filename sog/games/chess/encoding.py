"""AlphaZero's 4,672 numbers for moves: 73 planes of 64 squares, as the player to move sees the board.

`action = plane * 64 + from`. Planes 0 to 55 are queen's moves: eight directions (N, NE, E, …, NW), seven
distances each; 56 to 63 knight's moves; 64 to 72 promotions to knight, bishop and rook, each to the left,
ahead and to the right. A promotion to a queen is a queen's move, castling the king's move of two squares.

Verified: tests/games/chess/test_encoding.py.
"""

import numpy as np

from sog.core.arrays import U32
from sog.core.jit import ONE, ZERO, inlined, inner
from sog.games.chess.attacks import KNIGHT_STEPS, QUEEN_STEPS
from sog.games.chess.board import (
    BISHOP,
    KNIGHT,
    NUM_SQUARES,
    PAWN,
    PIECE_SHIFT,
    PROMOTED_SHIFT,
    QUEEN,
    ROOK,
    SQUARE_BITS,
    TO_SHIFT,
    U64,
)

NUM_ACTION_PLANES = 73
NUM_ACTIONS = NUM_ACTION_PLANES * NUM_SQUARES
NO_MOVE = np.uint32(0xFFFFFFFF)  # of an action that would leave the board

_PROMOTION_PLANES = 64
_LAST_RANK = np.uint64(56)
_FROM_TO = np.uint64(0xFFF)
_FIRST_PROMOTION = np.uint64((_PROMOTION_PLANES + 1) * NUM_SQUARES)  # to a knight, straight ahead
_PROMOTION_KIND = np.uint64(3 * NUM_SQUARES)  # from one kind's planes to the next kind's
_FORWARD = np.uint64(8)


def _make_steps() -> list[tuple[int, int, int]]:
    """Return, for each plane, the step in files and ranks and the kind that is promoted to (0: none)."""
    queen = [(n * file, n * rank, 0) for file, rank in QUEEN_STEPS for n in range(1, 8)]
    knight = [(file, rank, 0) for file, rank in KNIGHT_STEPS]
    lesser = [(side, 1, int(kind)) for kind in (KNIGHT, BISHOP, ROOK) for side in (-1, 0, 1)]
    return queen + knight + lesser


def _make_tables() -> tuple[U32, U32]:
    """Return the action of each from and to without promotion, and what each action moves."""
    actions = np.zeros(NUM_SQUARES * NUM_SQUARES, np.uint32)
    moves = np.full(NUM_ACTIONS, NO_MOVE, np.uint32)
    for plane, (file_step, rank_step, kind) in enumerate(_make_steps()):
        for square in range(NUM_SQUARES):
            file, rank = square % 8 + file_step, square // 8 + rank_step
            if not (0 <= file < 8 and 0 <= rank < 8) or (kind and rank != 7):
                continue
            to, action = 8 * rank + file, plane * NUM_SQUARES + square
            moves[action] = square | to << int(TO_SHIFT) | kind << int(PROMOTED_SHIFT)
            if not kind:
                actions[square | to << int(TO_SHIFT)] = action
    return actions, moves


_ACTIONS, ACTION_MOVES = _make_tables()  # [4096], [NUM_ACTIONS]


@inlined
def action_of(move: np.uint64) -> np.uint64:
    """Return a move's action."""
    promoted = move >> PROMOTED_SHIFT
    if promoted in (ZERO, QUEEN):
        return np.uint64(_ACTIONS[move & _FROM_TO])
    square, to = move & SQUARE_BITS, move >> TO_SHIFT & SQUARE_BITS
    side = (to - square - _FORWARD) * np.uint64(NUM_SQUARES)  # -1, 0 or 1 planes, modulo 2**64
    return _FIRST_PROMOTION + (promoted - KNIGHT) * _PROMOTION_KIND + side + square


@inner
def move_of(positions: U64, node: np.uint64, action: np.uint64) -> np.uint64:
    """Return the move that a legal action is in position `node`."""
    move = np.uint64(ACTION_MOVES[action])
    bit, to = ONE << (move & SQUARE_BITS), move >> TO_SHIFT & SQUARE_BITS
    kind = PAWN
    while positions[node, kind] & bit == ZERO:
        kind += ONE
    if kind == PAWN and to >= _LAST_RANK and move >> PROMOTED_SHIFT == ZERO:
        move |= QUEEN << PROMOTED_SHIFT
    return move | kind << PIECE_SHIFT


@inlined
def sort_by_action(moves: U32, actions: U32, start: np.uint64, count: np.uint64) -> None:
    """Write the actions of `moves[start : start + count]` and sort both by them, ascending, in place."""
    for n in range(count):
        at = start + np.uint64(n)
        move = moves[at]
        action = np.uint32(action_of(np.uint64(move)))
        while at > start and actions[at - ONE] > action:
            moves[at], actions[at] = moves[at - ONE], actions[at - ONE]
            at -= ONE
        moves[at], actions[at] = move, action
