"""What bots of ours share: random choices, one way to choose, and mostly a cursor.

Verified: tests/agents/test_tabular.py, tests/agents/test_rollouts.py.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from copy import copy
from typing import Any, Self

from sog.agents.bot import NO_LIMITS, Explanation, Limits, Watch
from sog.agents.cursor import Cursor, Stores
from sog.core.errors import InputError
from sog.core.rng import make_rng
from sog.games.base import AnyGame
from sog.public.opening import open_store
from sog.public.store import StateStore


class OwnBot(ABC):
    """Thinks, then plays the best move or draws one.

    Where nothing is hidden the best move is as good as any mixture; elsewhere a bot must mix.
    """

    draws = True  # a move, where something is hidden; False plays the best one there too

    def __init__(self) -> None:
        self._explanation: Explanation | None = None  # of the present turn
        self._chosen: int | None = None  # by act, not heard of yet

    def begin(self, game: AnyGame, seat: int, seed: int, world: Any = None) -> None:
        """Sit down."""
        self.game, self.seat, self._rng = game, seat, make_rng(seed)
        self._explanation = self._chosen = None

    def observe(self, public: Hashable, private: Hashable, move: int | None = None) -> None:
        """Hear of a move."""
        self._hear(public, private, self._chosen if move is None else move)
        self._explanation = self._chosen = None

    def act(self, moves: Sequence[str], limits: Limits = NO_LIMITS, watch: Watch | None = None) -> int:
        """Think, and choose."""
        is_open = self.game.info.is_perfect_information
        if is_open and len(moves) == 1 and watch is None:
            self._chosen = 0
            return 0
        thought = self._explanation
        if thought is None or limits != NO_LIMITS or watch is not None:
            self._explanation = thought = self._think(moves, limits, watch)
        if len(thought.names) != len(moves):
            raise ValueError(f"{self.game.info.name}: not {len(thought.names)} moves, but {len(moves)}")
        is_best = is_open or not self.draws
        move = thought.best if is_best else int(self._rng.choice(len(moves), p=thought.policy))
        self._chosen = move
        return move

    def explain(self) -> Explanation:
        """Return what the bot thinks of its turn."""
        if self._explanation is None:
            self._explanation = self._think(self._moves(), NO_LIMITS, None)
        return self._explanation

    def close(self) -> None:
        """Let go of the last thought."""
        self._explanation = None

    @abstractmethod
    def _hear(self, public: Hashable, private: Hashable, move: int | None) -> None:
        """Take note of a move, and of its number if it is the seat's own."""

    @abstractmethod
    def _moves(self) -> Sequence[str]:
        """Return the names of the legal moves of the turn."""

    @abstractmethod
    def _think(self, moves: Sequence[str], limits: Limits, watch: Watch | None) -> Explanation:
        """Return what there is to say of the moves of the turn."""


class CursorBot(OwnBot):
    """Follows the play by a cursor."""

    def __init__(self, stores: Stores | None = None) -> None:
        super().__init__()
        self._stores = stores or Stores()

    def begin(self, game: AnyGame, seat: int, seed: int, world: Any = None) -> None:
        """Sit down at the start of a game, or in a world of it."""
        super().begin(game, seat, seed, world)
        self.cursor = Cursor(self._open(game, world), seat)

    def another(self) -> Self:
        """Return a bot for another game at the same time; both share what neither changes."""
        return copy(self)

    def _hear(self, public: Hashable, private: Hashable, move: int | None) -> None:
        self.cursor.hear(public, private, move)

    def _moves(self) -> Sequence[str]:
        self.cursor.arrive()
        return self.cursor.action_names()

    def _think(self, moves: Sequence[str], limits: Limits, watch: Watch | None) -> Explanation:
        self.cursor.arrive()
        return self._consider(limits, watch)

    def _open(self, game: AnyGame, world: Any) -> StateStore:
        """Return the store to follow a play in."""
        if world is None:
            return self._stores.open(game)
        if not game.info.is_perfect_information:
            raise InputError(f"{game.info.name} hides something: a bot must hear it from the start")
        return open_store(game, world)

    @abstractmethod
    def _consider(self, limits: Limits, watch: Watch | None) -> Explanation:
        """Return what there is to say of the moves at the cursor."""


class WorldBot(OwnBot):
    """Follows the world that a play is in, which both seats see."""

    def begin(self, game: AnyGame, seat: int, seed: int, world: Any = None) -> None:
        """Sit down at the start of a game, or in a world of it."""
        if not game.info.is_perfect_information:
            raise InputError(f"{type(self).__name__} needs perfect information, not {game.info.name}")
        super().begin(game, seat, seed, world)
        self.world = game.initial_world() if world is None else world

    def _hear(self, public: Hashable, private: Hashable, move: int | None) -> None:
        game, before = self.game, self.world
        moves = game.moves(before)
        named = [action for action in moves if game.action_name(before, action) == public]
        for action in (*named, *moves):  # mostly the name is what both see
            after = game.apply(before, action)
            if game.public_observation(before, action, after) == public:
                self._follow(action, after)
                return
        raise ValueError(f"{game.info.name}: {str(public)[:40]!r} is no move here")

    def _follow(self, action: int, after: Any) -> None:
        """Go where a move leads."""
        self.world = after

    def _moves(self) -> Sequence[str]:
        name, world = self.game.action_name, self.world
        return [name(world, action) for action in self.game.legal_actions(world)]


class UniformBot(OwnBot):
    """Plays every legal move equally often, and needs to know nothing.

    >>> from sog.games.registry import load
    >>> bot = UniformBot()
    >>> bot.begin(load("kuhn"), seat=0, seed=1)
    >>> bot.act(["pass", "bet"]) in (0, 1)
    True
    """

    def act(self, moves: Sequence[str], limits: Limits = NO_LIMITS, watch: Watch | None = None) -> int:
        """Draw a move."""
        self._explanation = self._think(moves, limits, watch)
        return int(self._rng.integers(len(moves)))

    def another(self) -> Self:
        """Return a bot for another game at the same time."""
        return copy(self)

    def _hear(self, public: Hashable, private: Hashable, move: int | None) -> None:
        pass

    def _moves(self) -> Sequence[str]:
        raise ValueError("a bot that follows nothing does not know its moves before it acts")

    def _think(self, moves: Sequence[str], limits: Limits, watch: Watch | None) -> Explanation:
        return Explanation(list(moves), [1 / len(moves)] * len(moves))
