"""The value of a game by linear programming over sequences: slow, exact, and no part of the package."""

from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sparse
from scipy.optimize import linprog

from sog.games.base import CHANCE, TERMINAL, AnyGame
from tests.games.walks import Trace, follow, moves, start


class Sequences(NamedTuple):
    """One player's sequences: number 0 is the empty one."""

    parents: dict[Hashable, tuple[int, list[int]]]  # infostate: sequence leading to it, those leaving it
    policy: dict[Hashable, list[int]]  # infostate: its actions

    def size(self) -> int:
        return 1 + sum(len(leaving) for _, leaving in self.parents.values())


class Solution(NamedTuple):
    value: float  # of player 0
    plan: dict[Hashable, dict[int, float]]  # player 0's optimal realization weights


def solve(game: AnyGame) -> Solution:
    """Return player 0's maximin value and plan."""
    payoffs, players = _sequence_form(game)
    sizes = players[0].size(), players[1].size()
    matrix = sparse.csr_matrix((list(payoffs.values()), tuple(zip(*payoffs, strict=True))), shape=sizes)
    constraints = [_constraints(player) for player in players]
    rows = [constraint.shape[0] for constraint in constraints]
    # maximise q[0] subject to F'q <= A'x, Ex = e, x >= 0
    result = linprog(
        np.concatenate([np.zeros(sizes[0]), -_unit(rows[1])]),
        A_ub=sparse.hstack([-matrix.T, constraints[1].T]).tocsr(),
        b_ub=np.zeros(sizes[1]),
        A_eq=sparse.hstack([constraints[0], sparse.csr_matrix((rows[0], rows[1]))]).tocsr(),
        b_eq=_unit(rows[0]),
        bounds=[(0, None)] * sizes[0] + [(None, None)] * rows[1],
        method="highs",
    )
    assert result.status == 0
    plan = {
        infostate: dict(zip(players[0].policy[infostate], result.x[leaving], strict=True))
        for infostate, (_, leaving) in players[0].parents.items()
    }
    return Solution(-float(result.fun), plan)


def _sequence_form(game: AnyGame) -> tuple[dict[tuple[int, int], float], tuple[Sequences, Sequences]]:
    payoffs: dict[tuple[int, int], float] = {}
    players = Sequences({}, {}), Sequences({}, {})
    counts = [1, 1]
    stack: list[tuple[Trace, tuple[int, int]]] = [(start(game), (0, 0))]
    while stack:
        trace, last = stack.pop()
        actor = game.actor(trace.world)
        if actor == TERMINAL:
            payoffs[last] = payoffs.get(last, 0.0) + trace.chance * game.returns(trace.world)[0]
            continue
        if actor == CHANCE:
            stack += [(follow(game, trace, *move), last) for move in moves(game, trace.world)]
            continue
        actions = list(game.legal_actions(trace.world))
        sequences, infostate = players[actor], trace.known[actor]
        if infostate not in sequences.parents:
            leaving = list(range(counts[actor], counts[actor] + len(actions)))
            counts[actor] += len(actions)
            sequences.parents[infostate] = (last[actor], leaving)
            sequences.policy[infostate] = actions
        for action, number in zip(actions, sequences.parents[infostate][1], strict=True):
            then = (number, last[1]) if actor == 0 else (last[0], number)
            stack.append((follow(game, trace, action), then))
    return payoffs, players


def _constraints(player: Sequences) -> Any:
    """Return the matrix that makes weights flow: 1 into the empty sequence, through each infostate."""
    entries = [(0, 0, 1.0)]
    for row, (entering, leaving) in enumerate(player.parents.values(), 1):
        entries.append((row, entering, -1.0))
        entries += [(row, number, 1.0) for number in leaving]
    rows, columns, values = zip(*entries, strict=True)
    return sparse.csr_matrix((values, (rows, columns)), shape=(len(player.parents) + 1, player.size()))


def _unit(size: int) -> Any:
    return np.eye(1, size)[0]
