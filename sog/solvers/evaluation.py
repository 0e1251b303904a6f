"""Exact evaluation of policies: expected value, best response, exploitability.

A policy profile is one array per player over the slots of a layout (`uniform_policy` makes one). Everything
here costs one or two passes over the tree; allocate an `Evaluation` once and ask it often.

Verified: tests/solvers/test_evaluation.py.
"""

from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import Float
from sog.core.jit import ONE, kernel
from sog.public.layout import Layout, PlayerLayout
from sog.public.terminals import Terminals, evaluate_terminals
from sog.solvers.traversal import BEST, MEAN, pull_values, push_reach

Profile = tuple[Float, Float]


class BestResponse(NamedTuple):
    """What the best answer to an opponent is worth, and how it plays."""

    value: float
    policy: Float  # [slots]


class Evaluation:
    """Exact values of policies in a game that is wholly enumerated.

    >>> from sog.games.registry import load
    >>> from sog.public.enumeration import enumerate_game
    >>> whole = enumerate_game(load("kuhn"))
    >>> evaluation = Evaluation(whole.layout, whole.terminals())
    >>> round(evaluation.nash_conv(evaluation.uniform_policy()), 6)
    0.916667
    """

    def __init__(self, layout: Layout, terminals: Terminals) -> None:
        self.layout, self.terminals = layout, terminals
        if not terminals.is_complete:
            raise ValueError("the tree has leaves that are not terminal: it cannot be evaluated exactly")
        dtype = terminals.dtype
        slots, rows, leaves = layout.num_slots, layout.num_rows, layout.num_values
        self._reach = (np.ones(slots[0], dtype), np.ones(slots[1], dtype))
        self._policy = (np.ones(slots[0], dtype), np.ones(slots[1], dtype))
        self._values = (np.zeros(slots[0], dtype), np.zeros(slots[1], dtype))
        self._rows = (np.zeros(rows[0], dtype), np.zeros(rows[1], dtype))
        self._leaves = (np.zeros(leaves[0], dtype), np.zeros(leaves[1], dtype))

    def uniform_policy(self) -> Profile:
        """Return the profile that plays every legal action equally often."""
        dtype = self.terminals.dtype
        first, second = (uniform_policy(own, size, dtype) for own, size in self._players())
        return first, second

    def value(self, policy: Profile) -> float:
        """Return player 0's expected utility when both play `policy`."""
        push_reach(self.layout.players[1], policy[1], self._reach[1])
        return self._answer(0, self._reach[1], MEAN, policy[0])

    def best_response(self, player: int, policy: Profile) -> BestResponse:
        """Return `player`'s best answer to the other player's part of `policy`."""
        other = 1 - player
        push_reach(self.layout.players[other], policy[other], self._reach[other])
        value = self._answer(player, self._reach[other], BEST, self._policy[player])
        return BestResponse(value, self._policy[player].copy())

    def nash_conv(self, policy: Profile) -> float:
        """Return what both players together could gain by answering best."""
        return nash_conv(
            self.layout.players, self.terminals, policy, self._reach, self._policy, self._values, self._rows,
            self._leaves,
        )  # fmt: skip

    def exploitability(self, policy: Profile) -> float:
        """Return half of `nash_conv`: what a player could gain on average."""
        return self.nash_conv(policy) / 2

    def _answer(self, player: int, opponent_reach: Float, rule: int, policy: Float) -> float:
        return answer_value(
            player, rule, self.layout.players, self.terminals, opponent_reach, policy, self._values[player],
            self._rows[player], self._leaves[player],
        )  # fmt: skip

    def _players(self) -> list[tuple[PlayerLayout, int]]:
        return list(zip(self.layout.players, self.layout.num_slots, strict=True))


def uniform_policy(own: PlayerLayout, num_slots: int, dtype: Any = np.float64) -> Float:
    """Return one player's uniform policy; slots of relays hold 1, unused slots 0."""
    policy = np.ones(num_slots, dtype)
    fill_uniform(own, policy)
    return policy


@kernel
def fill_uniform(own: PlayerLayout, policy: Float) -> None:
    """Write the uniform policy into every decision; modified in place."""
    for number in range(own.steps.size):
        step = own.steps[number]
        slot = np.uint64(step["output"])
        for action in range(np.uint64(step["num_actions"])):
            for row in range(np.uint64(step["rows"])):
                legal = np.uint64(own.legal[np.uint64(step["first_row"]) + row])
                policy[slot] = 1 / legal if action < legal else 0.0
                slot += ONE


@kernel
def answer_value(
    player: int,
    rule: int,
    players: tuple[PlayerLayout, PlayerLayout],
    terminals: Terminals,
    opponent_reach: Float,
    policy: Float,
    values: Float,
    row_values: Float,
    leaf_values: Float,
) -> float:
    """Return `player`'s value at the root against a fixed opponent; the last four are work space."""
    own = players[player]
    evaluate_terminals(own, players[1 - player], terminals, player, opponent_reach, leaf_values)
    pull_values(own, rule, leaf_values, policy, row_values, values)
    total = 0.0
    for slot in range(own.steps[0]["rows"]):
        total += values[slot]
    return total


@kernel
def nash_conv(
    players: tuple[PlayerLayout, PlayerLayout],
    terminals: Terminals,
    policy: Profile,
    reach: Profile,
    answer: Profile,
    values: Profile,
    rows: Profile,
    leaves: Profile,
) -> float:
    """Return the sum of both best responses; all but the first three are work space."""
    total = 0.0
    for player in range(2):
        other = 1 - player
        push_reach(players[other], policy[other], reach[other])
        total += answer_value(
            player, BEST, players, terminals, reach[other], answer[player], values[player], rows[player],
            leaves[player],
        )  # fmt: skip
    return total
