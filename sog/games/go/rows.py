"""What searches ask of rows of positions; each function can be called from kernels and from Python.

Rows and actions are `np.uint64`. No function allocates, and none needs more than the row it is given.

Verified: tests/games/go/test_rules.py, tests/games/go/test_rows.py.
"""

import numpy as np

from sog.core.arrays import F32, U32
from sog.core.jit import ZERO, kernel
from sog.games.go.layout import HASH, TO_PLAY, U16, GoRules, Positions, board_at, copy_position, is_over
from sog.games.go.legality import fill_legal
from sog.games.go.planes import write_planes
from sog.games.go.scoring import area_lead, utility
from sog.games.go.stones import play, put_stone


@kernel
def make_move(
    rules: GoRules, positions: Positions, source: np.uint64, target: np.uint64, action: np.uint64
) -> None:
    """Write the position after a legal action in row `source` to row `target`, which may be the same row."""
    if source != target:
        copy_position(rules, positions, source, target)
    play(rules, board_at(rules, positions, target), action)


@kernel
def list_legal(
    rules: GoRules, positions: Positions, row: np.uint64, actions: U32, at: np.uint64
) -> np.uint64:
    """Write the legal actions of a row, ascending, to `actions` from `at` on; return how many there are.

    There are at most S² + 1; the last one is always the pass. Asked only where the game goes on.
    """
    return fill_legal(rules, board_at(rules, positions, row), actions, at)


@kernel
def outcome(rules: GoRules, positions: Positions, row: np.uint64) -> tuple[bool, float]:
    """Return whether a row's game is over, and if so player 0's utility (0 otherwise)."""
    board = board_at(rules, positions, row)
    if is_over(rules, board):
        return True, utility(rules, board)
    return False, 0.0


@kernel
def lead(rules: GoRules, positions: Positions, row: np.uint64) -> float:
    """Return by how many points black leads as the board stands, before the komi."""
    return area_lead(rules, board_at(rules, positions, row))


@kernel
def fill_planes(rules: GoRules, positions: Positions, row: np.uint64, planes: F32, at: np.uint64) -> None:
    """Write the planes of a row, [17, S, S], to `planes` from `at` on."""
    write_planes(rules, board_at(rules, positions, row), planes, at)


@kernel
def set_up(
    rules: GoRules, positions: Positions, row: np.uint64, actions: U16, colours: U16, to_play: np.uint64
) -> bool:
    """Put stones on the points of `actions`, in a row that holds the start of a game, before the first move.

    Return whether all of them stand with liberties.
    """
    board = board_at(rules, positions, row)
    for i in range(actions.size):
        put_stone(rules, board, np.uint64(rules.point_of[np.uint64(actions[i])]), np.uint64(colours[i]))
    board.facts[TO_PLAY] = to_play
    board.history[0] = board.facts[HASH]
    stands = True
    for i in range(actions.size):
        point = np.uint64(rules.point_of[np.uint64(actions[i])])
        chain = np.uint64(board.head[point])
        stands &= np.uint64(board.colour[point]) == np.uint64(colours[i]) and board.liberties[chain] != ZERO
    return stands
