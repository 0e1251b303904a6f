"""Positions of Connect Four as rows of two bit masks, one of each player's discs (`sog.games.connect_four`).

Verified: tests/public/test_boards.py.
"""

import numpy as np

from sog.core.arrays import F32, F64, U32, U64
from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.games.base import TERMINAL
from sog.games.connect_four import COLUMN_BITS, NUM_COLUMNS, NUM_ROWS, ConnectFourWorld

_FIRST_ROOM = 64  # rows
_COLUMN = np.uint64(COLUMN_BITS)
_WIDTH, _HEIGHT = np.uint64(NUM_COLUMNS), np.uint64(NUM_ROWS)
_BOTTOM = np.uint64(sum(1 << column * COLUMN_BITS for column in range(NUM_COLUMNS)))
_FULL = np.uint64(int(_BOTTOM) * ((1 << NUM_ROWS) - 1))
_NUM_SQUARES = np.uint64(NUM_COLUMNS * NUM_ROWS)


class ConnectFourRows:
    """Connect Four: a row is both players' discs."""

    root = 0

    def __init__(self, world: ConnectFourWorld) -> None:
        self._rows = np.zeros((_FIRST_ROOM, 2), np.uint64)
        self._rows[0] = world
        self._length = 1
        self._actions = np.zeros(NUM_COLUMNS, np.uint32)

    def look(self, row: int) -> tuple[int, float, U32]:
        """Return who acts, player 0's utility if nobody does, and the legal actions."""
        actor, utility, count = _look(self._rows[row], self._actions)
        return int(actor), float(utility), self._actions[: int(count)].copy()

    def add(self, row: int, action: int) -> int:
        """Return a new row, with the position after an action."""
        if self._length == len(self._rows):
            self._rows = np.concatenate((self._rows, np.zeros_like(self._rows)))
        number, self._length = self._length, self._length + 1
        _drop(self._rows, np.uint64(row), np.uint64(action), np.uint64(number))
        return number

    def preview(self, row: int, actions: U32, actors: U32, counts: U32, utilities: F64) -> None:
        """Write what `look` would say after each action; all but `actions` modified in place."""
        _preview(self._rows[row], actions, actors, counts, utilities)

    def write_features(self, rows: U32, features: F32) -> None:
        """Write the planes of B positions; features [B, F] modified in place."""
        _write_planes(self._rows, rows, features)


@inlined
def _has_line(discs: np.uint64) -> bool:
    """Whether four discs stand in a row: up, right, or on one of the diagonals."""
    for kind in range(4):
        step = ONE if kind == 0 else _COLUMN + np.uint64(kind) - np.uint64(2)
        pairs = discs & (discs >> step)
        if pairs & (pairs >> (step + step)) != ZERO:
            return True
    return False


@inlined
def _count(discs: np.uint64) -> np.uint64:
    count = ZERO
    while discs != ZERO:
        discs &= discs - ONE
        count += ONE
    return count


@inlined
def _is_free(taken: np.uint64, column: np.uint64) -> bool:
    return bool(taken >> (column * _COLUMN + _HEIGHT - ONE) & ONE == ZERO)


@inlined
def _disc(taken: np.uint64, column: np.uint64) -> np.uint64:
    """Return the lowest empty square of a column: a carry through its ones ends there."""
    bottom = ONE << (column * _COLUMN)
    room = (bottom << _HEIGHT) - bottom
    return (taken + bottom) & ~taken & room


@inlined
def _judge(first: np.uint64, second: np.uint64) -> tuple[np.uint64, float]:
    """Return who acts, and player 0's utility if nobody does."""
    turn = _count(first) - _count(second)
    if _has_line(second if turn == ZERO else first):
        return np.uint64(TERMINAL), -1.0 if turn == ZERO else 1.0
    if (first | second) == _FULL:
        return np.uint64(TERMINAL), 0.0
    return turn, 0.0


@kernel
def _look(row: U64, actions: U32) -> tuple[np.uint64, float, np.uint64]:
    actor, utility = _judge(row[ZERO], row[ONE])
    count = ZERO
    if actor != np.uint64(TERMINAL):
        for column in range(_WIDTH):
            if _is_free(row[ZERO] | row[ONE], np.uint64(column)):
                actions[count] = column
                count += ONE
    return actor, utility, count


@kernel
def _drop(rows: U64, row: np.uint64, column: np.uint64, number: np.uint64) -> None:
    first, second = rows[row, ZERO], rows[row, ONE]
    disc = _disc(first | second, column)
    if _count(first) > _count(second):
        rows[number, ZERO], rows[number, ONE] = first, second | disc
    else:
        rows[number, ZERO], rows[number, ONE] = first | disc, second


@kernel
def _preview(row: U64, actions: U32, actors: U32, counts: U32, utilities: F64) -> None:
    first, second = row[ZERO], row[ONE]
    is_second = _count(first) > _count(second)
    for index in range(actions.size):
        disc = _disc(first | second, np.uint64(actions[index]))
        own, other = (first, second | disc) if is_second else (first | disc, second)
        actor, utility = _judge(own, other)
        count = ZERO
        if actor != np.uint64(TERMINAL):
            for column in range(_WIDTH):
                count += ONE if _is_free(own | other, np.uint64(column)) else ZERO
        actors[index], counts[index], utilities[index] = actor, count, utility


@kernel
def _write_planes(rows: U64, numbers: U32, features: F32) -> None:
    for index in range(numbers.size):
        number, query = np.uint64(numbers[index]), np.uint64(index)
        turn = _count(rows[number, ZERO]) - _count(rows[number, ONE])
        own, other = rows[number, turn], rows[number, ONE - turn]
        for square in range(_NUM_SQUARES):
            bit = (square % _WIDTH) * _COLUMN + square // _WIDTH
            features[query, square] = np.float32(own >> bit & ONE)
            features[query, square + _NUM_SQUARES] = np.float32(other >> bit & ONE)
            features[query, square + _NUM_SQUARES + _NUM_SQUARES] = np.float32(turn)
