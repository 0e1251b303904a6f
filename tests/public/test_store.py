"""The store against the public tree and the graph of worlds, which are built by other code."""

from itertools import pairwise

import numpy as np
import pytest

from sog.core.arrays import I64
from sog.games.base import CHANCE, TERMINAL
from sog.games.registry import load
from sog.public.store import ROOT, StateStore, StoreArrays
from sog.public.tree import build_tree
from sog.public.worlds import WorldGraph, collect_worlds
from tests.random_game import RandomGame


def chart_fully(store: StateStore) -> StateStore:
    node = ROOT
    while node < store.num_nodes:
        if store.actor(node) != TERMINAL:
            store.children(node)
        node += 1
    return store


@pytest.mark.parametrize("name", ["kuhn", "leduc", "rps", "scotland_yard(map=glasses,rounds=3)"])
def test_store_has_the_nodes_of_the_tree(name: str) -> None:
    tree, store = build_tree(load(name)), chart_fully(StateStore(load(name)))
    assert store.num_nodes == tree.num_nodes
    for node in range(tree.num_nodes):
        assert store.actor(node) == tree.actor[node]
        assert store.num_infostates(node) == (tree.size[0][node], tree.size[1][node])
        assert store.parents[node] == tree.parent[node]
        assert store.observations[node] == tree.observations[node]
        if tree.actor[node] != TERMINAL:
            assert list(store.children(node)) == tree.children[node]


@pytest.mark.parametrize("seed", range(12))
def test_worlds_are_those_of_the_world_graph(seed: int) -> None:
    tree, rules = build_tree(RandomGame(seed)), chart_fully(StateStore(RandomGame(seed))).arrays()
    graph = collect_worlds(tree)
    assert rules.worlds.size == graph.rows.size
    np.testing.assert_array_equal(rules.worlds["num_moves"], graph.rows["num_moves"])
    np.testing.assert_array_equal(rules.moves["world"], graph.moves["row"][_in_node_order(graph, rules)])
    infostates = np.concatenate([state.rows for state in tree.states], axis=1)
    np.testing.assert_array_equal(rules.worlds["first"], infostates[0])
    np.testing.assert_array_equal(rules.worlds["second"], infostates[1])


def _in_node_order(graph: WorldGraph, rules: StoreArrays) -> I64:
    """Both list a world's moves in the order of its actions; only the worlds' places differ."""
    rows = graph.rows[np.argsort(rules.worlds["move_start"], kind="stable")]
    parts = [np.arange(row["move_start"], row["move_start"] + row["num_moves"]) for row in rows]
    return np.concatenate([np.zeros(0, np.int64), *parts]).astype(np.int64)


@pytest.mark.parametrize("seed", range(12))
def test_moves_of_chance_are_the_rules_own(seed: int) -> None:
    """The k-th move of a world leads where the k-th outcome does, with its probability."""
    game = RandomGame(seed)
    store = chart_fully(StateStore(game))
    arrays = store.arrays()
    for node in range(store.num_nodes):
        if store.actor(node) != CHANCE:
            continue
        first = int(arrays.nodes["world_start"][node])
        for row, world in enumerate(store.states[node].worlds):
            record = arrays.worlds[first + row]
            start, count = int(record["move_start"]), int(record["num_moves"])
            outcomes = game.chance_outcomes(world)
            chances = [chance for _, chance in outcomes]
            np.testing.assert_allclose(arrays.moves["chance"][start : start + count], chances)
            for move, (outcome, _) in enumerate(outcomes):
                child, below = store.follow(node, row, move)
                assert store.states[child].worlds[below] == game.apply(world, outcome)


def test_perfect_information_is_plain() -> None:
    store = StateStore(load("tictactoe"))
    store.children(ROOT)
    assert store.arrays().nodes["is_plain"][ROOT] == 1
    other = StateStore(load("kuhn"))
    assert not chart_fully(other).arrays().nodes["is_plain"].any()


def test_a_terminal_cannot_be_charted() -> None:
    store = chart_fully(StateStore(load("rps")))
    with pytest.raises(ValueError, match="terminal"):
        store.children(2)


def test_path_leads_from_the_root() -> None:
    store = chart_fully(StateStore(load("kuhn")))
    for node in range(store.num_nodes):
        path = store.path(node)
        assert path[0] == ROOT
        assert path[-1] == node
        assert all(store.parents[child] == parent for parent, child in pairwise(path))
