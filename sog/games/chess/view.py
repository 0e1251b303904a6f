"""The public view of chess: a record is the words of a position (`board.py`) and whether it has a past.

Repetition and the planes look back, and the kernels for both want rows that are each other's parents. So the
last positions of a line are copied side by side first, as far as they matter: back to the last pawn move or
capture for repetition, eight for the planes.

Verified: tests/games/test_board_views.py.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from sog.core.arrays import F32, U32, U64
from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.games.base import TERMINAL
from sog.games.board_view import (
    NOWHERE,
    Children,
    Line,
    PositionFacts,
    PositionView,
    allocate_children,
    allocate_facts,
    before,
    word_at,
)
from sog.games.chess.board import CLOCK, MAX_MOVES, NO_PARENT, PLY, POSITION_WORDS
from sog.games.chess.moves import list_moves
from sog.games.chess.outcome import CHECKMATE, INSUFFICIENT, ONGOING, is_insufficient, judge, open_node
from sog.games.chess.planes import NUM_BOARDS, NUM_PLANES, write_planes
from sog.games.chess.play import play

if TYPE_CHECKING:
    from sog.games.chess.game import Chess, ChessWorld

RECORD = np.dtype([("words", "u8", POSITION_WORDS), ("has_past", "u8")])
_WIDTH = POSITION_WORDS + 1
_NUM_ROWS = 104  # of positions side by side: half moves of a play that goes on, the present and the next one
_HERE = np.uint64(_NUM_ROWS - 2)  # row of the present position; the next one's is the last


class ChessView(PositionView):
    """Chess from any world.

    >>> from sog.games.chess.game import Chess
    >>> view = ChessView(Chess())
    >>> view.open(view.roots(np.random.default_rng())).num_actions.tolist()
    [20]
    """

    def __init__(self, game: "Chess", world: "ChessWorld | None" = None) -> None:
        world = game.initial_world() if world is None else world
        words = np.frombuffer(b"".join(world.positions), np.uint64).reshape(-1, POSITION_WORDS)
        past = np.zeros((len(words) - 1, _WIDTH), np.uint64)
        past[:, :POSITION_WORDS] = words[:-1]
        start = np.zeros(1, RECORD)
        start["words"], start["has_past"] = words[-1], len(past) > 0
        super().__init__(game, world, start, past)
        self._world_of, self._last_ply = game.world_of, game.last_ply

    def world_of(self, record: Any) -> "ChessWorld":
        """Return the position without a past."""
        return self._world_of(record["words"])

    def _look(self, line: Line, nodes: U32) -> tuple[PositionFacts, U32]:
        facts, room = allocate_facts(nodes.size), nodes.size * MAX_MOVES
        moves, actions = np.empty(room, np.uint32), np.empty(room, np.uint32)
        count = _look(line.records, nodes, self._last_ply, moves, actions, facts)
        return facts, actions[: int(count)]

    def _expand(self, line: Line, nodes: U32) -> Children:
        children = allocate_children(nodes.size, MAX_MOVES, _WIDTH)
        moves, actions = np.empty(2 * MAX_MOVES, np.uint32), np.empty(MAX_MOVES, np.uint32)
        _expand(line, nodes, self._last_ply, *_make_rows(), moves, actions, children)
        return children

    def _write_planes(self, line: Line, nodes: U32, features: F32) -> None:
        _write_planes(line, nodes, *_make_rows(), features.reshape(-1))


def _make_rows() -> tuple[U64, U32]:
    """Return room for positions side by side, and for the rows of their parents."""
    return np.empty((_NUM_ROWS, POSITION_WORDS), np.uint64), np.empty(_NUM_ROWS, np.uint32)


@inlined
def _note(
    facts: PositionFacts, index: np.uint64, mover: np.uint64, count: np.uint64, result: np.uint64
) -> None:
    if result == ONGOING:
        facts.actors[index], facts.counts[index], facts.utilities[index] = mover, count, 0.0
        return
    facts.actors[index], facts.counts[index], facts.utilities[index] = TERMINAL, 0, 0.0
    if result == CHECKMATE:
        facts.utilities[index] = 1.0 if mover == ONE else -1.0


@inlined
def _lay_out(line: Line, node: np.uint64, count: np.uint64, rows: U64, parents: U32) -> None:
    """Copy a position and those before it, `count` in all, into rows up to `_HERE`; modified in place."""
    place, row = node, _HERE
    for _ in range(count):
        for index in range(POSITION_WORDS):
            rows[row, np.uint64(index)] = word_at(line, place, np.uint64(index))
        parents[row] = row - ONE
        place, row = before(line, place), row - ONE
        if place == NOWHERE:
            break
    parents[row + ONE] = NO_PARENT


@kernel
def _look(
    positions: U64, nodes: U32, last_ply: np.uint64, moves: U32, actions: U32, facts: PositionFacts
) -> np.uint64:
    """Write what there is to know and all actions; return how many actions there are."""
    at = ZERO
    for number in range(nodes.size):
        index = np.uint64(number)
        node = np.uint64(nodes[index])
        count, result = open_node(positions, node, last_ply, moves, actions, at)
        _note(facts, index, positions[node, PLY] & ONE, count, result)
        at += count
    return at


@kernel
def _expand(
    line: Line,
    nodes: U32,
    last_ply: np.uint64,
    rows: U64,
    parents: U32,
    moves: U32,
    actions: U32,
    children: Children,
) -> None:
    """Write all children. moves [2 MAX_MOVES], of a position and of its child; modified as all after it."""
    at, child, half = ZERO, _HERE + ONE, np.uint64(MAX_MOVES)
    for number in range(nodes.size):
        index = np.uint64(number)
        node = np.uint64(nodes[index])
        _lay_out(line, node, line.records[node, CLOCK] + ONE, rows, parents)
        num_moves, _ = open_node(rows, _HERE, last_ply, moves, actions, ZERO)
        children.counts[index], children.movers[index] = num_moves, rows[_HERE, PLY] & ONE
        for ordinal in range(num_moves):
            play(rows, parents, _HERE, np.uint64(moves[ordinal]), child)
            count, result = ZERO, INSUFFICIENT
            if not is_insufficient(rows, child):
                count = list_moves(rows, child, moves, half)
                result = judge(rows, child, count, last_ply)
            _note(children.facts, at, rows[child, PLY] & ONE, count, result)
            for word in range(np.uint64(POSITION_WORDS)):
                children.records[at, word] = rows[child, word]
            children.records[at, np.uint64(POSITION_WORDS)] = ZERO
            at += ONE


@kernel
def _write_planes(line: Line, nodes: U32, rows: U64, parents: U32, planes: F32) -> None:
    for number in range(nodes.size):
        index = np.uint64(number)
        _lay_out(line, np.uint64(nodes[index]), np.uint64(NUM_BOARDS), rows, parents)
        write_planes(rows, parents, _HERE, planes, index * np.uint64(NUM_PLANES * 64))
