import contextlib

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.core.errors import InputError
from sog.games.chess.board import PLY
from sog.games.chess.fen import START, read_fen
from sog.games.chess.moves import legal_moves
from sog.games.chess.notation import read_san, read_uci, write_san, write_uci
from tests.games.chess.oracle import STARTS, playout, scattered


def _check(board: chess.Board) -> None:
    position = read_fen(board.fen())
    black = int(position[PLY]) % 2
    for move in map(int, legal_moves(position)):
        uci, san = write_uci(move, black), write_san(position, move)
        assert san == board.san(chess.Move.from_uci(uci))
        assert read_uci(position, uci) == move
        assert read_san(position, san) == move
        assert read_san(position, board.lan(chess.Move.from_uci(uci))) == move


@pytest.mark.parametrize("fen", STARTS)
def test_random_games_are_written_and_read_as_the_oracle_does(fen: str) -> None:
    for ply, (board, _) in enumerate(playout(fen, 10, 100)):
        if ply % 10 == 0:
            _check(board)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32))
def test_scattered_pieces_are_told_apart(seed: int) -> None:
    _check(scattered(seed))


@pytest.mark.parametrize(
    ("text", "uci"),
    [
        ("0-0", "e1g1"),
        ("O-O-O", "e1c1"),
        ("0-0-0!", "e1c1"),
        ("Bxa6??", "e2a6"),
        ("Ne5xd7", "e5d7"),
        ("Ne5-d7", "e5d7"),
        ("d5xe6", "d5e6"),
    ],
)
def test_other_ways_to_write_are_read(text: str, uci: str) -> None:
    position = read_fen(STARTS[1])
    assert write_uci(read_san(position, text), 0) == uci


@pytest.mark.parametrize("text", ["a8Q", "a8=Q", "a7a8=Q", "a7-a8Q+"])
def test_promotions_are_read(text: str) -> None:
    assert write_uci(read_san(read_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1"), text), 0) == "a7a8q"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("Ke2", "'Ke2' is no legal move here"),
        ("O-O", "'O-O' is no legal move here"),
        ("hello", "'hello' is no move in algebraic notation"),
        ("", "'' is no move in algebraic notation"),
    ],
)
def test_bad_moves_are_named(text: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        read_san(read_fen(START), text)
    assert str(caught.value) == complaint


def test_doubtful_and_impossible_moves_are_refused() -> None:
    with pytest.raises(InputError, match=r"'Rd1' could be [af]1d1 or [af]1d1"):
        read_san(read_fen("4k3/8/8/8/8/8/4K3/R4R2 w - - 0 1"), "Rd1")
    with pytest.raises(InputError, match="no legal move"):  # a promotion must say to what
        read_san(read_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1"), "a8")
    with pytest.raises(InputError, match="'e2e5' is no legal move here"):
        read_uci(read_fen(START), "e2e5")
    with pytest.raises(InputError, match="no legal move"):  # castling has a name of its own
        read_san(read_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "Kg1")


@settings(deadline=None)
@given(st.text(max_size=10))
def test_junk_is_refused(text: str) -> None:
    position = read_fen(START)
    for read in (read_uci, read_san):
        with contextlib.suppress(InputError):
            assert read(position, text) in legal_moves(position)
