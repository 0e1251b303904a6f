"""Who a person at the terminal plays against.

Verified: tests/interfaces/test_opponents.py.
"""

from random import Random
from typing import Any, Protocol

import numpy as np

from sog.core.arrays import F64
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


class PolicyOpponent:
    """Plays a policy over the slots of a tree.

    The tree is followed by the row of the play in each public state, and that row's infostate is all that the
    choice depends on: worlds that the player cannot tell apart are rows with the same infostate.
    """

    def __init__(self, game: AnyGame, tree: PublicTree[Any], policy: Profile) -> None:
        self._game, self._tree, self._policy = game, tree, policy
        self._node, self._row = ROOT, 0

    def choose(self, num_moves: int, random: Random) -> int:
        """Draw a move from the policy of the present infostate."""
        probabilities = self.probabilities()
        assert probabilities.size == num_moves
        return random.choices(range(num_moves), probabilities.tolist())[0]

    def probabilities(self) -> F64:
        """Return how often the player to move plays each of the moves."""
        self._pass_waits()
        tree, node = self._tree, self._node
        player, state = int(tree.actor[node]), tree.states[node]
        infostate = int(state.rows[player, self._row])
        steps, step = tree.steps[player], int(tree.decision_step[node])
        slots = (
            int(steps.output[step])
            + infostate
            + int(steps.rows[step]) * np.arange(len(state.legal[infostate]))
        )
        return self._policy[player][slots].astype(np.float64)

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
