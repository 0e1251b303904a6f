"""One game of a match: who wins, how much, and whose fault it is if it cannot be played to its end.

Our own rules decide what is legal and how a game ends. A bot that fails to answer, or answers with what is
no legal move, has lost.

Verified: tests/matches/test_referee.py.
"""

import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

from sog.agents.bot import NO_LIMITS, RESIGNS, Bot, Explanation, Limits, Watch
from sog.agents.engine_process import EngineError
from sog.agents.table import Play, Table
from sog.games.base import NUM_PLAYERS, AnyGame
from sog.matches.openings import Opening

WIN, DRAW, LOSS = 1.0, 0.5, 0.0
_T = TypeVar("_T")


class Verdict(NamedTuple):
    """How a game ended."""

    play: Play
    utility: float  # of player 0
    reason: str
    forfeit: int | None  # the player who failed to play on
    seconds: tuple[float, float]  # that each of them has thought

    @property
    def score(self) -> float:
        """Player 0's points: WIN, DRAW or LOSS."""
        return WIN if self.utility > 0 else LOSS if self.utility < 0 else DRAW


class _Clocked:
    """A bot with a clock, and a note of its failure."""

    def __init__(self, bot: Bot) -> None:
        self._bot, self.seconds, self.has_failed = bot, 0.0, False

    def begin(self, game: AnyGame, seat: int, seed: int, world: Any = None) -> None:
        self._guard(lambda: self._bot.begin(game, seat, seed, world))

    def observe(self, public: Hashable, private: Hashable, move: int | None = None) -> None:
        self._guard(lambda: self._bot.observe(public, private, move))

    def act(self, moves: Sequence[str], limits: Limits = NO_LIMITS, watch: Watch | None = None) -> int:
        started = time.perf_counter()
        try:
            return self._guard(lambda: self._bot.act(moves, limits, watch))
        finally:
            self.seconds += time.perf_counter() - started

    def explain(self) -> Explanation:
        return self._bot.explain()

    def close(self) -> None:
        self._bot.close()

    def _guard(self, call: Callable[[], _T]) -> _T:
        try:
            return call()
        except EngineError:
            self.has_failed = True
            raise


class Sitting:
    """A game between two bots, move by move."""

    def __init__(
        self,
        game: AnyGame,
        bots: tuple[Bot, Bot],
        seed: int,
        chance_seed: int,
        opening: Opening | None = None,
    ) -> None:
        """Sit down, and make the moves of an opening."""
        self._opening = opening or Opening()
        self._game = game.notation.open(self._opening.position)
        self._bots, self._clocked = bots, (_Clocked(bots[0]), _Clocked(bots[1]))
        self._table: Table | None = None
        self._loser: int | None = None
        self._forfeit: int | None = None
        self._reason = ""
        with self._judging():
            self._table = Table(self._game, self._clocked, seed, chance_seed)
            self._table.add_all(self._opening.actions)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, or cannot go on."""
        return self._loser is not None or self._table is None or self._table.is_over

    @property
    def mover(self) -> Bot | None:
        """The bot whose turn it is; None for chance, and at the end."""
        turn = NUM_PLAYERS if self.is_over or self._table is None else self._table.play.turn
        return self._bots[turn] if turn < NUM_PLAYERS else None

    def count_seconds(self, seconds: float) -> None:
        """Count time that the bot whose turn it is has thought beforehand."""
        assert self._table is not None
        self._clocked[self._table.play.turn].seconds += seconds

    def step(self) -> None:
        """Have chance or the bot whose turn it is move."""
        assert self._table is not None
        with self._judging():
            turn = self._table.play.turn
            if self._table.step() == RESIGNS:
                self._loser, self._reason = turn, "resignation"

    def verdict(self) -> Verdict:
        """Return how the game has ended."""
        game, reason = self._game, self._reason
        play = Play(game, self._opening.actions) if self._table is None else self._table.play
        if self._loser is None:
            utility, reason = game.returns(play.world)[0], game.notation.reason(play.world)
        else:
            utility = game.info.max_utility * (1 if self._loser else -1)
        seconds = self._clocked[0].seconds, self._clocked[1].seconds
        return Verdict(play, utility, reason, self._forfeit, seconds)

    @contextmanager
    def _judging(self) -> Iterator[None]:
        """Let who fails lose."""
        try:
            yield
        except EngineError as failure:
            failed = next(seat for seat in range(NUM_PLAYERS) if self._clocked[seat].has_failed)
            self._loser, self._forfeit, self._reason = failed, failed, str(failure)


def referee(
    game: AnyGame, bots: tuple[Bot, Bot], seed: int, chance_seed: int, opening: Opening | None = None
) -> Verdict:
    """Play a game to its end."""
    sitting = Sitting(game, bots, seed, chance_seed, opening)
    while not sitting.is_over:
        sitting.step()
    return sitting.verdict()
