"""Trees grown by kernels against the public tree grown by Python, and unbiased samples of chance."""

import numpy as np
import pytest

from sog.games.base import AnyGame
from sog.games.registry import load
from sog.public.derived import DerivedView
from sog.public.opening import open_store
from sog.public.store import ROOT
from sog.public.tree import PublicTree
from sog.search.gtcfr import Searcher
from sog.search.lanes import INTERIOR, LEGAL, NONE
from sog.search.resolving import first_task
from sog.search.result import SearchResult
from sog.search.settings import SearchSettings
from tests.random_game import RandomGame


def searched(game: AnyGame, simulations: int, seed: int) -> Searcher:
    searcher = Searcher(open_store(game), None, SearchSettings(simulations=simulations))
    searcher.search(first_task(searcher.store, ROOT), seed)
    return searcher


@pytest.mark.parametrize(
    "game",
    [*(RandomGame(seed) for seed in range(8)), load("leduc"), load("scotland_yard(map=glasses,rounds=3)")],
    ids=lambda game: game.info.name,
)
def test_grown_tree_is_the_public_tree_expanded_in_the_same_order(game: AnyGame) -> None:
    searcher = searched(game, 20, seed=3)
    lanes = searcher._lanes
    count = int(lanes.lane[0]["num_nodes"])
    nodes = lanes.nodes[0, :count]
    tree = PublicTree(DerivedView(game))
    parents = nodes["parent"].astype(np.int64)
    for node in [index for index in dict.fromkeys(parents.tolist()) if index != NONE]:
        tree.expand(node)
    assert tree.num_nodes == count
    for player in (0, 1):
        np.testing.assert_array_equal(lanes.leaves[player, 0, :count]["slot"], tree.slot[player].values)
        np.testing.assert_array_equal(lanes.leaves[player, 0, :count]["rows"], tree.size[player].values)
        steps, expected = lanes.steps[player, 0], tree.steps[player]
        for name in ("num_actions", "rows", "input", "output", "first_row", "map_end"):
            size = len(expected.owner)
            np.testing.assert_array_equal(steps[:size][name], getattr(expected, name).values)
    np.testing.assert_array_equal(nodes["kind"] == INTERIOR, tree.is_expanded.values)


def test_a_partial_node_holds_the_actions_that_were_chosen() -> None:
    searcher = searched(load("tictactoe"), 60, seed=1)
    lanes = searcher._lanes
    count = int(lanes.lane[0]["num_nodes"])
    nodes, rules = lanes.nodes[0, :count], searcher.store.arrays()
    assert nodes["is_partial"].any()
    assert not nodes["is_partial"][0]  # the current state has all its actions
    for node in np.flatnonzero(nodes["kind"] == INTERIOR):
        actor = int(rules.nodes[nodes["state"][node]]["actor"])
        row = lanes.steps[actor, 0, nodes["decision"][node]]["first_row"]
        children = int(np.count_nonzero(nodes["parent"] == node))
        assert lanes.marks[actor, 0, LEGAL, row] == children
    assert count < 9 + 61  # a node a simulation, no more


def value_of_jack(result: SearchResult, node: int) -> float:
    found = result.find(node)
    assert found is not None
    return float(result.summary(found).values[0][0])


@pytest.mark.parametrize("kept", [1, 4])
def test_sampled_outcomes_are_unbiased(kept: int) -> None:
    """A jack's value under uniform play, estimated from some of the public cards, is right on average."""
    store = open_store(load("leduc"))
    deal = next(iter(store.children(next(iter(store.children(ROOT))))))
    values = {}
    for limit in (0, kept):
        settings = SearchSettings(simulations=1, depth=1000, max_outcomes=limit, alternates=False)
        searcher = Searcher(store, None, settings)
        values[limit] = [
            value_of_jack(searcher.search(first_task(store, ROOT), seed), deal)
            for seed in range(1 if limit == 0 else 300)
        ]
    spread = np.std(values[kept]) / np.sqrt(len(values[kept]))
    assert spread > 0
    assert abs(np.mean(values[kept]) - values[0][0]) < 4 * spread
