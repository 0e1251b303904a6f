"""Go as a game of worlds, over the kernels on rows.

A world is a row of positions as bytes, without the part of its history that is not in use. Worlds know all
positions of their game, since none of them may come back: two worlds are equal if they were played alike.

Verified: tests/games/go/test_game.py, tests/games/go/test_rules.py.
"""

from collections.abc import Iterable, Sequence
from math import isfinite
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F32
from sog.core.errors import InputError
from sog.core.jit import ZERO
from sog.games.base import TERMINAL, Encoding, GameInfo, OpenGame, Symmetries
from sog.games.go.layout import (
    BLACK,
    NUM_FACTS,
    NUM_MOVES,
    NUM_REMEMBERED,
    PASSES,
    SIZE,
    TO_PLAY,
    U64,
    WHITE,
    Positions,
    make_positions,
    make_rules,
)
from sog.games.go.picture import draw
from sog.games.go.planes import NUM_PLANES
from sog.games.go.rows import fill_planes, lead, list_legal, make_move, set_up
from sog.games.go.vertices import MAX_SIZE, vertex_names
from sog.games.go.view import GoView
from sog.games.go.writing import GoNotation
from sog.games.parameters import shorten, whole_number
from sog.games.picture import History, Picture
from sog.games.symmetry import square_symmetries

MAX_LENGTH = 10_000
STONES = ".XO"  # empty, black, white


class GoWorld(NamedTuple):
    """A position with its past."""

    row: bytes  # as in layout.py

    @property
    def facts(self) -> U64:
        """The facts of the row: size, who plays, how many moves and passes."""
        return np.frombuffer(self.row, np.uint64, NUM_FACTS)

    def __str__(self) -> str:
        """Draw the lines of the board from the top.

        >>> print(Go(size=2).apply(Go(size=2).initial_world(), 0))
        ../X. white to play
        """
        player = "white" if self.facts[TO_PLAY] else "black"
        passed = f", {self.facts[PASSES]} passed" if self.facts[PASSES] else ""
        return f"{'/'.join(self.lines())} {player} to play{passed}"

    def lines(self) -> list[str]:
        """Return the lines of the board, the highest first."""
        size = int(self.facts[SIZE])
        num_masks = (size * size + 63) // 64
        slot = int(self.facts[NUM_MOVES]) % NUM_REMEMBERED
        masks = np.frombuffer(self.row, np.uint8, 16 * num_masks, 8 * (NUM_FACTS + slot * 2 * num_masks))
        bits = np.unpackbits(masks.reshape(2, -1), axis=1, count=size * size, bitorder="little")  # [2, S²]
        cells = "".join(STONES[black + 2 * white] for black, white in bits.T)
        return [cells[row * size : (row + 1) * size] for row in reversed(range(size))]


class Go(OpenGame[GoWorld]):
    """Go with area scoring, positional superko and without suicide; player 0 is black.

    Actions are points, by lines from A1 on, and the pass, which is the last.
    """

    def __init__(self, size: int = 9, komi: float = 7.5, max_length: int | None = None) -> None:
        self.size = whole_number("go", "size", size, 2, MAX_SIZE)
        self.komi = _checked_komi(komi)
        usual = 2 * size * size
        length = usual if max_length is None else whole_number("go", "max_length", max_length, 1, MAX_LENGTH)
        self.rules = make_rules(self.size, self.komi, length)
        self._names = vertex_names(self.size)
        limit = "" if length == usual else f",max_length={length}"
        self.info = GameInfo(
            name=f"go(size={size},komi={self.komi:g}{limit})",
            num_actions=size * size + 1,
            is_perfect_information=True,
            max_utility=1.0,
            max_length=length,
        )
        self.encoding = Encoding((NUM_PLANES, size, size), private=(1, 1), choices=size * size + 1)
        boards = tuple(square_symmetries(size))
        self.symmetries = Symmetries(boards, tuple((*board, size * size) for board in boards))
        self._initial = self.world_of(make_positions(self.rules, 1), 0)

    def initial_world(self) -> GoWorld:
        """Return the empty board."""
        return self._initial

    def actor(self, world: GoWorld) -> int:
        """The players alternate until both pass, or the play is as long as it may be."""
        facts = world.facts
        if facts[PASSES] >= 2 or facts[NUM_MOVES] >= self.info.max_length:
            return TERMINAL
        return int(facts[TO_PLAY])

    def legal_actions(self, world: GoWorld) -> tuple[int, ...]:
        """Any empty point, without suicide and without repeating a position; and the pass."""
        actions = np.empty(self.info.num_actions, np.uint32)
        count = list_legal(self.rules, self._rows(world), ZERO, actions, ZERO)
        return tuple(actions[: int(count)].tolist())

    def apply(self, world: GoWorld, action: int) -> GoWorld:
        """Put a stone and take off what it captures, or pass."""
        positions = self._rows(world)
        make_move(self.rules, positions, ZERO, ZERO, np.uint64(action))
        return self.world_of(positions, 0)

    def returns(self, world: GoWorld) -> tuple[float, float]:
        """More points win 1."""
        points = self.score(world)
        utility = float(points > 0) - float(points < 0)
        return utility, 0.0 - utility

    def action_name(self, world: GoWorld, action: int) -> str:
        """Name a point."""
        return self._names[action]

    def public_features(self, world: GoWorld) -> list[float]:
        """Return the planes."""
        return self.planes(world).reshape(-1).tolist()

    def show(self, history: History, seat: int) -> Picture:
        """Draw the board."""
        return draw(self, history)

    @property
    def notation(self) -> GoNotation:
        """How Go is written down."""
        return GoNotation(self)

    def own_view(self, world: GoWorld | None = None) -> GoView:
        """Return the view of stones."""
        return GoView(self, world)

    def score(self, world: GoWorld) -> float:
        """Return black's points less white's and the komi, of any world as it stands."""
        return float(lead(self.rules, self._rows(world), ZERO)) - self.komi

    def planes(self, world: GoWorld) -> F32:
        """Return what a network sees, [17, S, S]; see planes.py."""
        planes = np.empty((NUM_PLANES, self.size, self.size), np.float32)
        fill_planes(self.rules, self._rows(world), ZERO, planes.reshape(-1), ZERO)
        return planes

    def set_up(self, stones: Iterable[tuple[int, int]], to_play: int = 0) -> GoWorld:
        """Return the start of a game with stones on the board, given as points and players."""
        pairs = sorted(stones)
        positions = make_positions(self.rules, 1)
        actions = np.array([action for action, _ in pairs], np.uint16)
        colours = np.array([(BLACK, WHITE)[player] for _, player in pairs], np.uint16)
        if not set_up(self.rules, positions, ZERO, actions, colours, np.uint64(to_play)):
            raise InputError("go: the stones to begin with leave a chain without liberties")
        return self.world_of(positions, 0)

    def draw(self, lines: Sequence[str], to_play: int = 0) -> GoWorld:
        """Return the start of a game from a drawing, the highest line first: `.` empty, `X` black, `O` white.

        >>> game = Go(size=2)
        >>> print(game.apply(game.draw(["X.", "O."]), 1))
        X./.X white to play
        """
        cells = "".join(reversed(lines))
        if {len(lines), *map(len, lines)} != {self.size} or not set(cells) <= set(STONES):
            raise InputError(f"go: a drawing has {self.size} lines of {self.size} points, each . or X or O")
        return self.set_up(
            ((action, STONES.index(cell) - 1) for action, cell in enumerate(cells) if cell != "."), to_play
        )

    def rows_of(self, worlds: Sequence[GoWorld]) -> Positions:
        """Return worlds as rows for kernels."""
        width = int(self.rules.row_length)
        longs = np.zeros(width * len(worlds), np.uint64)
        for number, world in enumerate(worlds):
            row = np.frombuffer(world.row, np.uint64)
            longs[number * width : number * width + row.size] = row
        return Positions(longs, longs.view(np.uint16))

    def _rows(self, world: GoWorld) -> Positions:
        return self.rows_of((world,))

    def world_of(self, positions: Positions, row: int) -> GoWorld:
        """Return a row of positions as a world."""
        at = row * int(self.rules.row_length)
        used = int(self.rules.history_at) + int(positions.longs[at + NUM_MOVES]) + 1
        return GoWorld(positions.longs[at : at + used].tobytes())


def _checked_komi(komi: object) -> float:
    if isinstance(komi, bool) or not isinstance(komi, int | float) or not isfinite(komi) or abs(komi) > 1000:
        raise InputError(f"go: komi must be a number from -1000 to 1000, not {shorten(komi)}")
    return float(komi)
