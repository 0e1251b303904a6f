"""Evaluators without learning: exact ones against known values, rollouts against uniform play."""

import numpy as np
import pytest

from sog.core.arrays import F64
from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.registry import load
from sog.public.evaluator import Batch, Evaluator, PolicyEvaluator
from sog.public.layout import lay_out
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.public.terminals import collect_terminals
from sog.search.evaluators import NoisyEvaluator, RolloutEvaluator, make_evaluator
from sog.search.exact import ExactEvaluator
from sog.solvers.evaluation import Evaluation
from tests.public.test_store import expand_fully


def ask(evaluator: Evaluator, store: StateStore, node: int, ranges: tuple[F64, F64]) -> tuple[F64, F64]:
    batch = one_query(node, ranges)
    evaluator.evaluate(store, batch)
    return batch.values


def one_query(node: int, ranges: tuple[F64, F64]) -> Batch:
    sizes = ranges[0].size, ranges[1].size
    starts = np.array([0, sizes[0]]), np.array([0, sizes[1]])
    values = np.zeros(sizes[0]), np.zeros(sizes[1])
    return Batch(np.array([node], np.int32), starts, ranges, values, np.zeros(2, np.int64), np.zeros(0))


def ask_faced(
    evaluator: PolicyEvaluator, store: StateStore, node: int, ranges: tuple[F64, F64], faced: tuple[F64, F64]
) -> tuple[F64, F64]:
    batch = one_query(node, ranges)
    evaluator.evaluate_faced(store, batch, faced)
    return batch.values


@pytest.mark.parametrize(("game", "value"), [("kuhn", -1 / 18), ("leduc", -0.085606), ("rps", 0.0)])
def test_exact_values_of_whole_games(game: str, value: float) -> None:
    store = open_store(load(game))
    scale = store.value_scale(ROOT)
    first, second = ask(ExactEvaluator(1000), store, ROOT, (np.ones(1), np.ones(1)))
    assert first[0] * scale == pytest.approx(value, abs=3e-3)
    assert second[0] * scale == pytest.approx(-value, abs=3e-3)


def test_exact_values_agree_between_the_players() -> None:
    """Both players' expected values, weighed by how likely infostates are, are the same game's value."""
    store = expand_fully(open_store(load("leduc")))
    rng = np.random.default_rng(0)
    for node in (4, 9, 40, 100):
        sizes = store.num_infostates(node)
        ranges = rng.dirichlet(np.ones(sizes[0])), rng.dirichlet(np.ones(sizes[1]))
        first, second = ask(ExactEvaluator(500), store, node, ranges)
        if store.actor(node) == 3:
            continue
        weights = store.joint_weights(node)
        left = ranges[0] @ (first * (weights @ ranges[1]))
        right = ranges[1] @ (second * (ranges[0] @ weights))
        assert left / weights.sum() == pytest.approx(-right / weights.sum(), abs=2e-3)


def test_a_solution_is_the_same_policy_whoever_comes() -> None:
    """Counterfactual values of fixed policies are linear in the range that is faced, and cancel."""
    store, exact = expand_fully(open_store(load("leduc"))), ExactEvaluator(100)
    rng = np.random.default_rng(1)
    nodes = [node for node in range(store.num_nodes) if store.actor(node) < 2 and node % 7 == 0][:8]
    for node in nodes:
        sizes = store.num_infostates(node)
        asked, one, two = (
            (rng.dirichlet(np.ones(sizes[0])), rng.dirichlet(np.ones(sizes[1]))) for _ in range(3)
        )
        mean = (one[0] + two[0]) / 2, (one[1] + two[1]) / 2
        weights = store.joint_weights(node)
        found = []
        for faced in (one, two, mean):
            values = ask_faced(exact, store, node, asked, faced)
            found.append((values[0] * (weights @ faced[1]), values[1] * (faced[0] @ weights)))
            assert faced[0] @ found[-1][0] == pytest.approx(-(faced[1] @ found[-1][1]), abs=1e-12)
        for player in range(2):
            expected = (found[0][player] + found[1][player]) / 2
            np.testing.assert_allclose(found[2][player], expected, atol=1e-12)


def test_a_solution_is_worth_its_values_to_the_ranges_it_was_made_for() -> None:
    store, exact = expand_fully(open_store(load("kuhn"))), ExactEvaluator(2000)
    for node in range(1, store.num_nodes):
        if store.actor(node) < 2:
            ranges = np.array([0.2, 0.3, 0.5]), np.array([0.4, 0.4, 0.2])
            told = ask(exact, store, node, ranges)
            played = ask_faced(exact, store, node, ranges, ranges)
            for player in range(2):
                np.testing.assert_allclose(played[player], told[player], atol=5e-3)


def uniform_value(game: AnyGame, store: StateStore, node: int) -> float:
    layout = lay_out(store, node)
    evaluation = Evaluation(layout, collect_terminals(store, layout))
    return evaluation.value(evaluation.uniform_policy())


def test_rollouts_estimate_uniform_play() -> None:
    game = load("kuhn")
    store = expand_fully(open_store(game))
    for node in range(1, store.num_nodes):
        if store.actor(node) == 3:
            continue
        sizes = store.num_infostates(node)
        ranges = np.full(sizes[0], 1 / sizes[0]), np.full(sizes[1], 1 / sizes[1])
        first, second = ask(RolloutEvaluator(2000, seed=1), store, node, ranges)
        weights = store.joint_weights(node)
        scale = store.value_scale(node)
        mean = scale * ((weights.sum(axis=1) * first).sum())
        assert mean == pytest.approx(uniform_value(game, store, node), abs=0.05)
        assert scale * (weights.sum(axis=0) * second).sum() == pytest.approx(-mean, abs=1e-9)


def test_noise_is_bounded_and_the_same_every_time() -> None:
    store = expand_fully(open_store(load("kuhn")))
    ranges = np.full(3, 1 / 3), np.full(3, 1 / 3)
    exact = ask(ExactEvaluator(50), store, 2, ranges)
    noisy = ask(NoisyEvaluator(ExactEvaluator(50), 0.1, seed=3), store, 2, ranges)
    again = ask(NoisyEvaluator(ExactEvaluator(50), 0.1, seed=3), store, 2, ranges)
    other = ask(NoisyEvaluator(ExactEvaluator(50), 0.1, seed=4), store, 2, ranges)
    errors = np.concatenate(noisy) - np.concatenate(exact)
    assert 0 < np.abs(errors).max() * 2 <= 0.1  # in utilities; Kuhn's largest is 2
    np.testing.assert_array_equal(np.concatenate(noisy), np.concatenate(again))
    assert np.all(np.concatenate(noisy) != np.concatenate(other))


def test_zero_is_not_even_asked() -> None:
    assert make_evaluator("zero") is None


@pytest.mark.parametrize(
    "text",
    [
        "nothing",
        "exact(iterations=0)",
        "exact(iterations=a)",
        "exact(depth=3)",
        "uniform-rollout(rollouts=0)",
        "noisy(of=zero)",
        "noisy(of=exact,epsilon=-1)",
        "noisy(epsilon=nan)",
        "noisy(of=3)",
        "exact(",
    ],
)
def test_bad_names_are_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError) as error:
        make_evaluator(text)
    assert "\n" not in str(error.value)
