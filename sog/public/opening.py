"""One way in: a game's public view, and a store of its public states.

Verified: tests/public/test_opening.py.
"""

from typing import Any, Protocol

from sog.games.base import Encoding
from sog.games.view import PublicView
from sog.public.derived import DerivedView
from sog.public.store import StateStore


class Viewed(Protocol):
    """A game, or a spot of one, that may have a view written by hand."""

    def own_view(self, world: Any = None) -> PublicView | None:
        """Return the view written by hand, if there is one."""


def open_view(game: Any, world: Any = None) -> PublicView:
    """Return a game's own view, else the one derived from its worlds."""
    own: PublicView | None = game.own_view(world)
    return DerivedView(game) if own is None else own


def encoding_of(game: Any) -> Encoding:
    """Return the sizes of what networks are shown of a game."""
    return open_store(game).encoded.encoding


def open_store(game: Any, world: Any = None) -> StateStore:
    """Return a new store of a game's public states."""
    return StateStore(open_view(game, world))
