"""One way in: a game's public view, and a store of its public states.

Verified: tests/public/test_opening.py.
"""

from typing import Any, Protocol

from sog.core.errors import InputError
from sog.games.base import Encoding
from sog.games.board_view import WorldBoardView, is_board_game
from sog.games.view import PublicView
from sog.public.derived import DerivedView
from sog.public.store import StateStore


class Viewed(Protocol):
    """A game, or a spot of one, that may have a view written by hand."""

    def own_view(self, world: Any = None) -> PublicView | None:
        """Return the view written by hand, if there is one."""


def open_view(game: Any, world: Any = None) -> PublicView:
    """Return a game's own view, else one of its worlds; on a board, from a world on. A view is its own.

    >>> from sog.games.registry import load
    >>> [type(open_view(load(name))).__name__ for name in ("go", "tictactoe", "kuhn")]
    ['GoView', 'WorldBoardView', 'DerivedView']
    """
    if isinstance(game, PublicView):
        return game
    own: PublicView | None = game.own_view(world)
    if own is not None:
        return own
    if is_board_game(game):
        return WorldBoardView(game, world)
    if world is not None:
        raise InputError(f"{game.info.name}: its public view begins at the start of the game alone")
    return DerivedView(game)


def encoding_of(game: Any) -> Encoding:
    """Return the sizes of what networks are shown of a game."""
    return open_store(game).encoded.encoding


def open_store(game: Any, world: Any = None) -> StateStore:
    """Return a new store of a game's public states."""
    return StateStore(open_view(game, world))
