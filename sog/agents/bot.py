"""A bot plays one seat of a game. It is told what its seat sees, and nothing else.

    bot.begin(game, seat=0, seed=7)
    bot.observe("deal", "K")        what everybody saw, and what this seat alone saw
    move = bot.act(["pass", "bet"]) the number of one of its legal moves
    bot.observe("bet", None)        of its own move too

Moves are numbered as the game lists the legal actions of an infostate; whoever asks a bot to act says their
names, which tells it nothing that its infostate does not know. A bot may sit down at any point: it is
told everything from the start, own moves that another has chosen with their number, and is asked to act from
there. Where nothing is hidden it may begin with a world instead.

Verified: tests/agents/.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from sog.core.arrays import F64
from sog.games.base import AnyGame

RESIGNS = -1  # instead of a move


class Limits(NamedTuple):
    """When to stop searching: whatever comes first. `None`: as the bot's own settings say."""

    simulations: int | None = None
    seconds: float | None = None


NO_LIMITS = Limits()


class Explanation(NamedTuple):
    """What a bot thinks of its turn."""

    names: list[str]  # of its legal moves
    weights: list[float]  # how much is to be said for each: probabilities, or visits
    value: float | None = None  # utility that it expects, if it knows
    simulations: int = 0
    seconds: float = 0.0
    variation: tuple[str, ...] = ()  # names of moves that are expected, the best one first
    choice: int | None = None  # the move to play, if it is not the one with the largest weight

    @property
    def policy(self) -> F64:
        """How often it would play each move, if it draws."""
        weights = np.array(self.weights, np.float64)
        total = weights.sum()
        return weights / total if total > 0 else np.full(weights.size, 1 / weights.size)

    @property
    def best(self) -> int:
        """The number of the move that most is to be said for, or RESIGNS."""
        return int(np.argmax(self.weights)) if self.choice is None else self.choice


Watch = Callable[[int, float, Callable[[], Explanation]], bool]
"""Hears some times a second of simulations and seconds so far, and may ask what was found so far; says
whether to stop."""


class Bot(Protocol):
    """Plays games, one at a time. A program that fails raises an `EngineError`."""

    def begin(self, game: AnyGame, seat: int, seed: int, world: Any = None) -> None:
        """Sit down to a new game; `world`: where it begins, if nothing is hidden (default: at the start)."""

    def observe(self, public: Hashable, private: Hashable, move: int | None = None) -> None:
        """Hear of a move: what everybody sees of it, and what this seat alone sees.

        move: the number of the seat's own move, if another than this bot has chosen it.
        """

    def act(self, moves: Sequence[str], limits: Limits = NO_LIMITS, watch: Watch | None = None) -> int:
        """Return the number of one of the seat's legal moves, which have these names, or RESIGNS."""

    def explain(self) -> Explanation:
        """Return what the bot thinks of its turn, searching if it has not yet and knows enough to."""

    def close(self) -> None:
        """Play no more."""
