"""Beliefs: what both players' ranges say about the world behind a public state.

A belief is one weight per infostate for each player (its reach, or any multiple of it). With chance's joint
weight of every pair it gives the probability of each pair, and of each world: `P(w) ∝ chance(w) · p0 · p1`.
"""

from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F64, Float
from sog.public.derived import DerivedState
from sog.public.layout import Layout
from sog.solvers.evaluation import Profile
from sog.solvers.traversal import push_reach


class Belief(NamedTuple):
    """Ranges of both players over a public state's infostates."""

    first: F64  # [H0]
    second: F64  # [H1]


def belief_at(layout: Layout, node: int, reach: tuple[Float, Float]) -> Belief:
    """Read the ranges at one of a layout's nodes from the reach of all slots."""
    ranges = []
    for player in range(2):
        slot, size = int(layout.slot[player][node]), int(layout.size[player][node])
        ranges.append(reach[player][slot : slot + size].astype(np.float64))
    return Belief(ranges[0], ranges[1])


def reach_of(layout: Layout, policy: Profile) -> Profile:
    """Return the reach of every slot when both play `policy`."""
    reach = np.ones_like(policy[0]), np.ones_like(policy[1])
    for player in range(2):
        push_reach(layout.players[player], policy[player], reach[player])
    return reach


def joint_probabilities(weights: F64, belief: Belief) -> F64:
    """Return the probability [H0, H1] of each pair; `weights` are the node's joint weights."""
    joint = weights * belief.first[:, None] * belief.second[None, :]
    return joint / _positive(joint.sum())


def world_probabilities(state: DerivedState, belief: Belief) -> F64:
    """Return the probability [W] of each world of a derived public state."""
    weights: F64 = state.chance * belief.first[state.rows[0]] * belief.second[state.rows[1]]
    return weights / _positive(weights.sum())


def sample_world(state: DerivedState, belief: Belief, rng: np.random.Generator) -> Any:
    """Draw a world of a derived public state."""
    return state.worlds[int(rng.choice(len(state.worlds), p=world_probabilities(state, belief)))]


def _positive(mass: float) -> float:
    if not mass > 0:
        raise ValueError("the belief gives no world a positive probability")
    return mass
