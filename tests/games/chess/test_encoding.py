import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.core.arrays import U32
from sog.core.jit import kernel
from sog.games.chess.board import KNIGHT, MAX_MOVES, POSITION_WORDS, QUEEN, SQUARE_NAMES, U64
from sog.games.chess.encoding import ACTION_MOVES, NO_MOVE, NUM_ACTIONS, action_of, move_of, sort_by_action
from sog.games.chess.fen import read_fen
from sog.games.chess.moves import legal_moves
from sog.games.chess.notation import read_san
from tests.games.chess.oracle import STARTS, scattered


@kernel
def encode(move: np.uint64) -> np.uint64:
    return action_of(move)


@kernel
def decode(positions: U64, action: np.uint64) -> np.uint64:
    return move_of(positions, np.uint64(0), action)


@kernel
def encode_all(moves: U32, actions: U32, start: np.uint64, count: np.uint64) -> None:
    sort_by_action(moves, actions, start, count)


def _plain_action(move: int) -> int:
    """The paper's description, step by step."""
    start, end, promoted = move & 63, move >> 6 & 63, move >> 15
    right, up = end % 8 - start % 8, end // 8 - start // 8
    if promoted and promoted != QUEEN:
        plane = 64 + 3 * (promoted - int(KNIGHT)) + right + 1
    elif sorted((abs(right), abs(up))) == [1, 2]:
        clockwise = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
        plane = 56 + clockwise.index((right, up))
    else:
        distance = max(abs(right), abs(up))
        compass = ["01", "11", "10", "1-1", "0-1", "-1-1", "-10", "-11"]
        plane = 7 * compass.index(f"{right // distance}{up // distance}") + distance - 1
    return plane * 64 + start


@settings(deadline=None, max_examples=100)
@given(st.one_of(st.sampled_from(STARTS), st.integers(0, 2**32).map(lambda seed: scattered(seed).fen())))
def test_moves_become_actions_and_come_back(fen: str) -> None:
    position = read_fen(fen)
    moves = legal_moves(position)
    actions = [int(encode(np.uint64(move))) for move in moves]
    assert actions == [_plain_action(int(move)) for move in moves]
    assert len(set(actions)) == len(actions)
    row = position.reshape(1, POSITION_WORDS)
    assert [decode(row, np.uint64(action)) for action in actions] == moves.tolist()


@pytest.mark.parametrize(
    ("fen", "san", "action"),
    [
        (STARTS[0], "e4", 1 * 64 + SQUARE_NAMES.index("e2")),  # north, two squares
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", (2 * 7 + 1) * 64 + SQUARE_NAMES.index("e1")),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=Q", SQUARE_NAMES.index("a7")),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=R", 71 * 64 + SQUARE_NAMES.index("a7")),
        # Black sees the board turned: e7 is e2, and south is north.
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", "e5", 64 + SQUARE_NAMES.index("e2")),
        ("k7/8/8/8/8/8/1p6/2R4K b - - 0 1", "bxc1=N", 66 * 64 + SQUARE_NAMES.index("b7")),
    ],
)
def test_known_actions(fen: str, san: str, action: int) -> None:
    assert encode(np.uint64(read_san(read_fen(fen), san))) == action


def test_actions_that_stay_on_the_board() -> None:
    """1,456 queen's moves, 336 knight's moves, 66 promotions from the seventh rank."""
    used = ACTION_MOVES != NO_MOVE
    planes = used.reshape(73, 64).sum(axis=1)
    assert NUM_ACTIONS == used.size == 4672
    assert planes[:56].sum() == 1456
    assert planes[56:64].sum() == 336
    assert planes[64:].sum() == 3 * (7 + 8 + 7)


def test_lists_are_sorted_in_place() -> None:
    moves = legal_moves(read_fen(STARTS[1]))
    count, start = len(moves), 5
    listed, actions = (np.zeros(MAX_MOVES, np.uint32) for _ in range(2))
    listed[start : start + count] = moves
    encode_all(listed, actions, np.uint64(start), np.uint64(count))
    pairs = sorted((_plain_action(int(move)), int(move)) for move in moves)
    assert actions[start : start + count].tolist() == [action for action, _ in pairs]
    assert listed[start : start + count].tolist() == [move for _, move in pairs]
    assert not listed[:start].any()
    assert not actions[:start].any()
    assert not actions[start + count :].any()
