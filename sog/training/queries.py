"""Games that are trained on by queries of their own kind, which another solver answers.

Hold'em has too many hands for the searches of self-play: its streets are solved exactly. Such a game's line
in the registry (`Entry.queries`) names an object of this kind; whatever else a run does (replay, learner,
checkpoints, workers) is the same for it.

Verified: tests/poker/test_teh_training.py.
"""

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from sog.core.arrays import I64
from sog.core.errors import InputError
from sog.core.spec import parse_spec
from sog.games.registry import SPOTS
from sog.nets.spec import Sizes
from sog.training.batches import TrainingBatch
from sog.training.config import Config
from sog.training.context import State, Weights
from sog.training.examples import Examples
from sog.training.generator import RoundOutput


class ExampleGenerator(Protocol):
    """Makes examples, round by round."""

    def take_weights(self, weights: Weights, steps: int) -> None:
        """Go on with weights of the network after so many steps."""

    def round(self) -> RoundOutput:
        """Return some examples."""

    def state(self) -> State:
        """Return everything to go on with."""

    def restore(self, packed: State) -> None:
        """Go on from a state; for one that has done nothing yet."""


class AnyBatchMaker(Protocol):
    """Makes batches of examples."""

    def make(self, examples: Examples, rng: np.random.Generator) -> TrainingBatch:
        """Return a batch."""


class AgentMonitor(Protocol):
    """Measures weights, always in the same way."""

    unit: str

    def prepare(self) -> None:
        """Have everything compiled."""

    def measure(self, weights: Weights) -> dict[str, float]:
        """Return the exploitability by the name of the search."""


class QueryTraining(NamedTuple):
    """How a game is trained on."""

    sizes: Sizes
    batch_maker: AnyBatchMaker
    check: Callable[[Config], None]  # refuses what cannot be
    make_generator: Callable[[Config, int], ExampleGenerator]
    make_monitor: Callable[[Config], AgentMonitor] | None = None  # none: exploitability is not measured
    kinds: tuple[str, ...] = ()  # of examples, where there are several
    find_kinds: Callable[[Examples], I64] | None = None  # which of them each example is
    example_bytes: float = 0.0  # about, of one; 0 for not known before there is one
    measured: str = ""  # the command that measures its agents, DIR for the run's folder


def find_training(game: str) -> QueryTraining | None:
    """Return how a game with queries of its own is trained on; None for all others."""
    if "(" not in game and game.strip() not in SPOTS:  # files and packages are no spots
        return None
    name = game.split("(")[0].strip()
    if name not in SPOTS or not SPOTS[name].queries:
        return None
    if parse_spec(game, "game")[1]:
        raise InputError(
            f"{name} is learned as a whole, boards and stacks are drawn: leave out its parameters"
        )
    module, _, attribute = SPOTS[name].queries.partition(":")
    found: Any = getattr(importlib.import_module(module), attribute)
    assert isinstance(found, QueryTraining)
    return found
