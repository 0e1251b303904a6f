"""The Universal Chess Interface: a session as a machine that takes lines and writes lines.

Lines that are no commands are passed over, as the protocol wants it; words before a command too. `uci` is
answered at once: rules and network are loaded when the first command needs them, at `isready` as a
rule. While a search runs, lines are looked at whenever the network has answered: `stop` and `quit` end it,
`ponderhit` starts its clock, `isready` is answered at once, all others wait.

This module must stay light: a client gives up if `uciok` is late.

Verified: tests/interfaces/protocols/test_uci.py.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from sog import __version__
from sog.core.errors import InputError
from sog.core.lines import Lines

MOST_SIMULATIONS = 1_000_000  # of one search
NO_MOVE = "0000"
_COMMANDS = {
    *("uci", "debug", "isready", "setoption", "ucinewgame", "position", "go", "stop", "ponderhit", "quit"),
}
_NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "movetime", "nodes", "depth", "mate")
_GO_WORDS = {*_NUMBERS, "searchmoves", "ponder", "infinite"}
_MAX_NUMBER = 10**9


class _Spin(NamedTuple):
    """A whole number that a client may set."""

    name: str
    default: int
    low: int
    high: int


_SPINS = (
    _Spin("Threads", 1, 1, 1024),  # of the network
    _Spin("Hash", 512, 1, 1 << 20),  # megabytes of positions and trees
    _Spin("MultiPV", 1, 1, 256),  # lines that are reported
    _Spin("Simulations", 0, 0, MOST_SIMULATIONS),  # of a `go` without limits; 0: the command line's
    _Spin("Seed", 0, 0, 2**31 - 1),
)


@dataclass
class Settings:
    """What the client has set, by option."""

    values: dict[str, int] = field(default_factory=lambda: {spin.name: spin.default for spin in _SPINS})

    def __getitem__(self, name: str) -> int:
        return self.values[name]

    def introduce(self) -> list[str]:
        """Return the lines that tell a client which options there are."""
        return [
            *(
                f"option name {spin.name} type spin default {self[spin.name]} min {spin.low} max {spin.high}"
                for spin in _SPINS
            ),
            "option name Ponder type check default false",
        ]

    def set(self, words: list[str]) -> None:
        """Set an option: `name … value …`."""
        name, _, text = " ".join(words).removeprefix("name ").partition(" value ")
        key = name.strip().lower()
        for spin in _SPINS:
            if spin.name.lower() == key:
                self.values[spin.name] = min(max(_read_number(text), spin.low), spin.high)
                return
        if key != "ponder":  # a promise of the client's, which changes nothing
            raise InputError(f"there is no option {name[:40]!r}")


class Go(NamedTuple):
    """What a `go` asks for."""

    numbers: dict[str, int]  # by name: clocks in milliseconds, and limits
    moves: list[str]  # to choose from, any if there are none
    ponders: bool
    is_infinite: bool


class Engine(Protocol):
    """Knows the rules and searches: `sog.interfaces.protocols.uci_search`."""

    def set_up(self, settings: Settings) -> None:
        """Take over what the client has set."""

    def new_game(self) -> None:
        """Begin anew."""

    def set_position(self, words: list[str]) -> None:
        """Take over a position; after one that cannot be read there is none."""

    def search(self, go: Go, settings: Settings, control: "Control", write: Callable[[str], None]) -> None:
        """Search, report, and answer with a move in any case."""


class Control:
    """What a search hears of its client meanwhile."""

    def __init__(self, lines: Lines, write: Callable[[str], None]) -> None:
        self._lines, self._write = lines, write
        self.waiting: deque[str] = deque()  # lines for after the search
        self.is_stopped = self.is_hit = self.has_quit = self.has_ended = False

    def next_line(self) -> str | None:
        """Return the next line, however long it takes; None at the end."""
        return self.waiting.popleft() if self.waiting else self._lines.wait()

    def begin(self) -> None:
        """Forget what the last search has heard."""
        self.is_stopped = self.is_hit = False

    def listen(self, waits: bool = False) -> None:
        """Look at the lines that are there; wait for one that matters if there is nothing else to do."""
        while not (self.is_stopped or (waits and self.is_hit)):
            is_there, line = (True, self._lines.wait()) if waits else self._lines.poll()
            if not is_there:
                return
            if line is None:
                self.has_ended = True
                return
            word = next((word for word in line.split() if word in _COMMANDS), "")
            if word in ("stop", "quit"):
                self.is_stopped = True
                self.has_quit |= word == "quit"
            elif word == "ponderhit":
                self.is_hit = True
            elif word == "isready":
                self._write("readyok")
            elif word:
                self.waiting.append(line)


class UciSession:
    """An engine's side of a session."""

    def __init__(
        self, load: Callable[[], Engine], lines: Lines, write: Callable[[str], None], threads: int = 1
    ) -> None:
        self._load, self._write = load, write
        self._settings, self._control = Settings(), Control(lines, write)
        self._settings.values["Threads"] = threads
        self._loaded: Engine | None = None

    def run(self) -> None:
        """Answer until `quit` or the end of the lines."""
        while not self._control.has_quit:
            line = self._control.next_line()
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
                for text in (f"id name sog {__version__}", "id author the sog authors"):
                    self._write(text)
                for text in (*self._settings.introduce(), "uciok"):
                    self._write(text)
            elif command == "isready":
                self._engine()
                self._write("readyok")
            elif command == "setoption":
                self._settings.set(rest)
                if self._loaded is not None:
                    self._loaded.set_up(self._settings)
            elif command == "ucinewgame":
                self._engine().new_game()
            elif command == "position":
                self._engine().set_position(rest)
            elif command == "go":
                self._control.begin()
                self._engine().search(_read_go(rest), self._settings, self._control, self._write)
            elif command == "quit":
                self._control.has_quit = True
        except InputError as error:
            if self._loaded is None and command != "setoption":
                raise  # an agent that cannot be loaded: there is nothing to go on with
            self._write(f"info string {error}")

    def _engine(self) -> Engine:
        if self._loaded is None:
            self._loaded = self._load()
            self._loaded.set_up(self._settings)
        return self._loaded


def _read_go(words: list[str]) -> Go:
    """Return what a `go` asks for; numbers that are none are passed over."""
    numbers, moves = dict[str, int](), list[str]()
    is_move = False
    for place, word in enumerate(words):
        if word in _GO_WORDS:
            is_move = word == "searchmoves"
            text = words[place + 1] if place + 1 < len(words) else ""
            if word in _NUMBERS and text.lstrip("-").isascii() and text.lstrip("-").isdigit():
                numbers[word] = max(0, _read_number(text))
        elif is_move:
            moves.append(word)
    return Go(numbers, moves, "ponder" in words, "infinite" in words)


def _read_number(text: str) -> int:
    try:
        return max(-1, min(int(text[:20]), _MAX_NUMBER))
    except ValueError:
        raise InputError(f"{text[:20]!r} is no number") from None
