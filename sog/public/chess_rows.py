"""Positions of chess as rows of words; a row knows its past by the row of its parent.

Verified: tests/public/test_boards.py.
"""

from typing import Any

import numpy as np

from sog.core.arrays import F32, U32, U64, doubled
from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.games.base import TERMINAL
from sog.games.chess.board import MAX_MOVES, PLY
from sog.games.chess.encoding import move_of
from sog.games.chess.game import Chess, history_rows
from sog.games.chess.moves import list_moves
from sog.games.chess.outcome import CHECKMATE, INSUFFICIENT, ONGOING, is_insufficient, judge, open_node
from sog.games.chess.planes import NUM_PLANES, write_planes
from sog.games.chess.play import play
from sog.public.looks import Looks, allocate_looks

_FIRST_ROOM = 64  # rows


class ChessRows:
    """Chess; the last row is kept free for `preview`."""

    def __init__(self, game: Chess, world: Any) -> None:
        self._last_ply = game.last_ply
        self._positions, self._parents = history_rows(world, spare=_FIRST_ROOM)
        self._length = len(world.positions)
        self.root = self._length - 1
        self._moves = np.zeros(MAX_MOVES, np.uint32)

    def look(self, rows: U32) -> tuple[Looks, U32]:
        """Return what there is to know of B positions, and their legal actions one after the other."""
        looks, room = allocate_looks(rows.size), (rows.size + 1) * MAX_MOVES
        actions = np.zeros(room, np.uint32)
        count = _look(self._positions, rows, self._last_ply, np.zeros(room, np.uint32), actions, looks)
        return looks, actions[: int(count)]

    def add(self, rows: U32, actions: U32) -> int:
        """Add the positions after an action in each of B rows; return the first one's row."""
        while self._length + rows.size >= len(self._positions):
            self._positions = doubled(self._positions)
            self._parents = doubled(self._parents)
        first, self._length = self._length, self._length + rows.size
        _play(self._positions, self._parents, rows, actions, np.uint64(first))
        return first

    def preview(self, rows: U32, counts: U32, actions: U32) -> Looks:
        """Return what there is to know after each action; counts [B] of each row's actions."""
        looks = allocate_looks(actions.size)
        _preview(self._positions, self._parents, rows, counts, self._last_ply, actions, self._moves, looks)
        return looks

    def write_features(self, rows: U32, features: F32) -> None:
        """Write the planes of B positions; features [B, F] modified in place."""
        _write_planes(self._positions, self._parents, rows, features.reshape(-1))


@inlined
def _note(looks: Looks, index: np.uint64, mover: np.uint64, count: np.uint64, result: np.uint64) -> None:
    if result == ONGOING:
        looks.actors[index], looks.counts[index], looks.utilities[index] = mover, count, 0.0
        return
    looks.actors[index], looks.counts[index], looks.utilities[index] = TERMINAL, 0, 0.0
    if result == CHECKMATE:
        looks.utilities[index] = 1.0 if mover == ONE else -1.0


@kernel
def _look(
    positions: U64, rows: U32, last_ply: np.uint64, moves: U32, actions: U32, looks: Looks
) -> np.uint64:
    """Write what there is to know and all actions; return how many actions there are."""
    at = ZERO
    for number in range(rows.size):
        index = np.uint64(number)
        row = np.uint64(rows[index])
        count, result = open_node(positions, row, last_ply, moves, actions, at)
        _note(looks, index, positions[row, PLY] & ONE, count, result)
        at += count
    return at


@kernel
def _play(positions: U64, parents: U32, rows: U32, actions: U32, first: np.uint64) -> None:
    for number in range(rows.size):
        index = np.uint64(number)
        row = np.uint64(rows[index])
        play(positions, parents, row, move_of(positions, row, np.uint64(actions[index])), first + index)


@kernel
def _preview(
    positions: U64,
    parents: U32,
    rows: U32,
    counts: U32,
    last_ply: np.uint64,
    actions: U32,
    moves: U32,
    looks: Looks,
) -> None:
    """Play each action into the last row and look."""
    spare, index = np.uint64(positions.shape[0] - 1), ZERO
    for number in range(rows.size):
        row = np.uint64(rows[np.uint64(number)])
        for _ in range(counts[np.uint64(number)]):
            play(positions, parents, row, move_of(positions, row, np.uint64(actions[index])), spare)
            count, result = ZERO, INSUFFICIENT
            if not is_insufficient(positions, spare):
                count = list_moves(positions, spare, moves, ZERO)
                result = judge(positions, spare, count, last_ply)
            _note(looks, index, positions[spare, PLY] & ONE, count, result)
            index += ONE


@kernel
def _write_planes(positions: U64, parents: U32, rows: U32, planes: F32) -> None:
    for index in range(rows.size):
        start = np.uint64(index) * np.uint64(NUM_PLANES * 64)
        write_planes(positions, parents, np.uint64(rows[index]), planes, start)
