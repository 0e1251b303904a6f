"""Matrix games: both players choose once, at the same time.

`rps` is the modified rock-paper-scissors of the ReBeL paper (figure 1a): whoever wins gets 2 points instead
of 1 if either player chose scissors. Both play rock and paper with 0.4 and scissors with 0.2; its value is 0.

The choices are two moves, and nobody sees more of either than "has moved". A world is the tuple of the
choices made, player 0's (the row) first.
"""

from collections.abc import Hashable, Sequence
from math import isfinite

from sog.core.errors import InputError
from sog.games.base import TERMINAL, Game, GameInfo
from sog.games.parameters import shorten

MAX_ACTIONS = 1000
MATCHING_PENNIES = ((1, -1), (-1, 1))
RPS_NAMES = ("rock", "paper", "scissors")
RPS_PAYOFFS = ((0, -1, 2), (1, 0, -2), (-2, 2, 0))

Payoffs = Sequence[Sequence[float]]
MatrixWorld = tuple[int, ...]


def matrix(payoffs: Payoffs = MATCHING_PENNIES) -> "MatrixGame":
    """Return the game in which player 0, choosing row i, wins `payoffs[i][j]` from player 1 choosing j.

    >>> matrix([[3, 0], [1, 2]]).info.name
    'matrix(payoffs=[[3,0],[1,2]])'
    """
    rows = _checked(payoffs)
    text = ",".join(f"[{','.join(map(_number, row))}]" for row in rows)
    return MatrixGame(f"matrix(payoffs=[{text}])", rows)


def rps() -> "MatrixGame":
    """Return the modified rock-paper-scissors of the ReBeL paper."""
    return MatrixGame("rps", _checked(RPS_PAYOFFS), RPS_NAMES)


class MatrixGame(Game[MatrixWorld]):
    """One simultaneous choice; actions are called by their numbers unless `names` has better."""

    def __init__(
        self, name: str, payoffs: tuple[tuple[float, ...], ...], names: tuple[str, ...] | None = None
    ) -> None:
        self.payoffs = payoffs
        num_actions = max(len(payoffs), len(payoffs[0]))
        self.info = GameInfo(
            name=name,
            num_actions=num_actions,
            is_perfect_information=False,
            max_utility=max(abs(payoff) for row in payoffs for payoff in row),
            max_length=2,
        )
        self._names = names or tuple(str(action) for action in range(num_actions))
        self._legal = tuple(range(len(payoffs))), tuple(range(len(payoffs[0])))

    def initial_world(self) -> MatrixWorld:
        """Return the world before any choice."""
        return ()

    def actor(self, world: MatrixWorld) -> int:
        """Player 0 chooses, then player 1."""
        return TERMINAL if len(world) == 2 else len(world)

    def legal_actions(self, world: MatrixWorld) -> tuple[int, ...]:
        """All rows, or all columns."""
        return self._legal[len(world)]

    def chance_outcomes(self, world: MatrixWorld) -> tuple[tuple[int, float], ...]:
        """Chance never moves."""
        return ()

    def apply(self, world: MatrixWorld, action: int) -> MatrixWorld:
        """Note the choice."""
        return (*world, action)

    def public_observation(self, before: MatrixWorld, action: int, after: MatrixWorld) -> Hashable:
        """Everybody sees that a choice was made."""
        return "has moved"

    def private_observation(
        self, player: int, before: MatrixWorld, action: int, after: MatrixWorld
    ) -> Hashable:
        """Nothing is seen in private."""
        return None

    def returns(self, world: MatrixWorld) -> tuple[float, float]:
        """Look up the payoff."""
        utility = self.payoffs[world[0]][world[1]]
        return utility, 0.0 - utility

    def action_name(self, world: MatrixWorld, action: int) -> str:
        """Name a choice."""
        return self._names[action]


def _checked(payoffs: Payoffs) -> tuple[tuple[float, ...], ...]:
    """Return the payoffs as floats."""
    if not isinstance(payoffs, list | tuple) or not all(isinstance(row, list | tuple) for row in payoffs):
        raise InputError(f"matrix: payoffs must be a list of rows of numbers, not {shorten(payoffs)}")
    widths = {len(row) for row in payoffs}
    if len(widths) != 1 or not 1 <= max(widths) <= MAX_ACTIONS or len(payoffs) > MAX_ACTIONS:
        message = f"matrix: payoffs must have 1 to {MAX_ACTIONS} rows of equal length, 1 to {MAX_ACTIONS}"
        raise InputError(f"{message}, not {shorten(payoffs)}")
    return tuple(tuple(map(_payoff, row)) for row in payoffs)


def _payoff(value: object) -> float:
    try:
        if not isinstance(value, bool) and isinstance(value, int | float) and isfinite(value):
            return float(value)
    except OverflowError:  # an integer beyond every float
        pass
    raise InputError(f"matrix: payoffs must be finite numbers, not {shorten(value)}")


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)
