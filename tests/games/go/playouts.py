"""Random play to the end of the game.

Two ways of drawing a move: uniformly from all legal ones, the pass among them; or, as is usual, uniformly
from those that do not fill an own eye, passing only where there are none. An eye is a point whose neighbours
are all own stones, with at most one of the four points across the corners held by the other side (none at the
edge of the board): filling those would undo what keeps a chain alive, and play would hardly end.
"""

import numpy as np

from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.core.rng import RngState, next_uniform
from sog.games.go.layout import (
    COUNTS,
    EMPTY,
    RIM,
    Board,
    GoRules,
    Positions,
    board_at,
    copy_position,
    count_near,
    is_over,
    other,
    player_colour,
)
from sog.games.go.legality import is_legal
from sog.games.go.scoring import utility
from sog.games.go.stones import play


@kernel
def play_out_often(
    rules: GoRules,
    positions: Positions,
    source: np.uint64,
    target: np.uint64,
    keeps_eyes: bool,
    number: int,
    rng: RngState,
) -> float:
    """Return the mean of player 0's utility over playouts from row `source`; row `target` is work space."""
    total = 0.0
    for _ in range(number):
        copy_position(rules, positions, source, target)
        total += play_out(rules, positions, target, keeps_eyes, rng)
    return total / number


@inlined
def play_out(rules: GoRules, positions: Positions, row: np.uint64, keeps_eyes: bool, rng: RngState) -> float:
    """Play a row to its end, in place, and return player 0's utility."""
    board = board_at(rules, positions, row)
    while not is_over(rules, board):
        play(rules, board, draw_move(rules, board, keeps_eyes, rng))
    return utility(rules, board)


@inlined
def draw_move(rules: GoRules, board: Board, keeps_eyes: bool, rng: RngState) -> np.uint64:
    """Return a random action.

    Empty points are drawn until one will do; those that will not are moved behind the others in the list.
    """
    colour = player_colour(board.facts)
    left = board.facts[COUNTS + EMPTY]
    num_passes = ZERO if keeps_eyes else ONE  # where passes are drawn, the pass is one more choice
    while left + num_passes > ZERO:
        drawn = np.uint64(next_uniform(rng) * float(left + num_passes))
        if drawn == left:
            break
        point = np.uint64(board.empties[drawn])
        if not (keeps_eyes and is_eye(rules, board, point, colour)) and is_legal(rules, board, point, colour):
            return np.uint64(rules.action_of[point])
        left -= ONE
        last = np.uint64(board.empties[left])
        board.empties[drawn], board.empties[left] = last, point
        board.place[last], board.place[point] = drawn, left
    return rules.pass_action


@inlined
def is_eye(rules: GoRules, board: Board, point: np.uint64, colour: np.uint64) -> bool:
    """Whether an empty point is an eye of that colour."""
    if count_near(np.uint64(board.near[point]), colour) != np.uint64(4):
        return False
    up, down, opponent = point + rules.stride, point - rules.stride, other(colour)
    num_held, is_edge = ZERO, False
    for q in (up - ONE, up + ONE, down - ONE, down + ONE):
        held = np.uint64(board.colour[q])
        num_held += np.uint64(held == opponent)
        is_edge |= held == np.uint64(RIM)
    return bool(num_held + np.uint64(is_edge) < np.uint64(2))
