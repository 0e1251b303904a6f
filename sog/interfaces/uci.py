"""The Universal Chess Interface: a session as a machine that takes lines and writes lines.

Lines that are no commands are passed over, as the protocol wants it; words before a command too. While a
search runs, lines are looked at whenever the network has answered: `stop`, `quit` and `ponderhit` end it,
`isready` is answered at once, all others wait. Thinking on the opponent's time is not done: `go ponder`
searches until it is told what happened.

Verified: tests/interfaces/test_uci.py.
"""

from collections import deque
from collections.abc import Callable
from itertools import pairwise
from math import log10
from typing import Any

import numpy as np

from sog import __version__
from sog.core.errors import InputError
from sog.core.lines import Lines
from sog.games.base import TERMINAL
from sog.games.chess.board import CLOCK, PLY, REPETITIONS
from sog.games.chess.fen import read_fen
from sog.games.chess.game import STARTPOS, Chess, ChessWorld
from sog.games.chess.moves import legal_moves
from sog.games.chess.notation import write_uci
from sog.games.chess.outcome import FIFTY_MOVES, REPETITION
from sog.matches.thinking import MOST_SIMULATIONS, Limits, Thinker, Thought

LONGEST_GAME = 10_000  # half moves: whoever referees may have other limits than self-play
_COMMANDS = {
    "uci",
    "debug",
    "isready",
    "setoption",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
}
_CLOCKS = ("wtime", "btime", "winc", "binc", "movestogo", "movetime", "nodes", "depth", "mate")
_MOVES_TO_GO = 30  # that a game is thought to last
_OVERHEAD = 0.03  # seconds between our clock and the referee's
_INFO_SECONDS = 1.0
_MAX_NUMBER = 10**9
_NO_MOVE = "0000"


class UciSession:
    """An engine's side of a session."""

    def __init__(self, thinker: Thinker, game: Chess, lines: Lines, write: Callable[[str], None]) -> None:
        self._thinker, self._game, self._lines, self._write = thinker, game, lines, write
        self._waiting: deque[str] = deque()
        self._world = self._game.initial_world()
        self._seed = 0
        self._simulations: int | None = None  # of an option, instead of the command line's
        self._is_over = self._has_ended = self._is_stopped = False

    def run(self) -> None:
        """Answer until `quit` or the end of the lines."""
        while not self._is_over:
            line = self._waiting.popleft() if self._waiting else self._lines.wait()
            if line is None:
                return
            self.answer(line)

    def answer(self, line: str) -> None:
        """Obey one line."""
        words = line.split()
        while words and words[0] not in _COMMANDS:
            words.pop(0)
        if not words:
            return
        command, *rest = words
        try:
            if command == "uci":
                self._introduce()
            elif command == "isready":
                self._write("readyok")
            elif command == "setoption":
                self._set_option(rest)
            elif command == "ucinewgame":
                self._world = self._game.initial_world()
                self._thinker.forget()
            elif command == "position":
                self._set_position(rest)
            elif command == "go":
                self._go(rest)
            elif command == "quit":
                self._is_over = True
        except InputError as error:
            self._write(f"info string {error}")

    def _introduce(self) -> None:
        self._write(f"id name sog {__version__}")
        self._write("id author the sog authors")
        self._write(f"option name Simulations type spin default 0 min 0 max {MOST_SIMULATIONS}")
        self._write("option name Seed type spin default 0 min 0 max 2147483647")
        self._write("option name Ponder type check default false")
        self._write("uciok")

    def _set_option(self, words: list[str]) -> None:
        text = " ".join(words)
        name, _, value = text.removeprefix("name ").partition(" value ")
        key = name.strip().lower()
        if key == "simulations":
            number = _read_number(value)
            self._simulations = min(number, MOST_SIMULATIONS) or None
        elif key == "seed":
            self._seed = _read_number(value)
        elif key != "ponder":
            raise InputError(f"there is no option {name[:40]!r}")

    def _set_position(self, words: list[str]) -> None:
        """Take over a position, if all of it can be read."""
        split = words.index("moves") if "moves" in words else len(words)
        start, moves = words[:split], words[split + 1 :]
        if start == [STARTPOS]:
            world = self._game.initial_world()
        elif start[:1] == ["fen"]:
            world = ChessWorld((read_fen(" ".join(start[1:])).tobytes(),))
        else:
            raise InputError("a position is startpos or fen, then moves")
        for number, text in enumerate(moves):
            world = self._claim_nothing(world)
            names = {
                self._game.action_name(world, action): action for action in self._game.legal_actions(world)
            }
            if text not in names:
                raise InputError(f"{text[:20]!r} is no legal move after {number} moves")
            world = self._game.apply(world, names[text])
        self._world = world

    def _claim_nothing(self, world: ChessWorld) -> ChessWorld:
        """Return a position as if it were new, if it is a draw that nobody has claimed."""
        if self._game.outcome(world) not in (FIFTY_MOVES, REPETITION):
            return world
        position = world.position.copy()
        position[CLOCK] = position[REPETITIONS] = 0
        return ChessWorld((position.tobytes(),))

    def _go(self, words: list[str]) -> None:
        """Search, and answer with a move in any case."""
        game, world = self._game, self._claim_nothing(self._world)
        self._world = world
        moves = [write_uci(int(move), int(world.position[PLY]) % 2) for move in legal_moves(world.position)]
        if game.actor(world) == TERMINAL:
            self._write(f"bestmove {moves[0] if moves else _NO_MOVE}")
            return
        wanted = _read_go(words)
        is_endless = "infinite" in words or "ponder" in words
        limits = Limits(MOST_SIMULATIONS) if is_endless else self._limits(wanted)
        self._is_stopped, told = False, 0.0

        def watch(simulations: int, seconds: float, look: Callable[[], Thought]) -> bool:
            nonlocal told
            if seconds - told >= _INFO_SECONDS:
                self._report(look())
                told = seconds
            self._listen()
            return self._is_stopped or (self._has_ended and is_endless)

        thought = self._thinker.think(world, limits, self._seed, watch)
        while is_endless and not (self._is_stopped or self._has_ended):
            self._listen(waits=True)
        self._report(thought)
        allowed = set(_search_moves(words)) & set(moves)
        best = _best(thought, game, world, allowed)
        self._write(f"bestmove {best}")

    def _listen(self, waits: bool = False) -> None:
        """Look at lines that came during a search."""
        while True:
            if waits:
                is_there, line = True, self._lines.wait()
            else:
                is_there, line = self._lines.poll()
            if not is_there:
                return
            if line is None:
                self._has_ended = True
                return
            word = next((word for word in line.split() if word in _COMMANDS), "")
            if word in ("stop", "ponderhit", "quit"):
                self._is_stopped = True
                self._is_over |= word == "quit"
                return
            if word == "isready":
                self._write("readyok")
            elif word:
                self._waiting.append(line)

    def _limits(self, wanted: dict[str, int]) -> Limits:
        """Return when to stop, by what the referee says of nodes and clocks."""
        usual = self._simulations or self._thinker.settings.simulations
        own = "bw"[int(self._world.position[PLY]) % 2 == 0]
        seconds: float | None = None
        if "movetime" in wanted:
            seconds = wanted["movetime"] / 1000
        elif f"{own}time" in wanted:
            left = wanted[f"{own}time"] / 1000
            share = left / max(1, wanted.get("movestogo", _MOVES_TO_GO)) + wanted.get(f"{own}inc", 0) / 1250
            seconds = min(share, left / 2)
        if seconds is not None:
            seconds = max(0.0, seconds - _OVERHEAD)
        return Limits(wanted.get("nodes", usual if seconds is None else MOST_SIMULATIONS), seconds)

    def _report(self, thought: Thought) -> None:
        names, world = [], self._world
        for action in thought.variation:
            names.append(self._game.action_name(world, action))
            world = self._game.apply(world, action)
        self._write(
            f"info depth {len(names)} score cp {centipawns(thought.value)} nodes {thought.simulations}"
            f" nps {_rate(thought.simulations, thought.seconds)} time {round(1000 * thought.seconds)}"
            f" pv {' '.join(names)}"
        )


def centipawns(value: float) -> int:
    """Return an expected result as a score: by Elo's curve, a pawn for every 100 points.

    >>> centipawns(0.0), centipawns(0.5), centipawns(-1.0)
    (0, 191, -1320)
    """
    bounded = min(0.999, max(-0.999, value))
    return round(400 * log10((1 + bounded) / (1 - bounded)))


def _best(thought: Thought, game: Chess, world: Any, allowed: set[str]) -> str:
    """Return the name of the best action, among those allowed if there are any."""
    weights = np.array(thought.weights)
    if allowed:
        names = [game.action_name(world, action) for action in thought.actions]
        weights = np.where([name in allowed for name in names], weights + 1, 0)
    return game.action_name(world, thought.actions[int(np.argmax(weights))])


def _read_go(words: list[str]) -> dict[str, int]:
    """Return the numbers of a `go`; those that are none are passed over."""
    found = {}
    for name, text in pairwise(words):
        if name in _CLOCKS and text.lstrip("-").isascii() and text.lstrip("-").isdigit():
            found[name] = max(0, _read_number(text))
    return found


def _search_moves(words: list[str]) -> list[str]:
    return words[words.index("searchmoves") + 1 :] if "searchmoves" in words else []


def _read_number(text: str) -> int:
    try:
        return max(-1, min(int(text[:20]), _MAX_NUMBER))
    except ValueError:
        raise InputError(f"{text[:20]!r} is no number") from None


def _rate(simulations: int, seconds: float) -> int:
    return round(simulations / max(seconds, 1e-3))
