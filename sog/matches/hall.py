"""Where games are played: here one after the other, or several at once in processes of their own.

A process keeps its players from game to game. A player who has failed is made anew for the next game.
Processes end when we do: each looks now and then whether its parent is still there, so that not even a killed
match leaves anybody playing.

Verified: tests/matches/test_hall.py.
"""

import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import closing
from datetime import datetime
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from sog.core.errors import InputError
from sog.games.notation import GameRecord
from sog.games.registry import load
from sog.matches.kinds import begin_play, open_game
from sog.matches.play import Contestant, referee
from sog.matches.players import Entrant, make_contestant
from sog.matches.schedule import Pairing

_SECONDS_BETWEEN_LOOKS = 1.0
_SECONDS_TO_END = 5.0


class Setting(NamedTuple):
    """What every table in the hall must know."""

    game: str  # the text that loads it
    entrants: tuple[Entrant, ...]
    patience: float  # seconds


class Board:
    """A place where games are played one after the other."""

    def __init__(self, setting: Setting) -> None:
        self._game = open_game(load(setting.game))
        self._patience = setting.patience
        self._entrants = {entrant.name: entrant for entrant in setting.entrants}
        self._contestants: dict[str, Contestant] = {}

    def play(self, pairing: Pairing) -> GameRecord:
        """Play a game to its end."""
        play = begin_play(self._game, pairing.opening)
        names = (pairing.first, pairing.second)
        verdict = referee(play, (self.seat(names[0]), self.seat(names[1])), pairing.seed)
        if verdict.forfeit is not None:
            self._contestants.pop(names[verdict.forfeit]).close()
        return GameRecord(
            first=pairing.first,
            second=pairing.second,
            round=pairing.round,
            position=pairing.opening.position,
            opening=len(pairing.opening.actions),
            moves=" ".join(play.names),
            score=verdict.score,
            reason=verdict.reason,
            forfeit=verdict.forfeit,
            seconds=(round(verdict.seconds[0], 3), round(verdict.seconds[1], 3)),
            finished=datetime.now().isoformat(timespec="seconds"),
        )

    def seat(self, name: str) -> Contestant:
        """Return the player of a name, who is made if need be."""
        if name not in self._contestants:
            try:
                made = make_contestant(self._entrants[name], self._game, self._patience)
            except InputError as error:
                raise InputError(f"{name}: {error}") from None
            self._contestants[name] = made
        return self._contestants[name]

    def close(self) -> None:
        """Send everybody home."""
        while self._contestants:
            self._contestants.popitem()[1].close()


def open_board(setting: Setting) -> Board:
    """Return a place with everybody seated: whoever cannot play is refused, and kernels are compiled."""
    board = Board(setting)
    try:
        for entrant in setting.entrants:
            board.seat(entrant.name)
    except BaseException:
        board.close()
        raise
    return board


def play_all(
    setting: Setting, board: Board, pairings: Sequence[Pairing], concurrency: int
) -> Generator[GameRecord, None, None]:
    """Play games and yield each when it has ended; closing the iterator ends those that are being played.

    `board` is where they are played if it is one after the other; it is closed in any case.
    """
    with closing(board):
        if concurrency == 1:
            for pairing in pairings:
                yield board.play(pairing)
            return
    yield from _play_at_once(setting, pairings, min(concurrency, len(pairings)))


class _Worker(NamedTuple):
    process: Any
    pipe: Connection


def _play_at_once(
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
        board = Board(setting)
        while True:
            pipe.send(("game", board.play(pipe.recv())))
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
