"""Continual re-solving as a player: hears of every move, searches when asked, and plays what it found.

The player follows the play through the store by its public state and its own infostate. Each search continues
the one before it (`sog.search.resolving`), also across states that the previous tree did not hold, such as
after an action that the search thought not worth adding. As in the papers, the opponent's turns are searched
too, if wished: that keeps the summary close to the play, for twice the work.

Verified: tests/search/test_player.py.
"""

from abc import ABC, abstractmethod

import numpy as np

from sog.core.arrays import F64
from sog.games.base import NUM_PLAYERS
from sog.public.store import StateStore
from sog.search.gtcfr import Searcher
from sog.search.resolving import next_task
from sog.search.result import SearchResult
from sog.search.whereabouts import Whereabouts

_NEXT_SEED = 0x9E3779B97F4A7C15
_MASK = 2**64 - 1


class SeatedPlayer(ABC):
    """One seat of one play of a game: a referee calls `note` with every move, chance's and hidden ones too.

    Moves are numbered as the game lists them; what the player does depends on its own infostate alone.
    """

    def __init__(self, store: StateStore, seat: int) -> None:
        if seat not in range(NUM_PLAYERS):
            raise ValueError(f"seat must be 0 or 1, not {seat}")
        self.store, self._seat = store, seat
        self._where = Whereabouts(store)

    @abstractmethod
    def note(self, move: int) -> None:
        """Hear of a move, whosever it is."""

    def choose(self, rng: np.random.Generator) -> int:
        """Return one of the moves of the player's turn."""
        probabilities = self.probabilities()
        return int(rng.choice(probabilities.size, p=probabilities / probabilities.sum()))

    def probabilities(self) -> F64:
        """Return how often the player plays each of its moves here."""
        self._arrive()
        node = self._where.node
        if self.store.actor(node) != self._seat:
            raise ValueError(f"it is not the turn of player {self._seat}")
        infostate = self._where.infostate(self._seat)
        return self._policy(node)[: int(self.store.legal(node)[infostate]), infostate]

    @abstractmethod
    def _arrive(self) -> None:
        """Go to the public state in which whoever is to move is asked to."""

    @abstractmethod
    def _policy(self, node: int) -> F64:
        """Return how the player's infostates play at the present node: [A, H]."""


class Player(SeatedPlayer):
    """Searches on at every turn.

    >>> from sog.games.registry import load
    >>> from sog.public.opening import open_store
    >>> from sog.search.settings import SearchSettings
    >>> searcher = Searcher(open_store(load("kuhn")), None, SearchSettings(simulations=50))
    >>> player = Player(searcher, seat=0, seed=1)
    >>> player.note(2); player.note(0)  # chance deals the king, and the opponent the jack
    >>> player.probabilities().size
    2
    """

    def __init__(
        self, searcher: Searcher, seat: int, seed: int, searches_opponent_turns: bool = False
    ) -> None:
        super().__init__(searcher.store, seat)
        self._searcher, self._seed = searcher, seed
        self._searches_opponent_turns = searches_opponent_turns
        self._last: SearchResult | None = None
        self._found: SearchResult | None = None  # of the present state

    def note(self, move: int) -> None:
        """Hear of a move, whosever it is."""
        self._arrive()
        opponent = 1 - self._seat
        if self._searches_opponent_turns and self.store.actor(self._where.node) == opponent:
            self._search()
        self._where.follow(move)
        self._found = None

    def _policy(self, node: int) -> F64:
        return self._search().policy

    def _search(self) -> SearchResult:
        """Search the present state, once."""
        if self._found is None:
            is_safe = self._searcher.settings.is_safe
            task = next_task(self.store, self._last, self._where.node, self._seat, is_safe)
            self._seed = (self._seed * _NEXT_SEED + 1) & _MASK
            self._last = self._found = self._searcher.search(task, self._seed)
        return self._found

    def _arrive(self) -> None:
        while self._where.pass_waits():
            self._found = None
