"""Tic-tac-toe: perfect information, a draw under best play.

A world is `(crosses, noughts)`, two bit masks over the squares, numbered by rows from the top left.
Player 0 has the crosses and begins.
"""

from sog.games.base import TERMINAL, Encoding, GameInfo, OpenGame, Symmetries
from sog.games.notation import Notation
from sog.games.picture import History, Picture, grid, stone
from sog.games.symmetry import square_symmetries

NUM_SQUARES = 9
FULL = (1 << NUM_SQUARES) - 1
_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
_LINE_MASKS = tuple(sum(1 << square for square in line) for line in _LINES)
_HAS_LINE = tuple(any(mask & line == line for line in _LINE_MASKS) for mask in range(FULL + 1))
_EMPTY = tuple(
    tuple(square for square in range(NUM_SQUARES) if not mask >> square & 1) for mask in range(FULL + 1)
)
_NAMES = tuple(column + row for row in "321" for column in "abc")

TicTacToeWorld = tuple[int, int]


class TicTacToe(OpenGame[TicTacToeWorld]):
    """Tic-tac-toe; squares are named as in chess, a1 at the bottom left."""

    encoding = Encoding(features=(3, 3, 3), private=(1, 1), choices=NUM_SQUARES)
    symmetries = Symmetries(tuple(square_symmetries(3)), tuple(square_symmetries(3)))

    def __init__(self) -> None:
        self.info = GameInfo(
            name="tictactoe",
            num_actions=NUM_SQUARES,
            is_perfect_information=True,
            max_utility=1.0,
            max_length=9,
        )

    @property
    def notation(self) -> Notation:
        """Moves by their names; OpenSpiel has the game too."""
        notation = Notation(self)
        notation.openspiel = "tic_tac_toe"
        return notation

    def initial_world(self) -> TicTacToeWorld:
        """Return the empty board."""
        return 0, 0

    def actor(self, world: TicTacToeWorld) -> int:
        """The players alternate until there is a line or the board is full."""
        crosses, noughts = world
        if _HAS_LINE[crosses] or _HAS_LINE[noughts] or crosses | noughts == FULL:
            return TERMINAL
        return crosses.bit_count() - noughts.bit_count()

    def legal_actions(self, world: TicTacToeWorld) -> tuple[int, ...]:
        """Any empty square."""
        return _EMPTY[world[0] | world[1]]

    def apply(self, world: TicTacToeWorld, action: int) -> TicTacToeWorld:
        """Fill a square."""
        crosses, noughts = world
        if crosses.bit_count() > noughts.bit_count():
            return crosses, noughts | 1 << action
        return crosses | 1 << action, noughts

    def returns(self, world: TicTacToeWorld) -> tuple[float, float]:
        """A line wins 1."""
        utility = float(_HAS_LINE[world[0]] - _HAS_LINE[world[1]])
        return utility, 0.0 - utility

    def action_name(self, world: TicTacToeWorld, action: int) -> str:
        """Name a square."""
        return _NAMES[action]

    def show(self, history: History, seat: int) -> Picture:
        """Draw the board."""
        crosses, noughts = history.world
        cells = [stone(crosses, noughts, square) for square in range(NUM_SQUARES)]
        marked = [] if history.last is None else [divmod(history.last, 3)]
        return grid([cells[at : at + 3] for at in (0, 3, 6)], "abc", "321", marked)

    def public_features(self, world: TicTacToeWorld) -> list[float]:
        """Return planes of the mover's and of the opponent's squares, and of whether noughts are to move."""
        turn = int(world[0].bit_count() > world[1].bit_count())
        masks, squares = (world[turn], world[1 - turn]), range(NUM_SQUARES)
        planes = [float(mask >> square & 1) for mask in masks for square in squares]
        return planes + [float(turn)] * NUM_SQUARES
