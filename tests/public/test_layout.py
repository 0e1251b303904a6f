import numpy as np
import pytest

from sog.games.base import TERMINAL
from sog.games.registry import load
from sog.public.enumeration import enumerate_game, enumerate_store
from sog.public.layout import lay_out
from sog.public.opening import open_store
from sog.public.store import ROOT
from sog.solvers.checkpoint import fingerprint
from sog.solvers.solver import Solver


def test_a_store_filled_in_any_order_has_the_same_layout() -> None:
    game = load("leduc")
    rng = np.random.default_rng(3)
    store, open_nodes = open_store(game), [ROOT]
    while open_nodes:
        node = open_nodes.pop(int(rng.integers(len(open_nodes))))
        open_nodes += [child for child in store.children(node) if store.actor(child) != TERMINAL]
    whole, usual = enumerate_store(store), enumerate_game(game)
    assert not np.array_equal(whole.layout.nodes, usual.layout.nodes)
    assert fingerprint(whole.layout) == fingerprint(usual.layout)
    grown, built = Solver(game, "dcfr", whole=whole), Solver(game, "dcfr", whole=usual)
    grown.advance(50)
    built.advance(50)
    assert grown.solution().exploitability == built.solution().exploitability
    assert grown.solution().value == built.solution().value


# Of the layouts that solutions were saved on by earlier versions.
FINGERPRINTS = [
    ("kuhn", "899923e5bbe97bc3"),
    ("leduc", "df2fdefb7f45398c"),
    ("liars_dice(dice=1,faces=4)", "e0138fd3b0d84565"),
    ("goofspiel(cards=4)", "bf5e38084a677535"),
    ("scotland_yard(map=glasses)", "2dad78b2843b7694"),
    ("openspiel:dark_hex(board_size=2)", "4ae08df86af31354"),
    ("matrix(payoffs=[[0],[1],[2],[3]])", "c8d78b5324756632"),
]


@pytest.mark.parametrize(("name", "expected"), FINGERPRINTS)
def test_solutions_saved_before_still_fit(name: str, expected: str) -> None:
    assert fingerprint(enumerate_game(load(name)).layout) == expected


def test_depth_limit_leaves_leaves() -> None:
    store = open_store(load("leduc"))
    layout = lay_out(store, max_depth=4)
    assert layout.depth.max() == 4
    assert np.any(layout.actor[layout.frontier] != TERMINAL)
    # Going on from there ends in the same layout.
    assert fingerprint(lay_out(store)) == fingerprint(enumerate_game(load("leduc")).layout)


def test_parts_of_a_game_have_layouts_of_their_own() -> None:
    store, whole = enumerate_game(load("leduc"))
    for place in (1, 5, 20, 200):
        node = int(whole.nodes[place])
        part = lay_out(store, node)
        below = {place}
        for child in range(place + 1, whole.num_nodes):
            if int(whole.parent[child]) in below:
                below.add(child)
        assert part.nodes.tolist() == [int(whole.nodes[each]) for each in sorted(below)]
        assert part.num_slots[0] <= whole.num_slots[0]
        np.testing.assert_array_equal(part.actor, whole.actor[sorted(below)])
        np.testing.assert_array_equal(part.depth, whole.depth[sorted(below)] - whole.depth[place])


def test_public_moves_carry_no_maps() -> None:
    """In Liar's Dice only the rolls split infostates; every bid is an identity map."""
    layout = enumerate_game(load("liars_dice(dice=1,faces=4)")).layout
    for player, own in enumerate(layout.players):
        relays = int(np.count_nonzero(own.steps["num_actions"] == 0))
        assert relays == 2, f"player {player}: the root and the own roll"
        assert own.map_source.size == 4


def test_layout_lists_are_complete() -> None:
    layout = enumerate_game(load("goofspiel(cards=4)")).layout
    for player, own in enumerate(layout.players):
        assert sorted(own.child.tolist()) == list(range(1, own.steps.size))
        assert sorted(own.leaf.tolist()) == list(range(layout.frontier.size))
        assert sorted(own.wave.tolist()) == list(range(own.steps.size))
        assert int(own.steps["rows"][own.steps["num_actions"] > 0].sum()) == layout.num_rows[player]


def test_progress_is_reported_and_expansions_may_be_refused() -> None:
    seen: list[int] = []
    layout = enumerate_game(load("leduc"), progress=seen.append).layout
    assert seen == sorted(seen)
    assert seen[-1] == layout.num_nodes
    expanded: list[int] = []
    store = open_store(load("leduc"))
    lay_out(store, check=expanded.extend)
    assert sorted(expanded) == sorted(store.expanded)

    def refuse(nodes: object) -> None:
        raise OverflowError

    with pytest.raises(OverflowError):
        lay_out(open_store(load("leduc")), check=refuse)
