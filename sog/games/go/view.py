"""The public view of Go: a record is the stones on the board and where stones have ever stood.

Kernels play on rows (`layout.py`), which hold chains, liberties and the whole past. Rows are large, so
records keep only what a row can be made from again: the stones are put on the board one by one, and superko
finds the hashes of earlier positions in the records of ancestors. To expand a position, its row is made once;
every child is played in a copy of it.

Verified: tests/games/test_board_views.py.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from sog.core.arrays import F32, U32, U64, Records
from sog.core.bits import lowest_index
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
from sog.games.go.layout import (
    BLACK,
    HASH,
    NUM_FACTS,
    NUM_MOVES,
    NUM_REMEMBERED,
    PASSES,
    TO_PLAY,
    WHITE,
    Board,
    GoRules,
    Positions,
    board_at,
    copy_position,
    is_over,
    stood_bit,
)
from sog.games.go.legality import fill_legal
from sog.games.go.scoring import utility
from sog.games.go.stones import play, put_stone

if TYPE_CHECKING:
    from sog.games.go.game import Go, GoWorld

# The words of a record: who is to play, moves, passes and hash; then four sets of points, M words each:
# black and white stones, where black and where white stones have ever stood; then whether there is a past.
_TO_PLAY, _NUM_MOVES, _PASSES, _HASH, _STONES = (np.uint64(index) for index in range(5))
_TWO, _SIX, _LAST_BIT = np.uint64(2), np.uint64(6), np.uint64(63)
_NODE, _CHILD = ZERO, ONE  # rows


class GoView(PositionView):
    """Go from any world.

    >>> from sog.games.go.game import Go
    >>> GoView(Go(size=9)).dtype.itemsize, GoView(Go(size=19)).dtype.itemsize
    (104, 232)
    """

    def __init__(self, game: "Go", world: "GoWorld | None" = None) -> None:
        self._rules, self._num_actions = game.rules, game.info.num_actions
        self._world_of = game.world_of
        world = game.initial_world() if world is None else world
        super().__init__(game, world, *_take_apart(game.rules, game.rows_of([world])))

    def world_of(self, record: Any) -> "GoWorld":
        """Return the position without a past."""
        line, rows = self._alone(np.array([record], self.dtype)), self._make_rows()
        _set_up(self._rules, line, ZERO, rows)
        return self._world_of(rows, 0)

    def _look(self, line: Line, nodes: U32) -> tuple[PositionFacts, U32]:
        facts, actions = allocate_facts(nodes.size), np.empty(nodes.size * self._num_actions, np.uint32)
        count = _look(self._rules, line, nodes, self._make_rows(), actions, facts)
        return facts, actions[: int(count)]

    def _expand(self, line: Line, nodes: U32) -> Children:
        children = allocate_children(nodes.size, self._num_actions, line.records.shape[1])
        actions = np.empty(2 * self._num_actions, np.uint32)
        _expand(self._rules, line, nodes, self._make_rows(), actions, children)
        return children

    def _write_planes(self, line: Line, nodes: U32, features: F32) -> None:
        _write_planes(self._rules, line, nodes, features)

    def _make_rows(self) -> Positions:
        """Return room for a position and for its child."""
        longs = np.empty(2 * int(self._rules.row_length), np.uint64)
        return Positions(longs, longs.view(np.uint16))


def _take_apart(rules: GoRules, row: Positions) -> tuple[Records, U64]:
    """Return the record of a row, and the positions before it: hashes, and stones as far as known."""
    masks, moves = int(rules.num_masks), int(row.longs[NUM_MOVES])
    sets = ("u8", (2, masks))
    dtype = np.dtype([("facts", "u8", 4), ("stones", *sets), ("stood", *sets), ("has_past", "u8")])
    past = np.zeros(moves, dtype)
    past["facts"][:, int(_HASH)] = row.longs[int(rules.history_at) :][:moves]
    ring = row.longs[NUM_FACTS : int(rules.points_at)].reshape(NUM_REMEMBERED, 2, masks)
    for number in range(max(0, moves + 1 - NUM_REMEMBERED), moves):
        past["stones"][number] = ring[number % NUM_REMEMBERED]
    start = np.zeros(1, dtype)
    start["facts"] = row.longs[[TO_PLAY, NUM_MOVES, PASSES, HASH]]
    start["stones"], start["has_past"] = ring[moves % NUM_REMEMBERED], moves > 0
    size, first = int(rules.num_points), 4 * int(rules.points_at)
    near = row.shorts[first + size : first + 2 * size][rules.point_of]  # [S²]
    for colour in (BLACK, WHITE):
        bits = np.zeros(64 * masks, np.uint8)
        bits[: near.size] = near >> (11 + colour) & 1
        start["stood"][0, colour - BLACK] = np.packbits(bits, bitorder="little").view(np.uint64)
    return start, past.view(np.uint64).reshape(moves, dtype.itemsize // 8)


@inlined
def _make_row(rules: GoRules, line: Line, node: np.uint64, rows: Positions) -> None:
    """Make the row of a node's position; rows modified in place."""
    for index in range(rules.history_at):
        rows.longs[index] = rules.empty_row[index]
    board, record = board_at(rules, rows, _NODE), line.records[node]
    facts, masks = board.facts, rules.num_masks
    facts[TO_PLAY], facts[NUM_MOVES], facts[PASSES] = record[_TO_PLAY], record[_NUM_MOVES], record[_PASSES]
    for number in range(_TWO * masks):
        colour, base = ONE + number // masks, (number % masks) << _SIX
        left = record[_STONES + number]
        while left != ZERO:
            put_stone(rules, board, np.uint64(rules.point_of[base + lowest_index(left)]), colour)
            left &= left - ONE
        left = record[_STONES + _TWO * masks + number]
        while left != ZERO:
            board.near[np.uint64(rules.point_of[base + lowest_index(left)])] |= stood_bit(colour)
            left &= left - ONE
    _recall(line, node, board)


@inlined
def _recall(line: Line, node: np.uint64, board: Board) -> None:
    """Write the hashes of all positions; where the past is not known, the oldest one again and again."""
    place, moves, last = node, board.facts[NUM_MOVES], ZERO
    for ago in range(moves + ONE):
        if place != NOWHERE:
            last = word_at(line, place, _HASH)
            place = before(line, place)
        board.history[moves - ago] = last


@inlined
def _judge(
    rules: GoRules, board: Board, actions: U32, at: np.uint64, facts: PositionFacts, index: np.uint64
) -> np.uint64:
    """Note what there is to know of a position and list its actions; return how many there are."""
    if is_over(rules, board):
        facts.actors[index], facts.counts[index] = TERMINAL, 0
        facts.utilities[index] = utility(rules, board)
        return ZERO
    count = fill_legal(rules, board, actions, at)
    facts.actors[index], facts.counts[index] = board.facts[TO_PLAY], count
    facts.utilities[index] = 0.0
    return count


@kernel
def _set_up(rules: GoRules, line: Line, node: np.uint64, rows: Positions) -> None:
    _make_row(rules, line, node, rows)


@kernel
def _look(
    rules: GoRules, line: Line, nodes: U32, rows: Positions, actions: U32, facts: PositionFacts
) -> np.uint64:
    """Write what there is to know and all actions; return how many actions there are."""
    at = ZERO
    for number in range(nodes.size):
        index = np.uint64(number)
        _make_row(rules, line, np.uint64(nodes[index]), rows)
        at += _judge(rules, board_at(rules, rows, _NODE), actions, at, facts, index)
    return at


@kernel
def _expand(
    rules: GoRules, line: Line, nodes: U32, rows: Positions, actions: U32, children: Children
) -> None:
    """Write all children. actions [2 A], of a position and of its child; modified as all around it."""
    at, half, board = ZERO, rules.pass_action + ONE, board_at(rules, rows, _CHILD)
    for number in range(nodes.size):
        index = np.uint64(number)
        node = np.uint64(nodes[index])
        _make_row(rules, line, node, rows)
        count = fill_legal(rules, board_at(rules, rows, _NODE), actions, ZERO)
        children.counts[index], children.movers[index] = count, line.records[node, _TO_PLAY]
        for ordinal in range(count):
            action = np.uint64(actions[ordinal])
            copy_position(rules, rows, _NODE, _CHILD)
            play(rules, board, action)
            _judge(rules, board, actions, half, children.facts, at)
            _pack(rules, board, line.records[node], action, children.records[at])
            at += ONE


@inlined
def _pack(rules: GoRules, board: Board, parent: U64, action: np.uint64, record: U64) -> None:
    """Write the record of a child; modified in place."""
    facts, masks = board.facts, rules.num_masks
    record[_TO_PLAY], record[_NUM_MOVES] = facts[TO_PLAY], facts[NUM_MOVES]
    record[_PASSES], record[_HASH] = facts[PASSES], facts[HASH]
    stood, now = _STONES + _TWO * masks, (facts[NUM_MOVES] % np.uint64(NUM_REMEMBERED)) * _TWO * masks
    for index in range(_TWO * masks):
        record[_STONES + index] = board.past[now + index]
        record[stood + index] = parent[stood + index]
    record[stood + _TWO * masks] = ZERO
    if action != rules.pass_action:
        record[stood + parent[_TO_PLAY] * masks + (action >> _SIX)] |= ONE << (action & _LAST_BIT)


@kernel
def _write_planes(rules: GoRules, line: Line, nodes: U32, features: F32) -> None:
    """Write AlphaGo Zero's planes (`planes.py`) straight from records; features modified in place."""
    area, masks = rules.pass_action, rules.num_masks
    for number in range(nodes.size):
        query = np.uint64(number)
        node = np.uint64(nodes[query])
        place, player = node, line.records[node, _TO_PLAY]
        for plane in range(np.uint64(2 * NUM_REMEMBERED)):
            first = _STONES + (player ^ (plane & ONE)) * masks
            for action in range(area):
                stones = ZERO if place == NOWHERE else word_at(line, place, first + (action >> _SIX))
                features[query, plane * area + action] = float(stones >> (action & _LAST_BIT) & ONE)
            if plane & ONE != ZERO and place != NOWHERE:
                place = before(line, place)
        for action in range(area):
            features[query, np.uint64(2 * NUM_REMEMBERED) * area + action] = 1.0 if player == ZERO else 0.0
