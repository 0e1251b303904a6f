"""Chess as people and programs write it: FEN, EPD, algebraic notation, UCI, PGN.

Verified: tests/matches/test_openings.py, tests/matches/test_export.py.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sog.core.errors import InputError
from sog.games.chess.board import PLY
from sog.games.chess.fen import START, read_fen, write_fen
from sog.games.chess.notation import read_san, read_uci, write_san, write_uci
from sog.games.chess.pgn import write_pgn
from sog.games.notation import RESULTS, GameRecord, Notation

if TYPE_CHECKING:
    from sog.games.chess.game import Chess

_UCI_MOVE = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?")
_MOVE_NUMBER = re.compile(r"\d+\.+")


class ChessNotation(Notation):
    """Lines are FEN, EPD, or moves in algebraic notation or UCI's."""

    game: "Chess"
    engines = "uci"
    seats = ("White", "Black")

    def open(self, position: str = "", max_moves: int | None = None) -> "Chess":
        """Return chess from a FEN."""
        start = position or str(self.game.initial_world())
        return type(self.game)(start, max_moves or self.game.info.max_length)

    def split(self, line: str) -> tuple[str, list[str]]:
        """Return the position of FEN or EPD, or the moves of a line without their numbers."""
        fields = line.split()
        if fields and fields[0].count("/") == 7:
            length = 6 if len(fields) >= 6 and fields[4].isdigit() and fields[5].isdigit() else 4
            return write_fen(read_fen(" ".join(fields[:length]))), []
        return "", [word for word in _MOVE_NUMBER.sub(" ", line).split() if word != "*"]

    def name(self, world: Any, action: int) -> str:
        """Return a move in algebraic notation."""
        return write_san(world.position, read_uci(world.position, self.game.action_name(world, action)))

    def find(self, world: Any, word: str) -> int | None:
        """Return the action of a move, however it is written."""
        try:
            move = (read_uci if _UCI_MOVE.fullmatch(word) else read_san)(world.position, word)
        except InputError:
            return None
        return super().find(world, write_uci(move, int(world.position[PLY]) % 2))

    def reason(self, world: Any) -> str:
        """Return mate, or what kind of draw it is."""
        return self.game.outcome_name(world)

    def engine_setup(self) -> tuple[str, ...]:
        """Return UCI's words for where the game starts."""
        start = str(self.game.initial_world())
        return ("startpos",) if start == START else ("fen", start)

    def write_games(self, kind: str, start: str, games: Sequence[GameRecord]) -> str:
        """Return games as PGN."""
        if kind != "pgn":
            return super().write_games(kind, start, games)
        return "\n".join(
            write_pgn(
                {
                    "Event": "sog match",
                    "Date": game.finished[:10].replace("-", "."),
                    "Round": str(game.round + 1),
                    "White": game.first,
                    "Black": game.second,
                    "PlyCount": str(len(game.moves.split())),
                    "Termination": "normal" if game.forfeit is None else "rules infraction",
                },
                game.moves.split(),
                RESULTS[game.score],
                game.position or start,
                game.reason,
            )
            for game in games
        )
