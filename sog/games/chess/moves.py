"""Legal moves, all of them and no others, straight away.

Nothing is made and taken back: squares that the king must not enter are marked with the king off the board;
in check the other pieces may only take the checker or step between; pinned pieces stay on the line to their
king. En passant alone, which takes two pieces off a rank at once, is tried out.

Verified: tests/games/chess/test_perft.py, tests/games/chess/test_moves.py.
"""

import numpy as np

from sog.core.arrays import U32
from sog.core.bits import lowest_index
from sog.core.jit import ONE, ZERO, inlined, inner, kernel
from sog.games.chess.attacks import (
    KING_LEAPS,
    KNIGHT_LEAPS,
    attackers,
    between,
    bishop_attacks,
    falling_pawn_attacks,
    line_through,
    rook_attacks,
)
from sog.games.chess.board import (
    ALL_SQUARES,
    BISHOP,
    CASTLING,
    EN_PASSANT,
    FILE_A,
    FILE_H,
    KING,
    KNIGHT,
    MAX_MOVES,
    OWN,
    PAWN,
    PIECE_SHIFT,
    POSITION_WORDS,
    PROMOTED_SHIFT,
    QUEEN,
    RANK_3,
    ROOK,
    THEIRS,
    TO_SHIFT,
    U64,
)

_A1, _H1 = np.uint64(1), np.uint64(1 << 7)
_SHORT_EMPTY, _SHORT_SAFE = np.uint64(0b0110_0000), np.uint64(0b0111_0000)  # f1 g1, and e1
_LONG_EMPTY, _LONG_SAFE = np.uint64(0b0000_1110), np.uint64(0b0001_1100)  # b1 c1 d1; c1 d1 e1
_LAST_RANK = np.uint64(56)  # its first square
_STEP, _TWO_STEPS, _LEFT, _RIGHT = np.uint64(8), np.uint64(16), np.uint64(7), np.uint64(9)
_TWO = np.uint64(2)


def legal_moves(position: U64) -> U32:
    """Return the legal moves of a position, in no particular order."""
    moves = np.zeros(MAX_MOVES, np.uint32)
    count = run_list_moves(_as_row(position), moves)
    return moves[: int(count)]


def in_check(position: U64) -> bool:
    """Return whether the mover's king is attacked."""
    return bool(run_is_check(_as_row(position)))


def _as_row(position: U64) -> U64:
    """Copy a position into one that can be written: kernels would be compiled again for one that cannot."""
    return position.reshape(1, POSITION_WORDS).copy()


@kernel
def run_list_moves(positions: U64, moves: U32) -> np.uint64:
    """List the moves of the first position, for calls from Python."""
    return list_moves(positions, ZERO, moves, ZERO)


@kernel
def run_is_check(positions: U64) -> bool:
    """Say whether the first position's mover is in check, for calls from Python."""
    return is_check(positions, ZERO)


@inner
def list_moves(positions: U64, node: np.uint64, moves: U32, start: np.uint64) -> np.uint64:
    """Write the legal moves of position `node` into `moves[start:]` and return how many there are.

    Shapes: positions [N, POSITION_WORDS]; moves [at least start + MAX_MOVES], modified in place.
    """
    own, theirs = positions[node, OWN], positions[node, THEIRS]
    occupied = own | theirs
    diagonal = (positions[node, BISHOP] | positions[node, QUEEN]) & theirs
    straight = (positions[node, ROOK] | positions[node, QUEEN]) & theirs
    king = lowest_index(positions[node, KING] & own)
    checkers = _checkers(positions, node, king, occupied, diagonal, straight)
    at = _list_king_moves(positions, node, king, checkers, diagonal, straight, moves, start)
    if checkers & (checkers - ONE) != ZERO:  # only the king can answer two checks
        return at - start
    allowed = ALL_SQUARES
    if checkers != ZERO:
        allowed = between(king, lowest_index(checkers)) | checkers
    pinned = _pinned(king, own, theirs, diagonal, straight)
    at = _list_piece_moves(positions, node, king, allowed & ~own, pinned, moves, at)
    at = _list_pawn_moves(positions, node, king, allowed, pinned, moves, at)
    if positions[node, EN_PASSANT] != ZERO:
        at = _list_en_passant(positions, node, moves, at)
    return at - start


@inner
def is_check(positions: U64, node: np.uint64) -> bool:
    """Return whether the mover's king is attacked."""
    own, theirs = positions[node, OWN], positions[node, THEIRS]
    diagonal = (positions[node, BISHOP] | positions[node, QUEEN]) & theirs
    straight = (positions[node, ROOK] | positions[node, QUEEN]) & theirs
    king = lowest_index(positions[node, KING] & own)
    return bool(_checkers(positions, node, king, own | theirs, diagonal, straight) != ZERO)


@inner
def en_passant_takers(positions: U64, node: np.uint64) -> np.uint64:
    """Return the pawns that may legally take on the square that `EN_PASSANT` names."""
    own, theirs = positions[node, OWN], positions[node, THEIRS]
    target = positions[node, EN_PASSANT]
    victim = target >> _STEP
    king = lowest_index(positions[node, KING] & own)
    pawns, knights = positions[node, PAWN] & theirs & ~victim, positions[node, KNIGHT] & theirs
    diagonal = (positions[node, BISHOP] | positions[node, QUEEN]) & theirs
    straight = (positions[node, ROOK] | positions[node, QUEEN]) & theirs
    candidates = falling_pawn_attacks(target) & positions[node, PAWN] & own
    takers = ZERO
    while candidates != ZERO:
        taker = candidates & (ZERO - candidates)
        candidates ^= taker
        occupied = (own | theirs) ^ taker ^ victim ^ target
        if attackers(king, occupied, pawns, knights, diagonal, straight) == ZERO:
            takers |= taker
    return takers


@inlined
def _checkers(
    positions: U64,
    node: np.uint64,
    king: np.uint64,
    occupied: np.uint64,
    diagonal: np.uint64,
    straight: np.uint64,
) -> np.uint64:
    theirs = positions[node, THEIRS]
    pawns, knights = positions[node, PAWN] & theirs, positions[node, KNIGHT] & theirs
    return attackers(king, occupied, pawns, knights, diagonal, straight)


@inlined
def _pinned(
    king: np.uint64, own: np.uint64, theirs: np.uint64, diagonal: np.uint64, straight: np.uint64
) -> np.uint64:
    """Return the mover's pieces that stand alone between the king and a sliding piece."""
    snipers = rook_attacks(king, theirs) & straight | bishop_attacks(king, theirs) & diagonal
    pinned = ZERO
    while snipers != ZERO:
        shields = between(king, lowest_index(snipers)) & own
        snipers &= snipers - ONE
        if shields & (shields - ONE) == ZERO:
            pinned |= shields
    return pinned


@inlined
def _attacked(
    positions: U64, node: np.uint64, occupied: np.uint64, diagonal: np.uint64, straight: np.uint64
) -> np.uint64:
    """Return every square the opponent attacks, given what stands in the way."""
    theirs = positions[node, THEIRS]
    attacked = falling_pawn_attacks(positions[node, PAWN] & theirs)
    attacked |= KING_LEAPS[lowest_index(positions[node, KING] & theirs)]
    knights = positions[node, KNIGHT] & theirs
    while knights != ZERO:
        attacked |= KNIGHT_LEAPS[lowest_index(knights)]
        knights &= knights - ONE
    while diagonal != ZERO:
        attacked |= bishop_attacks(lowest_index(diagonal), occupied)
        diagonal &= diagonal - ONE
    while straight != ZERO:
        attacked |= rook_attacks(lowest_index(straight), occupied)
        straight &= straight - ONE
    return np.uint64(attacked)


@inlined
def _list_king_moves(
    positions: U64,
    node: np.uint64,
    king: np.uint64,
    checkers: np.uint64,
    diagonal: np.uint64,
    straight: np.uint64,
    moves: U32,
    start: np.uint64,
) -> np.uint64:
    own = positions[node, OWN]
    occupied = own | positions[node, THEIRS]
    rights = positions[node, CASTLING] & own
    targets = KING_LEAPS[king] & ~own
    short = checkers == ZERO and rights & _H1 != ZERO and occupied & _SHORT_EMPTY == ZERO
    long = checkers == ZERO and rights & _A1 != ZERO and occupied & _LONG_EMPTY == ZERO
    if targets == ZERO and not short and not long:  # what is attacked need not be known
        return start
    attacked = _attacked(positions, node, occupied ^ (ONE << king), diagonal, straight)
    at = _list_targets(king, targets & ~attacked, KING, moves, start)
    if short and attacked & _SHORT_SAFE == ZERO:
        moves[at] = king | (king + _TWO) << TO_SHIFT | KING << PIECE_SHIFT
        at += ONE
    if long and attacked & _LONG_SAFE == ZERO:
        moves[at] = king | (king - _TWO) << TO_SHIFT | KING << PIECE_SHIFT
        at += ONE
    return at


@inlined
def _list_piece_moves(
    positions: U64,
    node: np.uint64,
    king: np.uint64,
    allowed: np.uint64,
    pinned: np.uint64,
    moves: U32,
    start: np.uint64,
) -> np.uint64:
    """List the moves of knights, bishops, rooks and queens to allowed squares."""
    own = positions[node, OWN]
    occupied = own | positions[node, THEIRS]
    at = start
    pieces = positions[node, KNIGHT] & own & ~pinned  # a pinned knight has no move
    while pieces != ZERO:
        square = lowest_index(pieces)
        at = _list_targets(square, KNIGHT_LEAPS[square] & allowed, KNIGHT, moves, at)
        pieces &= pieces - ONE
    pieces = (positions[node, BISHOP] | positions[node, ROOK] | positions[node, QUEEN]) & own
    while pieces != ZERO:
        square = lowest_index(pieces)
        bit = ONE << square
        targets, kind = ZERO, BISHOP
        if positions[node, ROOK] & bit == ZERO:
            targets = bishop_attacks(square, occupied)
        if positions[node, BISHOP] & bit == ZERO:
            targets |= rook_attacks(square, occupied)
            kind = ROOK if positions[node, ROOK] & bit != ZERO else QUEEN
        if pinned & bit != ZERO:
            targets &= line_through(king, square)
        at = _list_targets(square, targets & allowed, kind, moves, at)
        pieces &= pieces - ONE
    return at


@inlined
def _list_pawn_moves(
    positions: U64,
    node: np.uint64,
    king: np.uint64,
    allowed: np.uint64,
    pinned: np.uint64,
    moves: U32,
    start: np.uint64,
) -> np.uint64:
    """List the moves of pawns, en passant apart, to allowed squares: all pawns at once for each direction."""
    own, theirs = positions[node, OWN], positions[node, THEIRS]
    empty, pawns, takes = ~(own | theirs), positions[node, PAWN] & own, theirs & allowed
    steps = (pawns << _STEP) & empty
    two_steps = ((steps & RANK_3) << _STEP) & empty & allowed
    at = _list_pawns(steps & allowed, _STEP, king, pinned, moves, start)
    at = _list_pawns(two_steps, _TWO_STEPS, king, pinned, moves, at)
    at = _list_pawns(((pawns & ~FILE_A) << _LEFT) & takes, _LEFT, king, pinned, moves, at)
    return _list_pawns(((pawns & ~FILE_H) << _RIGHT) & takes, _RIGHT, king, pinned, moves, at)


@inner
def _list_pawns(
    targets: np.uint64, distance: np.uint64, king: np.uint64, pinned: np.uint64, moves: U32, start: np.uint64
) -> np.uint64:
    at = start
    while targets != ZERO:
        to = lowest_index(targets)
        square = to - distance
        is_held = pinned >> square & ONE != ZERO and line_through(king, square) >> to & ONE == ZERO
        targets &= targets - ONE
        if is_held:
            continue
        move = square | to << TO_SHIFT | PAWN << PIECE_SHIFT
        if to < _LAST_RANK:
            moves[at] = move
            at += ONE
        else:
            for kind in (KNIGHT, BISHOP, ROOK, QUEEN):
                moves[at] = move | kind << PROMOTED_SHIFT
                at += ONE
    return at


@inner
def _list_en_passant(positions: U64, node: np.uint64, moves: U32, start: np.uint64) -> np.uint64:
    to, takers = lowest_index(positions[node, EN_PASSANT]), en_passant_takers(positions, node)
    at = start
    while takers != ZERO:
        moves[at] = lowest_index(takers) | to << TO_SHIFT | PAWN << PIECE_SHIFT
        at += ONE
        takers &= takers - ONE
    return at


@inlined
def _list_targets(
    square: np.uint64, targets: np.uint64, kind: np.uint64, moves: U32, start: np.uint64
) -> np.uint64:
    """List a piece's moves to a set of squares; return where the list ends now."""
    at = start
    move = square | kind << PIECE_SHIFT
    while targets != ZERO:
        moves[at] = move | lowest_index(targets) << TO_SHIFT
        at += ONE
        targets &= targets - ONE
    return at
