"""Games of a match as files that other programs read: PGN for chess, SGF for Go, lines of moves for any game.

Verified: tests/matches/test_export.py.
"""

from collections.abc import Sequence

from sog.games.notation import RESULTS, GameRecord


def export_moves(records: Sequence[GameRecord]) -> str:
    """Return a line for each game: players, result, why, and the moves."""
    return "".join(
        f"{record.round + 1}. {record.first} - {record.second} {RESULTS[record.score]} ({record.reason}):"
        f" {record.moves}\n"
        for record in records
    )
