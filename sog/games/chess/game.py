"""Chess as a game of `sog`: worlds around the kernels.

A world is the positions so far, the present one last, as many of them as can still matter: back to the last
pawn move or capture for repetition, and at least eight for the network's planes. Player 0 is White. Actions
are AlphaZero's 4,672 (`encoding.py`), numbered as the player to move sees the board.

Verified: tests/games/chess/test_game.py.
"""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import U32
from sog.core.errors import InputError
from sog.core.jit import ONE, kernel
from sog.core.spec import format_spec
from sog.games.base import TERMINAL, Encoding, GameInfo, OpenGame
from sog.games.chess.board import (
    CLOCK,
    MAX_MOVES,
    NO_PARENT,
    NUM_SQUARES,
    PLY,
    POSITION_WORDS,
    REPETITIONS,
    U64,
)
from sog.games.chess.encoding import NUM_ACTIONS, move_of
from sog.games.chess.fen import START, read_fen, write_fen
from sog.games.chess.notation import write_uci
from sog.games.chess.outcome import CHECKMATE, ONGOING, OUTCOME_NAMES, run_open_node
from sog.games.chess.picture import draw
from sog.games.chess.planes import NUM_BOARDS, NUM_PLANES, run_write_planes
from sog.games.chess.play import play
from sog.games.chess.view import ChessView
from sog.games.chess.writing import ChessNotation
from sog.games.parameters import whole_number
from sog.games.picture import History, Picture

STARTPOS = "startpos"
_MAX_LENGTH = 10_000


class ChessWorld(NamedTuple):
    """A position with as much of its past as matters."""

    positions: tuple[bytes, ...]  # rows of POSITION_WORDS numbers, the present one last

    @property
    def position(self) -> U64:
        """The present position, [POSITION_WORDS]."""
        return np.frombuffer(self.positions[-1], np.uint64)

    def __str__(self) -> str:
        seen = int(self.position[REPETITIONS]) + 1
        return write_fen(self.position) + (f" ({seen} times)" if seen > 1 else "")


class Chess(OpenGame[ChessWorld]):
    """Chess from any position; a game that reaches `max_moves` half moves is a draw.

    `last_ply` is the half move at which it does, as kernels want to know it.
    """

    def __init__(self, fen: str = STARTPOS, max_moves: int = 512) -> None:
        if not isinstance(fen, str):
            raise InputError(f"chess: fen must be a position in quotes or {STARTPOS}, not {fen!r}")
        start = read_fen(START if fen == STARTPOS else fen)
        limit = whole_number("chess", "max_moves", max_moves, 1, _MAX_LENGTH)
        text = write_fen(start)
        given = {} if text == START else {"fen": repr(text)}
        self.info = GameInfo(
            name=format_spec("chess", given | ({} if limit == 512 else {"max_moves": limit})),
            num_actions=NUM_ACTIONS,
            is_perfect_information=True,
            max_utility=1.0,
            max_length=limit,
        )
        self.encoding = Encoding((NUM_PLANES, 8, 8), (1, 1), NUM_ACTIONS)
        self._start = ChessWorld((start.tobytes(),))
        self.last_ply = np.uint64(int(start[PLY]) + limit)
        if self.outcome(self._start) != ONGOING:
            raise InputError(f"chess: the game is over at its start: {self.outcome_name(self._start)}")

    def initial_world(self) -> ChessWorld:
        """Return the position that the game starts from."""
        return self._start

    def actor(self, world: ChessWorld) -> int:
        """White is player 0."""
        return TERMINAL if self.outcome(world) != ONGOING else int(world.position[PLY]) % 2

    def legal_actions(self, world: ChessWorld) -> tuple[int, ...]:
        """The legal moves."""
        actions, _ = self._open(world)
        return tuple(actions.tolist())

    def apply(self, world: ChessWorld, action: int) -> ChessWorld:
        """Make a move and forget what can no longer be repeated."""
        rows, parents = history_rows(world, spare=1)
        _play_action(rows, parents, np.uint64(len(rows) - 2), np.uint64(action))
        kept = max(NUM_BOARDS, int(rows[-1, CLOCK]) + 1)
        return ChessWorld((*world.positions, rows[-1].tobytes())[-kept:])

    def returns(self, world: ChessWorld) -> tuple[float, float]:
        """Mate wins 1, everything else is a draw."""
        if self.outcome(world) != CHECKMATE:
            return 0.0, 0.0
        return (1.0, -1.0) if int(world.position[PLY]) % 2 else (-1.0, 1.0)

    def public_features(self, world: ChessWorld) -> list[float]:
        """Return AlphaZero's planes."""
        rows, parents = history_rows(world)
        planes = np.zeros(NUM_PLANES * NUM_SQUARES, np.float32)
        run_write_planes(rows, parents, np.uint64(len(rows) - 1), planes)
        return planes.tolist()

    def action_name(self, world: ChessWorld, action: int) -> str:
        """Name a move as UCI does."""
        position = world.position
        move = int(_find_move(position.reshape(1, POSITION_WORDS).copy(), np.uint64(action)))
        return write_uci(move, int(position[PLY]) % 2)

    def show(self, history: History, seat: int) -> Picture:
        """Draw the board."""
        return draw(self, history, seat)

    @property
    def notation(self) -> ChessNotation:
        """How chess is written down."""
        return ChessNotation(self)

    def own_view(self, world: ChessWorld | None = None) -> ChessView:
        """Return the view of words."""
        return ChessView(self, world)

    def world_of(self, position: U64) -> ChessWorld:
        """Return a position whose past is not known."""
        return ChessWorld((position.tobytes(),))

    def outcome(self, world: ChessWorld) -> int:
        """Return how the game stands, one of the numbers of `outcome.py`."""
        _, outcome = self._open(world)
        return outcome

    def outcome_name(self, world: ChessWorld) -> str:
        """Return how the game stands in words."""
        return OUTCOME_NAMES[self.outcome(world)]

    def _open(self, world: ChessWorld) -> tuple[U32, int]:
        """Return the legal actions, ascending, and how the game stands."""
        moves, actions = np.zeros(MAX_MOVES, np.uint32), np.zeros(MAX_MOVES, np.uint32)
        row = world.position.reshape(1, POSITION_WORDS).copy()
        count, outcome = run_open_node(row, np.uint64(0), self.last_ply, moves, actions)
        return actions[: int(count)], int(outcome)


def history_rows(world: ChessWorld, spare: int = 0) -> tuple[U64, U32]:
    """Return a world's positions and their parents, as kernels take them, oldest first.

    `spare` rows are left free at the end for positions to come. Shapes: [n + spare, POSITION_WORDS] and
    [n + spare] for n positions.
    """
    past = len(world.positions)
    rows = np.zeros((past + spare, POSITION_WORDS), np.uint64)
    rows[:past] = np.frombuffer(b"".join(world.positions), np.uint64).reshape(past, POSITION_WORDS)
    parents = np.full(past + spare, NO_PARENT, np.uint32)
    parents[1:past] = np.arange(past - 1)
    return rows, parents


@kernel
def _play_action(positions: U64, parents: U32, node: np.uint64, action: np.uint64) -> None:
    """Play an action into the next row."""
    play(positions, parents, node, move_of(positions, node, action), node + ONE)


@kernel
def _find_move(positions: U64, action: np.uint64) -> np.uint64:
    return move_of(positions, np.uint64(0), action)
