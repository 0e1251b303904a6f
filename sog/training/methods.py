"""The methods of training, by name: what makes the examples that all of them learn from alike.

Verified: tests/training/test_rebel.py, tests/training/test_alphazero.py.
"""

from collections.abc import Callable

from sog.core.errors import InputError
from sog.games.registry import load
from sog.nets.spec import Sizes, sizes_of
from sog.public.opening import encoding_of
from sog.training.alphazero import AlphaZeroGenerator, check_board
from sog.training.batches import BatchMaker
from sog.training.config import ALPHAZERO, REBEL, SOG, Config
from sog.training.generator import Generator
from sog.training.queries import AnyBatchMaker, ExampleGenerator, find_training
from sog.training.rebel import RebelGenerator


def check_method(config: Config) -> None:
    """Refuse a method that cannot learn the configuration's game."""
    own = find_training(config.game)
    if own is not None:
        if config.method != SOG:
            raise InputError(f"{config.game}: it is trained on by method sog alone, not {config.method}")
        own.check(config)
    elif config.method == ALPHAZERO:
        check_board(config.game)


def make_generator(config: Config, seed: int) -> ExampleGenerator:
    """Return the generator of the configuration's method."""
    own = find_training(config.game)
    return _GENERATORS[config.method](config, seed) if own is None else own.make_generator(config, seed)


def make_batch_maker(config: Config) -> tuple[Sizes, AnyBatchMaker]:
    """Return the sizes of the network's inputs and outputs, and what makes batches for it."""
    own = find_training(config.game)
    if own is not None:
        return own.sizes, own.batch_maker
    game = load(config.game)
    sizes = sizes_of(encoding_of(game))
    describe = game.describe_rows if config.network.kind == "rows" else None
    return sizes, BatchMaker(sizes, game.symmetries, describe)


_GENERATORS: dict[str, Callable[[Config, int], ExampleGenerator]] = {
    SOG: Generator,
    REBEL: RebelGenerator,
    ALPHAZERO: AlphaZeroGenerator,
}
