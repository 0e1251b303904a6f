"""Connect Four: seven columns of six squares, four in a row win.

A world is `(first, second)`, two bit masks of the players' discs. Square (column, row) is bit
`7 * column + row`, rows from the bottom; the seventh bit of a column stays empty, so that no line of shifted
bits runs from one column into the next. Player 0 begins.

Verified: tests/games/test_connect_four.py, tests/games/test_openspiel_oracle.py.
"""

from sog.games.base import TERMINAL, Encoding, GameInfo, OpenGame, Symmetries
from sog.games.notation import Notation
from sog.games.picture import History, Picture, grid, stone
from sog.games.symmetry import mirror_squares
from sog.games.view import PublicView

NUM_COLUMNS, NUM_ROWS = 7, 6
COLUMN_BITS = NUM_ROWS + 1
_NUM_SQUARES = NUM_COLUMNS * NUM_ROWS
_BOTTOMS = tuple(1 << column * COLUMN_BITS for column in range(NUM_COLUMNS))
_TOPS = tuple(bottom << NUM_ROWS - 1 for bottom in _BOTTOMS)
_DIRECTIONS = (1, COLUMN_BITS, COLUMN_BITS + 1, COLUMN_BITS - 1)  # up, right, and both diagonals

ConnectFourWorld = tuple[int, int]


class ConnectFour(OpenGame[ConnectFourWorld]):
    """Connect Four; an action is a column, named a to g from the left."""

    encoding = Encoding(features=(3, NUM_ROWS, NUM_COLUMNS), private=(1, 1), choices=NUM_COLUMNS)
    symmetries = Symmetries(
        tuple(mirror_squares(NUM_ROWS, NUM_COLUMNS)), tuple(mirror_squares(1, NUM_COLUMNS))
    )

    def __init__(self) -> None:
        self.info = GameInfo(
            name="connect_four",
            num_actions=NUM_COLUMNS,
            is_perfect_information=True,
            max_utility=1.0,
            max_length=_NUM_SQUARES,
        )

    @property
    def notation(self) -> Notation:
        """Moves by their names; OpenSpiel has the game too."""
        notation = Notation(self)
        notation.openspiel = "connect_four"
        return notation

    def initial_world(self) -> ConnectFourWorld:
        """Return the empty board."""
        return 0, 0

    def actor(self, world: ConnectFourWorld) -> int:
        """The players alternate until there is a line or the board is full."""
        first, second = world
        num_first, num_second = first.bit_count(), second.bit_count()
        turn = num_first - num_second
        if has_line(second if turn == 0 else first) or num_first + num_second == _NUM_SQUARES:
            return TERMINAL
        return turn

    def legal_actions(self, world: ConnectFourWorld) -> tuple[int, ...]:
        """Any column that is not full."""
        taken = world[0] | world[1]
        return tuple(column for column, top in enumerate(_TOPS) if not taken & top)

    def apply(self, world: ConnectFourWorld, action: int) -> ConnectFourWorld:
        """Drop a disc: adding the bottom bit to a column of ones carries to the first empty square."""
        first, second = world
        taken = first | second
        disc = (taken + _BOTTOMS[action]) & ~taken & (_TOPS[action] * 2 - _BOTTOMS[action])
        if first.bit_count() > second.bit_count():
            return first, second | disc
        return first | disc, second

    def returns(self, world: ConnectFourWorld) -> tuple[float, float]:
        """A line wins 1."""
        utility = float(has_line(world[0])) - float(has_line(world[1]))
        return utility, 0.0 - utility

    def action_name(self, world: ConnectFourWorld, action: int) -> str:
        """Name a column."""
        return "abcdefg"[action]

    def show(self, history: History, seat: int) -> Picture:
        """Draw the board."""
        first, second = history.world
        cells = [
            [stone(first, second, column * COLUMN_BITS + row) for column in range(NUM_COLUMNS)]
            for row in reversed(range(NUM_ROWS))
        ]
        marked = []
        if history.last is not None:
            taken = (first | second) >> history.last * COLUMN_BITS & (1 << NUM_ROWS) - 1
            marked = [(NUM_ROWS - taken.bit_length(), history.last)]
        return grid(cells, "abcdefg", "654321", marked)

    def public_features(self, world: ConnectFourWorld) -> list[float]:
        """Return planes of the mover's and of the opponent's discs, and of whether player 1 moves.

        Rows begin at the bottom.
        """
        squares = [column * COLUMN_BITS + row for row in range(NUM_ROWS) for column in range(NUM_COLUMNS)]
        turn = int(world[0].bit_count() > world[1].bit_count())
        discs = world[turn], world[1 - turn]
        planes = [float(own >> square & 1) for own in discs for square in squares]
        return planes + [float(turn)] * _NUM_SQUARES

    def own_view(self, world: ConnectFourWorld | None = None) -> PublicView:
        """Return the view of bit masks."""
        from sog.games.connect_four_view import ConnectFourView  # kernels: the rules do without

        return ConnectFourView(self, world)


def has_line(discs: int) -> bool:
    """Whether four discs of a mask stand in a row.

    >>> has_line(0b1111), has_line(0b11110000000), has_line(0b1110111)
    (True, True, False)
    """
    for step in _DIRECTIONS:
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False
