import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.games.chess.board import MAX_MOVES
from sog.games.chess.fen import read_fen
from sog.games.chess.game import ChessWorld
from sog.games.chess.moves import in_check, legal_moves
from tests.games.chess.oracle import STARTS, names, playout, scattered


@pytest.mark.parametrize("fen", STARTS)
def test_random_games_have_the_oracles_moves(fen: str) -> None:
    for seed in range(3):
        for board, world in playout(fen, seed, 150):
            assert names(world) == sorted(move.uci() for move in board.legal_moves), board.fen()
            assert in_check(world.position) == board.is_check()


@settings(deadline=None, max_examples=400)
@given(st.integers(0, 2**32))
def test_scattered_pieces_have_the_oracles_moves(seed: int) -> None:
    board = scattered(seed)
    world = ChessWorld((read_fen(board.fen()).tobytes(),))
    assert names(world) == sorted(move.uci() for move in board.legal_moves), board.fen()
    assert in_check(world.position) == board.is_check()


def test_scattered_positions_are_worth_trying() -> None:
    boards = [scattered(seed) for seed in range(400)]
    assert sum(board.is_check() for board in boards) > 40
    assert sum(board.has_legal_en_passant() for board in boards) > 5
    assert sum(bool(board.castling_rights) for board in boards) > 0
    assert sum(any(board.is_pinned(board.turn, square) for square in chess.SQUARES) for board in boards) > 40


@pytest.mark.parametrize(
    ("fen", "move", "is_legal"),
    [
        ("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "e5d6", False),  # both pawns leave the king's rank
        ("8/8/8/3pP3/8/8/8/K6k w - d6 0 1", "e5d6", True),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", True),
        ("4k3/8/8/8/8/5r2/8/4K2R w K - 0 1", "e1g1", False),  # through check
        ("4k3/8/8/8/8/4r3/8/4K2R w K - 0 1", "e1g1", False),  # out of check
        ("4k3/8/8/8/8/1r6/8/R3K3 w Q - 0 1", "e1c1", True),  # only the rook is attacked on its way
        ("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1c1", False),  # not empty
        ("4r2k/8/8/8/8/8/8/4K3 w - - 0 1", "e1e2", False),  # away from the checker along its line
    ],
)
def test_rules_that_are_easily_missed(fen: str, move: str, is_legal: bool) -> None:
    assert (move in names(ChessWorld((read_fen(fen).tobytes(),)))) == is_legal


def test_the_most_moves_a_position_can_have_fit() -> None:
    crowded = read_fen("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
    assert len(legal_moves(crowded)) == 218 < MAX_MOVES
    assert len(np.unique(legal_moves(crowded))) == 218
