"""Positions as text: Forsyth-Edwards notation, in and out.

Written as strict readers want it: the en passant square only if a capture there is legal.

Verified: tests/games/chess/test_fen.py.
"""

import re

import numpy as np

from sog.core.errors import InputError
from sog.games.chess.attacks import KING_LEAPS
from sog.games.chess.board import (
    CASTLING,
    CLOCK,
    EN_PASSANT,
    HASH,
    KIND_BITS,
    KING,
    NUM_KINDS,
    OWN,
    PAWN,
    PIECE_LETTERS,
    PIECE_SHIFT,
    PLY,
    POSITION_WORDS,
    ROOK,
    SQUARE_BITS,
    SQUARE_NAMES,
    THEIRS,
    TO_SHIFT,
    U64,
    square_of,
)
from sog.games.chess.hashing import full_hash
from sog.games.chess.moves import in_check, legal_moves
from sog.games.parameters import shorten

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

_CASTLING_LETTERS = {"K": "h1", "Q": "a1", "k": "h8", "q": "a8"}  # where the rook stands
_KING_HOMES = {True: "e1", False: "e8"}  # by whether the letter is White's
_FULL_SET = {"p": 8, "n": 2, "b": 2, "r": 2, "q": 1, "k": 1}
_MAX_COUNT = 9999  # of half moves and moves
_LAST_RANKS = 0xFF | 0xFF << 56


def read_fen(text: str) -> U64:
    """Return the position that a FEN describes, [POSITION_WORDS]; the two counters may be left out.

    >>> write_fen(read_fen("8/8/8/8/8/4k3/4p3/4K3 w - -"))
    '8/8/8/8/8/4k3/4p3/4K3 w - - 0 1'
    """
    fields = text.split()
    if len(fields) == 4:
        fields += ["0", "1"]
    if len(fields) != 6:
        raise _error(text, "it must have six fields")
    board, turn, castling, en_passant, clock, number = fields
    if turn not in ("w", "b"):
        raise _error(text, "the second field must be w or b")
    words = _read_board(text, board)
    _check_pieces(text, words)
    words[CASTLING] = _read_castling(text, castling, words)
    words[EN_PASSANT] = _read_en_passant(text, en_passant, turn, words)
    words[CLOCK] = _read_count(text, clock)
    words[PLY] = 2 * max(_read_count(text, number) - 1, 0) + (turn == "b")
    position = np.array(words if turn == "w" else _turned(words), np.uint64)
    if _kings_touch(words):
        raise _error(text, "the kings stand next to each other")
    if in_check(np.array(_turned([int(word) for word in position]), np.uint64)):
        raise _error(text, "the player who is not to move is in check")
    return _settle(position)


def write_fen(position: U64) -> str:
    """Return the FEN of a position."""
    words = [int(word) for word in position]
    black = words[PLY] % 2
    if black:
        words = _turned(words)
    castling = "".join(
        letter for letter, rook in _CASTLING_LETTERS.items() if words[CASTLING] >> square_of(rook) & 1
    )
    en_passant = SQUARE_NAMES[words[EN_PASSANT].bit_length() - 1] if words[EN_PASSANT] else "-"
    turn, number = "wb"[black], words[PLY] // 2 + 1
    return f"{_write_board(words)} {turn} {castling or '-'} {en_passant} {words[CLOCK]} {number}"


def _error(text: str, reason: str) -> InputError:
    return InputError(f"cannot read the FEN {shorten(text, 100)}: {reason}")


def _turned(words: list[int]) -> list[int]:
    """Return a position's words as the other player sees them."""
    turned = list(words)
    for word in (*range(NUM_KINDS), OWN, THEIRS, CASTLING, EN_PASSANT):
        turned[word] = int.from_bytes(words[word].to_bytes(8, "little"), "big")
    turned[OWN], turned[THEIRS] = turned[THEIRS], turned[OWN]
    return turned


def _kings_touch(words: list[int]) -> bool:
    white, black = (np.uint64(words[KING] & words[side]) for side in (OWN, THEIRS))
    return bool(KING_LEAPS[int(white).bit_length() - 1] & black)


def _settle(position: U64) -> U64:
    """Drop an en passant square that no pawn may take on, and hash what is left."""
    target = int(position[EN_PASSANT]).bit_length() - 1
    for move in legal_moves(position):
        if int(move) >> TO_SHIFT & SQUARE_BITS == target and int(move) >> PIECE_SHIFT & KIND_BITS == PAWN:
            break
    else:
        position[EN_PASSANT] = 0
    position[HASH] = full_hash(position)
    return position


def _read_board(text: str, board: str) -> list[int]:
    """Return the words of a position with its pieces, White's as the mover's."""
    words = [0] * POSITION_WORDS
    rows = board.split("/")
    if len(rows) != 8:
        raise _error(text, "the board must have eight ranks")
    for rank, row in zip(range(7, -1, -1), rows, strict=True):
        spread = re.sub("[1-8]", lambda digit: "." * int(digit[0]), row)
        if len(spread) != 8 or not set(spread.lower()) <= {*PIECE_LETTERS, "."}:
            raise _error(text, f"rank {rank + 1} is {row!r}")
        for file, letter in enumerate(spread):
            if letter != ".":
                bit = 1 << (8 * rank + file)
                words[PIECE_LETTERS.index(letter.lower())] |= bit
                words[OWN if letter.isupper() else THEIRS] |= bit
    return words


def _write_board(words: list[int]) -> str:
    """Return the board's field, White as the mover."""
    rows = []
    for rank in range(7, -1, -1):
        row = "".join(_letter(words, 8 * rank + file) for file in range(8))
        rows.append(re.sub(r"\.+", lambda gap: str(len(gap[0])), row))
    return "/".join(rows)


def _letter(words: list[int], square: int) -> str:
    for kind, letter in enumerate(PIECE_LETTERS):
        if words[kind] >> square & 1:
            return letter.upper() if words[OWN] >> square & 1 else letter
    return "."


def _check_pieces(text: str, words: list[int]) -> None:
    """Refuse piece counts that no game reaches: lists of moves are as long as such positions need at most."""
    if words[PAWN] & _LAST_RANKS:
        raise _error(text, "a pawn is on the first or last rank")
    for colour, side in (("White", OWN), ("Black", THEIRS)):
        counts = {
            letter: (words[kind] & words[side]).bit_count() for kind, letter in enumerate(PIECE_LETTERS)
        }
        if counts["k"] != 1:
            raise _error(text, f"{colour} has {counts['k']} kings")
        promoted = sum(max(counts[letter] - _FULL_SET[letter], 0) for letter in "nbrq")
        if counts["p"] + promoted > _FULL_SET["p"]:
            raise _error(text, f"{colour} has more pieces than a game can give")


def _read_castling(text: str, field: str, words: list[int]) -> int:
    if field == "-":
        return 0
    rights = 0
    for letter in field:
        if letter not in _CASTLING_LETTERS or field.count(letter) > 1:
            raise _error(text, f"castling rights are {field!r}")
        side = words[OWN] if letter.isupper() else words[THEIRS]
        king, rook = square_of(_KING_HOMES[letter.isupper()]), square_of(_CASTLING_LETTERS[letter])
        if not words[KING] & side & 1 << king or not words[ROOK] & side & 1 << rook:
            raise _error(text, f"no king and rook stand where the castling right {letter} needs them")
        rights |= 1 << rook
    return rights


def _read_en_passant(text: str, field: str, turn: str, words: list[int]) -> int:
    if field == "-":
        return 0
    rank, step, mover = ("6", -8, THEIRS) if turn == "w" else ("3", 8, OWN)
    if field not in SQUARE_NAMES or field[1] != rank:
        raise _error(text, f"the en passant square is {field!r}")
    square = square_of(field)
    occupied = words[OWN] | words[THEIRS]
    is_pawn = words[PAWN] & words[mover] & 1 << (square + step)
    if not is_pawn or occupied & (1 << square | 1 << (square - step)):
        raise _error(text, f"no pawn has just passed the en passant square {field}")
    return 1 << square


def _read_count(text: str, field: str) -> int:
    if not field.isascii() or not field.isdigit() or int(field[:6]) > _MAX_COUNT or len(field) > 6:
        raise _error(text, f"{field!r} is no number of moves")
    return int(field)
