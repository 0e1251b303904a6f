"""Positions of Connect Four as rows of two bit masks, one of each player's discs (`sog.games.connect_four`).

Verified: tests/public/test_boards.py.
"""

import numpy as np

from sog.core.arrays import F32, U32, U64, doubled
from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.games.base import TERMINAL
from sog.games.connect_four import COLUMN_BITS, NUM_COLUMNS, NUM_ROWS, ConnectFourWorld
from sog.public.looks import Looks, allocate_looks

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

    def look(self, rows: U32) -> tuple[Looks, U32]:
        """Return what there is to know of B positions, and their legal actions one after the other."""
        looks, actions = allocate_looks(rows.size), np.zeros(rows.size * NUM_COLUMNS, np.uint32)
        count = _look(self._rows, rows, actions, looks)
        return looks, actions[: int(count)]

    def add(self, rows: U32, actions: U32) -> int:
        """Add the positions after an action in each of B rows; return the first one's row."""
        while self._length + rows.size > len(self._rows):
            self._rows = doubled(self._rows)
        first, self._length = self._length, self._length + rows.size
        _drop(self._rows, rows, actions, np.uint64(first))
        return first

    def preview(self, rows: U32, counts: U32, actions: U32) -> Looks:
        """Return what there is to know after each action; counts [B] of each row's actions."""
        looks = allocate_looks(actions.size)
        _preview(self._rows, rows, counts, actions, looks)
        return looks

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


@inlined
def _note(first: np.uint64, second: np.uint64, looks: Looks, index: np.uint64) -> np.uint64:
    """Note what there is to know of a position; return how many actions there are."""
    actor, utility = _judge(first, second)
    count = ZERO
    if actor != np.uint64(TERMINAL):
        for column in range(_WIDTH):
            count += ONE if _is_free(first | second, np.uint64(column)) else ZERO
    looks.actors[index], looks.counts[index], looks.utilities[index] = actor, count, utility
    return count


@inlined
def _after(first: np.uint64, second: np.uint64, column: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return both players' discs after the next one."""
    disc = _disc(first | second, column)
    if _count(first) > _count(second):
        return first, second | disc
    return first | disc, second


@kernel
def _look(positions: U64, rows: U32, actions: U32, looks: Looks) -> np.uint64:
    """Write what there is to know and all actions; return how many actions there are."""
    at = ZERO
    for number in range(rows.size):
        index = np.uint64(number)
        first, second = positions[np.uint64(rows[index]), ZERO], positions[np.uint64(rows[index]), ONE]
        if _note(first, second, looks, index) == ZERO:
            continue
        for column in range(_WIDTH):
            if _is_free(first | second, np.uint64(column)):
                actions[at] = column
                at += ONE
    return at


@kernel
def _drop(positions: U64, rows: U32, actions: U32, start: np.uint64) -> None:
    for number in range(rows.size):
        index = np.uint64(number)
        row, column = np.uint64(rows[index]), np.uint64(actions[index])
        first, second = _after(positions[row, ZERO], positions[row, ONE], column)
        positions[start + index, ZERO], positions[start + index, ONE] = first, second


@kernel
def _preview(positions: U64, rows: U32, counts: U32, actions: U32, looks: Looks) -> None:
    """Look at the position after each action."""
    index = ZERO
    for number in range(rows.size):
        row = np.uint64(rows[np.uint64(number)])
        for _ in range(counts[np.uint64(number)]):
            first, second = _after(positions[row, ZERO], positions[row, ONE], np.uint64(actions[index]))
            _note(first, second, looks, index)
            index += ONE


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
