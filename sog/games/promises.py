"""What a game promises of its worlds, checked where a view asks for it: a broken promise is one sentence.

The promises are numbered in `sog.games.base`. Views check what they touch as they grow, so this must cost
next to nothing: actions and outcomes that were seen before are looked up, not looked at. What only a whole
play can show is checked by `sog.public.checking`.

Verified: tests/public/test_checking.py.
"""

from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise
from math import isfinite
from typing import Any

from sog.core.errors import InputError
from sog.games.base import CHANCE, TERMINAL, AnyGame
from sog.games.parameters import shorten

ROUNDING = 1e-9  # of probabilities, and of utilities as a share of the largest
_ACTORS = (0, 1, CHANCE, TERMINAL)


class BrokenPromiseError(InputError):
    """A game that does not do what it should: the promise, the world, and the move if there is one."""

    def __init__(self, game: AnyGame, promise: str, world: Any, move: int | None = None) -> None:
        where = f"in the world {shorten(world, 160)}" + ("" if move is None else f", move {move}")
        super().__init__(f"{game.info.name} breaks a promise: {promise} ({where})")
        self.promise, self.where = promise, where


class Promises:
    """Checks the answers of one game."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._most = game.info.max_utility * (1 + ROUNDING)
        self._known: set[Hashable] = set()  # actions and outcomes that are as they should be

    def actor(self, world: Any, actor: int) -> None:
        """Refuse an actor who is none."""
        if actor not in _ACTORS:
            self._break("actor must be 0, 1, CHANCE or TERMINAL", actor, world)

    def actions(self, world: Any, actions: tuple[int, ...]) -> None:
        """Refuse legal actions that are none, unordered, or unknown."""
        if actions in self._known:
            return
        if not actions:
            self._break("legal_actions must not be empty", actions, world)
        self._ascend("legal_actions", world, actions)
        if not 0 <= actions[0] <= actions[-1] < self._game.info.num_actions:
            most = self._game.info.num_actions
            self._break(f"legal_actions must be below info.num_actions, {most}", actions, world)
        self._known.add(actions)

    def outcomes(self, world: Any, outcomes: tuple[tuple[int, float], ...]) -> None:
        """Refuse outcomes without a probability each, all of them together 1."""
        try:
            if outcomes in self._known:
                return
        except TypeError:  # lists, say, which are good enough
            outcomes = tuple(tuple(pair) for pair in outcomes)  # type: ignore[misc]
        chances = [chance for _, chance in outcomes]
        if not all(chance > 0 and isfinite(chance) for chance in chances):
            self._break("chance_outcomes must have positive probabilities", chances, world)
        if not abs(sum(chances) - 1) <= ROUNDING:
            self._break("chance_outcomes must have probabilities that sum to 1", sum(chances), world)
        self._ascend("chance_outcomes", world, [outcome for outcome, _ in outcomes])
        self._known.add(outcomes)

    def utility(self, world: Any) -> float:
        """Return what player 0 wins in a terminal world; refuse what is not zero-sum."""
        returns = self._game.returns(world)
        first, second = returns
        if not abs(first + second) <= ROUNDING * self._most:  # refuses NaN too
            self._break("returns must be (u, -u)", returns, world)
        if not -self._most <= first <= self._most:
            most = self._game.info.max_utility
            self._break(f"returns must not exceed info.max_utility, {most:g}", returns, world)
        if self._game.info.is_won_or_lost and abs(first) < (1 - ROUNDING) * self._game.info.max_utility:
            self._break("a game with info.is_won_or_lost must win or lose info.max_utility", returns, world)
        return first

    def length(self, world: Any, length: int, actor: int) -> None:
        """Refuse a play that goes on too long."""
        if length >= self._game.info.max_length and actor != TERMINAL:
            most = self._game.info.max_length
            promise = f"a play must end within info.max_length, {most} moves"
            raise BrokenPromiseError(self._game, f"{promise}, but this one goes on", world)

    def hashable(self, moves: Iterable[tuple[Any, int, Any, Sequence[Any]]]) -> None:
        """Refuse the first world or observation that is not hashable: (before, action, after, seen)."""
        for before, action, after, seen in moves:
            for value, name in ((after, "worlds"), *((part, "observations") for part in seen)):
                try:
                    hash(value)
                except TypeError:
                    promise = f"{name} must be hashable, not a {type(value).__name__} ({shorten(value)})"
                    raise BrokenPromiseError(self._game, promise, before, action) from None

    def _ascend(self, name: str, world: Any, moves: Sequence[int]) -> None:
        if not all(low < high for low, high in pairwise(moves)):
            self._break(f"{name} must ascend", moves, world)

    def _break(self, promise: str, found: object, world: Any) -> None:
        raise BrokenPromiseError(self._game, f"{promise}, not {shorten(found)}", world)
