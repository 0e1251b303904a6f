import contextlib

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.core.errors import InputError
from sog.games.chess.fen import START, read_fen, write_fen
from tests.games.chess.oracle import STARTS, scattered


@pytest.mark.parametrize("fen", STARTS)
def test_what_is_written_is_what_was_read(fen: str) -> None:
    assert write_fen(read_fen(fen)) == fen


@settings(deadline=None, max_examples=200)
@given(st.integers(0, 2**32), st.integers(0, 150), st.integers(1, 500))
def test_scattered_pieces_come_back(seed: int, clock: int, number: int) -> None:
    board = scattered(seed)
    board.halfmove_clock, board.fullmove_number = clock, number
    assert write_fen(read_fen(board.fen(en_passant="fen"))) == board.fen()


@pytest.mark.parametrize(
    ("fen", "written"),
    [
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "-"),  # nobody can take
        ("rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1", "d3"),
        ("7k/8/8/8/K2Pp2r/8/8/8 b - d3 0 1", "d3"),
        ("7K/8/8/8/k2Pp2R/8/8/8 b - d3 0 1", "-"),  # would open the rank
    ],
)
def test_en_passant_is_kept_if_it_is_legal(fen: str, written: str) -> None:
    assert write_fen(read_fen(fen)).split()[3] == written == chess.Board(fen).fen().split()[3]


def test_counters_may_be_left_out() -> None:
    assert write_fen(read_fen(START.rsplit(" ", 2)[0])) == START
    assert write_fen(read_fen(START.replace("0 1", "0 0"))) == START


@pytest.mark.parametrize(
    ("fen", "complaint"),
    [
        ("", "six fields"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "Black has 2 kings"),
        ("8/8/8/8/8/8/8 w - - 0 1", "eight ranks"),
        ("k7/9/8/8/8/8/8/K7 w - - 0 1", "rank 7 is '9'"),
        ("k7/7/8/8/8/8/8/K7 w - - 0 1", "rank 7 is '7'"),
        ("k7/8/8/8/8/8/8/Kx6 w - - 0 1", "rank 1 is 'Kx6'"),
        ("k7/8/8/8/8/8/8/K7 x - - 0 1", "w or b"),
        ("k6P/8/8/8/8/8/8/K7 w - - 0 1", "a pawn is on the first or last rank"),
        ("k7/8/8/8/8/8/8/K7 w KQ - 0 1", "castling right K"),
        ("k7/8/8/8/8/8/8/K7 w xy - 0 1", "castling rights are 'xy'"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "castling rights are 'KK'"),
        ("k7/8/8/8/8/8/8/K7 w - e4 0 1", "the en passant square is 'e4'"),
        ("k7/8/8/8/8/8/8/K7 w - e6 0 1", "no pawn has just passed"),
        ("k7/8/8/8/8/8/8/K7 w - - x 1", "'x' is no number"),
        ("k7/8/8/8/8/8/8/K7 w - - -1 1", "'-1' is no number"),
        ("k7/8/8/8/8/8/8/K7 w - - 99999999999999999999999 1", "is no number"),
        ("k7/8/8/8/8/8/8/K6r b - - 0 1", "the player who is not to move is in check"),
        ("kK6/8/8/8/8/8/8/8 b - - 0 1", "the kings stand next to each other"),
        ("k7/QQQQQQQQ/QQ6/8/8/8/8/K7 w - - 0 1", "White has more pieces than a game can give"),
    ],
)
def test_bad_input_is_named(fen: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        read_fen(fen)
    assert str(caught.value).startswith("cannot read the FEN ")
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


@settings(deadline=None)
@given(st.text(alphabet="kqrbnpKQRBNP12345678/ w-b²\n0e3", max_size=80))
def test_junk_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(InputError):
        assert len(write_fen(read_fen(text)).split()) == 6
