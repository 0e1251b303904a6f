from collections import Counter

import numpy as np
import pytest

from sog.core.rng import make_rng
from sog.games.registry import load
from sog.public.derived import DerivedState, DerivedView
from sog.public.enumeration import Enumeration, enumerate_game
from sog.solvers.solver import Solver
from tests.public.belief import (
    Belief,
    belief_at,
    joint_probabilities,
    reach_of,
    sample_world,
    world_probabilities,
)


def state_of(whole: Enumeration, place: int) -> DerivedState:
    assert isinstance(whole.store.view, DerivedView)
    return whole.store.view.state(whole.store, int(whole.layout.nodes[place]))


def first_of(whole: Enumeration, actor: int) -> int:
    return int(np.flatnonzero(whole.layout.actor == actor)[0])


def test_first_decision_of_kuhn_is_the_deal() -> None:
    whole = enumerate_game(load("kuhn"))
    node = int(whole.layout.nodes[first_of(whole, 0)])
    belief = Belief(np.ones(3), np.ones(3))
    joint = joint_probabilities(whole.store.joint_weights(node), belief)
    np.testing.assert_allclose(joint, (np.ones((3, 3)) - np.eye(3)) / 6)


def test_beliefs_are_bayes_rule() -> None:
    """Probabilities of worlds at every node are those of playing the policy from the start."""
    solver = Solver(load("leduc"), "cfr")
    solver.advance(20)
    policy = solver.policy()
    reach = reach_of(solver.layout, policy)
    for place, node in enumerate(solver.layout.nodes):
        state = state_of(solver.whole, place)
        belief = belief_at(solver.layout, place, reach)
        joint = joint_probabilities(solver.whole.store.joint_weights(node), belief)
        worlds = world_probabilities(state, belief)
        assert joint.sum() == pytest.approx(1)
        assert worlds.sum() == pytest.approx(1)
        for (s0, s1), probability in np.ndenumerate(joint):
            inside = (state.rows[0] == s0) & (state.rows[1] == s1)
            assert worlds[inside].sum() == pytest.approx(probability)


def test_sampled_worlds_follow_the_belief() -> None:
    whole = enumerate_game(load("kuhn"))
    state = state_of(whole, first_of(whole, 1))
    belief = Belief(np.array([0.1, 0.0, 0.9]), np.array([1.0, 0.5, 0.0]))
    probabilities = world_probabilities(state, belief)
    rng, count = make_rng(5), 4000
    drawn = Counter(sample_world(state, belief, rng) for _ in range(count))
    for world, probability in zip(state.worlds, probabilities, strict=True):
        spread = 5 * np.sqrt(probability * (1 - probability) / count)
        assert abs(drawn[world] / count - probability) <= spread


def test_an_impossible_belief_is_refused() -> None:
    whole = enumerate_game(load("kuhn"))
    state = state_of(whole, first_of(whole, 0))
    with pytest.raises(ValueError, match="no world"):
        world_probabilities(state, Belief(np.zeros(3), np.ones(3)))
    with pytest.raises(ValueError, match="no world"):
        world_probabilities(state, Belief(np.array([1.0, 0, 0]), np.array([1.0, 0, 0])))
