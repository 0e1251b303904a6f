import numpy as np
import pytest

from sog.games.base import TERMINAL
from sog.games.registry import load
from sog.public.derived import DerivedView
from sog.public.tree import ROOT, PublicTree, build_tree, grow_fully


def test_growing_in_any_order_gives_the_same_game() -> None:
    """Values on a tree grown at random equal those on one built breadth first."""
    from sog.solvers.solver import Solver

    game = load("leduc")
    rng = np.random.default_rng(3)
    tree = PublicTree(DerivedView(game))
    open_nodes = [ROOT]
    while open_nodes:
        node = open_nodes.pop(int(rng.integers(len(open_nodes))))
        open_nodes += [child for child in tree.expand(node) if tree.actor[child] != TERMINAL]
    grown, built = Solver(game, "dcfr", tree=tree), Solver(game, "dcfr")
    grown.advance(50)
    built.advance(50)
    # Sums are added up in another order, so floating point may differ in the last digits.
    assert grown.solution().exploitability == pytest.approx(built.solution().exploitability, rel=1e-6)
    assert grown.solution().value == pytest.approx(built.solution().value, rel=1e-6)


def test_a_node_is_expanded_once() -> None:
    tree = PublicTree(DerivedView(load("kuhn")))
    children = tree.expand(ROOT)
    assert tree.expand(ROOT) == children
    assert tree.num_nodes == 2


def test_terminal_nodes_do_not_grow() -> None:
    tree = build_tree(load("kuhn"))
    terminal = int(np.flatnonzero(tree.actor.values == TERMINAL)[0])
    with pytest.raises(ValueError, match="terminal"):
        tree.expand(terminal)


def test_depth_limit_leaves_leaves() -> None:
    tree = build_tree(load("leduc"), max_depth=4)
    assert tree.depth.values.max() == 4
    layout = tree.layout()
    assert np.any(tree.actor.values[layout.frontier] != TERMINAL)
    # Growing on from there ends in the same tree.
    assert grow_fully(tree).num_nodes == build_tree(load("leduc")).num_nodes


def test_public_moves_carry_no_maps() -> None:
    """In Liar's Dice only the rolls split infostates; every bid is an identity map."""
    tree = build_tree(load("liars_dice(dice=1,faces=4)"))
    for player, own in enumerate(tree.layout().players):
        relays = int(np.count_nonzero(own.steps["num_actions"] == 0))
        assert relays == 2, f"player {player}: the root and the own roll"
        assert own.map_source.size == 4


def test_layout_lists_are_complete() -> None:
    tree = build_tree(load("goofspiel(cards=4)"))
    layout = tree.layout()
    for player, own in enumerate(layout.players):
        assert sorted(own.child.tolist()) == list(range(1, own.steps.size))
        assert sorted(own.leaf.tolist()) == list(range(layout.frontier.size))
        assert sorted(own.wave.tolist()) == list(range(own.steps.size))
        assert int(own.steps["rows"][own.steps["num_actions"] > 0].sum()) == layout.num_rows[player]


def test_progress_is_reported() -> None:
    seen: list[int] = []
    build_tree(load("leduc"), progress=seen.append)
    assert seen
    assert seen == sorted(seen)


def test_path_tells_what_everybody_saw() -> None:
    tree = build_tree(load("kuhn"))
    paths = {" ".join(tree.path(node)) for node in range(tree.num_nodes)}
    assert "deal deal pass bet bet" in paths
