"""Who a person at the terminal plays against.

Verified: tests/interfaces/test_opponents.py.
"""

from random import Random
from typing import Any, Protocol

import numpy as np

from sog.core.arrays import F64, I64
from sog.games.base import AnyGame
from sog.public.tree import ROOT, PublicTree
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
    """Where a play stands in a tree: the public state, and the row of the play in it.

    Who is to move sees the row's infostate alone: worlds that the player cannot tell apart are rows with the
    same infostate, and so have the same slots.
    """

    def __init__(self, game: AnyGame, tree: PublicTree[Any]) -> None:
        self._game, self._tree = game, tree
        self._node, self._row = ROOT, 0

    @property
    def player(self) -> int:
        """Who is to move, once `slots` has been asked for."""
        return int(self._tree.actor[self._node])

    def slots(self) -> I64:
        """Return the slots [A] of the infostate whose turn it is."""
        self._pass_waits()
        tree, node = self._tree, self._node
        state = tree.states[node]
        infostate = int(state.rows[self.player, self._row])
        steps, step = tree.steps[self.player], int(tree.decision_step[node])
        first = int(steps.output[step]) + infostate
        slots: I64 = first + int(steps.rows[step]) * np.arange(len(state.legal[infostate]))
        return slots

    def note(self, move: int) -> None:
        """Follow a move into the child it leads to."""
        self._pass_waits()
        self._follow(move)

    def _pass_waits(self) -> None:
        """Go to the public state in which whoever is to move is asked to."""
        tree = self._tree
        while tree.actor[self._node] != self._game.actor(tree.states[self._node].worlds[self._row]):
            self._follow(0)

    def _follow(self, move: int) -> None:
        for child in self._tree.children[self._node]:
            moves = self._tree.states[child].moves
            found = np.flatnonzero((moves[:, 0] == self._row) & (moves[:, 1] == move))
            if found.size:
                self._node, self._row = child, int(moves[found[0], 2])
                return
        raise AssertionError(f"node {self._node} has no move {move} of row {self._row}")


class PolicyOpponent:
    """Plays a policy over the slots of a tree."""

    def __init__(self, game: AnyGame, tree: PublicTree[Any], policy: Profile) -> None:
        self._position, self._policy = Position(game, tree), policy

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
