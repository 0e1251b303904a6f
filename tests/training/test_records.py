"""What a search found, in a network's coordinates: Kuhn's cards are easy to follow by hand."""

from typing import Any

import numpy as np
import pytest

from sog.core.arrays import F64
from sog.games.registry import load
from sog.nets.spec import sizes_of
from sog.public.opening import open_store
from sog.public.store import ROOT
from sog.training.belief_kernels import write_belief
from sog.training.records import ILLEGAL, OUTCOME, Examples, ExampleWriter, Finding

FIRST = np.array([0.5, 0.3, 0.2])
SECOND = np.array([0.1, 0.2, 0.7])


def kuhn_writer() -> tuple[ExampleWriter, int]:
    """Return a writer, and player 0's first decision."""
    game = load("kuhn")
    store = open_store(game)
    return ExampleWriter(store, sizes_of(store.encoded.encoding)), store.locate((0, 0))


def write(first: F64, second: F64, values: tuple[F64, F64] | None = None) -> Examples:
    writer, node = kuhn_writer()
    found = values or (np.zeros(3), np.zeros(3))
    policy = np.array([[0.1, 0.2, 0.3], [0.9, 0.8, 0.7]])
    return writer.write([Finding(node, (first, second), found, policy)])


def test_inputs_are_normalised_whatever_the_ranges_weigh() -> None:
    values = np.array([0.1, -0.2, 0.3]), np.array([-0.3, 0.2, 0.1])
    plain = write(FIRST, SECOND, values)
    np.testing.assert_allclose(plain.ranges[0, :3], FIRST, rtol=1e-6)
    np.testing.assert_allclose(plain.ranges[0, 3:], SECOND, rtol=1e-6)
    np.testing.assert_allclose(plain.beliefs.reshape(2, 3).sum(axis=1), 1, rtol=1e-6)
    # Counterfactual values are linear in the opponent's range; nothing else in an example may change.
    heavy = write(5 * FIRST, 0.01 * SECOND, (0.01 * values[0], 5 * values[1]))
    for ours, theirs in zip(list[Any](plain), list[Any](heavy), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5)


def test_beliefs_are_those_of_bayes() -> None:
    joint = np.outer(FIRST, SECOND) * (1 - np.eye(3))
    joint /= joint.sum()
    beliefs = write(FIRST, SECOND).beliefs[0]
    np.testing.assert_allclose(beliefs[:3], joint.sum(axis=1), rtol=1e-6)
    np.testing.assert_allclose(beliefs[3:], joint.sum(axis=0), rtol=1e-6)


def test_values_are_expected_values_as_shares_of_the_scale() -> None:
    """If player 0 wins x with card c against every other card, that is its value, whatever the ranges."""
    writer, node = kuhn_writer()
    compatible = (1 - np.eye(3)) / 6
    worth = np.array([1.0, -2.0, 0.5])
    cfv = worth * (compatible @ SECOND)
    examples = writer.write([Finding(node, (FIRST, SECOND), (cfv, np.zeros(3)), np.full((2, 3), 0.5))])
    np.testing.assert_allclose(examples.values[0, :3] * writer.facts(node).scale, worth, rtol=1e-6)


def test_values_count_as_much_as_the_opponent_can_be_there_one_on_average() -> None:
    """Masses by hand: what is left of the opponent's range without one's own card."""
    weights = write(FIRST, SECOND).value_weights[0]
    np.testing.assert_allclose(weights[:3], 3 * (1 - SECOND) / (1 - SECOND).sum(), rtol=1e-6)
    np.testing.assert_allclose(weights[3:], 3 * (1 - FIRST) / (1 - FIRST).sum(), rtol=1e-6)


def test_infostates_that_cannot_be_have_no_weight() -> None:
    only_jack = np.array([1.0, 0.0, 0.0])
    examples = write(FIRST, only_jack)
    # Player 0 cannot hold the jack; player 1 could come to hold any card, its own range says nothing.
    assert examples.value_weights[0, 0] == 0
    assert np.all(examples.value_weights[0, 1:] > 0)
    assert examples.values[0, 0] == 0
    # Policies count as often as they are played.
    played = write(only_jack, SECOND)
    assert played.policy_weights[0].tolist() == [1, 0, 0]
    assert np.all(played.value_weights[0, 1:3] > 0)


def test_policies_stand_at_their_choices_and_the_rest_is_illegal() -> None:
    examples = write(FIRST, SECOND)
    np.testing.assert_allclose(examples.policies[0].sum(axis=1), 1, rtol=1e-6)
    assert sorted(examples.policies[0, 0].tolist()) == pytest.approx([0.1, 0.9])
    writer, node = kuhn_writer()
    finding = Finding(ROOT, (np.ones(1), np.ones(1)), (np.zeros(1), np.zeros(1)), np.zeros((0, 0)))
    nobody = writer.write([finding])
    assert np.all(nobody.policies == ILLEGAL)
    assert np.all(nobody.policy_weights == 0)
    assert node != ROOT


def test_an_outcome_is_the_value_of_both_players_where_the_play_went() -> None:
    writer, node = kuhn_writer()
    finding = Finding(node, (FIRST, SECOND), (np.zeros(3), np.zeros(3)), np.full((2, 3), 0.5), OUTCOME)
    examples = writer.write_outcomes([finding], [(2, 0)], 2.0)
    scale = writer.facts(node).scale
    assert examples.origins[0] == OUTCOME
    assert np.flatnonzero(examples.value_weights[0]).tolist() == [2, 3]
    assert (examples.values[0, 2] * scale, examples.values[0, 3] * scale) == (2, -2)
    found = np.array([0.0, 0.0, 0.3]), np.array([-0.2, 0.0, 0.0])
    mixed = writer.write_outcomes([finding._replace(values=found)], [(2, 0)], 2.0, bootstrap=0.5)
    masses = writer.mass(node, 0, 2, finding.ranges), writer.mass(node, 1, 0, finding.ranges)
    assert masses == pytest.approx(((0.1 + 0.2) / 6, (0.3 + 0.2) / 6))
    expected = [1 + 0.15 / masses[0], -1 - 0.1 / masses[1]]
    np.testing.assert_allclose(mixed.values[0, [2, 3]] * scale, expected, rtol=1e-6)


def test_joint_weights_have_player_0_in_their_rows() -> None:
    """Beliefs are the margins of weights times both ranges, masses the weights times the opponent's range."""
    rng = np.random.default_rng(4)
    weights, ranges = rng.random((3, 3)), (rng.random(3), rng.random(3))
    masses, inputs, beliefs = (np.zeros(3), np.zeros(3)), np.zeros(6, np.float32), np.zeros(6, np.float32)
    write_belief((np.arange(3), np.arange(3, 6)), weights, ranges, masses, inputs, beliefs)
    joint = weights * np.outer(*ranges) / (ranges[0] @ weights @ ranges[1])
    np.testing.assert_allclose(masses[0], weights @ ranges[1])
    np.testing.assert_allclose(masses[1], ranges[0] @ weights)
    np.testing.assert_allclose(beliefs, [*joint.sum(axis=1), *joint.sum(axis=0)], rtol=1e-6)
    np.testing.assert_allclose(
        inputs, [*(ranges[0] / ranges[0].sum()), *(ranges[1] / ranges[1].sum())], rtol=1e-6
    )
