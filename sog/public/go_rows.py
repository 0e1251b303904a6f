"""Positions of Go as rows of words (`sog.games.go.layout`); a row holds its whole past.

Verified: tests/public/test_boards.py.
"""

from typing import Any

import numpy as np

from sog.core.arrays import F32, U32, doubled
from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.games.base import TERMINAL
from sog.games.go.game import Go
from sog.games.go.layout import TO_PLAY, GoRules, Positions, make_positions
from sog.games.go.rows import fill_planes, list_legal, make_move, outcome
from sog.public.looks import Looks, allocate_looks

_FIRST_ROOM = 64  # rows


class GoRows:
    """Go; the last row is kept free for `preview`."""

    root = 0

    def __init__(self, game: Go, world: Any) -> None:
        self._rules, self._num_actions = game.rules, game.info.num_actions
        self._rows = make_positions(game.rules, _FIRST_ROOM)
        first = game.rows_of([world]).longs
        self._rows.longs[: first.size] = first
        self._length, self._capacity = 1, _FIRST_ROOM

    def look(self, rows: U32) -> tuple[Looks, U32]:
        """Return what there is to know of B positions, and their legal actions one after the other."""
        looks, actions = allocate_looks(rows.size), np.zeros((rows.size + 1) * self._num_actions, np.uint32)
        count = _look(self._rules, self._rows, rows, actions, looks)
        return looks, actions[: int(count)]

    def add(self, rows: U32, actions: U32) -> int:
        """Add the positions after an action in each of B rows; return the first one's row."""
        while self._length + rows.size >= self._capacity:
            longs = doubled(self._rows.longs)
            self._rows = Positions(longs, longs.view(np.uint16))
            self._capacity *= 2
        first, self._length = self._length, self._length + rows.size
        _play(self._rules, self._rows, rows, actions, np.uint64(first))
        return first

    def preview(self, rows: U32, counts: U32, actions: U32) -> Looks:
        """Return what there is to know after each action; counts [B] of each row's actions."""
        looks, legal = allocate_looks(actions.size), np.zeros(self._num_actions, np.uint32)
        spare = np.uint64(self._capacity - 1)
        _preview(self._rules, self._rows, rows, counts, spare, actions, legal, looks)
        return looks

    def write_features(self, rows: U32, features: F32) -> None:
        """Write the planes of B positions; features [B, F] modified in place."""
        _write_planes(self._rules, self._rows, rows, np.uint64(features.shape[1]), features.reshape(-1))


@inlined
def _look_at(
    rules: GoRules,
    positions: Positions,
    row: np.uint64,
    actions: U32,
    at: np.uint64,
    looks: Looks,
    index: np.uint64,
) -> np.uint64:
    """Note what there is to know of a row and list its actions; return how many there are."""
    is_over, utility = outcome(rules, positions, row)
    looks.utilities[index] = utility
    if is_over:
        looks.actors[index], looks.counts[index] = TERMINAL, 0
        return ZERO
    count = list_legal(rules, positions, row, actions, at)
    looks.actors[index] = positions.longs[row * rules.row_length + np.uint64(TO_PLAY)]
    looks.counts[index] = count
    return count


@kernel
def _look(rules: GoRules, positions: Positions, rows: U32, actions: U32, looks: Looks) -> np.uint64:
    """Write what there is to know and all actions; return how many actions there are."""
    at = ZERO
    for number in range(rows.size):
        index = np.uint64(number)
        at += _look_at(rules, positions, np.uint64(rows[index]), actions, at, looks, index)
    return at


@kernel
def _play(rules: GoRules, positions: Positions, rows: U32, actions: U32, first: np.uint64) -> None:
    for number in range(rows.size):
        index = np.uint64(number)
        make_move(rules, positions, np.uint64(rows[index]), first + index, np.uint64(actions[index]))


@kernel
def _preview(
    rules: GoRules,
    positions: Positions,
    rows: U32,
    counts: U32,
    spare: np.uint64,
    actions: U32,
    legal: U32,
    looks: Looks,
) -> None:
    """Play each action into the spare row and look."""
    index = ZERO
    for number in range(rows.size):
        row = np.uint64(rows[np.uint64(number)])
        for _ in range(counts[np.uint64(number)]):
            make_move(rules, positions, row, spare, np.uint64(actions[index]))
            _look_at(rules, positions, spare, legal, ZERO, looks, index)
            index += ONE


@kernel
def _write_planes(rules: GoRules, positions: Positions, rows: U32, width: np.uint64, planes: F32) -> None:
    for index in range(rows.size):
        fill_planes(rules, positions, np.uint64(rows[index]), planes, np.uint64(index) * width)
