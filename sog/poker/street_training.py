"""The loop of training on hold'em: round by round a generator draws hands and returns solved states.

What a round draws and solves is the games' own: turn endgame hold'em starts on the turn (`teh_training`), the
whole game before the flop (`hunl_training`). The network and the state to go on from are alike.
"""

import time
from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

import numpy as np

from sog.core.rng import make_rng
from sog.training.config import Config
from sog.training.context import State, Weights
from sog.training.examples import Examples
from sog.training.generator import RoundOutput
from sog.training.plain import pack, unpack
from sog.training.run_status import Counts

_Network = TypeVar("_Network")


class StreetGenerator(ABC, Generic[_Network]):
    """Draws hands, searches their streets, solves what the searches asked about."""

    def __init__(self, config: Config, seed: int) -> None:
        self.check(config)
        self._config, self._rng = config, make_rng(seed)
        self._steps = 0
        self._weights: Weights | None = None
        self._network: _Network | None = None

    @staticmethod
    @abstractmethod
    def check(config: Config) -> None:
        """Refuse a configuration that cannot be."""

    @abstractmethod
    def _make_network(self, weights: Weights) -> _Network:
        """Return what answers queries with these weights."""

    @abstractmethod
    def _play(self) -> tuple[Examples, int]:
        """Return the solved states of one hand, and how many searches that took."""

    def _choose(self) -> _Network | None:
        """Return the network that a hand is played with; None for one with ranges drawn at random."""
        how = self._config.streets
        network = self._network if self._steps >= how.random_steps else None
        return None if network is None or self._rng.random() < how.random_share else network

    def take_weights(self, weights: Weights, steps: int) -> None:
        """Go on with new weights of the network."""
        self._weights, self._steps = weights, steps
        self._network = self._make_network(weights)

    def round(self) -> RoundOutput:
        """Draw one hand, and return what its states are worth."""
        started = time.process_time()
        examples, searches = self._play()
        counts = Counts(
            games=1, searches=searches, solved=examples.size, seconds=time.process_time() - started
        )
        return RoundOutput([examples], counts, 0)

    def state(self) -> State:
        """Return everything to go on with."""
        own = {"rng": self._rng, "weights": self._weights, "steps": self._steps}
        return pack({**own, **self._own_state()})

    def restore(self, packed: State) -> None:
        """Go on from a state; for a generator that has done nothing yet."""
        state = unpack(packed)
        self._rng = state["rng"]
        self._restore_own(state)
        if state["weights"] is not None:
            self.take_weights(state["weights"], state["steps"])

    def _own_state(self) -> dict[str, Any]:
        """Return what a game's generator knows besides."""
        return {}

    def _restore_own(self, state: dict[str, Any]) -> None:
        """Take it up again."""


def draw_times(count: int, iterations: int, rng: np.random.Generator) -> list[int]:
    """Return how many of so many queries are noted in each iteration of a search, drawn at random."""
    times: list[int] = np.bincount(rng.integers(iterations, size=count), minlength=iterations).tolist()
    return times
