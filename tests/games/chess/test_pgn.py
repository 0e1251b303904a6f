import io
import random

import chess
import chess.pgn
import pytest

from sog.games.chess.pgn import write_pgn

ENDGAME = "8/P6k/8/8/8/8/p6K/8 b - - 3 57"


def read(text: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    return game


@pytest.mark.parametrize("fen", ["", ENDGAME])
@pytest.mark.parametrize("seed", range(5))
def test_python_chess_reads_what_is_written(fen: str, seed: int) -> None:
    board, rng = chess.Board(fen or chess.STARTING_FEN), random.Random(seed)
    while not board.is_game_over() and len(board.move_stack) < 120:
        board.push(rng.choice(list(board.legal_moves)))
    moves = [move.uci() for move in board.move_stack]
    game = read(write_pgn({"White": "a", "Black": "b"}, moves, "1/2-1/2", fen, "they agreed"))
    assert [move.uci() for move in game.mainline_moves()] == moves
    assert game.end().board().fen() == board.fen()
    assert game.headers["Result"] == "1/2-1/2"
    assert game.end().comment.split() == ["they", "agreed"]


def test_tags_may_hold_anything() -> None:
    name = 'uci:"x\\y"?Skill Level=0 {é}'
    game = read(write_pgn({"White": name, "Event": "two\nlines"}, [], "*", comment="a } in a comment"))
    raw = game.headers["White"]  # python-chess leaves the escapes of the format as they are
    assert raw.replace('\\"', '"').replace("\\\\", "\\") == name
    assert game.headers["Event"] == "two lines"


def test_the_seven_tags_come_first_and_lines_are_short() -> None:
    text = write_pgn({"Round": "3"}, ["g1f3", "g8f6", "f3g1", "f6g8"] * 20)
    tags = [line.split()[0] for line in text.splitlines() if line.startswith("[")]
    assert tags == ["[Event", "[Site", "[Date", "[Round", "[White", "[Black", "[Result"]
    assert max(map(len, text.splitlines())) <= 80
