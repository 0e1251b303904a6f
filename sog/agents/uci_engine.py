"""Any UCI engine as a bot that plays chess.

Verified: tests/agents/test_engines.py.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from sog.agents.bot import Explanation, Limits, Watch
from sog.agents.engine_process import EngineBot, EngineError
from sog.core.errors import InputError
from sog.games.base import AnyGame

LIMITS = ("nodes", "depth", "movetime")  # of `go`; everything else is an option of the engine's own
_USUAL = {"movetime": "100"}  # milliseconds
_OPTION = "option name "


class UciBot(EngineBot):
    """An engine that searches every move within the same limits, if it is told no others."""

    def __init__(self, command: str, settings: Mapping[str, str], patience: float) -> None:
        """Start it; settings are options by name, and limits of every search."""
        super().__init__(command, patience)
        self._limits = {name: text for name, text in settings.items() if name in LIMITS} or _USUAL
        try:
            self.engine.send("uci")
            said = self.engine.read(lambda line: line.split() == ["uciok"])
            self._set_options({name: text for name, text in settings.items() if name not in LIMITS}, said)
            self._wait_until_ready()
        except EngineError as failure:
            self.close()
            raise InputError(f"no UCI engine: {failure}") from None
        except InputError:
            self.close()
            raise

    def begin(self, game: AnyGame, seat: int, seed: int, world: Any = None) -> None:
        """Have it forget the last game."""
        super().begin(game, seat, seed)
        self._start, self._heard = " ".join(game.notation.engine_setup()), list[str]()
        if world is not None:
            self._start = f"fen {world}"
        self.engine.send("ucinewgame")
        self._wait_until_ready()

    def _hear(self, public: Hashable, private: Hashable, move: int | None) -> None:
        self._heard.append(str(public))

    def _think(self, moves: Sequence[str], limits: Limits, watch: Watch | None) -> Explanation:
        """Have it search."""
        heard = ["moves", *self._heard] if self._heard else []
        self.engine.send(" ".join(["position", self._start, *heard]))
        told = {} if limits.simulations is None else {"nodes": str(limits.simulations)}
        told |= {} if limits.seconds is None else {"movetime": str(max(1, round(1000 * limits.seconds)))}
        told = told or self._limits
        self.engine.send(" ".join(["go", *(f"{name} {text}" for name, text in told.items())]))
        seconds = int(told.get("movetime", 0)) / 1000
        words = self.engine.read(lambda line: line.startswith("bestmove"), seconds)[-1].split()
        return self.choice(words[1] if len(words) > 1 else "", moves)

    def _set_options(self, options: Mapping[str, str], said: list[str]) -> None:
        known = [line[len(_OPTION) :].partition(" type ")[0] for line in said if line.startswith(_OPTION)]
        names = {name.lower(): name for name in known}
        for name, text in options.items():
            if name.lower() not in names:
                choices = ", ".join([*LIMITS, *known])
                raise InputError(f"{self.engine.program} has no option {name[:40]!r} (it has {choices})")
            self.engine.send(f"setoption name {names[name.lower()]} value {text}")

    def _wait_until_ready(self) -> None:
        self.engine.send("isready")
        self.engine.read(lambda line: line.split() == ["readyok"])
