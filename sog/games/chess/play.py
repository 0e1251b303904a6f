"""Making moves: the position after a move is written into another row, the old one stays.

Positions form a tree by the rows of their parents, which is all that repetition (here) and the network's
eight boards of history (`planes.py`) need to know of the past. A game is the tree in which every row's parent
is the row before it.

Verified: tests/games/chess/test_play.py.
"""

import numpy as np

from sog.core.arrays import U32
from sog.core.bits import lowest_index, swap_bytes
from sog.core.jit import ONE, ZERO, inlined, inner, kernel
from sog.games.chess.board import (
    CASTLING,
    CLOCK,
    EN_PASSANT,
    HASH,
    KIND_BITS,
    KING,
    NO_PARENT,
    NUM_KINDS,
    OWN,
    PAWN,
    PIECE_SHIFT,
    PLY,
    POSITION_WORDS,
    PROMOTED_SHIFT,
    RANK_1,
    REPETITIONS,
    ROOK,
    SQUARE_BITS,
    THEIRS,
    TO_SHIFT,
    TURN,
    U64,
)
from sog.games.chess.hashing import BLACK_KEY, COLOUR_KEYS, EN_PASSANT_KEYS, PIECE_KEYS, castling_key
from sog.games.chess.moves import en_passant_takers

_TURN = np.uint64(TURN)
_STEP, _TWO_STEPS, _TWO, _SEVEN = np.uint64(8), np.uint64(16), np.uint64(2), np.uint64(7)
_A1, _D1, _F1, _H1 = np.uint64(0), np.uint64(3), np.uint64(5), np.uint64(7)


def after(position: U64, move: int) -> U64:
    """Return the position after a legal move; its past is not known, so its repetitions count from it on."""
    rows = np.zeros((2, POSITION_WORDS), np.uint64)
    rows[0] = position
    run_make_move(rows, np.uint64(move))
    child: U64 = rows[1]
    return child


@kernel
def run_make_move(positions: U64, move: np.uint64) -> None:
    """Write the position after row 0's move into row 1, for calls from Python."""
    make_move(positions, ZERO, move, ONE)


@kernel
def run_play(positions: U64, parents: U32, node: np.uint64, move: np.uint64, child: np.uint64) -> None:
    """`play`, for calls from Python."""
    play(positions, parents, node, move, child)


@inner
def play(positions: U64, parents: U32, node: np.uint64, move: np.uint64, child: np.uint64) -> None:
    """Write the position after a legal move into row `child`, linked to its parent, repetitions counted.

    Shapes: positions [N, POSITION_WORDS] and parents [N], both modified in place. A row whose parent is
    `NO_PARENT` has no past.
    """
    make_move(positions, node, move, child)
    parents[child] = node
    positions[child, REPETITIONS] = _count_repetitions(positions, parents, child)


@inlined
def _count_repetitions(positions: U64, parents: U32, child: np.uint64) -> np.uint64:
    """Return how often the position occurred before, by the last time it did."""
    clock, distance, row = positions[child, CLOCK], _TWO, parents[child]
    while distance <= clock:
        row = parents[np.uint64(row)]
        if row == NO_PARENT:
            break
        if positions[np.uint64(row), HASH] == positions[child, HASH]:
            return np.uint64(positions[np.uint64(row), REPETITIONS] + ONE)
        row = parents[np.uint64(row)]
        if row == NO_PARENT:
            break
        distance += _TWO
    return ZERO


@inner
def make_move(positions: U64, node: np.uint64, move: np.uint64, child: np.uint64) -> None:
    """Write the position after a legal move into row `child`, with no repetitions; `play` counts them.

    Shapes: positions [N, POSITION_WORDS], modified in place.
    """
    square, to = move & SQUARE_BITS, move >> TO_SHIFT & SQUARE_BITS
    piece, promoted = move >> PIECE_SHIFT & KIND_BITS, move >> PROMOTED_SHIFT
    arriving = promoted if promoted != ZERO else piece
    from_bit, to_bit = ONE << square, ONE << to
    victim = to_bit
    if piece == PAWN and to_bit == positions[node, EN_PASSANT]:
        victim = to_bit >> _STEP
    taken = positions[node, THEIRS] & victim
    cleared = ~(from_bit | taken)
    for kind in range(NUM_KINDS):
        positions[child, np.uint64(kind)] = positions[node, np.uint64(kind)] & cleared
    positions[child, arriving] |= to_bit
    positions[child, OWN] = positions[node, OWN] ^ from_bit ^ to_bit
    positions[child, THEIRS] = positions[node, THEIRS] ^ taken
    rights = positions[node, CASTLING] & ~(from_bit | to_bit)
    if piece == KING:
        rights &= ~RANK_1
        if to == square + _TWO:
            _castle(positions, child, _H1, _F1)
        elif to + _TWO == square:
            _castle(positions, child, _A1, _D1)
    positions[child, CASTLING] = rights
    is_final = piece == PAWN or taken != ZERO
    positions[child, CLOCK] = ZERO if is_final else positions[node, CLOCK] + ONE
    positions[child, PLY] = positions[node, PLY] + ONE
    positions[child, HASH] = _next_hash(positions, node, child, move, taken)
    positions[child, REPETITIONS] = ZERO
    _turn(positions, child)
    is_double = piece == PAWN and to == square + _TWO_STEPS
    positions[child, EN_PASSANT] = swap_bytes(from_bit << _STEP) if is_double else ZERO
    if is_double:
        if en_passant_takers(positions, child) == ZERO:
            positions[child, EN_PASSANT] = ZERO
        else:
            positions[child, HASH] ^= EN_PASSANT_KEYS[square & _SEVEN]


@inlined
def _castle(positions: U64, child: np.uint64, rook: np.uint64, to: np.uint64) -> None:
    """Move the castling rook, before the board is turned."""
    both = ONE << rook | ONE << to
    positions[child, ROOK] ^= both
    positions[child, OWN] ^= both


@inlined
def _turn(positions: U64, child: np.uint64) -> None:
    """Turn the board over, so that the other player moves up."""
    for kind in range(NUM_KINDS):
        positions[child, np.uint64(kind)] = swap_bytes(positions[child, np.uint64(kind)])
    own = positions[child, OWN]
    positions[child, OWN] = swap_bytes(positions[child, THEIRS])
    positions[child, THEIRS] = swap_bytes(own)
    positions[child, CASTLING] = swap_bytes(positions[child, CASTLING])


@inlined
def _next_hash(
    positions: U64, node: np.uint64, child: np.uint64, move: np.uint64, taken: np.uint64
) -> np.uint64:
    """Return the hash after a move, a new en passant square apart; the child's board is not turned yet."""
    square, to = move & SQUARE_BITS, move >> TO_SHIFT & SQUARE_BITS
    piece, promoted = move >> PIECE_SHIFT & KIND_BITS, move >> PROMOTED_SHIFT
    arriving = promoted if promoted != ZERO else piece
    black = positions[node, PLY] & ONE
    turn, own_keys, their_keys = black * _TURN, black * COLOUR_KEYS, (ONE - black) * COLOUR_KEYS
    result = positions[node, HASH] ^ BLACK_KEY
    result ^= _piece_key(own_keys, piece, square ^ turn) ^ _piece_key(own_keys, arriving, to ^ turn)
    if taken != ZERO:
        kind = PAWN
        while positions[node, kind] & taken == ZERO:
            kind += ONE
        result ^= _piece_key(their_keys, kind, lowest_index(taken) ^ turn)
    if piece == KING and to == square + _TWO:
        result ^= _piece_key(own_keys, ROOK, _H1 ^ turn) ^ _piece_key(own_keys, ROOK, _F1 ^ turn)
    elif piece == KING and to + _TWO == square:
        result ^= _piece_key(own_keys, ROOK, _A1 ^ turn) ^ _piece_key(own_keys, ROOK, _D1 ^ turn)
    before, rights = positions[node, CASTLING], positions[child, CASTLING]
    if before != rights:
        result ^= castling_key(before, black) ^ castling_key(rights, black)
    if positions[node, EN_PASSANT] != ZERO:
        result ^= EN_PASSANT_KEYS[lowest_index(positions[node, EN_PASSANT]) & _SEVEN]
    return np.uint64(result)


@inlined
def _piece_key(colour_keys: np.uint64, kind: np.uint64, square: np.uint64) -> np.uint64:
    return np.uint64(PIECE_KEYS[colour_keys + (kind << TO_SHIFT) + square])
