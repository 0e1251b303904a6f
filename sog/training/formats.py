"""The two formats of examples: rows of infostates, and positions of a board if a method plays on those."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from sog.core.arrays import F64
from sog.games.base import AnyGame
from sog.nets.spec import Sizes
from sog.public.store import StateStore
from sog.training.board_records import BoardUnpacker, BoardWriter, allocate_board_examples
from sog.training.records import Examples, ExampleWriter, Finding, allocate_examples

AnyExamples = Any  # Examples or BoardExamples
Unpack = Callable[[Any, np.random.Generator], Examples]


class Writer(Protocol):
    """Turns what searches found into examples."""

    def write(self, findings: Sequence[Finding]) -> AnyExamples:
        """Return examples whose targets are the values and policies found."""

    def write_outcomes(
        self,
        findings: Sequence[Finding],
        infostates: Sequence[tuple[int, int]],
        utility: float,
        bootstrap: float = 0.0,
    ) -> AnyExamples:
        """Return examples whose values are a play's outcome for player 0, where the play went through.

        bootstrap: share of the value that was found instead of the outcome.
        """

    def mass(self, node: int, player: int, infostate: int, ranges: tuple[F64, F64]) -> float:
        """Return the mass of the opponent's range that is compatible with a player's infostate."""


def allocate(sizes: Sizes, count: int, is_board: bool) -> AnyExamples:
    """Return room for so many examples."""
    return allocate_board_examples(sizes, count) if is_board else allocate_examples(sizes, count)


def make_writer(store: StateStore, sizes: Sizes) -> Writer:
    """Return the writer of a store's examples."""
    return BoardWriter(store, sizes) if store.has_planes else ExampleWriter(store, sizes)


def make_unpacker(game: AnyGame, sizes: Sizes, is_board: bool) -> Unpack:
    """Return what makes a batch of examples dense, for the learner."""
    if is_board:
        return BoardUnpacker(game, sizes).unpack
    return lambda examples, rng: examples
