"""What a run asks of a source of examples.

Verified: tests/training/test_run.py, tests/training/sources/test_processes.py.
"""

from typing import Protocol

import numpy as np

from sog.core.errors import InputError
from sog.training.context import State, Weights
from sog.training.generator import RoundOutput


class SourceError(InputError):
    """A source that cannot go on; with the states that it knew last."""

    def __init__(self, message: str, states: list[State]) -> None:
        super().__init__(message)
        self.states = states


class Source(Protocol):
    """Whatever makes examples."""

    def collect(self) -> list[RoundOutput]:
        """Return what has been made; an empty list if nothing comes for a while."""

    def hand_over(self, weights: Weights, steps: int) -> None:
        """Give the generators new weights, and say after how many steps."""

    def states(self) -> tuple[list[State], list[RoundOutput]]:
        """Return every generator's state, and what they have made before it."""

    def close(self) -> None:
        """Stop."""


def seed_of(seed: int, part: int, start: int = 0) -> int:
    """Return the seed of a part of a run: the learner is -1, generators count from 0.

    start: how often it had to begin again.
    """
    numbers = [seed, part + 1, start] if start else [seed, part + 1]
    return int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0])
