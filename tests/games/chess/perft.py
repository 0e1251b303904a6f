"""Perft: how many plays of a given length a position has, the usual test and measure of move generators."""

import numpy as np

from sog.core.arrays import U32
from sog.core.jit import ONE, ZERO, kernel
from sog.games.chess.board import MAX_MOVES, POSITION_WORDS, U64
from sog.games.chess.moves import list_moves
from sog.games.chess.play import make_move


def perft(position: U64, depth: int, is_bulk: bool = True) -> int:
    """Return the number of plays of `depth` half moves.

    In bulk, the last half move is counted where it is listed; otherwise every last position is made.

    >>> from sog.games.chess.fen import START, read_fen
    >>> perft(read_fen(START), 3)
    8902
    """
    if depth == 0:
        return 1
    rows = np.zeros((depth + 1, POSITION_WORDS), np.uint64)
    rows[0] = position
    moves = np.zeros((depth + 1) * MAX_MOVES, np.uint32)
    left = np.zeros(depth + 1, np.uint64)
    return int(_perft(rows, moves, left, np.uint64(depth), is_bulk))


@kernel
def _perft(positions: U64, moves: U32, left: U64, depth: np.uint64, is_bulk: bool) -> np.uint64:
    """Count plays depth first, a row for each half move.

    Shapes: positions [depth + 1, POSITION_WORDS], row 0 given; moves [(depth + 1) * MAX_MOVES]; left
    [depth + 1], the moves still to try; all modified in place.
    """
    plays, level = ZERO, ZERO
    last = depth - ONE  # the level whose moves end the play
    size = np.uint64(MAX_MOVES)
    left[ZERO] = list_moves(positions, ZERO, moves, ZERO)
    while True:
        if level == last and is_bulk:
            plays += left[level]
            left[level] = ZERO
        while left[level] == ZERO:
            if level == ZERO:
                return plays
            level -= ONE
        left[level] -= ONE
        make_move(positions, level, np.uint64(moves[level * size + left[level]]), level + ONE)
        if level == last:
            plays += ONE
        else:
            level += ONE
            left[level] = list_moves(positions, level, moves, level * size)
