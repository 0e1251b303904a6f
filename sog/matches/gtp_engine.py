"""Any GTP engine as a contestant in Go.

Verified: tests/matches/test_engines.py.
"""

from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.matches.engine_process import EngineError, EngineProcess
from sog.matches.play import RESIGNS, Play

_COLOURS = ("black", "white")


class GtpEngine:
    """An engine that plays at its own pace."""

    def __init__(self, command: str, game: AnyGame, patience: float) -> None:
        """Start it."""
        self._game, self._told = game, 0  # how many moves it has heard of or made itself
        self._engine = EngineProcess(command, patience)
        try:
            self._ask("protocol_version")
            self._set_up()
        except EngineError as failure:
            self.close()
            raise InputError(f"no GTP engine for {game.info.name}: {failure}") from None

    def begin(self, play: Play, seed: int) -> None:
        """Clear its board."""
        self._set_up()
        self._told = 0

    def _set_up(self) -> None:
        for command in self._game.notation.engine_setup():
            self._ask(command)

    def choose(self, play: Play) -> int:
        """Tell it what has been played, and have it play."""
        for number in range(self._told, len(play.names)):
            self._ask(f"play {_COLOURS[number % 2]} {play.names[number]}")
        answer = self._ask(f"genmove {_COLOURS[play.turn]}")
        if answer.lower() == "resign":
            return RESIGNS
        action = self._game.notation.find(play.world, answer)
        if action is None:
            raise self._engine.failure(f"played {answer[:20]!r}, which is no legal move")
        self._told = len(play.names) + 1
        return action

    def close(self) -> None:
        """End it."""
        self._engine.close("quit")

    def _ask(self, command: str) -> str:
        """Return the answer to a command, which ends with an empty line."""
        self._engine.send(command)
        lines = self._engine.read(lambda line: line[:1] in ("=", "?"))
        answer = lines[-1]
        if answer.startswith("?"):
            raise self._engine.failure(f"refused {command!r}", answer[1:].strip()[:80])
        rest = self._engine.read(lambda line: not line.strip())
        return " ".join([answer[1:].strip(), *rest]).strip()
