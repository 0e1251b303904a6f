"""Go as people and programs write it: vertices, scores, GTP, SGF.

Verified: tests/matches/test_openings.py, tests/matches/test_export.py, tests/agents/test_engines.py.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sog.core.errors import InputError
from sog.games.go.sgf import SgfRecord, write_sgf
from sog.games.go.vertices import PASS, parse_vertex
from sog.games.notation import GameRecord, Notation

if TYPE_CHECKING:
    from sog.games.go.game import Go


class GoNotation(Notation):
    """Lines are vertices."""

    game: "Go"
    engines = "gtp"
    seats = ("Black", "White")

    def open(self, position: str = "", max_moves: int | None = None) -> "Go":
        """Return the game: it has one start."""
        return self.game if max_moves is None else type(self.game)(self.game.size, self.game.komi, max_moves)

    def find(self, world: Any, word: str) -> int | None:
        """Return the action of a vertex."""
        try:
            action = parse_vertex(self.game.size, word)
        except InputError:
            return None
        return action if action in self.game.legal_actions(world) else None

    def is_pass(self, world: Any, action: int) -> bool:
        """Return whether a player passes."""
        return self.game.action_name(world, action) == PASS

    def reason(self, world: Any) -> str:
        """Return the score, as records of games write it."""
        points = self.game.score(world)
        return "0" if points == 0 else f"{'B' if points > 0 else 'W'}+{abs(points):g}"

    def engine_setup(self) -> tuple[str, ...]:
        """Return GTP's commands that begin a game."""
        return f"boardsize {self.game.size}", "clear_board", f"komi {self.game.komi:g}"

    def write_games(self, kind: str, start: str, games: Sequence[GameRecord]) -> str:
        """Return games as SGF, one after the other."""
        if kind != "sgf":
            return super().write_games(kind, start, games)
        return "\n".join(
            write_sgf(
                SgfRecord(
                    size=self.game.size,
                    komi=self.game.komi,
                    moves=tuple(parse_vertex(self.game.size, name) for name in game.moves.split()),
                    names=(game.first, game.second),
                    result=_result(game),
                )
            )
            for game in games
        )


def _result(game: GameRecord) -> str:
    winner = "B" if game.score == 1.0 else "W"
    if game.forfeit is not None:
        return f"{winner}+F"
    return f"{winner}+R" if game.reason == "resignation" else game.reason
