"""One generator in the process of the run: the same seed gives the same weights, bit for bit.

Verified: tests/training/test_run.py.
"""

from sog.training.config import Config
from sog.training.context import State, Weights
from sog.training.generator import RoundOutput
from sog.training.methods import make_generator
from sog.training.sources.source import seed_of


class LocalSource:
    """One generator in this process."""

    def __init__(self, config: Config, states: list[State]) -> None:
        self._generator = make_generator(config, seed_of(config.run.seed, 0))
        if states:
            self._generator.restore(states[0])

    def collect(self) -> list[RoundOutput]:
        """Do one round."""
        return [self._generator.round()]

    def hand_over(self, weights: Weights, steps: int) -> None:
        """Go on with new weights."""
        self._generator.take_weights(weights, steps)

    def states(self) -> tuple[list[State], list[RoundOutput]]:
        """Return the one state."""
        return [self._generator.state()], []

    def close(self) -> None:
        """There is nothing to stop."""
