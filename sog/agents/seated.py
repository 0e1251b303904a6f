"""What bots of ours share: a cursor, random choices, and one way to choose.

Verified: tests/agents/test_seated.py.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Any

from sog.agents.bot import NO_LIMITS, Explanation, Limits, Watch
from sog.agents.cursor import Cursor, Stores
from sog.core.errors import InputError
from sog.core.rng import make_rng
from sog.games.base import AnyGame
from sog.public.opening import open_store
from sog.public.store import StateStore


class SeatedBot(ABC):
    """Thinks about the infostate that its cursor is in, then plays the best move or draws one.

    Where nothing is hidden the best move is as good as any mixture; elsewhere a bot must mix.
    """

    def __init__(self, stores: Stores | None = None) -> None:
        self._stores = stores or Stores()
        self._explanation: Explanation | None = None  # of the present turn
        self._chosen: int | None = None  # by act, not heard of yet

    def begin(self, game: AnyGame, seat: int, seed: int, world: Any = None) -> None:
        """Sit down at the start of a game, or in a world of it."""
        self.game, self._rng = game, make_rng(seed)
        self.cursor = Cursor(self._open(game, world), seat)
        self._explanation = self._chosen = None

    def observe(self, public: Hashable, private: Hashable, move: int | None = None) -> None:
        """Hear of a move."""
        self.cursor.hear(public, private, self._chosen if move is None else move)
        self._explanation = self._chosen = None

    def act(self, limits: Limits = NO_LIMITS, watch: Watch | None = None) -> int:
        """Think, and choose."""
        self.cursor.arrive()
        is_open = self.cursor.store.facts.hides_nothing
        if is_open and self.cursor.num_moves == 1 and watch is None:
            self._chosen = 0
            return 0
        self._explanation = thought = self._think(limits, watch)
        move = thought.best if is_open else int(self._rng.choice(len(thought.weights), p=thought.policy))
        self._chosen = move
        return move

    def explain(self) -> Explanation:
        """Return what the bot thinks of its turn."""
        if self._explanation is None:
            self.cursor.arrive()
            self._explanation = self._think(NO_LIMITS, None)
        return self._explanation

    def close(self) -> None:
        """Let go of the last search."""
        self._explanation = None

    def _open(self, game: AnyGame, world: Any) -> StateStore:
        """Return the store to follow a play in."""
        if world is None:
            return self._stores.open(game)
        if not game.info.is_perfect_information:
            raise InputError(f"{game.info.name} hides something: a bot must hear it from the start")
        return open_store(game, world)

    @abstractmethod
    def _think(self, limits: Limits, watch: Watch | None) -> Explanation:
        """Return what there is to say of the moves at the cursor."""


class UniformBot(SeatedBot):
    """Plays every legal move equally often.

    >>> from sog.games.registry import load
    >>> bot = UniformBot()
    >>> bot.begin(load("tictactoe"), seat=0, seed=1)
    >>> bot.act() in range(9)
    True
    """

    def act(self, limits: Limits = NO_LIMITS, watch: Watch | None = None) -> int:
        """Draw a move."""
        self.cursor.arrive()
        self._chosen = int(self._rng.integers(self.cursor.num_moves))
        return self._chosen

    def _think(self, limits: Limits, watch: Watch | None) -> Explanation:
        names = self.cursor.action_names()
        return Explanation(names, [1 / len(names)] * len(names))
