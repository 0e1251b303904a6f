"""The atlas against the public tree and the graph of worlds, which are built by other code."""

from itertools import pairwise

import numpy as np
import pytest

from sog.core.arrays import I64
from sog.games.base import TERMINAL
from sog.games.registry import load
from sog.public.atlas import ROOT, Atlas, Rules
from sog.public.tree import build_tree
from sog.public.worlds import WorldGraph, collect_worlds
from tests.random_game import RandomGame


def chart_fully(atlas: Atlas) -> Atlas:
    node = ROOT
    while node < atlas.num_nodes:
        if atlas.actor(node) != TERMINAL:
            atlas.chart(node)
        node += 1
    return atlas


@pytest.mark.parametrize("name", ["kuhn", "leduc", "rps", "scotland_yard(map=glasses,rounds=3)"])
def test_atlas_has_the_nodes_of_the_tree(name: str) -> None:
    tree, atlas = build_tree(load(name)), chart_fully(Atlas(load(name)))
    assert atlas.num_nodes == tree.num_nodes
    for node in range(tree.num_nodes):
        assert atlas.actor(node) == tree.actor[node]
        assert atlas.num_infostates(node) == (tree.size[0][node], tree.size[1][node])
        assert atlas.parents[node] == tree.parent[node]
        assert atlas.observations[node] == tree.observations[node]
        if tree.actor[node] != TERMINAL:
            assert list(atlas.chart(node)) == tree.children[node]


@pytest.mark.parametrize("seed", range(12))
def test_worlds_are_those_of_the_world_graph(seed: int) -> None:
    tree, rules = build_tree(RandomGame(seed)), chart_fully(Atlas(RandomGame(seed))).rules()
    graph = collect_worlds(tree)
    assert rules.worlds.size == graph.rows.size
    np.testing.assert_array_equal(rules.worlds["num_moves"], graph.rows["num_moves"])
    np.testing.assert_array_equal(rules.moves["world"], graph.moves["row"][_in_node_order(graph, rules)])
    infostates = np.concatenate([state.rows for state in tree.states], axis=1)
    np.testing.assert_array_equal(rules.worlds["first"], infostates[0])
    np.testing.assert_array_equal(rules.worlds["second"], infostates[1])


def _in_node_order(graph: WorldGraph, rules: Rules) -> I64:
    """Both list a world's moves in the order of its actions; only the worlds' places differ."""
    rows = graph.rows[np.argsort(rules.worlds["move_start"], kind="stable")]
    parts = [np.arange(row["move_start"], row["move_start"] + row["num_moves"]) for row in rows]
    return np.concatenate([np.zeros(0, np.int64), *parts]).astype(np.int64)


def test_perfect_information_is_plain() -> None:
    atlas = Atlas(load("tictactoe"))
    atlas.chart(ROOT)
    assert atlas.rules().nodes["is_plain"][ROOT] == 1
    other = Atlas(load("kuhn"))
    assert not chart_fully(other).rules().nodes["is_plain"].any()


def test_a_terminal_cannot_be_charted() -> None:
    atlas = chart_fully(Atlas(load("rps")))
    with pytest.raises(ValueError, match="terminal"):
        atlas.chart(2)


def test_path_leads_from_the_root() -> None:
    atlas = chart_fully(Atlas(load("kuhn")))
    for node in range(atlas.num_nodes):
        path = atlas.path(node)
        assert path[0] == ROOT
        assert path[-1] == node
        assert all(atlas.parents[child] == parent for parent, child in pairwise(path))
