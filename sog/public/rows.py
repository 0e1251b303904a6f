"""Positions of board games as rows of flat arrays, one class a game over the kernels of its rules.

Small games have no kernels: there a row is a world (`sog.public.world_rows`).

A search of a game without secrets needs no worlds: a public state is a position, and a position is a row of
numbers. Rows are only ever added. The last row is kept free for `preview`, which looks at every child of a
position without keeping any.

Verified: tests/public/test_boards.py.
"""

from typing import Any, Protocol

import numpy as np

from sog.core.arrays import F32, F64, U32, U64
from sog.core.errors import InputError
from sog.core.jit import ONE, ZERO, kernel
from sog.games.base import TERMINAL, AnyGame
from sog.games.chess.board import MAX_MOVES, PLY
from sog.games.chess.encoding import move_of
from sog.games.chess.game import Chess, history_rows
from sog.games.chess.moves import list_moves
from sog.games.chess.outcome import CHECKMATE, INSUFFICIENT, ONGOING, is_insufficient, judge, run_open_node
from sog.games.chess.planes import NUM_PLANES, write_planes
from sog.games.chess.play import play
from sog.games.connect_four import ConnectFour
from sog.games.go.game import Go
from sog.games.go.layout import TO_PLAY, GoRules, Positions, make_positions
from sog.games.go.rows import fill_planes, list_legal, make_move, outcome
from sog.public.connect_four_rows import ConnectFourRows
from sog.public.world_rows import WorldRows

_FIRST_ROOM = 64  # rows


class Rows(Protocol):
    """Positions of one game."""

    @property
    def root(self) -> int:
        """The row that a search begins with."""

    def look(self, row: int) -> tuple[int, float, U32]:
        """Return who acts in a row's position, player 0's utility if nobody does, and the legal actions."""

    def add(self, row: int, action: int) -> int:
        """Return a new row, with the position after an action."""

    def preview(self, row: int, actions: U32, actors: U32, counts: U32, utilities: F64) -> None:
        """Write what `look` would say after each action: who acts, player 0's utility, how many actions.

        actions, actors, counts, utilities: [A], all but the first modified in place.
        """

    def write_features(self, rows: U32, features: F32) -> None:
        """Write what networks see of B positions; features [B, F] modified in place."""


def open_rows(game: AnyGame, world: Any = None) -> Rows:
    """Return the rows of a board game, beginning with a world (default: the start of the game)."""
    if isinstance(game, Chess):
        return ChessRows(game, world or game.initial_world())
    if isinstance(game, Go):
        return GoRows(game, world or game.initial_world())
    if isinstance(game, ConnectFour):
        return ConnectFourRows(world or game.initial_world())
    if is_board_game(game):
        return WorldRows(game, game.initial_world() if world is None else world)
    raise InputError(f"{game.info.name} has no positions without secrets: its worlds are searched instead")


def is_board_game(game: AnyGame) -> bool:
    """Whether nothing is hidden and the game shows networks planes of a board."""
    encoding = game.encoding
    return game.info.is_perfect_information and encoding is not None and len(encoding.features) == 3


class ChessRows:
    """Chess: a row knows its past by the row of its parent."""

    def __init__(self, game: Chess, world: Any) -> None:
        self._last_ply = game.last_ply
        self._positions, self._parents = history_rows(world, spare=_FIRST_ROOM)
        self._length = len(world.positions)
        self.root = self._length - 1
        self._moves, self._actions = np.zeros(MAX_MOVES, np.uint32), np.zeros(MAX_MOVES, np.uint32)

    def look(self, row: int) -> tuple[int, float, U32]:
        """Return who acts, player 0's utility if nobody does, and the legal actions."""
        count, result = run_open_node(
            self._positions, np.uint64(row), self._last_ply, self._moves, self._actions
        )
        mover = int(self._positions[row, PLY]) % 2
        if result == ONGOING:
            return mover, 0.0, self._actions[: int(count)].copy()
        return TERMINAL, _mated(mover) if result == CHECKMATE else 0.0, self._actions[:0]

    def add(self, row: int, action: int) -> int:
        """Return a new row, with the position after an action."""
        if self._length + 1 == len(self._positions):
            self._positions = np.concatenate((self._positions, np.zeros_like(self._positions)))
            self._parents = np.concatenate((self._parents, np.zeros_like(self._parents)))
        number, self._length = self._length, self._length + 1
        _play_chess(self._positions, self._parents, np.uint64(row), np.uint64(action), np.uint64(number))
        return number

    def preview(self, row: int, actions: U32, actors: U32, counts: U32, utilities: F64) -> None:
        """Write what `look` would say after each action; all but `actions` modified in place."""
        _preview_chess(
            self._positions, self._parents, np.uint64(row), self._last_ply, actions, self._moves, actors,
            counts, utilities,
        )  # fmt: skip

    def write_features(self, rows: U32, features: F32) -> None:
        """Write the planes of B positions; features [B, F] modified in place."""
        _write_chess_planes(self._positions, self._parents, rows, features.reshape(-1))


class GoRows:
    """Go: a row holds its whole past."""

    def __init__(self, game: Go, world: Any) -> None:
        self.root = 0
        self._rules, self._width = game.rules, int(game.rules.row_length)
        self._rows = make_positions(game.rules, _FIRST_ROOM)
        first = game.rows_of([world]).longs
        self._rows.longs[: first.size] = first
        self._length, self._capacity = 1, _FIRST_ROOM
        self._actions = np.zeros(game.info.num_actions, np.uint32)

    def look(self, row: int) -> tuple[int, float, U32]:
        """Return who acts, player 0's utility if nobody does, and the legal actions."""
        is_over, utility = outcome(self._rules, self._rows, np.uint64(row))
        if is_over:
            return TERMINAL, float(utility), self._actions[:0]
        count = list_legal(self._rules, self._rows, np.uint64(row), self._actions, ZERO)
        player = int(self._rows.longs[row * self._width + TO_PLAY])
        return player, 0.0, self._actions[: int(count)].copy()

    def add(self, row: int, action: int) -> int:
        """Return a new row, with the position after an action."""
        if self._length + 1 == self._capacity:
            longs = np.concatenate((self._rows.longs, np.zeros_like(self._rows.longs)))
            self._rows = Positions(longs, longs.view(np.uint16))
            self._capacity *= 2
        number, self._length = self._length, self._length + 1
        make_move(self._rules, self._rows, np.uint64(row), np.uint64(number), np.uint64(action))
        return number

    def preview(self, row: int, actions: U32, actors: U32, counts: U32, utilities: F64) -> None:
        """Write what `look` would say after each action; all but `actions` modified in place."""
        _preview_go(
            self._rules, self._rows, np.uint64(row), np.uint64(self._capacity - 1), actions, self._actions,
            actors, counts, utilities,
        )  # fmt: skip

    def write_features(self, rows: U32, features: F32) -> None:
        """Write the planes of B positions; features [B, F] modified in place."""
        _write_go_planes(self._rules, self._rows, rows, np.uint64(features.shape[1]), features.reshape(-1))


def _mated(mover: int) -> float:
    """Return player 0's utility when the player to move is mated."""
    return 1.0 if mover else -1.0


@kernel
def _play_chess(positions: U64, parents: U32, row: np.uint64, action: np.uint64, number: np.uint64) -> None:
    play(positions, parents, row, move_of(positions, row, action), number)


@kernel
def _preview_chess(
    positions: U64,
    parents: U32,
    row: np.uint64,
    last_ply: np.uint64,
    actions: U32,
    moves: U32,
    actors: U32,
    counts: U32,
    utilities: F64,
) -> None:
    """Play each action into the last row and look."""
    spare = np.uint64(positions.shape[0] - 1)
    for index in range(actions.size):
        play(positions, parents, row, move_of(positions, row, np.uint64(actions[index])), spare)
        count, result = ZERO, INSUFFICIENT
        if not is_insufficient(positions, spare):
            count = list_moves(positions, spare, moves, ZERO)
            result = judge(positions, spare, count, last_ply)
        mover = positions[spare, PLY] & ONE
        utilities[index] = 0.0
        if result == ONGOING:
            actors[index], counts[index] = mover, count
        else:
            actors[index], counts[index] = TERMINAL, 0
            if result == CHECKMATE:
                utilities[index] = 1.0 if mover == ONE else -1.0


@kernel
def _write_chess_planes(positions: U64, parents: U32, rows: U32, planes: F32) -> None:
    for index in range(rows.size):
        start = np.uint64(index) * np.uint64(NUM_PLANES * 64)
        write_planes(positions, parents, np.uint64(rows[index]), planes, start)


@kernel
def _preview_go(
    rules: GoRules,
    positions: Positions,
    row: np.uint64,
    spare: np.uint64,
    actions: U32,
    legal: U32,
    actors: U32,
    counts: U32,
    utilities: F64,
) -> None:
    """Play each action into the spare row and look."""
    for index in range(actions.size):
        make_move(rules, positions, row, spare, np.uint64(actions[index]))
        is_over, utility = outcome(rules, positions, spare)
        utilities[index] = utility
        if is_over:
            actors[index], counts[index] = TERMINAL, 0
        else:
            actors[index] = positions.longs[spare * rules.row_length + np.uint64(TO_PLAY)]
            counts[index] = list_legal(rules, positions, spare, legal, ZERO)


@kernel
def _write_go_planes(rules: GoRules, positions: Positions, rows: U32, width: np.uint64, planes: F32) -> None:
    for index in range(rows.size):
        fill_planes(rules, positions, np.uint64(rows[index]), planes, np.uint64(index) * width)
