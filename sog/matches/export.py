"""Games of a match as files that other programs read: PGN for chess, SGF for Go, lines of moves for any game.

Verified: tests/matches/test_export.py.
"""

from collections.abc import Sequence

from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.chess.game import Chess
from sog.games.chess.pgn import RESULTS, write_pgn
from sog.games.go.game import Go
from sog.games.go.sgf import SgfRecord, write_sgf
from sog.games.go.vertices import parse_vertex
from sog.matches.play import WIN
from sog.matches.records import GameRecord


def export_pgn(game: AnyGame, start: str, records: Sequence[GameRecord]) -> str:
    """Return games of chess; those without a position of their own began from `start`, or as usual."""
    if not isinstance(game, Chess):
        raise InputError(f"--pgn is for chess, not for {game.info.name}")
    return "\n".join(
        write_pgn(
            {
                "Event": "sog match",
                "Date": record.finished[:10].replace("-", "."),
                "Round": str(record.round + 1),
                "White": record.first,
                "Black": record.second,
                "PlyCount": str(len(record.moves.split())),
                "Termination": "normal" if record.forfeit is None else "rules infraction",
            },
            record.moves.split(),
            RESULTS[record.score],
            record.position or start,
            record.reason,
        )
        for record in records
    )


def export_sgf(game: AnyGame, records: Sequence[GameRecord]) -> str:
    """Return games of Go, one after the other."""
    if not isinstance(game, Go):
        raise InputError(f"--sgf is for Go, not for {game.info.name}")
    return "\n".join(
        write_sgf(
            SgfRecord(
                size=game.size,
                komi=game.komi,
                moves=tuple(parse_vertex(game.size, name) for name in record.moves.split()),
                names=(record.first, record.second),
                result=_sgf_result(record),
            )
        )
        for record in records
    )


def export_moves(records: Sequence[GameRecord]) -> str:
    """Return a line for each game: players, result, why, and the moves."""
    return "".join(
        f"{record.round + 1}. {record.first} - {record.second} {RESULTS[record.score]} ({record.reason}):"
        f" {record.moves}\n"
        for record in records
    )


def _sgf_result(record: GameRecord) -> str:
    winner = "B" if record.score == WIN else "W"
    if record.forfeit is not None:
        return f"{winner}+F"
    return f"{winner}+R" if record.reason == "resignation" else record.reason
