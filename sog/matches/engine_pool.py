"""The engine pool: bots that play the games of a match, here or in processes of their own.

A process keeps its bots from game to game. A bot that has failed is made anew for the next game. Processes
end when we do: each looks now and then whether its parent is still there, so that a killed match leaves no
process behind.

Verified: tests/matches/test_engine_pool.py.
"""

import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from sog.agents.bot import Bot
from sog.agents.making import BotMaker
from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.notation import GameRecord
from sog.games.registry import load
from sog.matches.players import Player
from sog.matches.referee import referee
from sog.matches.schedule import Pairing

_SECONDS_BETWEEN_LOOKS = 1.0
_SECONDS_TO_END = 5.0


class Setting(NamedTuple):
    """What every process of a match must know."""

    game: str  # the text that loads it
    players: tuple[Player, ...]
    patience: float  # seconds


def play_pairing(game: AnyGame, bots: Mapping[str, Bot], pairing: Pairing) -> GameRecord:
    """Play a game between two of the bots to its end."""
    seats = bots[pairing.first], bots[pairing.second]
    verdict = referee(game, seats, pairing.seed, pairing.chance, pairing.opening)
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


class EnginePool:
    """The bots of one process, which play one game after the other."""

    def __init__(self, setting: Setting) -> None:
        self._game = load(setting.game)
        self._maker = BotMaker(self._game, setting.patience)
        self._players = {player.name: player for player in setting.players}
        self._bots: dict[str, Bot] = {}

    def play(self, pairing: Pairing) -> GameRecord:
        """Play a game to its end."""
        bots = {name: self.seat(name) for name in (pairing.first, pairing.second)}
        record = play_pairing(self._game, bots, pairing)
        if record.forfeit is not None:
            self._bots.pop((pairing.first, pairing.second)[record.forfeit]).close()
        return record

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
    setting: Setting, pool: EnginePool, pairings: Sequence[Pairing], concurrency: int
) -> Generator[GameRecord, None, None]:
    """Play games and yield each when it has ended; closing the iterator ends those that are being played.

    `pool` plays them if it is one after the other; it is closed in any case.
    """
    with closing(pool):
        if concurrency == 1:
            for pairing in pairings:
                yield pool.play(pairing)
            return
    yield from _play_in_processes(setting, pairings, min(concurrency, len(pairings)))


class _Worker(NamedTuple):
    process: Any
    pipe: Connection


def _play_in_processes(
    setting: Setting, pairings: Sequence[Pairing], concurrency: int
) -> Generator[GameRecord, None, None]:
    context = multiprocessing.get_context("spawn")
    waiting, workers = deque(pairings), dict[Connection, _Worker]()
    try:
        for _ in range(concurrency):
            ours, theirs = context.Pipe()
            process = context.Process(
                target=_play_in_process, args=(setting, theirs, os.getpid()), daemon=True
            )
            process.start()
            theirs.close()
            workers[ours] = _Worker(process, ours)
            ours.send(waiting.popleft())
        busy = set(workers)
        while busy:
            for pipe in wait(list(busy)):
                assert isinstance(pipe, Connection)
                yield _receive(pipe)
                if waiting:
                    pipe.send(waiting.popleft())
                else:
                    busy.remove(pipe)
    finally:
        for worker in workers.values():
            worker.pipe.close()
        for worker in workers.values():
            worker.process.terminate()
            worker.process.join(_SECONDS_TO_END)


def _receive(pipe: Connection) -> GameRecord:
    """Return the game that a process has played."""
    try:
        kind, content = pipe.recv()
    except (EOFError, OSError):
        raise InputError("a process that was playing has died: start the match again to go on") from None
    if kind == "refused":
        raise InputError(content)
    if kind == "error":
        raise RuntimeError(f"in a process that was playing:\n{content}")
    record: GameRecord = content
    return record


def _play_in_process(setting: Setting, pipe: Connection, parent: int) -> None:
    """Play what arrives until nothing does: what a process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, who ends us
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    try:
        pool = EnginePool(setting)
        while True:
            pipe.send(("game", pool.play(pipe.recv())))
    except (EOFError, OSError):
        return
    except InputError as error:
        pipe.send(("refused", str(error)))
    except BaseException:
        pipe.send(("error", traceback.format_exc()))


def _end_with(parent: int) -> None:
    """End this process, and so its engines' input, soon after its parent has ended."""
    while os.getppid() == parent:
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    os._exit(1)
