"""One game of a match: who wins, how much, and whose fault it is if it cannot be played to its end.

Our own rules decide what is legal and how a game ends. A bot that fails to answer, or answers with what is
no legal move, has lost.

Verified: tests/matches/test_referee.py.
"""

import time
from collections.abc import Callable, Hashable, Sequence
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


def referee(
    game: AnyGame, bots: tuple[Bot, Bot], seed: int, chance_seed: int, opening: Opening | None = None
) -> Verdict:
    """Play a game to its end."""
    opening = opening or Opening()
    game = game.notation.open(opening.position)
    clocked = _Clocked(bots[0]), _Clocked(bots[1])
    table: Table | None = None
    loser, reason, forfeit = None, "", None
    try:
        table = Table(game, clocked, seed, chance_seed)
        table.add_all(opening.actions)
        while not table.is_over and loser is None:
            turn = table.play.turn
            if table.step() == RESIGNS:
                loser, reason = turn, "resignation"
    except EngineError as failure:
        loser = forfeit = next(seat for seat in range(NUM_PLAYERS) if clocked[seat].has_failed)
        reason = str(failure)
    play = Play(game, opening.actions) if table is None else table.play
    if loser is None:
        utility, reason = game.returns(play.world)[0], game.notation.reason(play.world)
    else:
        utility = game.info.max_utility * (1 if loser else -1)
    return Verdict(play, utility, reason, forfeit, (clocked[0].seconds, clocked[1].seconds))
