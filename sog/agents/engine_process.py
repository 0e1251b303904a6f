"""Other programs that play: a process that is sent lines and answers in lines, if it answers at all.

Whatever goes wrong is an `EngineError` with one line that says what: the program ended, was silent for
too long, or wrote what it should not. Engines end when their input ends, so none of them outlives us.

Verified: tests/agents/test_engines.py.
"""

import contextlib
import io
import os
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence

from sog.agents.bot import Explanation
from sog.agents.seated import OwnBot
from sog.core.errors import InputError
from sog.core.lines import Lines

_GAMES = "/usr/games"  # where Debian keeps engines, which is not on everybody's path
_SECONDS_TO_END = 2.0
_LONGEST_QUOTE = 160  # characters


class EngineError(Exception):
    """An engine that did not do its part; the text says what it did."""


def find_program(command: str) -> list[str]:
    """Return a command line as words, the program by its whole path."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"cannot read the command {command[:80]!r}: {error}") from None
    if not words:
        raise InputError("an engine needs a command: uci:COMMAND or gtp:COMMAND")
    program = shutil.which(words[0], path=os.pathsep.join([os.environ.get("PATH", ""), _GAMES]))
    if program is None:
        raise InputError(f"there is no program {words[0][:80]!r} (make engines installs stockfish and gnugo)")
    return [program, *words[1:]]


class EngineProcess:
    """A running engine; an answer may take it `patience` seconds."""

    def __init__(self, command: str, patience: float) -> None:
        words = find_program(command)
        self.program, self._patience = os.path.basename(words[0]), patience
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the engine
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
                start_new_session=True,  # Ctrl-C is for us, who tell it
            )
        except OSError as error:
            raise InputError(f"cannot start {words[0]}: {error.strerror or error}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input = self._process.stdin
        self._output = io.TextIOWrapper(self._process.stdout, encoding="utf-8")
        self._lines = Lines(self._output)

    def send(self, line: str) -> None:
        """Send one line."""
        try:
            self._input.write(f"{line}\n".encode())
            self._input.flush()
        except OSError:
            raise self.failure("ended", self._last_words()) from None

    def read(self, wanted: Callable[[str], bool], extra: float = 0.0) -> list[str]:
        """Return all lines up to the one that is wanted; it may take `extra` seconds more than patience."""
        seconds = self._patience + extra
        end, lines = time.monotonic() + seconds, list[str]()
        while not (lines and wanted(lines[-1])):
            try:
                line = self._lines.wait(max(0.0, end - time.monotonic()))
            except TimeoutError:
                raise self.failure(f"gave no answer for {seconds:g} seconds") from None
            if line is None:
                raise self.failure("ended", self._last_words())
            lines.append(line)
        return lines

    def failure(self, what: str, why: str = "") -> EngineError:
        """Return the error that says what this engine did."""
        reason = f" ({why})" if why else ""
        return EngineError(" ".join(f"{self.program} {what}{reason}".split()))

    def close(self, farewell: str) -> None:
        """End the program: kindly first."""
        with contextlib.suppress(EngineError):
            self.send(farewell)
        with contextlib.suppress(OSError):
            self._input.close()
        try:
            self._process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._lines.has_finished(_SECONDS_TO_END):
            self._output.close()
        self._complaints.close()

    def _last_words(self) -> str:
        """Return how the program ended, and what it last wrote to standard error."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_SECONDS_TO_END)
        self._complaints.seek(0, os.SEEK_END)
        self._complaints.seek(max(0, self._complaints.tell() - 4096))
        written = self._complaints.read().decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(written) if line.strip()), "")
        status = f"exit status {self._process.poll()}"
        return f"{status}: {last[:_LONGEST_QUOTE]}" if last else status


class EngineBot(OwnBot):
    """A program as a bot: it thinks by itself, and its answer is a move's name."""

    def __init__(self, command: str, patience: float) -> None:
        super().__init__()
        self.engine = EngineProcess(command, patience)

    def choice(self, answer: str, moves: Sequence[str]) -> Explanation:
        """Return an answer as the one move that anything is to be said for."""
        names = [name.lower() for name in moves]
        if answer.lower() not in names:
            raise self.engine.failure(f"played {answer[:20]!r}, which is no legal move")
        number = names.index(answer.lower())
        weights = [float(place == number) for place in range(len(moves))]
        return Explanation(list(moves), weights, variation=(moves[number],))

    def close(self) -> None:
        """End it."""
        self.engine.close("quit")

    def _moves(self) -> Sequence[str]:
        raise ValueError("an engine says what it thinks when it is asked to act")
