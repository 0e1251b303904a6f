"""Moves as text: UCI's coordinates (`e7e8q`) and standard algebraic notation (`exd8=Q+`), in and out.

Verified: tests/games/chess/test_notation.py.
"""

import re
from typing import NamedTuple

from sog.core.errors import InputError
from sog.games.chess.board import PIECE_LETTERS, PLY, SQUARE_NAMES, THEIRS, TURN, U64, square_of
from sog.games.chess.moves import in_check, legal_moves
from sog.games.chess.play import after
from sog.games.parameters import shorten

_SAN = re.compile(r"([NBRQK]?)([a-h]?)([1-8]?)[x-]?([a-h][1-8])(?:=?([NBRQ]))?")
_CASTLING = {"O-O": 2, "O-O-O": -2}  # by how far the king goes
_KING = PIECE_LETTERS.index("k")


class Parts(NamedTuple):
    """A move taken apart; squares as White sees them."""

    start: int
    end: int
    piece: int
    promoted: int  # 0 for none


def move_parts(move: int, black: int) -> Parts:
    """Return the parts of a move; `black` is 1 if Black makes it."""
    turn = TURN * black
    return Parts(move & 63 ^ turn, move >> 6 & 63 ^ turn, move >> 12 & 7, move >> 15)


def write_uci(move: int, black: int) -> str:
    """Return a move as UCI writes it; `black` is 1 if Black makes it.

    >>> write_uci(12 | 28 << 6, 0)
    'e2e4'
    """
    parts = move_parts(move, black)
    promotion = PIECE_LETTERS[parts.promoted] if parts.promoted else ""
    return SQUARE_NAMES[parts.start] + SQUARE_NAMES[parts.end] + promotion


def read_uci(position: U64, text: str) -> int:
    """Return the legal move that UCI's text names."""
    black = int(position[PLY]) % 2
    for move in map(int, legal_moves(position)):
        if write_uci(move, black) == text:
            return move
    raise InputError(f"{shorten(text)} is no legal move here")


def write_san(position: U64, move: int) -> str:
    """Return a legal move in standard algebraic notation."""
    parts = move_parts(move, int(position[PLY]) % 2)
    child = after(position, move)
    suffix = "" if not in_check(child) else "+" if len(legal_moves(child)) else "#"
    if parts.piece == _KING and abs(parts.end - parts.start) == 2:
        return ("O-O" if parts.end > parts.start else "O-O-O") + suffix
    start, end = SQUARE_NAMES[parts.start], SQUARE_NAMES[parts.end]
    if parts.piece:
        takes = "x" if int(position[THEIRS]) >> (move >> 6 & 63) & 1 else ""
        return PIECE_LETTERS[parts.piece].upper() + _origin(position, move) + takes + end + suffix
    takes = f"{start[0]}x" if start[0] != end[0] else ""
    promotion = f"={PIECE_LETTERS[parts.promoted].upper()}" if parts.promoted else ""
    return takes + end + promotion + suffix


def read_san(position: U64, text: str) -> int:
    """Return the legal move that standard algebraic notation names; marks of check are not needed."""
    bare = text.strip().rstrip("+#!?").replace("0-0", "O-O").replace("O-0", "O-O")
    black = int(position[PLY]) % 2
    moves = [(move, move_parts(move, black)) for move in map(int, legal_moves(position))]
    if bare in _CASTLING:
        way = _CASTLING[bare]
        found = [move for move, parts in moves if parts.piece == _KING and parts.end - parts.start == way]
    else:
        match = _SAN.fullmatch(bare)
        if match is None:
            raise InputError(f"{shorten(text)} is no move in algebraic notation")
        found = [move for move, parts in moves if _matches(parts, match)]
    if not found:
        raise InputError(f"{shorten(text)} is no legal move here")
    if len(found) > 1:
        raise InputError(f"{shorten(text)} could be {' or '.join(write_uci(move, black) for move in found)}")
    return found[0]


def _matches(parts: Parts, match: re.Match[str]) -> bool:
    letter, file, rank, end, promoted = match.groups()
    start = SQUARE_NAMES[parts.start]
    is_same = parts.piece == PIECE_LETTERS.index(letter.lower() or "p") and parts.end == square_of(end)
    kind = PIECE_LETTERS.index(promoted.lower()) if promoted else 0
    is_castling = parts.piece == _KING and abs(parts.end - parts.start) == 2
    return (
        is_same
        and not is_castling
        and parts.promoted == kind
        and file in ("", start[0])
        and rank in ("", start[1])
    )


def _origin(position: U64, move: int) -> str:
    """Return as much of a piece's square as tells it from others of its kind that could go there too."""
    black = int(position[PLY]) % 2
    parts = move_parts(move, black)
    start = SQUARE_NAMES[parts.start]
    others = [
        SQUARE_NAMES[other.start]
        for other in (move_parts(int(legal), black) for legal in legal_moves(position))
        if other.piece == parts.piece and other.end == parts.end and other.start != parts.start
    ]
    if not others:
        return ""
    if all(other[0] != start[0] for other in others):
        return start[0]
    if all(other[1] != start[1] for other in others):
        return start[1]
    return start
