"""Positions as rows of a flat array: what a row holds, and how kernels look at one.

A row is a whole position, its past included: copying the row copies the position. The board has a rim, one
point wide, so that every point has four neighbours; the rim on the right of a line is the rim on the left of
the next. Stones that touch form a **chain**, named by one of its stones (its head) and linked in a ring.

Liberties are counted once for each stone they touch ("pseudo-liberties"): that count is as good as the true
one for telling whether there are any, and merging two chains adds it up.

Verified: tests/games/go/test_rules.py.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sog.core.jit import ONE, ZERO, inlined
from sog.core.rng import make_rng

U16 = npt.NDArray[np.uint16]
U64 = npt.NDArray[np.uint64]

EMPTY, BLACK, WHITE, RIM = 0, 1, 2, 3  # what a point holds; player 0 has the black stones
NUM_REMEMBERED = 8  # positions that a network sees, the present one included

# Facts: the first numbers of a row.
SIZE, TO_PLAY, NUM_MOVES, PASSES, HASH, COUNTS = 0, 1, 2, 3, 4, 5  # COUNTS + colour: points that hold it
NUM_FACTS = 8
NUM_SECTIONS = 8  # the fields of a board with a number for each point

_STONES = np.uint64(4)  # bits of a neighbour count
_KEY_SEED = 361


class GoRules(NamedTuple):
    """A size, a komi and a length of play, with the tables that kernels need; nothing here ever changes."""

    size: np.uint64
    stride: np.uint64  # from a point to the one above
    num_points: np.uint64  # P, the rim included
    pass_action: np.uint64  # S², the last action
    max_length: np.uint64  # moves after which the game is scored as it stands
    komi: float
    num_masks: np.uint64  # M, words of a set of points
    past_at: np.uint64  # where parts of a row begin
    points_at: np.uint64
    history_at: np.uint64
    row_length: np.uint64
    point_of: U16  # [S²] by action
    action_of: U16  # [P]
    keys: U64  # [3 P] random numbers, by colour and point, whose exclusive or is a position's hash
    empty_row: U64  # [row_length] the start of a game


class Positions(NamedTuple):
    """Rows of positions: the same memory seen as long numbers and as short ones."""

    longs: U64  # [N row_length]
    shorts: U16  # [4 N row_length]


class Board(NamedTuple):
    """One row, taken apart. Kernels change it in place."""

    facts: U64  # [NUM_FACTS]
    past: U64  # [NUM_REMEMBERED 2 M] black and white stones after the last moves, a ring; 0 before the start
    colour: U16  # [P]
    near: U16  # [P] neighbours: empty, black and white ones, 4 bits each; who ever stood here, 2 bits
    head: U16  # [P] of the stone's chain; 0 where there is no stone
    link: U16  # [P] the next stone of the chain
    liberties: U16  # [P] by head: pseudo-liberties
    chain_size: U16  # [P] by head
    empties: U16  # [P] the empty points, in any order
    place: U16  # [P] of an empty point in `empties`
    history: U64  # [max_length + 1] hashes of all positions of the game, the present one last


def make_rules(size: int, komi: float, max_length: int) -> GoRules:
    """Return the tables for boards of one size."""
    stride, num_squares = size + 1, size * size
    num_points = stride * (size + 2) + 1
    num_masks = (num_squares + 63) // 64
    points_at = NUM_FACTS + NUM_REMEMBERED * 2 * num_masks
    history_at = points_at + (NUM_SECTIONS * num_points + 3) // 4
    row_length = history_at + max_length + 1
    actions = np.arange(num_squares)
    point_of = ((actions // size + 1) * stride + actions % size + 1).astype(np.uint16)
    action_of = np.zeros(num_points, np.uint16)
    action_of[point_of] = actions
    keys = make_rng(_KEY_SEED).integers(0, 2**64, 3 * num_points, np.uint64)
    return GoRules(
        size=np.uint64(size),
        stride=np.uint64(stride),
        num_points=np.uint64(num_points),
        pass_action=np.uint64(num_squares),
        max_length=np.uint64(max_length),
        komi=float(komi),
        num_masks=np.uint64(num_masks),
        past_at=np.uint64(NUM_FACTS),
        points_at=np.uint64(points_at),
        history_at=np.uint64(history_at),
        row_length=np.uint64(row_length),
        point_of=point_of,
        action_of=action_of,
        keys=keys,
        empty_row=_empty_row(size, num_points, points_at, row_length, point_of),
    )


def _empty_row(size: int, num_points: int, points_at: int, row_length: int, point_of: U16) -> U64:
    row = np.zeros(row_length, np.uint64)
    row[SIZE], row[COUNTS + EMPTY] = size, size * size
    shorts = row.view(np.uint16)[4 * points_at :]
    sections = shorts[: NUM_SECTIONS * num_points].reshape(NUM_SECTIONS, num_points)
    colour, near, empties, place = sections[0], sections[1], sections[6], sections[7]
    colour[:] = RIM
    colour[point_of] = EMPTY
    points = point_of.astype(np.int64)
    neighbours = points[:, None] + np.array([-size - 1, -1, 1, size + 1])  # [S², 4]
    num_rim = (colour[neighbours] == RIM).sum(axis=1)
    # The rim counts as a neighbour of either colour: a point without others is then surrounded by four.
    near[point_of] = (4 - num_rim) + (num_rim << 4) + (num_rim << 8)
    empties[: size * size] = point_of
    place[point_of] = np.arange(size * size)
    return row


def make_positions(rules: GoRules, num_rows: int) -> Positions:
    """Return that many rows, each of them the start of a game."""
    longs = np.tile(rules.empty_row, num_rows)
    return Positions(longs, longs.view(np.uint16))


@inlined
def board_at(rules: GoRules, positions: Positions, row: np.uint64) -> Board:
    """Return a row as a board: views of the row's memory."""
    at = row * rules.row_length
    past, history = at + rules.past_at, at + rules.history_at
    p = rules.num_points
    first = np.uint64(4) * (at + rules.points_at)
    shorts = positions.shorts
    return Board(
        facts=positions.longs[at:past],
        past=positions.longs[past : at + rules.points_at],
        colour=shorts[first : first + p],
        near=shorts[first + p : first + np.uint64(2) * p],
        head=shorts[first + np.uint64(2) * p : first + np.uint64(3) * p],
        link=shorts[first + np.uint64(3) * p : first + np.uint64(4) * p],
        liberties=shorts[first + np.uint64(4) * p : first + np.uint64(5) * p],
        chain_size=shorts[first + np.uint64(5) * p : first + np.uint64(6) * p],
        empties=shorts[first + np.uint64(6) * p : first + np.uint64(7) * p],
        place=shorts[first + np.uint64(7) * p : first + np.uint64(8) * p],
        history=positions.longs[history : at + rules.row_length],
    )


@inlined
def copy_position(rules: GoRules, positions: Positions, source: np.uint64, target: np.uint64) -> None:
    """Copy a row into another one; the part of its history that is not yet in use is left out."""
    a, b = source * rules.row_length, target * rules.row_length
    used = rules.history_at + positions.longs[a + np.uint64(NUM_MOVES)] + ONE
    for i in range(used):
        positions.longs[b + i] = positions.longs[a + i]


@inlined
def is_over(rules: GoRules, board: Board) -> bool:
    """Whether both players have passed in a row, or the play is as long as it may be."""
    return bool(board.facts[PASSES] >= np.uint64(2) or board.facts[NUM_MOVES] >= rules.max_length)


@inlined
def neighbours_of(point: np.uint64, stride: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return the points beside a point."""
    return point - stride, point - ONE, point + ONE, point + stride


@inlined
def count_near(near: np.uint64, colour: np.uint64) -> np.uint64:
    """Return how many neighbours hold a colour, from the entry of `Board.near`; the rim has both colours."""
    return (near >> (_STONES * colour)) & np.uint64(15)


@inlined
def near_change(colour: np.uint64) -> np.uint64:
    """Return what an entry of `Board.near` gains when a neighbour that was empty takes a colour."""
    return (ONE << (_STONES * colour)) - ONE


@inlined
def stood_bit(colour: np.uint64) -> np.uint64:
    """Return the bit of `Board.near` that says that a stone of that colour has ever stood on the point."""
    return ONE << (np.uint64(11) + colour)


@inlined
def player_colour(facts: U64) -> np.uint64:
    """Return the colour to play."""
    return np.uint64(facts[TO_PLAY] + ONE)


@inlined
def other(colour: np.uint64) -> np.uint64:
    """Return the opponent's colour."""
    return np.uint64(BLACK + WHITE) - colour


NOWHERE = ZERO  # a point of the rim: the head of points without a stone
