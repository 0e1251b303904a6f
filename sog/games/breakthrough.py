"""Breakthrough: two lines of pawns each; who first brings one to the other side, wins (Dan Troyka, 2000).

A pawn moves one square ahead, straight or diagonally, onto an empty square; diagonally also onto a pawn of
the other side, which it takes. Who has taken all pawns has won, too. On boards of fewer than six rows each
side has one line of pawns, as in OpenSpiel.

A world is `(turn, down, up)`: who plays, and bit masks of player 0's pawns, which move down from the top,
and of player 1's. Squares are numbered by rows from the top left.

Verified: tests/games/test_breakthrough.py, tests/games/test_openspiel_oracle.py.
"""

from collections.abc import Hashable

from sog.games.base import TERMINAL, Encoding, Game, GameInfo, Symmetries
from sog.games.parameters import whole_number
from sog.games.symmetry import mirror_squares

NUM_DIRECTIONS = 3  # left, straight, right, as seen on the board
_STRAIGHT = 1
_FILES = "abcdefghijklmnopqrstuvwxyz"

BreakthroughWorld = tuple[int, int, int]


class Breakthrough(Game[BreakthroughWorld]):
    """Breakthrough; action `3 * square + direction` moves the pawn on a square."""

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
            NUM_DIRECTIONS * square + NUM_DIRECTIONS - 1 - direction
            for square in mirrored
            for direction in range(NUM_DIRECTIONS)
        )
        self.symmetries = Symmetries((same, mirrored), (tuple(range(self.info.num_actions)), moves))
        self._names = tuple(f"{_FILES[s % columns]}{rows - s // columns}" for s in range(self.num_squares))
        self._targets = tuple(self._targets_of(player) for player in (0, 1))

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
        actions = []
        left = own
        while left:
            lowest = left & -left
            left ^= lowest
            for direction, target in self._targets[turn][lowest.bit_length() - 1]:
                if not (taken if direction % NUM_DIRECTIONS == _STRAIGHT else own) & target:
                    actions.append(direction)
        return tuple(actions)

    def chance_outcomes(self, world: BreakthroughWorld) -> tuple[tuple[int, float], ...]:
        """Chance never moves."""
        return ()

    def apply(self, world: BreakthroughWorld, action: int) -> BreakthroughWorld:
        """Move a pawn and take what it meets."""
        turn = world[0]
        square = action // NUM_DIRECTIONS
        target = 1 << self._target(turn, action)
        own = world[1 + turn] ^ 1 << square | target
        others = world[2 - turn] & ~target
        return (1 - turn, own, others) if turn == 0 else (1 - turn, others, own)

    def public_observation(
        self, before: BreakthroughWorld, action: int, after: BreakthroughWorld
    ) -> Hashable:
        """Everybody sees everything."""
        return self.action_name(before, action)

    def private_observation(
        self, player: int, before: BreakthroughWorld, action: int, after: BreakthroughWorld
    ) -> Hashable:
        """Nothing is hidden."""
        return None

    def returns(self, world: BreakthroughWorld) -> tuple[float, float]:
        """The player who has moved last has won 1."""
        return (-1.0, 1.0) if world[0] == 0 else (1.0, -1.0)

    def action_name(self, world: BreakthroughWorld, action: int) -> str:
        """Name both squares, with a star where a pawn is taken."""
        target = self._target(world[0], action)
        takes = world[2 - world[0]] >> target & 1
        return self._names[action // NUM_DIRECTIONS] + self._names[target] + "*" * takes

    def public_features(self, world: BreakthroughWorld) -> list[float]:
        """Return planes of either player's pawns, rows from the top, and of whether player 1 is to move."""
        turn, squares = world[0], range(self.num_squares)
        planes = [float(pawns >> square & 1) for pawns in world[1:] for square in squares]
        return planes + [float(turn)] * self.num_squares

    def private_index(self, player: int, world: BreakthroughWorld) -> int:
        """Nothing is hidden."""
        return 0

    def _target(self, player: int, action: int) -> int:
        square, direction = divmod(action, NUM_DIRECTIONS)
        ahead = self.columns if player == 0 else -self.columns
        return square + ahead + direction - _STRAIGHT

    def _targets_of(self, player: int) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Return for each square the actions that stay on the board, with their targets as masks."""
        targets = []
        for square in range(self.num_squares):
            row, column = divmod(square, self.columns)
            ahead = row + (1 if player == 0 else -1)
            steps = [
                (NUM_DIRECTIONS * square + direction, 1 << ahead * self.columns + column + direction - 1)
                for direction in range(NUM_DIRECTIONS)
                if 0 <= ahead < self.rows and 0 <= column + direction - _STRAIGHT < self.columns
            ]
            targets.append(tuple(steps))
        return tuple(targets)
