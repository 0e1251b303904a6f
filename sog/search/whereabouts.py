"""Where a play stands in a store, as a referee follows it: the public state, and what it hides.

Verified: tests/search/test_player.py.
"""

from sog.games.base import TERMINAL
from sog.public.store import ROOT, StateStore


class Whereabouts:
    """Follows one play, move by move; moves are numbered as the game lists them."""

    def __init__(self, store: StateStore) -> None:
        self.store = store
        self.node, self._place = ROOT, 0

    def infostate(self, player: int) -> int:
        """Return the infostate that a player is in."""
        return self.store.refereed.rows(self.store, self.node, self._place)[player]

    def pass_waits(self) -> bool:
        """Go one step towards the public state in which the player to move is asked to; False if it is here.

        Dark games let others wait.
        """
        if not self.store.refereed.waits(self.store, self.node, self._place):
            return False
        self.follow(0)
        return True

    def follow(self, move: int) -> None:
        """Go where a move leads."""
        if self.store.actor(self.node) == TERMINAL:
            raise ValueError("the game is over")
        ordinal, self._place = self.store.refereed.move(self.store, self.node, self._place, move)
        self.node = self.store.children(self.node)[ordinal]
