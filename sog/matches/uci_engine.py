"""Any UCI engine as a contestant in chess.

Verified: tests/matches/test_engines.py.
"""

from collections.abc import Mapping

from sog.core.errors import InputError
from sog.matches.engine_process import EngineError, EngineProcess
from sog.matches.play import Play

LIMITS = ("nodes", "depth", "movetime")  # of `go`; everything else is an option of the engine's own
_USUAL = {"movetime": "100"}  # milliseconds
_OPTION = "option name "


class UciEngine:
    """An engine that searches every move within the same limits."""

    def __init__(self, command: str, settings: Mapping[str, str], patience: float) -> None:
        """Start it; settings are options by name, and limits of every search."""
        limits = {name: text for name, text in settings.items() if name in LIMITS} or _USUAL
        self._go = " ".join(["go", *(f"{name} {text}" for name, text in limits.items())])
        self._seconds = int(limits.get("movetime", 0)) / 1000
        self._engine = EngineProcess(command, patience)
        try:
            self._engine.send("uci")
            said = self._engine.read(lambda line: line.split() == ["uciok"])
            self._set_options({name: text for name, text in settings.items() if name not in LIMITS}, said)
            self._wait_until_ready()
        except EngineError as failure:
            self.close()
            raise InputError(f"no UCI engine: {failure}") from None
        except InputError:
            self.close()
            raise

    def begin(self, play: Play, seed: int) -> None:
        """Have it forget the last game."""
        self._engine.send("ucinewgame")
        self._wait_until_ready()

    def choose(self, play: Play) -> int:
        """Have it search."""
        start = f"fen {play.opening.position}" if play.opening.position else "startpos"
        self._engine.send(" ".join(["position", start, *(["moves", *play.names] if play.names else [])]))
        self._engine.send(self._go)
        words = self._engine.read(lambda line: line.startswith("bestmove"), self._seconds)[-1].split()
        name = words[1] if len(words) > 1 else ""
        action = play.find(name)
        if action is None:
            raise self._engine.failure(f"played {name[:20]!r}, which is no legal move")
        return action

    def close(self) -> None:
        """End it."""
        self._engine.close("quit")

    def _set_options(self, options: Mapping[str, str], said: list[str]) -> None:
        known = [line[len(_OPTION) :].partition(" type ")[0] for line in said if line.startswith(_OPTION)]
        names = {name.lower(): name for name in known}
        for name, text in options.items():
            if name.lower() not in names:
                choices = ", ".join([*LIMITS, *known])
                raise InputError(f"{self._engine.program} has no option {name[:40]!r} (it has {choices})")
            self._engine.send(f"setoption name {names[name.lower()]} value {text}")

    def _wait_until_ready(self) -> None:
        self._engine.send("isready")
        self._engine.read(lambda line: line.split() == ["readyok"])
