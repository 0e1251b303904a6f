from collections import Counter
from typing import Any

import numpy as np
import pytest

from sog.core.arrays import F64
from sog.core.rng import make_rng
from sog.games.registry import load
from sog.public.belief import Belief, belief_at, joint_probabilities, sample_world, world_probabilities
from sog.public.derived import DerivedState, DerivedView
from sog.public.tree import PublicTree, build_tree
from sog.solvers.solver import Solver


def weights_of(tree: PublicTree[Any], state: DerivedState) -> F64:
    assert isinstance(tree.view, DerivedView)
    return tree.view.joint_weights(state)


def test_first_decision_of_kuhn_is_the_deal() -> None:
    tree = build_tree(load("kuhn"))
    node = int(np.flatnonzero(tree.actor.values == 0)[0])
    belief = Belief(np.ones(3), np.ones(3))
    joint = joint_probabilities(weights_of(tree, tree.states[node]), belief)
    np.testing.assert_allclose(joint, (np.ones((3, 3)) - np.eye(3)) / 6)


def test_beliefs_are_bayes_rule() -> None:
    """Probabilities of worlds at every node are those of playing the policy from the start."""
    solver = Solver(load("leduc"), "cfr")
    solver.advance(20)
    policy = solver.policy()
    reach = solver.reach(policy)
    tree = solver.tree
    for node in range(tree.num_nodes):
        state = tree.states[node]
        belief = belief_at(tree, node, reach)
        joint = joint_probabilities(weights_of(tree, state), belief)
        worlds = world_probabilities(state, belief)
        assert joint.sum() == pytest.approx(1)
        assert worlds.sum() == pytest.approx(1)
        for (s0, s1), probability in np.ndenumerate(joint):
            inside = (state.rows[0] == s0) & (state.rows[1] == s1)
            assert worlds[inside].sum() == pytest.approx(probability)


def test_sampled_worlds_follow_the_belief() -> None:
    tree = build_tree(load("kuhn"))
    node = int(np.flatnonzero(tree.actor.values == 1)[0])
    state = tree.states[node]
    belief = Belief(np.array([0.1, 0.0, 0.9]), np.array([1.0, 0.5, 0.0]))
    probabilities = world_probabilities(state, belief)
    rng, count = make_rng(5), 4000
    drawn = Counter(sample_world(state, belief, rng) for _ in range(count))
    for world, probability in zip(state.worlds, probabilities, strict=True):
        spread = 5 * np.sqrt(probability * (1 - probability) / count)
        assert abs(drawn[world] / count - probability) <= spread


def test_an_impossible_belief_is_refused() -> None:
    tree = build_tree(load("kuhn"))
    state = tree.states[int(np.flatnonzero(tree.actor.values == 0)[0])]
    with pytest.raises(ValueError, match="no world"):
        world_probabilities(state, Belief(np.zeros(3), np.ones(3)))
    with pytest.raises(ValueError, match="no world"):
        world_probabilities(state, Belief(np.array([1.0, 0, 0]), np.array([1.0, 0, 0])))
