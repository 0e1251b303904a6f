"""Tabular solving: iterations of any variant over a whole public tree.

`iterate` is the loop of every algorithm here. For the player whose turn it is: the sum of policies takes in
the current one, leaves are evaluated against the opponent's reach, values flow up and add regrets, and the
next policy and its reach flow down. Fictitious play differs by data alone: its "regret minimiser" answers
best, it faces the opponent's average instead of the current policy, and it averages after the answer.

Verified: tests/solvers/test_cfr.py.
"""

from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F64, Float
from sog.core.jit import inlined, kernel
from sog.public.layout import Layout, PlayerLayout
from sog.public.terminals import Terminals, evaluate_terminals
from sog.solvers.evaluation import fill_uniform
from sog.solvers.minimisers import add_regrets, match_regrets, normal_hedge
from sog.solvers.schedules import BEST_RESPONSE, REGRET_MATCHING
from sog.solvers.traversal import BEST, MEAN, pull_values, push_reach, push_step


class PlayerState(NamedTuple):
    """One player's arrays. The first five are the state of a solve, the rest is work space."""

    regret: Float  # [slots]
    average: Float  # [slots] weighted sum of reach
    policy: Float  # [slots] current; 1 in relays
    reach: Float  # [slots] of the current policy
    gain: Float  # [slots] the last iteration's weighted regrets, for optimism
    values: Float  # [slots]
    rows: Float  # [decision rows]
    leaves: Float  # [leaf rows]
    faced: Float  # [slots] what the opponent answers to, where that is not `reach`


SAVED_FIELDS = ("regret", "average", "policy", "reach", "gain")
State = tuple[PlayerState, PlayerState]


def make_state(layout: Layout, minimiser: int, dtype: type[np.floating[Any]] = np.float64) -> State:
    """Return the state before the first iteration: no regrets, uniform policies."""
    states = []
    for player, own in enumerate(layout.players):
        slots = layout.num_slots[player]
        state = PlayerState(
            regret=np.zeros(slots, dtype),
            average=np.zeros(slots, dtype),
            policy=np.ones(slots, dtype),
            reach=np.ones(slots, dtype),
            gain=np.zeros(slots, dtype),
            values=np.zeros(slots, dtype),
            rows=np.zeros(layout.num_rows[player], dtype),
            leaves=np.zeros(layout.num_values[player], dtype),
            faced=np.zeros(slots, dtype),
        )
        fill_uniform(own, state.policy)
        push_reach(own, state.policy, state.reach)
        if minimiser == BEST_RESPONSE:
            state.average[:] = state.reach
        states.append(state)
    return states[0], states[1]


@kernel
def iterate(
    minimiser: int,
    is_alternating: bool,
    weights: F64,
    players: tuple[PlayerLayout, PlayerLayout],
    terminals: Terminals,
    state: State,
) -> None:
    """Run an iteration for each row (positive, negative, average, optimism) of `weights`; state modified."""
    for iteration in range(weights.shape[0]):
        positive, negative, average, optimism = weights[iteration]
        if is_alternating:
            for player in range(2):
                _look(player, minimiser, optimism, players, terminals, state)
                _learn(player, minimiser, positive, negative, average, optimism, players, state)
        else:
            for player in range(2):
                _look(player, minimiser, optimism, players, terminals, state)
            for player in range(2):
                _learn(player, minimiser, positive, negative, average, optimism, players, state)


@kernel
def _look(
    player: int,
    minimiser: int,
    optimism: float,
    players: tuple[PlayerLayout, PlayerLayout],
    terminals: Terminals,
    state: State,
) -> None:
    """Evaluate the leaves against what the opponent plays."""
    other = state[1 - player]
    faced = other.reach
    if minimiser == BEST_RESPONSE:
        fill_faced(optimism, other)
        faced = other.faced
    evaluate_terminals(players[player], players[1 - player], terminals, player, faced, state[player].leaves)


@kernel
def fill_faced(optimism: float, other: PlayerState) -> None:
    """Write what fictitious play answers to: the average's reach, with optimism also the current policy's."""
    share = other.faced.dtype.type((1 - optimism) / other.average[0])
    rest = other.faced.dtype.type(optimism)
    for slot in range(other.faced.size):
        other.faced[slot] = share * other.average[slot] + rest * other.reach[slot]


@kernel
def _learn(
    player: int,
    minimiser: int,
    positive: float,
    negative: float,
    average: float,
    optimism: float,
    players: tuple[PlayerLayout, PlayerLayout],
    state: State,
) -> None:
    """Turn leaf values into regrets, the next policy and its reach, and take part in the average."""
    own, mine = players[player], state[player]
    if minimiser == BEST_RESPONSE:
        pull_values(own, BEST, mine.leaves, mine.policy, mine.rows, mine.values)
        push_reach(own, mine.policy, mine.reach)
        add_to_average(average, mine)
    else:
        add_to_average(average, mine)
        pull_values(own, MEAN, mine.leaves, mine.policy, mine.rows, mine.values)
        update_policy(own, minimiser, positive, negative, optimism, mine)


@kernel
def add_to_average(weight: float, mine: PlayerState) -> None:
    """Add the current reach to the average, then discount it; `mine.average` modified in place."""
    factor = mine.average.dtype.type(weight)
    for slot in range(mine.average.size):
        mine.average[slot] = (mine.average[slot] + mine.reach[slot]) * factor


@kernel
def update_policy(
    own: PlayerLayout, minimiser: int, positive: float, negative: float, optimism: float, mine: PlayerState
) -> None:
    """Add every decision's regrets, make its next policy and push the reach; `mine` modified in place."""
    for index in range(1, own.steps.size):
        update_step(np.uint64(index), own, minimiser, positive, negative, optimism, mine)


@inlined
def update_step(
    number: np.uint64,
    own: PlayerLayout,
    minimiser: int,
    positive: float,
    negative: float,
    optimism: float,
    mine: PlayerState,
) -> None:
    """Add one decision's regrets, make its next policy and push the reach; `mine` modified in place."""
    if own.steps[number]["num_actions"] > 0:
        keep, drop = mine.regret.dtype.type(positive), mine.regret.dtype.type(negative)
        extra = mine.regret.dtype.type(optimism)
        add_regrets(number, own, keep, drop, extra, mine.values, mine.rows, mine.regret, mine.gain)
    play_step(number, own, minimiser, optimism > 0, mine)


@inlined
def play_step(
    number: np.uint64, own: PlayerLayout, minimiser: int, is_optimistic: bool, mine: PlayerState
) -> None:
    """Make a decision's policy from its regrets and push the step's reach; `mine` modified in place."""
    if own.steps[number]["num_actions"] > 0 and minimiser == REGRET_MATCHING:
        match_regrets(number, own, is_optimistic, mine.regret, mine.gain, mine.rows, mine.policy, mine.reach)
        return
    if own.steps[number]["num_actions"] > 0:
        normal_hedge(number, own, is_optimistic, mine.regret, mine.gain, mine.policy)
    push_step(number, own, mine.policy, mine.reach)
