"""Breakthrough: two lines of pawns each; who first brings one to the other side, wins (Dan Troyka, 2000).

A pawn moves one square ahead, straight or diagonally, onto an empty square; diagonally also onto a pawn of
the other side, which it takes. Who has taken all pawns has won, too. On boards of fewer than six rows each
side has one line of pawns, as in OpenSpiel.

A world is `(turn, down, up)`: who plays, and bit masks of player 0's pawns, which move down from the top,
and of player 1's. Squares are numbered by rows from the top left.

Verified: tests/games/test_breakthrough.py, tests/games/test_openspiel_oracle.py.
"""

from typing import Any

from sog.games.base import TERMINAL, Encoding, GameInfo, OpenGame, Symmetries
from sog.games.notation import Notation
from sog.games.parameters import whole_number
from sog.games.picture import History, Picture, grid, stone
from sog.games.symmetry import mirror_squares

NUM_DIRECTIONS = 3  # left, straight, right, as seen on the board
_STRAIGHT = 1
_FILES = "abcdefghijklmnopqrstuvwxyz"

BreakthroughWorld = tuple[int, int, int]


class Breakthrough(OpenGame[BreakthroughWorld]):
    """Breakthrough; action `direction * squares + square` moves the pawn on a square.

    Squares of actions and planes are as the mover sees the board: player 1 looks at it upside down.
    """

    def __init__(self, rows: int = 8, columns: int = 8) -> None:
        self.rows = whole_number("breakthrough", "rows", rows, 3, 12)
        self.columns = whole_number("breakthrough", "columns", columns, 2, 12)
        self.num_squares = rows * columns
        depth = 2 if rows >= 6 else 1
        line = (1 << columns) - 1
        pawns = (1 << depth * columns) - 1
        self._start = 0, pawns, pawns << (rows - depth) * columns
        self._goals = line << (rows - 1) * columns, line
        # Before the last move every pawn may at most have reached the line before the last.
        advances = sum(rows - 2 - line_number for line_number in range(depth))
        self.info = GameInfo(
            name=f"breakthrough(rows={rows},columns={columns})",
            num_actions=NUM_DIRECTIONS * self.num_squares,
            is_perfect_information=True,
            max_utility=1.0,
            max_length=2 * columns * advances + 1,
        )
        self.encoding = Encoding((3, rows, columns), private=(1, 1), choices=self.info.num_actions)
        same, mirrored = mirror_squares(rows, columns)
        moves = tuple(
            (NUM_DIRECTIONS - 1 - direction) * self.num_squares + square
            for direction in range(NUM_DIRECTIONS)
            for square in mirrored
        )
        self.symmetries = Symmetries((same, mirrored), (tuple(range(self.info.num_actions)), moves))
        self._names = tuple(f"{_FILES[s % columns]}{rows - s // columns}" for s in range(self.num_squares))
        upside_down = tuple((rows - 1 - s // columns) * columns + s % columns for s in same)
        self._seen = (
            same,
            upside_down,
        )  # [P][squares] where each player sees each square; its own inverse
        self._steps = tuple(self._steps_of(player) for player in (0, 1))

    @property
    def notation(self) -> "BreakthroughNotation":
        """Moves by their names; OpenSpiel has the game too."""
        return BreakthroughNotation(self)

    def initial_world(self) -> BreakthroughWorld:
        """Return both sides' lines of pawns; player 0 begins."""
        return self._start

    def actor(self, world: BreakthroughWorld) -> int:
        """The players alternate until one has broken through or has lost all pawns."""
        turn, down, up = world
        if down & self._goals[0] or up & self._goals[1] or not down or not up:
            return TERMINAL
        return turn

    def legal_actions(self, world: BreakthroughWorld) -> tuple[int, ...]:
        """One square ahead: straight if it is empty, diagonally if no own pawn is there."""
        turn = world[0]
        own, taken = world[1 + turn], world[1] | world[2]
        return tuple(
            action
            for action, source, target, is_straight in self._steps[turn]
            if own & source and not (taken if is_straight else own) & target
        )

    def apply(self, world: BreakthroughWorld, action: int) -> BreakthroughWorld:
        """Move a pawn and take what it meets."""
        turn = world[0]
        square, to = self._move(turn, action)
        target = 1 << to
        own = world[1 + turn] ^ 1 << square | target
        others = world[2 - turn] & ~target
        return (1 - turn, own, others) if turn == 0 else (1 - turn, others, own)

    def returns(self, world: BreakthroughWorld) -> tuple[float, float]:
        """The player who has moved last has won 1."""
        return (-1.0, 1.0) if world[0] == 0 else (1.0, -1.0)

    def action_name(self, world: BreakthroughWorld, action: int) -> str:
        """Name both squares, with a star where a pawn is taken."""
        square, target = self._move(world[0], action)
        takes = world[2 - world[0]] >> target & 1
        return self._names[square] + self._names[target] + "*" * takes

    def show(self, history: History, seat: int) -> Picture:
        """Draw the board; player 0's X move down."""
        _, down, up = history.world
        cells = [stone(down, up, square) for square in range(self.num_squares)]
        marked = []
        if history.last is not None:
            moved = self._move(history.worlds[-2][0], history.last)
            marked = [divmod(square, self.columns) for square in moved]
        return grid(
            [cells[start : start + self.columns] for start in range(0, self.num_squares, self.columns)],
            _FILES[: self.columns],
            [str(row) for row in range(self.rows, 0, -1)],
            marked,
        )

    def public_features(self, world: BreakthroughWorld) -> list[float]:
        """Return planes of the mover's and of the opponent's pawns, and of whether player 1 is to move."""
        turn = world[0]
        pawns = world[1 + turn], world[2 - turn]
        planes = [float(own >> square & 1) for own in pawns for square in self._seen[turn]]
        return planes + [float(turn)] * self.num_squares

    def _move(self, player: int, action: int) -> tuple[int, int]:
        """Return the squares that a player's action moves a pawn from and to."""
        direction, seen = divmod(action, self.num_squares)
        square = self._seen[player][seen]
        ahead = self.columns if player == 0 else -self.columns
        return square, square + ahead + direction - _STRAIGHT

    def _steps_of(self, player: int) -> tuple[tuple[int, int, int, bool], ...]:
        """Return a player's actions that stay on the board: number, masks of both squares, if straight."""
        steps = []
        for action in range(self.info.num_actions):
            square, target = self._move(player, action)
            side = action // self.num_squares - _STRAIGHT
            if 0 <= target < self.num_squares and 0 <= square % self.columns + side < self.columns:
                steps.append((action, 1 << square, 1 << target, side == 0))
        return tuple(steps)


class BreakthroughNotation(Notation):
    """OpenSpiel numbers actions otherwise; names agree."""

    game: Breakthrough

    def __init__(self, game: Breakthrough) -> None:
        super().__init__(game)
        self.openspiel = f"breakthrough(rows={game.rows},columns={game.columns})"

    def openspiel_action(self, state: Any, world: Any, action: int) -> int:
        """Return OpenSpiel's number of an action."""
        return int(state.string_to_action(self.game.action_name(world, action)))
