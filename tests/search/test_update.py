"""The regret update against the tabular solver on the same tree: its own data, its own way up."""

from typing import Any

import numpy as np
import pytest

from sog.games.base import AnyGame
from sog.games.registry import load
from sog.public.enumeration import Enumeration, enumerate_game, enumerate_store
from sog.public.evaluator import Batch
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Searcher
from sog.search.lanes import AVERAGE, REGRET
from sog.search.resolving import first_task
from sog.search.settings import SearchSettings
from sog.solvers.cfr import State, iterate, make_state
from sog.solvers.schedules import REGRET_MATCHING, VARIANTS, Variant, discounts
from sog.solvers.traversal import push_reach
from tests.random_game import RandomGame

WHOLE = 1000  # deeper than any game here


def tabular(tree: Enumeration, variant: Variant, iterations: int, alternates: bool) -> State:
    """Run updates on a tree; leaves that are not terminal are worth zero."""
    layout = tree.layout
    state = make_state(layout, REGRET_MATCHING)
    weights = discounts(variant, 1, iterations)
    iterate(REGRET_MATCHING, alternates, weights, layout.players, tree.terminals(), state)
    return state


def fixed_tree_search(
    game: AnyGame, algorithm: str, iterations: int, depth: int, alternates: bool
) -> Searcher:
    """Run updates on a tree of fixed depth from the start of the game."""
    settings = SearchSettings(
        simulations=1, per_update=1 / iterations, depth=depth, algorithm=algorithm, alternates=alternates
    )
    searcher = Searcher(open_store(game), None, settings)
    searcher.search(first_task(searcher.store, ROOT), seed=0)
    return searcher


def compare(
    game: AnyGame, algorithm: str, iterations: int, depth: int | None, alternates: bool = True
) -> None:
    variant = VARIANTS[algorithm]
    tree = enumerate_game(game, depth)
    state = tabular(tree, variant, iterations, alternates)
    searcher = fixed_tree_search(game, algorithm, iterations, WHOLE if depth is None else depth, alternates)
    lanes = searcher._lanes
    for player in (0, 1):
        size = tree.layout.num_slots[player]
        np.testing.assert_allclose(lanes.slots[player, 0, REGRET, :size], state[player].regret, atol=1e-9)
        if alternates and player == 0:
            continue  # a search averages the policies that player 1 has answered, one further on
        scale = (iterations + 1) ** variant.gamma  # weights t^γ instead of discounts
        np.testing.assert_allclose(
            lanes.slots[player, 0, AVERAGE, :size] / scale, state[player].average, atol=1e-9
        )


@pytest.mark.parametrize("alternates", [False, True])
@pytest.mark.parametrize("name", ["cfr", "cfr+", "lcfr", "dcfr", "pcfr+"])
@pytest.mark.parametrize("seed", range(6))
def test_whole_tree_equals_public_state_cfr_iterate_by_iterate(
    seed: int, name: str, alternates: bool
) -> None:
    for iterations in (1, 2, 3, 7):
        compare(RandomGame(seed), name, iterations, None, alternates)


@pytest.mark.parametrize("name", ["kuhn", "leduc", "rps", "scotland_yard(map=glasses,rounds=3)"])
def test_registered_games_equal_public_state_cfr(name: str) -> None:
    # In turns the symmetric map has regrets of exactly zero, where the order of a sum decides what is played.
    alternates = "glasses" not in name
    for iterations in (1, 2, 20):
        compare(load(name), "cfr+", iterations, None, alternates)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_leaves_of_a_shallow_tree_are_worth_zero(seed: int, depth: int) -> None:
    compare(RandomGame(seed), "cfr+", 5, depth)


class FixedAnswers:
    """Answers the same for every query: player 0's infostate s is worth s + 1, player 1's −s."""

    name = "fixed"
    has_priors = False

    def __init__(self) -> None:
        self.asked: list[tuple[int, Any, Any]] = []

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        for query, node in enumerate(batch.nodes.tolist()):
            rows = batch.rows(0, query), batch.rows(1, query)
            self.asked.append((node, batch.ranges[0][rows[0]].copy(), batch.ranges[1][rows[1]].copy()))
            batch.values[0][rows[0]] = 1.0 + np.arange(rows[0].stop - rows[0].start)
            batch.values[1][rows[1]] = -1.0 * np.arange(rows[1].stop - rows[1].start)


@pytest.mark.parametrize("seed", range(6))
def test_answers_count_by_scale_and_compatible_reach(seed: int) -> None:
    """After one update from uniform policies, a leaf's value is answer · scale · Σ C · reach."""
    game, evaluator = RandomGame(seed), FixedAnswers()
    settings = SearchSettings(simulations=1, depth=2, alternates=False)
    searcher = Searcher(open_store(game), evaluator, settings)
    result = searcher.search(first_task(searcher.store, ROOT), seed=0)
    layout = enumerate_store(searcher.store, 2).layout
    state = make_state(layout, REGRET_MATCHING)
    for player in (0, 1):
        push_reach(layout.players[player], state[player].policy, state[player].reach)
    for place in layout.frontier.tolist():
        node = int(layout.nodes[place])
        if node not in [asked[0] for asked in evaluator.asked]:
            continue
        ranges = [
            state[player].reach[layout.slot[player][place] :][: layout.size[player][place]]
            for player in (0, 1)
        ]
        weights = searcher.store.joint_weights(node)
        found = result.find(node)
        assert found is not None
        values = result.summary(found).values
        answers = 1.0 + np.arange(ranges[0].size), -1.0 * np.arange(ranges[1].size)
        np.testing.assert_allclose(values[0], 8 * answers[0] * (weights @ ranges[1]), atol=1e-12)
        np.testing.assert_allclose(values[1], 8 * answers[1] * (ranges[0] @ weights), atol=1e-12)
    for _, first, second in evaluator.asked:
        assert first.sum() == pytest.approx(1)
        assert second.sum() == pytest.approx(1)
