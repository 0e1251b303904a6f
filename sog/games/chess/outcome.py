"""How a game ends, and a node of a search tree opened: legal moves, or the value of the end.

The third occurrence of a position and the hundredth half move without pawn move or capture end the game by
themselves, as engines and self-play have it, though a player at the board would have to claim. Mate on the
hundredth half move counts. Material is insufficient if no series of legal moves mates: bare kings, one minor
piece, or bishops on squares of one colour.

Verified: tests/games/chess/test_outcome.py.
"""

import numpy as np

from sog.core.arrays import U32
from sog.core.bits import count_bits
from sog.core.jit import ZERO, inner, kernel
from sog.games.chess.board import (
    BISHOP,
    CLOCK,
    KNIGHT,
    LIGHT_SQUARES,
    OWN,
    PAWN,
    PLY,
    QUEEN,
    REPETITIONS,
    ROOK,
    THEIRS,
    U64,
)
from sog.games.chess.encoding import sort_by_action
from sog.games.chess.moves import is_check, list_moves

ONGOING, CHECKMATE, INSUFFICIENT, STALEMATE, FIFTY_MOVES, REPETITION, MOVE_LIMIT = (
    np.uint64(outcome) for outcome in range(7)
)
OUTCOME_NAMES = (
    "ongoing",
    "checkmate",
    "insufficient material",
    "stalemate",
    "fifty moves",
    "threefold repetition",
    "move limit",
)
_FIFTY_MOVES = np.uint64(100)  # half moves
_THIRD_TIME = np.uint64(2)  # earlier occurrences


@inner
def open_node(
    positions: U64, node: np.uint64, last_ply: np.uint64, moves: U32, actions: U32, start: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Return how many moves a position has and how the game stands; write the moves and their actions.

    Moves and actions go to `moves[start:]` and `actions[start:]`, both ascending by action; an ended game has
    no moves. The end is worth -1 to the player to move if it is `CHECKMATE` and 0 otherwise. From half move
    `last_ply` on the game is a draw by `MOVE_LIMIT`.

    Shapes: positions [N, POSITION_WORDS]; moves and actions [at least start + MAX_MOVES], modified in place.
    """
    if is_insufficient(positions, node):
        return ZERO, INSUFFICIENT
    count = list_moves(positions, node, moves, start)
    outcome = judge(positions, node, count, last_ply)
    if outcome != ONGOING:
        return ZERO, outcome
    sort_by_action(moves, actions, start, count)
    return count, ONGOING


@inner
def judge(positions: U64, node: np.uint64, num_moves: np.uint64, last_ply: np.uint64) -> np.uint64:
    """Return how the game stands in a position with so many legal moves; insufficient material apart."""
    if num_moves == ZERO:
        return CHECKMATE if is_check(positions, node) else STALEMATE
    if positions[node, CLOCK] >= _FIFTY_MOVES:
        return FIFTY_MOVES
    if positions[node, REPETITIONS] >= _THIRD_TIME:
        return REPETITION
    if positions[node, PLY] >= last_ply:
        return MOVE_LIMIT
    return ONGOING


@inner
def is_insufficient(positions: U64, node: np.uint64) -> bool:
    """Return whether neither player can ever mate."""
    if positions[node, PAWN] | positions[node, ROOK] | positions[node, QUEEN] != ZERO:
        return False
    if count_bits(positions[node, OWN] | positions[node, THEIRS]) <= np.uint64(3):
        return True
    bishops = positions[node, BISHOP]
    is_one_colour = bishops & LIGHT_SQUARES == ZERO or bishops & ~LIGHT_SQUARES == ZERO
    return bool(positions[node, KNIGHT] == ZERO and is_one_colour)


@kernel
def run_open_node(
    positions: U64, node: np.uint64, last_ply: np.uint64, moves: U32, actions: U32
) -> tuple[np.uint64, np.uint64]:
    """`open_node` at the start of the lists, for calls from Python."""
    return open_node(positions, node, last_ply, moves, actions, ZERO)
