"""What a search found, in a network's coordinates: Kuhn's cards are easy to follow by hand."""

from typing import Any

import numpy as np
import pytest

from sog.core.arrays import F64
from sog.core.rng import make_rng
from sog.games.base import TERMINAL
from sog.games.registry import load
from sog.games.view import UNUSED
from sog.public.opening import open_store
from sog.public.store import ROOT
from sog.training.batches import ILLEGAL
from sog.training.examples import OUTCOME, Examples
from sog.training.records import ExampleWriter, SearchTarget
from tests.codes import code_of
from tests.training.dense import Dense, dense

FIRST = np.array([0.5, 0.3, 0.2])
SECOND = np.array([0.1, 0.2, 0.7])
HALF, BYTE = 2**-10, 2**-6  # what halves and bytes may be off by


def scale_of(node: int) -> float:
    store = open_store(load("kuhn"))
    assert store.locate((0, 0)) == node
    return store.value_scale(node)


def kuhn_writer() -> tuple[ExampleWriter, int]:
    """Return a writer, and player 0's first decision."""
    game = load("kuhn")
    store = open_store(game)
    return ExampleWriter(store), store.locate((0, 0))


def write(first: F64, second: F64, values: tuple[F64, F64] | None = None) -> Dense:
    writer, node = kuhn_writer()
    found = values or (np.zeros(3), np.zeros(3))
    policy = np.array([[0.1, 0.2, 0.3], [0.9, 0.8, 0.7]])
    return kuhn(writer.write([SearchTarget(node, (first, second), found, policy)]))


def kuhn(examples: Examples) -> Dense:
    return dense(load("kuhn"), examples)


def test_inputs_are_normalised_whatever_the_ranges_weigh() -> None:
    values = np.array([0.1, -0.2, 0.3]), np.array([-0.3, 0.2, 0.1])
    plain = write(FIRST, SECOND, values)
    np.testing.assert_allclose(plain.ranges[0, :3], FIRST, rtol=HALF)
    np.testing.assert_allclose(plain.ranges[0, 3:], SECOND, rtol=HALF)
    np.testing.assert_allclose(plain.beliefs.reshape(2, 3).sum(axis=1), 1, rtol=1e-6)
    # Counterfactual values are linear in the opponent's range; nothing else in an example may change.
    heavy = write(5 * FIRST, 0.01 * SECOND, (0.01 * values[0], 5 * values[1]))
    for ours, theirs in zip(list[Any](plain), list[Any](heavy), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=2 * HALF)


def test_beliefs_are_those_of_bayes() -> None:
    joint = np.outer(FIRST, SECOND) * (1 - np.eye(3))
    joint /= joint.sum()
    beliefs = write(FIRST, SECOND).beliefs[0]
    np.testing.assert_allclose(beliefs[:3], joint.sum(axis=1), rtol=BYTE)
    np.testing.assert_allclose(beliefs[3:], joint.sum(axis=0), rtol=BYTE)


def test_values_are_expected_values_as_shares_of_the_scale() -> None:
    """If player 0 wins x with card c against every other card, that is its value, whatever the ranges."""
    writer, node = kuhn_writer()
    compatible = (1 - np.eye(3)) / 6
    worth = np.array([1.0, -2.0, 0.5])
    cfv = worth * (compatible @ SECOND)
    found = writer.write([SearchTarget(node, (FIRST, SECOND), (cfv, np.zeros(3)), np.full((2, 3), 0.5))])
    np.testing.assert_allclose(kuhn(found).values[0, :3] * scale_of(node), worth, rtol=HALF)


def test_values_count_as_much_as_the_opponent_can_be_there_one_on_average() -> None:
    """Masses by hand: what is left of the opponent's range without one's own card."""
    weights = write(FIRST, SECOND).value_weights[0]
    np.testing.assert_allclose(weights[:3], 3 * (1 - SECOND) / (1 - SECOND).sum(), rtol=BYTE)
    np.testing.assert_allclose(weights[3:], 3 * (1 - FIRST) / (1 - FIRST).sum(), rtol=BYTE)


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
    assert sorted(examples.policies[0, 0].tolist()) == pytest.approx([0.1, 0.9], rel=BYTE)
    writer, node = kuhn_writer()
    finding = SearchTarget(ROOT, (np.ones(1), np.ones(1)), (np.zeros(1), np.zeros(1)), np.zeros((0, 0)))
    nobody = kuhn(writer.write([finding]))
    assert np.all(nobody.policies == ILLEGAL)
    assert np.all(nobody.policy_weights == 0)
    assert node != ROOT


def test_an_outcome_is_the_value_of_both_players_where_the_play_went() -> None:
    writer, node = kuhn_writer()
    finding = SearchTarget(node, (FIRST, SECOND), (np.zeros(3), np.zeros(3)), np.full((2, 3), 0.5), OUTCOME)
    returns = np.array([[2.0], [-2.0]])
    examples, scale = kuhn(writer.write_outcomes([finding], [(2, 0)], returns)), scale_of(node)
    assert examples.origins[0] == OUTCOME
    assert np.flatnonzero(examples.value_weights[0]).tolist() == [2, 3]
    assert (examples.values[0, 2] * scale, examples.values[0, 3] * scale) == (2, -2)
    found = np.array([0.0, 0.0, 0.3]), np.array([-0.2, 0.0, 0.0])
    mixed = kuhn(writer.write_outcomes([finding._replace(values=found)], [(2, 0)], returns, bootstrap=0.5))
    masses = writer.mass(node, 0, 2, finding.ranges), writer.mass(node, 1, 0, finding.ranges)
    assert masses == pytest.approx(((0.1 + 0.2) / 6, (0.3 + 0.2) / 6))
    expected = [1 + 0.15 / masses[0], -1 - 0.1 / masses[1]]
    np.testing.assert_allclose(mixed.values[0, [2, 3]] * scale, expected, rtol=HALF)
    assert np.count_nonzero(mixed.value_weights[0]) == 6  # where the play did not go: what was found
    assert mixed.values[0, [0, 1, 4, 5]].tolist() == [0.0] * 4


def test_so_many_others_learn_what_was_found_on_average() -> None:
    writer, node = kuhn_writer()
    finding = SearchTarget(node, (FIRST, SECOND), (np.ones(3), -np.ones(3)), np.full((2, 3), 0.5), OUTCOME)
    returns, rng = np.outer([2.0, -2.0], np.ones(400)), make_rng(5)
    examples = kuhn(writer.write_outcomes([finding] * 400, [(2, 0)] * 400, returns, 0.5, 0.5, rng))
    is_learned = examples.value_weights > 0
    assert is_learned[:, [2, 3]].all()  # where the plays went
    others = is_learned[:, [0, 1]].sum(axis=1).mean(), is_learned[:, [4, 5]].sum(axis=1).mean()
    assert others == pytest.approx((0.5, 0.5), abs=0.1)


def test_returns_mix_the_outcome_with_the_values_found_on_the_way() -> None:
    writer, node = kuhn_writer()
    finding = SearchTarget(node, (FIRST, SECOND), (np.zeros(3), np.zeros(3)), np.full((2, 3), 0.5), OUTCOME)
    masses = writer.mass(node, 0, 2, finding.ranges), writer.mass(node, 1, 0, finding.ranges)
    worths = [0.25, -0.5, 0.75]  # to both players, of three states of a play
    findings = [
        finding._replace(values=(np.array([9, 9, worth * masses[0]]), np.array([worth * masses[1], 9, 9])))
        for worth in worths
    ]
    places = [(2, 0)] * 3
    np.testing.assert_array_equal(writer.trace_returns(findings, places, 2.0, 1.0), [[2.0] * 3, [-2.0] * 3])
    np.testing.assert_allclose(writer.trace_returns(findings, places, 2.0, 0.0)[0], [-0.5, 0.75, 2.0])
    last = 2.0
    before = 0.2 * 0.75 + 0.8 * last
    first = 0.2 * -0.5 + 0.8 * before
    np.testing.assert_allclose(writer.trace_returns(findings, places, 2.0, 0.8)[0], [first, before, last])
    explored = [False, True, False]  # what followed the second move says nothing of the first two states
    found = writer.trace_returns(findings, places, 2.0, 1.0, explored)
    np.testing.assert_allclose(found, [[-0.5, -0.5, 2.0], [-0.5, -0.5, -2.0]])
    found = writer.trace_returns(findings, places, 2.0, 0.8, [False, False, True])
    np.testing.assert_allclose(found[0], [0.2 * -0.5 + 0.8 * 0.75, 0.75, 0.75])


@pytest.mark.parametrize(
    "name",
    ["leduc", "scotland_yard(map=glasses)", "liars_dice(dice=2,faces=2)", "openspiel:dark_hex(board_size=2)"],
)
def test_everything_stands_where_the_code_says(name: str) -> None:
    """Columns in order and others, choices that are alike and others; states of all sizes in one lot."""
    game, rng = load(name), np.random.default_rng(5)
    store = open_store(game)
    node = 0
    while node < store.num_nodes < 400:
        if store.actor(node) != TERMINAL:
            store.children(node)
        node += 1
    nodes = [
        int(node) for node in rng.permutation(store.num_nodes)[:80] if store.actor(int(node)) != TERMINAL
    ]
    findings = []
    for node in nodes:
        sizes, actor = store.num_infostates(node), store.actor(node)
        policy = np.zeros((0, 0))
        if actor < 2:
            policy = np.where(code_of(store, node).choices != UNUSED, 1e-2 + rng.random(), 0.0)
            policy = policy * rng.random(policy.shape)
            policy /= np.maximum(policy.sum(axis=0), 1e-9)
        ranges, values = ((rng.random(sizes[0]), rng.random(sizes[1])) for _ in range(2))
        findings.append(SearchTarget(node, ranges, values, policy))
    examples = ExampleWriter(store).write(findings)
    found = dense(game, examples)
    acts = examples.heads["actor"] < 2
    assert examples.heads["is_alike"][acts].any()
    assert examples.heads["is_alike"][acts].all() == ("glasses" not in name)
    for index, (node, finding) in enumerate(zip(nodes, findings, strict=True)):
        code, weights = code_of(store, node), store.joint_weights(node)
        np.testing.assert_allclose(found.features[index], code.features, rtol=HALF)
        for player in range(2):
            own, columns = finding.ranges[player], code.columns[player]
            np.testing.assert_allclose(
                found.ranges[index, columns], own / own.sum(), rtol=2 * HALF, atol=1e-6
            )
            mass = (weights if player == 0 else weights.T) @ finding.ranges[1 - player]
            expected = finding.values[player] / np.maximum(mass, 1e-12) / store.value_scale(node)
            np.testing.assert_allclose(
                found.values[index, columns], np.where(mass > 0, expected, 0), rtol=HALF, atol=1e-6
            )
        for infostate, row in enumerate(
            code.rows[store.actor(node)].tolist() if store.actor(node) < 2 else []
        ):
            legal = code.choices[:, infostate] != UNUSED
            line = found.policies[index, row]
            assert np.count_nonzero(line != ILLEGAL) == legal.sum()
            np.testing.assert_allclose(
                line[code.choices[legal, infostate]], finding.policy[legal, infostate], atol=8e-3
            )
