"""Where a seat stands in a play: a public state of the store, and the seat's own infostate there.

A cursor knows what its seat was told. It goes on when its seat is to act: only then is the place certain in
dark games, where players do not know how often the other has moved.

Verified: tests/agents/test_cursor.py.
"""

from collections.abc import Hashable

from sog.core.arrays import MB
from sog.games.base import NUM_PLAYERS, AnyGame
from sog.games.view import Heard
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore

_MOST_NODES, _MOST_BYTES = 1_000_000, 500 * MB  # of a store: a new one is opened beyond


class Cursor:
    """Follows one play from one seat.

    >>> from sog.games.registry import load
    >>> cursor = Cursor(open_store(load("kuhn")), seat=0)
    >>> cursor.hear("deal", "K"); cursor.hear("deal", None)
    >>> cursor.arrive(); cursor.action_names()
    ['pass', 'bet']
    """

    def __init__(self, store: StateStore, seat: int) -> None:
        if seat not in range(NUM_PLAYERS):
            raise ValueError(f"seat must be 0 or 1, not {seat}")
        self.store, self.seat = store, seat
        self.node, self.row = ROOT, 0  # where the seat was when it last had to act, or the start
        self._heard: list[Heard] = []  # since

    def hear(self, public: Hashable, private: Hashable, move: int | None = None) -> None:
        """Hear of a move; `move` is the number of it, if it is the seat's own."""
        self._heard.append(Heard(public, private, move))

    def arrive(self) -> None:
        """Go where the seat is to act."""
        store = self.store
        self.node, self.row = store.told.follow(store, self.node, self.seat, self.row, self._heard)
        self._heard = []
        if store.actor(self.node) != self.seat:
            raise ValueError(f"it is not the turn of player {self.seat}")

    @property
    def num_moves(self) -> int:
        """How many legal moves the seat has."""
        return int(self.store.legal(self.node)[self.row])

    def action_names(self) -> list[str]:
        """Return the names of the seat's legal moves."""
        return self.store.named.action_names(self.store, self.node, self.row)


class Stores:
    """Public states that the bots of a process share: rules of one game, and nothing of a play."""

    def __init__(self) -> None:
        self._name = ""
        self._store: StateStore | None = None

    def open(self, game: AnyGame) -> StateStore:
        """Return the store of a game, a new one if the last was of another or has grown too large."""
        store = self._store
        if store is None or self._name != game.info.name or _is_large(store):
            store = self._store = open_store(game)
            self._name = game.info.name
        return store


def _is_large(store: StateStore) -> bool:
    return store.num_nodes > _MOST_NODES or store.num_bytes + store.num_code_bytes > _MOST_BYTES
