"""Who a person at the terminal plays against.

Verified: tests/interfaces/test_opponents.py.
"""

from random import Random
from typing import Protocol

import numpy as np

from sog.core.arrays import F64, I64
from sog.public.enumeration import Enumeration
from sog.search.whereabouts import Whereabouts
from sog.solvers.evaluation import Profile


class Opponent(Protocol):
    """Chooses moves and hears of every move; moves are numbered as the game lists them."""

    def choose(self, num_moves: int, random: Random) -> int:
        """Return one of the moves of the opponent's turn."""

    def note(self, move: int) -> None:
        """Hear of a move, whosever it is."""


class UniformOpponent:
    """Plays every legal move equally often."""

    def choose(self, num_moves: int, random: Random) -> int:
        """Return any move."""
        return random.randrange(num_moves)

    def note(self, move: int) -> None:
        """Need to know nothing."""


class Position:
    """Where a play stands in a layout: a public state, and the place that it hides there.

    The player to move sees the infostate alone: places that the player cannot tell apart have the same one,
    and so the same slots.
    """

    def __init__(self, whole: Enumeration) -> None:
        self._layout, self._where = whole.layout, Whereabouts(whole.store)
        self._places = {int(node): place for place, node in enumerate(whole.layout.nodes)}

    @property
    def player(self) -> int:
        """Who is to move, once `slots` has been asked for."""
        return self._where.store.actor(self._where.node)

    def slots(self) -> I64:
        """Return the slots [A] of the infostate whose turn it is."""
        self._pass_waits()
        node, row = self._where.node, self._where.infostate(self.player)
        return self._layout.slots_of(self._places[node], row, int(self._where.store.legal(node)[row]))

    def note(self, move: int) -> None:
        """Follow a move into the child it leads to."""
        self._pass_waits()
        self._where.follow(move)

    def _pass_waits(self) -> None:
        while self._where.pass_waits():
            pass


class PolicyOpponent:
    """Plays a policy over the slots of a layout."""

    def __init__(self, whole: Enumeration, policy: Profile) -> None:
        self._position, self._policy = Position(whole), policy

    def choose(self, num_moves: int, random: Random) -> int:
        """Draw a move from the policy of the present infostate."""
        probabilities = self.probabilities()
        assert probabilities.size == num_moves
        return random.choices(range(num_moves), probabilities.tolist())[0]

    def probabilities(self) -> F64:
        """Return how often the player to move plays each of the moves."""
        slots = self._position.slots()
        return self._policy[self._position.player][slots].astype(np.float64)

    def note(self, move: int) -> None:
        """Follow a move into the child it leads to."""
        self._position.note(move)
