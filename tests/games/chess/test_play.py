import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.games.chess.board import HASH, REPETITIONS
from sog.games.chess.fen import read_fen, write_fen
from sog.games.chess.game import Chess, history_rows
from sog.games.chess.hashing import full_hash
from sog.games.chess.notation import read_san, read_uci
from sog.games.chess.play import after, run_play
from tests.games.chess.oracle import STARTS, playout, scattered


@pytest.mark.parametrize("fen", STARTS)
def test_positions_of_random_games_are_the_oracles(fen: str) -> None:
    for seed in range(3, 6):
        for board, world in playout(fen, seed, 150):
            assert write_fen(world.position) == board.fen()
            assert world.position[HASH] == full_hash(world.position)


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 2**32))
def test_every_move_of_scattered_pieces(seed: int) -> None:
    board = scattered(seed)
    position = read_fen(board.fen())
    for move in board.legal_moves:
        board.push(move)
        child = after(position, read_uci(position, move.uci()))
        assert write_fen(child) == board.fen()
        assert child[HASH] == full_hash(child)
        board.pop()


@pytest.mark.parametrize("fen", STARTS)
def test_repetitions_are_counted(fen: str) -> None:
    """Against the count of equal positions, an independent notion of equality."""
    for seed in range(6, 10):
        seen: list[object] = []
        for board, world in playout(fen, seed, 120):
            key = board._transposition_key()
            assert world.position[REPETITIONS] == seen.count(key)
            seen.append(key)


def test_castling_rights_and_en_passant_make_positions_different() -> None:
    game = Chess()
    world = game.initial_world()
    counts = []
    for move in ("e2e4", "e7e5", "e1e2", "e8e7", "e2e1", "e7e8", "e1e2", "e8e7", "e2e1", "e7e8"):
        names = {game.action_name(world, action): action for action in game.legal_actions(world)}
        world = game.apply(world, names[move])
        counts.append(int(world.position[REPETITIONS]))
    assert counts == [0, 0, 0, 0, 0, 0, 0, 1, 1, 1]


def test_a_tree_of_positions_repeats_along_its_branches_only() -> None:
    rows, parents = history_rows(Chess().initial_world(), spare=8)
    node, shuffle = 0, ("Nf3", "Nf6", "Ng1", "Ng8")
    for child, san in enumerate(shuffle, 1):
        move = read_san(rows[node], san)
        run_play(rows, parents, np.uint64(node), np.uint64(move), np.uint64(child))
        node = child
    assert rows[4, REPETITIONS] == 1
    # The same position as row 1 in another branch, which has not seen it.
    run_play(rows, parents, np.uint64(0), np.uint64(read_san(rows[0], "Nf3")), np.uint64(5))
    assert rows[5, HASH] == rows[1, HASH]
    assert rows[5, REPETITIONS] == 0
    assert list(parents[:6]) == [0xFFFFFFFF, 0, 1, 2, 3, 0]
    # And below row 4, where row 1 is in the past.
    run_play(rows, parents, np.uint64(4), np.uint64(read_san(rows[4], "Nf3")), np.uint64(6))
    assert rows[6, REPETITIONS] == 1


def test_colours_are_told_apart() -> None:
    white, black = (read_fen(f"4k3/8/8/8/8/8/8/4K3 {turn} - - 0 1") for turn in "wb")
    assert white[HASH] != black[HASH]
    mirrored = chess.Board("4k3/4p3/8/8/8/8/8/4K3 b - - 0 1").mirror().fen()
    assert read_fen(mirrored)[HASH] != read_fen("4k3/4p3/8/8/8/8/8/4K3 b - - 0 1")[HASH]
