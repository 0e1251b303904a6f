"""Which squares a piece attacks.

Sliding pieces by the difference of obstructions: on a line through the square, let `below` be the nearest
piece before it and `above` the nearest after it, as single bits; then `2 above - below` has exactly the bits
from one to the other set. Four masks a square (2 KB in all) are the whole table, which leaves the cache to
the search.

Verified: tests/games/chess/test_attacks.py.
"""

from collections.abc import Iterable

import numpy as np

from sog.core.bits import highest_bit
from sog.core.jit import ONE, ZERO, inlined
from sog.games.chess.board import FILE_A, FILE_H, NUM_SQUARES, U64

KNIGHT_STEPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))  # files, ranks
QUEEN_STEPS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))


def _walk(square: int, step: tuple[int, int]) -> list[int]:
    """Return the squares from one (left out) to the edge of the board."""
    found, file, rank = [], square % 8 + step[0], square // 8 + step[1]
    while 0 <= file < 8 and 0 <= rank < 8:
        found.append(8 * rank + file)
        file, rank = file + step[0], rank + step[1]
    return found


def _bits(squares: Iterable[int]) -> int:
    return sum(1 << square for square in squares)


def _leaps(steps: Iterable[tuple[int, int]]) -> U64:
    return np.array([_bits(q for step in steps for q in _walk(s, step)[:1]) for s in range(64)], np.uint64)


def _lines(step: tuple[int, int]) -> U64:
    """Return each square's line along a direction, both ways, the square itself left out."""
    back = -step[0], -step[1]
    return np.array([_bits(_walk(s, step) + _walk(s, back)) for s in range(NUM_SQUARES)], np.uint64)


def _make_between_and_lines() -> tuple[U64, U64]:
    between = np.zeros(NUM_SQUARES * NUM_SQUARES, np.uint64)
    lines = np.zeros(NUM_SQUARES * NUM_SQUARES, np.uint64)
    for a in range(NUM_SQUARES):
        for step in QUEEN_STEPS:
            way = _walk(a, step)
            line = _bits([*way, a, *_walk(a, (-step[0], -step[1]))])
            for distance, b in enumerate(way):
                between[a * NUM_SQUARES + b] = _bits(way[:distance])
                lines[a * NUM_SQUARES + b] = line
    return between, lines


KNIGHT_LEAPS = _leaps(KNIGHT_STEPS)  # [64]
KING_LEAPS = _leaps(QUEEN_STEPS)  # [64]
_FILES, _RISING, _RANKS, _FALLING = (_lines(step) for step in QUEEN_STEPS[:4])  # [64]
_BETWEEN, _THROUGH = _make_between_and_lines()  # [64 * 64]


@inlined
def _slide(line: np.uint64, bit: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the squares of a line that are seen from its square `bit`, the first pieces included."""
    before = bit - ONE
    blockers = line & occupied
    above = blockers & ~before
    below = highest_bit(blockers & before | ONE)
    return line & (((above & (ZERO - above)) << ONE) - below)


@inlined
def rook_attacks(square: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the squares a rook attacks."""
    bit = ONE << square
    return _slide(_FILES[square], bit, occupied) | _slide(_RANKS[square], bit, occupied)


@inlined
def bishop_attacks(square: np.uint64, occupied: np.uint64) -> np.uint64:
    """Return the squares a bishop attacks."""
    bit = ONE << square
    return _slide(_RISING[square], bit, occupied) | _slide(_FALLING[square], bit, occupied)


@inlined
def rising_pawn_attacks(pawns: np.uint64) -> np.uint64:
    """Return the squares the mover's pawns attack."""
    return (pawns & ~FILE_A) << np.uint64(7) | (pawns & ~FILE_H) << np.uint64(9)


@inlined
def falling_pawn_attacks(pawns: np.uint64) -> np.uint64:
    """Return the squares the opponent's pawns attack."""
    return (pawns & ~FILE_A) >> np.uint64(9) | (pawns & ~FILE_H) >> np.uint64(7)


@inlined
def between(one: np.uint64, other: np.uint64) -> np.uint64:
    """Return the squares strictly between two squares of a line; none if they share no line."""
    return np.uint64(_BETWEEN[one << np.uint64(6) | other])


@inlined
def line_through(one: np.uint64, other: np.uint64) -> np.uint64:
    """Return the whole line through two squares; empty if they share none."""
    return np.uint64(_THROUGH[one << np.uint64(6) | other])


@inlined
def attackers(
    square: np.uint64,
    occupied: np.uint64,
    pawns: np.uint64,
    knights: np.uint64,
    diagonal: np.uint64,
    straight: np.uint64,
) -> np.uint64:
    """Return which of the opponent's pieces, given by how they move and without the king, attack a square."""
    return np.uint64(
        rising_pawn_attacks(ONE << square) & pawns
        | KNIGHT_LEAPS[square] & knights
        | bishop_attacks(square, occupied) & diagonal
        | rook_attacks(square, occupied) & straight
    )
