"""The Go board with its coordinates, the last move marked.

Verified: tests/games/test_pictures.py.
"""

from typing import TYPE_CHECKING

from sog.games.go.layout import NUM_MOVES, PASSES, TO_PLAY
from sog.games.go.vertices import COLUMNS
from sog.games.picture import OWNERS, History, Picture, Span, grid, lines

if TYPE_CHECKING:
    from sog.games.go.game import Go


def draw(game: "Go", history: History) -> Picture:
    """Draw the board: X is black, O is white."""
    world, size = history.world, game.size
    cells = [
        [Span(cell) if cell == "." else Span(cell, OWNERS[cell == "O"]) for cell in line]
        for line in world.lines()
    ]
    marked = []
    if history.last is not None and history.last < size * size:
        row, column = divmod(history.last, size)
        marked = [(size - 1 - row, column)]
    names = [str(line) for line in range(size, 0, -1)]
    turn = ("Black (X)", "White (O)")[int(world.facts[TO_PLAY])]
    passed = ", who was passed to" if world.facts[PASSES] else ""
    last = "" if history.last is None else f"   Last: {game.action_name(world, history.last)}"
    told = f"{turn} to move{passed}.   Move {int(world.facts[NUM_MOVES]) + 1}, komi {game.komi:g}{last}"
    return grid(cells, COLUMNS[:size], names, marked) + lines(told)
