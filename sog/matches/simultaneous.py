"""Games that one process plays at the same time.

Bots that search where something is hidden search all their games side by side: every game is taken to the
next turn of such a bot, and then all of them think in one batch. Each finds what it would find alone, so that
games are the same as if they were played one after the other.

Verified: tests/matches/test_simultaneous.py.
"""

import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from datetime import datetime

from sog.agents.bot import Bot
from sog.agents.searching import SearchBot, think_together
from sog.agents.seated import CursorBot, UniformBot
from sog.games.base import AnyGame
from sog.games.notation import GameRecord
from sog.matches.referee import Sitting, Verdict
from sog.matches.schedule import Pairing

MOST_AT_ONCE, LEAST_AT_ONCE = 64, 16  # games
SIMULATIONS_AT_ONCE = 320  # of all games' searches: what large trees found is kept until a game ends


def room_for(bots: Sequence[Bot]) -> int:
    """Return how many games between these bots are best played at once: many, or one."""
    can_share = all(isinstance(bot, CursorBot | UniformBot) for bot in bots)
    searching = [bot.settings.simulations for bot in bots if isinstance(bot, SearchBot)]
    if not (can_share and searching):
        return 1
    return min(MOST_AT_ONCE, max(LEAST_AT_ONCE, SIMULATIONS_AT_ONCE // max(searching)))


class SimultaneousGames:
    """Games under way.

    >>> from sog.games.registry import load
    >>> from sog.matches.openings import Opening
    >>> pairing = Pairing("a", "b", 0, Opening(), seed=1, chance=2)
    >>> games = SimultaneousGames(load("kuhn"))
    >>> [record.first for record in games.play([pairing], lambda name: UniformBot())]
    ['a']
    """

    def __init__(self, game: AnyGame, room: int = 1) -> None:
        """room: how many games at once; the same bots play all of them if it is more than one."""
        self._game, self._room = game, room
        self._playing: list[tuple[Pairing, Sitting]] = []

    def play(
        self, pairings: Sequence[Pairing], seat: Callable[[str], Bot]
    ) -> Generator[GameRecord, None, None]:
        """Play games, as many at once as there is room for, and yield each when it has ended.

        seat: returns the bot of a name.
        """
        waiting = deque(pairings)
        while waiting or self._playing:
            while waiting and len(self._playing) < self._room:
                pairing = waiting.popleft()
                self._start(pairing, (seat(pairing.first), seat(pairing.second)))
            yield from self._advance()

    def _start(self, pairing: Pairing, bots: tuple[Bot, Bot]) -> None:
        """Begin a game."""
        if self._room > 1:
            bots = _another(bots[0]), _another(bots[1])
        sitting = Sitting(self._game, bots, pairing.seed, pairing.chance, pairing.opening)
        self._playing.append((pairing, sitting))

    def _advance(self) -> list[GameRecord]:
        """Take every game to its end, or over the next turn of a bot that searches; return what has ended."""
        for _, sitting in self._playing:
            while not sitting.is_over and not (self._room > 1 and isinstance(sitting.mover, SearchBot)):
                sitting.step()
        waiting = [sitting for _, sitting in self._playing if not sitting.is_over]
        if waiting:
            started = time.perf_counter()
            think_together([bot for sitting in waiting if isinstance(bot := sitting.mover, SearchBot)])
            seconds = (time.perf_counter() - started) / len(waiting)
            for sitting in waiting:
                sitting.count_seconds(seconds)
                sitting.step()
        ended = [(pairing, sitting) for pairing, sitting in self._playing if sitting.is_over]
        self._playing = [(pairing, sitting) for pairing, sitting in self._playing if not sitting.is_over]
        return [_write_down(pairing, sitting.verdict()) for pairing, sitting in ended]


def _another(bot: Bot) -> Bot:
    return bot.another() if isinstance(bot, CursorBot | UniformBot) else bot


def _write_down(pairing: Pairing, verdict: Verdict) -> GameRecord:
    return GameRecord(
        first=pairing.first,
        second=pairing.second,
        round=pairing.round,
        position=pairing.opening.position,
        opening=len(pairing.opening.actions),
        moves=" ".join(name.replace(" ", "_") for name in verdict.play.names),
        score=verdict.score,
        reason=verdict.reason,
        forfeit=verdict.forfeit,
        seconds=(round(verdict.seconds[0], 3), round(verdict.seconds[1], 3)),
        finished=datetime.now().isoformat(timespec="seconds"),
        utility=verdict.utility,
    )
