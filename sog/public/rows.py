"""Positions of board games as rows of flat arrays, one class a game over the kernels of its rules.

Small games have no kernels: there a row is a world (`sog.public.world_rows`).

A search of a game without secrets needs no worlds: a public state is a position, and a position is a row of
numbers. Rows are only ever added; `preview` looks at every child of a position without keeping any. All is
asked of many positions at once, since a call takes longer than a look.

Verified: tests/public/test_boards.py.
"""

from typing import Any, Protocol

from sog.core.arrays import F32, U32
from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.chess.game import Chess
from sog.games.connect_four import ConnectFour
from sog.games.go.game import Go
from sog.public.chess_rows import ChessRows
from sog.public.connect_four_rows import ConnectFourRows
from sog.public.go_rows import GoRows
from sog.public.looks import Looks
from sog.public.world_rows import WorldRows


class Rows(Protocol):
    """Positions of one game."""

    @property
    def root(self) -> int:
        """The row that a search begins with."""

    def look(self, rows: U32) -> tuple[Looks, U32]:
        """Return what there is to know of B positions, and their legal actions one after the other."""

    def add(self, rows: U32, actions: U32) -> int:
        """Add the positions after an action in each of B rows; return the first one's row."""

    def preview(self, rows: U32, counts: U32, actions: U32) -> Looks:
        """Return what there is to know after each action; counts [B] of each row's actions."""

    def write_features(self, rows: U32, features: F32) -> None:
        """Write what networks see of B positions; features [B, F] modified in place."""


def open_rows(game: AnyGame, world: Any = None) -> Rows:
    """Return the rows of a board game, beginning with a world (default: the start of the game)."""
    if isinstance(game, Chess):
        return ChessRows(game, world or game.initial_world())
    if isinstance(game, Go):
        return GoRows(game, world or game.initial_world())
    if isinstance(game, ConnectFour):
        return ConnectFourRows(world or game.initial_world())
    if is_board_game(game):
        return WorldRows(game, game.initial_world() if world is None else world)
    raise InputError(f"{game.info.name} has no positions without secrets: its worlds are searched instead")


def is_board_game(game: AnyGame) -> bool:
    """Whether nothing is hidden and the game shows networks planes of a board."""
    encoding = game.encoding
    return game.info.is_perfect_information and encoding is not None and len(encoding.features) == 3
