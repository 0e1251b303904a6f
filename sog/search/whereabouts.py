"""Where a play stands in a store: the public state, and the row of the play in it.

Verified: tests/search/test_player.py.
"""

from sog.games.base import TERMINAL
from sog.public.plays import infostates_at, is_waiting
from sog.public.store import ROOT, StateStore


class Whereabouts:
    """Follows one play, move by move; moves are numbered as the game lists them."""

    def __init__(self, store: StateStore) -> None:
        self.store = store
        self.node, self._world = ROOT, 0

    def infostate(self, player: int) -> int:
        """Return the infostate that a player is in."""
        return infostates_at(self.store, self.node, self._world)[player]

    def pass_waits(self) -> bool:
        """Go one step towards the public state in which whoever is to move is asked to; False if it is here.

        Dark games let others wait.
        """
        if not is_waiting(self.store, self.node, self._world):
            return False
        self.follow(0)
        return True

    def follow(self, move: int) -> None:
        """Go where a move leads."""
        if self.store.actor(self.node) == TERMINAL:
            raise ValueError("the game is over")
        self.node, self._world = self.store.follow(self.node, self._world, move)
