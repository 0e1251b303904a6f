"""The methods of training, by name: what makes the examples that all of them learn from alike.

Verified: tests/training/test_rebel.py, tests/training/test_alphazero.py.
"""

from collections.abc import Callable
from typing import Protocol

from sog.core.errors import InputError
from sog.games.board_view import is_board_game
from sog.games.registry import load
from sog.training.alphazero import AlphaZeroGenerator
from sog.training.config import ALPHAZERO, REBEL, SOG, Config
from sog.training.generator import Generator, Lot
from sog.training.ground import State, Weights
from sog.training.rebel import RebelGenerator


class ExampleSource(Protocol):
    """Makes examples, round by round."""

    def take_weights(self, weights: Weights, steps: int) -> None:
        """Go on with weights of the network after so many steps."""

    def round(self) -> Lot:
        """Return some examples."""

    def state(self) -> State:
        """Return everything to go on with."""

    def restore(self, packed: State) -> None:
        """Go on from a state; for one that has done nothing yet."""


def check_method(config: Config) -> None:
    """Refuse a method that cannot learn the configuration's game."""
    if config.method == ALPHAZERO and not is_board_game(load(config.game)):
        raise InputError(f"{config.game}: AlphaZero learns only games on a board without secrets")


def make_generator(config: Config, seed: int) -> ExampleSource:
    """Return the generator of the configuration's method."""
    return _GENERATORS[config.method](config, seed)


_GENERATORS: dict[str, Callable[[Config, int], ExampleSource]] = {
    SOG: Generator,
    REBEL: RebelGenerator,
    ALPHAZERO: AlphaZeroGenerator,
}
