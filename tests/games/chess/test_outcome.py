import chess
import numpy as np
import pytest

from sog.games.chess.fen import read_fen
from sog.games.chess.game import Chess, ChessWorld
from sog.games.chess.outcome import (
    CHECKMATE,
    FIFTY_MOVES,
    INSUFFICIENT,
    MOVE_LIMIT,
    ONGOING,
    REPETITION,
    STALEMATE,
)
from tests.games.chess.oracle import STARTS, playout


def _oracle(board: chess.Board) -> int:
    """How the game stands by python-chess, draws that may be claimed taken as ends."""
    if board.is_checkmate():
        return int(CHECKMATE)
    if board.is_insufficient_material():
        return int(INSUFFICIENT)
    if board.is_stalemate():
        return int(STALEMATE)
    if board.is_fifty_moves():
        return int(FIFTY_MOVES)
    if board.is_repetition(3):
        return int(REPETITION)
    return int(ONGOING)


def test_random_games_end_where_and_as_the_oracle_says() -> None:
    game, ends = Chess(), set()
    for fen in STARTS:
        for seed in range(20, 25):
            for board, world in playout(fen, seed, 300):
                outcome = game.outcome(world)
                assert outcome == _oracle(board), board.fen()
            ends.add(outcome)
            white = {"1-0": 1.0, "0-1": -1.0}.get(board.result(), 0.0)
            assert game.returns(world) == (white, -white)
    assert ends >= {CHECKMATE, INSUFFICIENT, STALEMATE, FIFTY_MOVES, REPETITION}


@pytest.mark.parametrize(
    ("board", "is_dead"),
    [
        ("k7/8/8/8/8/8/8/K7", True),
        ("k7/8/8/8/8/8/8/KN6", True),
        ("kb6/8/8/8/8/8/8/K7", True),
        ("k7/8/8/8/8/8/8/KNN5", False),
        ("kn6/8/8/8/8/8/8/KN6", False),
        ("kn6/8/8/8/8/8/8/KB6", False),
        ("kb6/8/8/8/8/8/8/K1B5", True),  # both dark
        ("kb6/8/8/8/8/8/8/KB6", False),
        ("k7/8/8/8/8/8/3B1B2/K1B2B2", False),
        ("k7/8/8/8/8/B7/3B1B2/K1B5", True),
        ("k7/8/8/8/8/P7/8/K7", False),
        ("k7/8/8/8/8/1R6/8/K7", False),
        ("k7/8/8/8/8/1Q6/8/K7", False),
    ],
)
def test_dead_positions(board: str, is_dead: bool) -> None:
    fen = f"{board} w - - 0 1"
    world = ChessWorld((read_fen(fen).tobytes(),))
    assert (Chess().outcome(world) == INSUFFICIENT) == is_dead == chess.Board(fen).is_insufficient_material()


@pytest.mark.parametrize(("clock", "draw"), [(99, FIFTY_MOVES), (98, MOVE_LIMIT)])
def test_mate_comes_before_fifty_moves_and_the_limit(clock: int, draw: np.uint64) -> None:
    game = Chess(f"7k/5Q2/6K1/8/8/8/8/8 w - - {clock} 80", max_moves=1)
    world = game.initial_world()
    ends = {
        game.action_name(world, action): game.outcome(game.apply(world, action))
        for action in game.legal_actions(world)
    }
    assert ends["f7g7"] == CHECKMATE
    assert ends["f7a7"] == draw
