"""Any GTP engine as a bot that plays Go.

Verified: tests/agents/test_engines.py.
"""

from collections.abc import Hashable, Sequence
from typing import Any

from sog.agents.bot import RESIGNS, Explanation, Limits, Watch
from sog.agents.engine_process import EngineBot, EngineError
from sog.core.errors import InputError
from sog.games.base import AnyGame

_COLOURS = ("black", "white")


class GtpBot(EngineBot):
    """An engine that plays at its own pace."""

    def __init__(self, command: str, game: AnyGame, patience: float) -> None:
        """Start it."""
        super().__init__(command, patience)
        try:
            self._ask("protocol_version")
            self._set_up(game)
        except EngineError as failure:
            self.close()
            raise InputError(f"no GTP engine for {game.info.name}: {failure}") from None

    def begin(self, game: AnyGame, seat: int, seed: int, world: Any = None) -> None:
        """Clear its board."""
        if world is not None:
            raise InputError("GTP engines begin with an empty board")
        super().begin(game, seat, seed)
        self._set_up(game)
        self._heard, self._told = list[str](), 0  # how many moves it has heard of or made itself

    def _set_up(self, game: AnyGame) -> None:
        for command in game.notation.engine_setup():
            self._ask(command)

    def _hear(self, public: Hashable, private: Hashable, move: int | None) -> None:
        self._heard.append(str(public))

    def _think(self, moves: Sequence[str], limits: Limits, watch: Watch | None) -> Explanation:
        """Tell it what has been played, and have it play."""
        for number in range(self._told, len(self._heard)):
            self._ask(f"play {_COLOURS[number % 2]} {self._heard[number]}")
        answer = self._ask(f"genmove {_COLOURS[self.seat]}")
        if answer.lower() == "resign":
            return Explanation(list(moves), [0.0] * len(moves), choice=RESIGNS)
        self._told = len(self._heard) + 1
        return self.choice(answer, moves)

    def _ask(self, command: str) -> str:
        """Return the answer to a command, which ends with an empty line."""
        self.engine.send(command)
        lines = self.engine.read(lambda line: line[:1] in ("=", "?"))
        answer = lines[-1]
        if answer.startswith("?"):
            raise self.engine.failure(f"refused {command!r}", answer[1:].strip()[:80])
        rest = self.engine.read(lambda line: not line.strip())
        return " ".join([answer[1:].strip(), *rest]).strip()
