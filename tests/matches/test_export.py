import io

import chess.pgn
import pytest

from sog.core.errors import InputError
from sog.games.chess.game import Chess
from sog.games.go.game import Go
from sog.games.go.replay import replay
from sog.games.go.sgf import read_sgf
from sog.games.notation import GameRecord, export_moves
from sog.games.registry import load

MATE = GameRecord(
    "one", 'two "2"', 0, "", 2, "f2f3 e7e5 g2g4 d8h4", 0.0, "checkmate", None, (0, 0), "2026-11-16T06:00:00"
)
ENDGAME = "8/8/8/8/8/6k1/4q3/7K b - - 0 40"


def test_chess_games_are_read_by_python_chess() -> None:
    mate = MATE._replace(position=ENDGAME, moves="e2g2", reason="crashed", forfeit=0, round=4)
    file = io.StringIO(Chess().notation.write_games("pgn", "", [MATE, mate]))
    first, second = (chess.pgn.read_game(file) for _ in range(2))
    assert first is not None
    assert second is not None
    assert chess.pgn.read_game(file) is None
    assert first.headers["Black"] == r"two \"2\""
    assert first.headers["Date"] == "2026.11.16"
    assert first.end().board().is_checkmate()
    assert second.headers["FEN"] == ENDGAME
    assert (second.headers["Round"], second.headers["Termination"]) == ("5", "rules infraction")
    assert second.end().board().is_checkmate()


def test_go_games_are_read_back() -> None:
    game = Go(size=5, komi=0)
    records = [
        MATE._replace(moves="C3 pass pass", score=1.0, reason="B+25"),
        MATE._replace(moves="A1", score=0.0, reason="resignation"),
        MATE._replace(moves="A1", score=1.0, reason="it crashed", forfeit=1),
    ]
    text = game.notation.write_games("sgf", "", records)
    parts = [f"({part}" for part in text.split("(")[1:]]
    read = [read_sgf(part) for part in parts]
    assert [record.result for record in read] == ["B+25", "W+R", "B+F"]
    assert read[0].names == ("one", 'two "2"')
    replayed, worlds = replay(read[0])
    assert replayed.score(worlds[-1]) == 25


def test_lines_of_moves() -> None:
    assert export_moves([MATE]) == '1. one - two "2" 0-1 (checkmate): f2f3 e7e5 g2g4 d8h4\n'


def test_files_of_other_games_are_refused() -> None:
    with pytest.raises(InputError, match="--pgn is for chess, not for connect_four"):
        load("connect_four").notation.write_games("pgn", "", [])
    with pytest.raises(InputError, match="--sgf is for Go, not for chess"):
        Chess().notation.write_games("sgf", "", [])
