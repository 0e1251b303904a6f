"""Targets of solved queries against plain Python and against known values."""

from math import inf

import numpy as np
import pytest

from sog.core.arrays import F64
from sog.core.rng import make_rng
from sog.games.registry import load
from sog.public.evaluator import Evaluator
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.search.exact import ExactEvaluator
from sog.search.gtcfr import Searcher
from sog.search.resolving import first_task
from sog.search.settings import SearchSettings
from sog.training.examples import RECURSIVE
from sog.training.records import ExampleWriter, Query
from sog.training.solving import QuerySolver, read_queries
from tests.codes import code_of
from tests.training.dense import dense

FIRST = np.array([0.5, 0.3, 0.2])
SECOND = np.array([0.1, 0.2, 0.7])


def kuhn_solver(
    settings: SearchSettings, evaluator: Evaluator | None = None, recursive: float = 0.0
) -> tuple[QuerySolver, StateStore, Searcher]:
    store = open_store(load("kuhn"))
    searcher = Searcher(store, evaluator, settings)
    writer = ExampleWriter(store)
    return QuerySolver(searcher, writer, recursive), store, searcher


def route_to(store: StateStore, *observations: str) -> tuple[int, ...]:
    node = ROOT
    for observation in observations:
        node = next(
            child for child in store.children(node) if store.named.observation(store, child) == observation
        )
    return tuple(store.route(node))


def answer_to_a_bet(iterations: int) -> tuple[F64, F64, F64]:
    """Return both players' values [3] and player 1's policy [2, 3] after a bet, by regret matching+.

    Player 1 folds (player 0 wins 1) or calls (2 for the higher card). Iteration t counts t² in the averages.
    """
    compatible = (1 - np.eye(3)) / 6
    wins = np.sign(np.arange(3)[:, None] - np.arange(3)[None, :])
    gains = np.stack([np.ones((3, 3)), 2 * wins])  # [A, card of player 0, card of player 1]
    regrets, averages = np.zeros((2, 3)), np.zeros((2, 3))
    values = np.zeros(3), np.zeros(3)
    total = 0.0
    for iteration in range(1, iterations + 1):
        positive = np.maximum(regrets, 0)
        policy = np.where(positive.sum(axis=0) > 0, positive / np.maximum(positive.sum(axis=0), 1e-300), 0.5)
        weight = iteration**2
        first = np.einsum("xy,axy,ay,y->x", compatible, gains, policy, SECOND)
        actions = -np.einsum("xy,axy,x->ay", compatible, gains, FIRST)
        second = (policy * actions).sum(axis=0)
        regrets = np.maximum(regrets + actions - second, 0)
        averages += weight * policy
        values = values[0] + weight * first, values[1] + weight * second
        total += weight
    return values[0] / total, values[1] / total, averages / total


@pytest.mark.parametrize(
    "settings", [SearchSettings(3, 1.0), SearchSettings(10, 0.5), SearchSettings(40, 4.0)]
)
def test_targets_above_terminals_are_the_weighted_average_of_all_iterations(settings: SearchSettings) -> None:
    solver, store, _ = kuhn_solver(settings)
    route = route_to(store, "deal", "deal", "bet")
    node = store.locate(route)
    examples = dense(load("kuhn"), solver.solve([Query(route, (FIRST, SECOND))], make_rng(0)).examples)
    first, second, policy = answer_to_a_bet(settings.num_updates)
    compatible = (1 - np.eye(3)) / 6
    scale = store.value_scale(node)
    np.testing.assert_allclose(examples.values[0, :3], first / (compatible @ SECOND) / scale, rtol=2**-10)
    np.testing.assert_allclose(examples.values[0, 3:], second / (FIRST @ compatible) / scale, rtol=2**-10)
    code = code_of(store, node)
    for action in range(2):
        for card in range(3):
            found = examples.policies[0, card, code.choices[action, card]]
            is_fold = store.named.action_names(store, node, card)[action] == "pass"
            assert found == pytest.approx(policy[0 if is_fold else 1, card], abs=5e-3)


def test_targets_at_the_start_come_to_the_value_of_the_game() -> None:
    solver, store, _ = kuhn_solver(SearchSettings(2000, 1.0), ExactEvaluator(iterations=100))
    route = route_to(store, "deal", "deal")
    uniform = np.full(3, 1 / 3)
    examples = dense(load("kuhn"), solver.solve([Query(route, (uniform, uniform))], make_rng(0)).examples)
    scale = store.value_scale(store.locate(route))
    found = (examples.beliefs[0] * examples.values[0] * scale).reshape(2, 3).sum(axis=1)
    assert found == pytest.approx([-1 / 18, 1 / 18], abs=2e-3)


def test_both_players_targets_cancel() -> None:
    """A swapped sign of one player, or a player that is left out, would show here."""
    solver, store, _ = kuhn_solver(SearchSettings(20, 0.5), ExactEvaluator(iterations=50))
    routes = [
        route_to(store, "deal", "deal"),
        route_to(store, "deal", "deal", "bet"),
        route_to(store, "deal", "deal", "pass"),
    ]
    examples = dense(
        load("kuhn"), solver.solve([Query(route, (FIRST, SECOND)) for route in routes], make_rng(0)).examples
    )
    shares = (examples.beliefs * examples.values).reshape(3, 2, 3).sum(axis=2)
    np.testing.assert_allclose(shares.sum(axis=1), 0, atol=2e-3)
    assert np.all(np.abs(shares) > 0.01)


def test_queries_come_back_to_be_solved() -> None:
    solver, store, _ = kuhn_solver(SearchSettings(10, 1.0), ExactEvaluator(iterations=5), recursive=inf)
    solved = solver.solve([Query(route_to(store, "deal", "deal"), (FIRST, SECOND))], make_rng(0))
    assert solved.queries
    for query in solved.queries:
        assert query.origin == RECURSIVE
        assert [ranges.sum() for ranges in query.ranges] == pytest.approx([1, 1])
        node = store.locate(query.route)
        assert tuple(ranges.size for ranges in query.ranges) == store.num_infostates(node)
    again = solver.solve(solved.queries, make_rng(1)).examples
    assert np.all(again.heads["origin"] == RECURSIVE)


def test_so_many_recursive_queries_on_average() -> None:
    solver, store, _ = kuhn_solver(SearchSettings(10, 1.0), ExactEvaluator(iterations=2), recursive=0.5)
    route = route_to(store, "deal", "deal")
    solved = solver.solve([Query(route, (FIRST, SECOND))] * 400, make_rng(0))
    assert 0.4 < len(solved.queries) / 400 < 0.6


def test_a_search_that_kept_nothing_has_no_queries() -> None:
    _, store, searcher = kuhn_solver(SearchSettings(5, 1.0))
    assert (
        read_queries(
            searcher, searcher.search(first_task(store, store.children(store.children(ROOT)[0])[0]), 0)
        )
        == []
    )
