"""The public view of Connect Four: a record is two bit masks, one of each player's discs.

Verified: tests/games/test_board_views.py.
"""

from typing import Any

import numpy as np

from sog.core.arrays import F32, U32, U64
from sog.core.bits import count_bits
from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.games.base import TERMINAL
from sog.games.board_view import (
    Children,
    Line,
    PositionFacts,
    PositionView,
    allocate_children,
    allocate_facts,
)
from sog.games.connect_four import COLUMN_BITS, NUM_COLUMNS, NUM_ROWS, ConnectFour, ConnectFourWorld

_RECORD = np.dtype([("first", "u8"), ("second", "u8")])
_COLUMN, _WIDTH, _HEIGHT = np.uint64(COLUMN_BITS), np.uint64(NUM_COLUMNS), np.uint64(NUM_ROWS)
_NUM_SQUARES = np.uint64(NUM_COLUMNS * NUM_ROWS)


class ConnectFourView(PositionView):
    """Connect Four from any position.

    >>> view = ConnectFourView(ConnectFour())
    >>> view.open(view.roots(np.random.default_rng())).num_actions.tolist()
    [7]
    """

    def __init__(self, game: ConnectFour, world: ConnectFourWorld | None = None) -> None:
        world = game.initial_world() if world is None else world
        super().__init__(game, world, np.array([world], _RECORD), np.zeros((0, 2), np.uint64))

    def world_of(self, record: Any) -> ConnectFourWorld:
        """Return the position."""
        return int(record["first"]), int(record["second"])

    def _look(self, line: Line, nodes: U32) -> tuple[PositionFacts, U32]:
        facts, actions = allocate_facts(nodes.size), np.empty(nodes.size * NUM_COLUMNS, np.uint32)
        count = _look(line.records, nodes, actions, facts)
        return facts, actions[: int(count)]

    def _expand(self, line: Line, nodes: U32) -> Children:
        children = allocate_children(nodes.size, NUM_COLUMNS, 2)
        _expand(line.records, nodes, children)
        return children

    def _write_planes(self, line: Line, nodes: U32, features: F32) -> None:
        _write_planes(line.records, nodes, features)


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
def _is_free(taken: np.uint64, column: np.uint64) -> bool:
    return bool(taken >> (column * _COLUMN + _HEIGHT - ONE) & ONE == ZERO)


@inlined
def _disc(taken: np.uint64, column: np.uint64) -> np.uint64:
    """Return the lowest empty square of a column: a carry through its ones ends there."""
    bottom = ONE << (column * _COLUMN)
    room = (bottom << _HEIGHT) - bottom
    return (taken + bottom) & ~taken & room


@inlined
def _turn(positions: U64, row: np.uint64) -> np.uint64:
    """Return who is to move, if the game goes on."""
    return np.uint64(count_bits(positions[row, ZERO]) - count_bits(positions[row, ONE]))


@inlined
def _judge(positions: U64, row: np.uint64, facts: PositionFacts, index: np.uint64) -> None:
    """Note what there is to know of a position; facts modified in place."""
    turn, taken, count = _turn(positions, row), positions[row, ZERO] | positions[row, ONE], ZERO
    is_won = _has_line(positions[row, ONE - turn])
    if not is_won:
        for column in range(_WIDTH):
            count += ONE if _is_free(taken, np.uint64(column)) else ZERO
    facts.actors[index] = np.uint64(TERMINAL) if count == ZERO else turn
    facts.counts[index], facts.utilities[index] = count, 0.0
    if is_won:
        facts.utilities[index] = -1.0 if turn == ZERO else 1.0


@kernel
def _look(positions: U64, nodes: U32, actions: U32, facts: PositionFacts) -> np.uint64:
    """Write what there is to know and all actions; return how many actions there are."""
    at = ZERO
    for number in range(nodes.size):
        index = np.uint64(number)
        node = np.uint64(nodes[index])
        _judge(positions, node, facts, index)
        if facts.counts[index] == ZERO:
            continue
        for column in range(_WIDTH):
            if _is_free(positions[node, ZERO] | positions[node, ONE], np.uint64(column)):
                actions[at] = column
                at += ONE
    return at


@kernel
def _expand(positions: U64, nodes: U32, children: Children) -> None:
    """Write all children."""
    at = ZERO
    for number in range(nodes.size):
        index = np.uint64(number)
        node, first = np.uint64(nodes[index]), at
        turn, taken = _turn(positions, node), positions[node, ZERO] | positions[node, ONE]
        for column in range(_WIDTH):
            if _is_free(taken, np.uint64(column)):
                children.records[at, turn] = positions[node, turn] | _disc(taken, np.uint64(column))
                children.records[at, ONE - turn] = positions[node, ONE - turn]
                _judge(children.records, at, children.facts, at)
                at += ONE
        children.counts[index], children.movers[index] = at - first, turn


@kernel
def _write_planes(positions: U64, nodes: U32, features: F32) -> None:
    for number in range(nodes.size):
        query = np.uint64(number)
        node = np.uint64(nodes[query])
        turn = _turn(positions, node)
        own, other = positions[node, turn], positions[node, ONE - turn]
        for square in range(_NUM_SQUARES):
            bit = (square % _WIDTH) * _COLUMN + square // _WIDTH
            features[query, square] = np.float32(own >> bit & ONE)
            features[query, square + _NUM_SQUARES] = np.float32(other >> bit & ONE)
            features[query, square + _NUM_SQUARES + _NUM_SQUARES] = np.float32(turn)
