"""The engine pool: bots that play the games of a match, here or in processes of their own.

A process keeps its bots from game to game. A bot that has failed is made anew for the next game. A process
that dies is replaced, and its games are played again (`sog.core.task_pool`).

Verified: tests/matches/test_engine_pool.py.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from functools import partial
from typing import NamedTuple

from sog.agents.bot import Bot
from sog.agents.making import BotMaker
from sog.core.children import ThisMachine
from sog.core.errors import InputError
from sog.core.task_pool import share_out
from sog.core.workplace import Workplace
from sog.games.notation import GameRecord
from sog.games.registry import load
from sog.matches.players import Player
from sog.matches.schedule import Pairing
from sog.matches.simultaneous import SimultaneousGames, room_for

_IN_HAND = 2  # tasks of a process: one that is played, and the next


class Setting(NamedTuple):
    """What every process of a match must know."""

    game: str  # the text that loads it
    players: tuple[Player, ...]
    patience: float  # seconds


class EnginePool:
    """The bots of one process, and the games that they are playing."""

    def __init__(self, setting: Setting) -> None:
        self._game = load(setting.game)
        self._maker = BotMaker(self._game, setting.patience)
        self._players = {player.name: player for player in setting.players}
        self._bots: dict[str, Bot] = {}
        self._games = SimultaneousGames(self._game)

    def make_room(self) -> int:
        """Have as many games at once as is best for the players; return how many."""
        room = room_for([self.seat(name) for name in self._players])
        self._games = SimultaneousGames(self._game, room)
        return room

    def play(self, pairings: Sequence[Pairing]) -> Generator[GameRecord, None, None]:
        """Play games, as many at once as there is room for, and yield each when it has ended."""
        for record in self._games.play(pairings, self.seat):
            if record.forfeit is not None:
                self._bots.pop((record.first, record.second)[record.forfeit]).close()
            yield record

    def seat(self, name: str) -> Bot:
        """Return the bot of a name, which is made if need be."""
        if name not in self._bots:
            try:
                self._bots[name] = self._maker.make(self._players[name].spec)[0]
            except InputError as error:
                raise InputError(f"{name}: {error}") from None
        return self._bots[name]

    def close(self) -> None:
        """End all bots."""
        while self._bots:
            self._bots.popitem()[1].close()


def open_pool(setting: Setting) -> EnginePool:
    """Return a pool with every bot made: one that cannot play is refused, and kernels are compiled."""
    pool = EnginePool(setting)
    try:
        for player in setting.players:
            pool.seat(player.name)
    except BaseException:
        pool.close()
        raise
    return pool


def play_all(
    setting: Setting,
    pool: EnginePool,
    pairings: Sequence[Pairing],
    concurrency: int,
    workplace: Workplace | None = None,
    warn: Callable[[str], None] = lambda line: None,
) -> Generator[GameRecord, None, None]:
    """Play games and yield each when it has ended; closing the iterator ends those that are being played.

    `pool` plays them if they need no other process; it is closed in any case. workplace: where others play,
    by default this machine; warn: is told of those who had to be replaced.
    """
    with closing(pool):
        room = pool.make_room()
        if concurrency == 1 and workplace is None:
            yield from pool.play(pairings)
            return
    size = min(room, -(-len(pairings) // concurrency))
    tasks = [pairings[first : first + size] for first in range(0, len(pairings), size)]
    skill = partial(_begin_to_play, setting)
    place = workplace or ThisMachine()
    with closing(share_out(place, concurrency, skill, tasks, warn, _IN_HAND)) as played:
        for _, records in played:
            yield from records


def _begin_to_play(setting: Setting) -> Callable[[Sequence[Pairing]], list[GameRecord]]:
    pool = EnginePool(setting)
    pool.make_room()
    return lambda pairings: list(pool.play(pairings))
