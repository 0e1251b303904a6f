"""The chess board as a seat sees it, and the last moves.

Verified: tests/games/test_pictures.py.
"""

from typing import TYPE_CHECKING

from sog.games.chess.board import PLY
from sog.games.chess.fen import write_fen
from sog.games.chess.moves import in_check
from sog.games.picture import OWNERS, History, Picture, Span, grid, lines

if TYPE_CHECKING:
    from sog.games.chess.game import Chess

_FILES, _RANKS = "abcdefgh", "87654321"
_RECENT = 8  # half moves


def draw(game: "Chess", history: History, seat: int) -> Picture:
    """Draw the board, White's pieces as capitals, with the seat's side below."""
    board = write_fen(history.world.position).split()[0]
    for digit in "12345678":
        board = board.replace(digit, "." * int(digit))
    cells = [[_cell(letter) for letter in row] for row in board.split("/")]
    name = game.action_name(history.worlds[-2], history.actions[-1]) if history.actions else ""
    squares = [name[at : at + 2] for at in (0, 2)] if name else []
    marked = [(_RANKS.index(square[1]), _FILES.index(square[0])) for square in squares]
    files, ranks = _FILES, _RANKS
    if seat == 1:
        cells = [row[::-1] for row in cells[::-1]]
        marked = [(7 - row, 7 - column) for row, column in marked]
        files, ranks = files[::-1], ranks[::-1]
    return grid(cells, files, ranks, marked) + lines(_tell(game, history))


def _cell(letter: str) -> Span:
    return Span(letter) if letter == "." else Span(letter, OWNERS[letter.islower()])


def _tell(game: "Chess", history: History) -> str:
    """Return who is to move, and the last moves in algebraic notation."""
    position = history.world.position
    turn = ("White", "Black")[int(position[PLY]) % 2]
    check = ", in check" if in_check(position) else ""
    words = list[str]()
    first = max(0, len(history.actions) - _RECENT)
    for world, action in zip(history.worlds[first:], history.actions[first:], strict=False):
        ply = int(world.position[PLY])
        if ply % 2 == 0 or not words:
            words.append(f"{ply // 2 + 1}{'.' if ply % 2 == 0 else '...'}")
        words.append(game.notation.name(world, action))
    told = f"{turn} to move{check}."
    return f"{told}   {'… ' if first else ''}{' '.join(words)}" if words else told
