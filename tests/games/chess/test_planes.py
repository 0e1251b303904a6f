import chess
import numpy as np
import pytest

from sog.core.arrays import F32, U32
from sog.core.jit import kernel
from sog.games.chess.board import REPETITIONS, U64
from sog.games.chess.game import history_rows
from sog.games.chess.planes import NUM_PLANES, PLY_UNIT, run_write_planes, write_planes
from tests.games.chess.oracle import STARTS, playout


def _plain_planes(boards: list[chess.Board], seen: list[int]) -> np.ndarray:
    """The description of the planes on python-chess's boards, the present one last; [119, 64]."""
    planes = np.zeros((119, 64), np.float32)
    now = boards[-1]
    mover = now.turn
    for age, (board, count) in enumerate(zip(boards[:-9:-1], seen[:-9:-1], strict=True)):
        for square, piece in board.piece_map().items():
            place = square if mover else chess.square_mirror(square)
            planes[14 * age + 6 * (piece.color != mover) + piece.piece_type - 1, place] = 1
        planes[14 * age + 12] = count >= 1
        planes[14 * age + 13] = count >= 2
    planes[112] = not mover
    planes[113] = now.ply() / PLY_UNIT
    for number, colour in enumerate((mover, not mover)):
        planes[114 + 2 * number] = now.has_kingside_castling_rights(colour)
        planes[115 + 2 * number] = now.has_queenside_castling_rights(colour)
    planes[118] = now.halfmove_clock / 100
    return planes


@pytest.mark.parametrize("fen", STARTS)
def test_equal_to_plain_python_on_random_games(fen: str) -> None:
    for seed in (11, 12):
        boards: list[chess.Board] = []
        keys: list[object] = []
        seen: list[int] = []
        for board, world in playout(fen, seed, 80):
            seen.append(keys.count(board._transposition_key()))
            keys.append(board._transposition_key())
            boards.append(board.copy(stack=False))
            rows, parents = history_rows(world)
            planes = np.full(NUM_PLANES * 64, np.nan, np.float32)
            run_write_planes(rows, parents, np.uint64(len(rows) - 1), planes)
            np.testing.assert_array_equal(planes.reshape(119, 64), _plain_planes(boards, seen))


@kernel
def write_two(positions: U64, parents: U32, planes: F32) -> None:
    for n in range(2):
        write_planes(positions, parents, np.uint64(n), planes, np.uint64(n * NUM_PLANES * 64))


def test_a_batch_is_written_one_after_another() -> None:
    *_, (_, world) = playout(STARTS[1], 13, 1)
    rows, parents = history_rows(world)
    batch = np.full((2, NUM_PLANES * 64), np.nan, np.float32)
    write_two(rows, parents, batch.reshape(-1))
    for node in range(2):
        alone = np.zeros(NUM_PLANES * 64, np.float32)
        run_write_planes(rows, parents, np.uint64(node), alone)
        np.testing.assert_array_equal(batch[node], alone)


def test_repetitions_were_seen() -> None:
    counts = [int(world.position[REPETITIONS]) for fen in STARTS for _, world in playout(fen, 11, 80)]
    assert max(counts) == 2
