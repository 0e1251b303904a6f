"""The forward index and what follows a pair, against flows read one by one in plain Python."""

import numpy as np
import pytest

from examples.own_view import CardView
from sog.core.arrays import U64
from sog.core.jit import kernel
from sog.games.base import AnyGame
from sog.games.registry import load
from sog.public.derived import DerivedView
from sog.public.enumeration import enumerate_store
from sog.public.following import find_targets, target_at, weigh_child
from sog.public.forward import classify_nodes
from sog.public.store import StateStore
from sog.public.store_arrays import NODE, PLACE, StoreArrays
from tests.random_game import RandomGame

GAMES: list[AnyGame] = [
    *(RandomGame(seed) for seed in range(12)),
    *map(load, ("leduc", "scotland_yard(map=glasses,rounds=3)", "openspiel:dark_hex(board_size=2)")),
]


def stores() -> list[StateStore]:
    found = [StateStore(DerivedView(game)) for game in GAMES]
    found.append(StateStore(CardView()))
    return [enumerate_store(store).store for store in found]


def flow(store: StateStore, node: int, player: int) -> list[tuple[int, int]]:
    """Return (source, target) of a player's way into a node."""
    place, arrays = store.arrays().places[player][node], store.arrays()
    if not place["is_mapped"]:
        return [(int(place["start"]) + row, row) for row in range(int(place["rows"]))]
    entries = slice(int(place["map_start"]), int(place["map_end"]))
    return list(zip(arrays.map_source[entries].tolist(), arrays.map_target[entries].tolist(), strict=True))


@kernel
def list_targets(arrays: StoreArrays, player: int, child: np.uint64, source: np.uint64, found: U64) -> int:
    first, count = find_targets(arrays, player, child, source)
    for index in range(count):
        found[index] = target_at(arrays, player, child, first, np.uint64(index))
    return int(count)


@kernel
def weigh(arrays: StoreArrays, child: np.uint64, first: np.uint64, second: np.uint64) -> float:
    return weigh_child(arrays, child, first, second)


def test_slots_lead_where_their_flows_do() -> None:
    indexed = direct = 0
    for store in stores():
        arrays = store.arrays()
        for node in range(store.num_nodes):
            record, actor = arrays.nodes[node], store.actor(node)
            if actor >= 2:
                continue
            rows, children = store.num_infostates(node)[actor], store.children(node)
            ways = {child: flow(store, child, actor) for child in children}
            others = {child: flow(store, child, 1 - actor) for child in children}
            size = store.num_infostates(node)[1 - actor]
            keeps = len(children) == store.num_actions(node) and all(
                ways[child] == [(ordinal * rows + row, row) for row in range(rows)]
                and others[child] == [(row, row) for row in range(size)]
                for ordinal, child in enumerate(children)
            )
            assert bool(record["is_direct"]) == keeps
            direct += keeps
            if keeps:
                continue
            for slot in range(rows * store.num_actions(node)):
                at = int(record["forward"]) + slot
                entries = slice(int(arrays.forward_start[at]), int(arrays.forward_start[at + 1]))
                found = zip(
                    arrays.forward_child[entries].tolist(),
                    arrays.forward_target[entries].tolist(),
                    strict=True,
                )
                plain = [(child, to) for child in children for source, to in ways[child] if source == slot]
                assert list(found) == plain
            indexed += 1
    assert indexed > 50
    assert direct > 50


@pytest.mark.parametrize("player", [0, 1])
def test_targets_of_a_source_are_those_of_the_flow(player: int) -> None:
    mapped = 0
    for store in stores()[::3]:
        for node in range(1, store.num_nodes):
            pairs, room = flow(store, node, player), np.zeros(64, np.uint64)
            mapped += int(store.arrays().places[player][node]["is_mapped"])
            for source in range(max(source for source, _ in pairs) + 2):
                size = list_targets(store.arrays(), player, np.uint64(node), np.uint64(source), room)
                assert room[:size].tolist() == [target for at, target in pairs if at == source]
    assert mapped > 20


@pytest.mark.parametrize("field", ["is_mapped", "start", "rows"])
@pytest.mark.parametrize("player", [0, 1])
def test_a_node_that_moves_infostates_is_not_direct(player: int, field: str) -> None:
    """One action, one child with the same infostates, or with others, or in another order."""
    nodes, places = np.zeros(2, NODE), (np.zeros(2, PLACE), np.zeros(2, PLACE))
    nodes["num_actions"], nodes["num_children"], nodes["first_child"] = 1, 1, 1
    for own in places:
        own["rows"] = 2
    root = np.zeros(1, np.uint32)
    assert classify_nodes(nodes, places, root) == nodes["is_direct"][0] == 1
    places[player][field][1] = 1
    assert classify_nodes(nodes, places, root) == nodes["is_direct"][0] == 0


def test_what_is_pushed_down_is_what_flows() -> None:
    rng, starts = np.random.default_rng(2), 0
    for store in stores():
        for node in range(1, store.num_nodes):
            for player in (0, 1):
                ways = flow(store, node, player)
                above = rng.random(max(source for source, _ in ways) + 1)
                expected = np.zeros(store.num_infostates(node)[player])
                for source, target in ways:
                    expected[target] += above[source]
                np.testing.assert_allclose(store.push(node, player, above), expected)
                starts += int(store.arrays().places[player][node]["start"] > 0)
    assert starts > 20


def test_a_child_weighs_what_its_pairs_do() -> None:
    for store in stores()[:4]:
        for node in range(1, store.num_nodes):
            joint = store.joint_weights(node)
            ways = [flow(store, node, player) for player in (0, 1)]
            for first in {source for source, _ in ways[0]}:
                for second in {source for source, _ in ways[1]}:
                    rows = [target for source, target in ways[0] if source == first]
                    columns = [target for source, target in ways[1] if source == second]
                    found = weigh(store.arrays(), np.uint64(node), np.uint64(first), np.uint64(second))
                    assert found == pytest.approx(joint[np.ix_(rows, columns)].sum(), abs=1e-12)


def test_dead_infostates_have_no_joint_weight() -> None:
    store = enumerate_store(StateStore(CardView())).store
    for node in range(store.num_nodes):
        joint = store.joint_weights(node)
        for player, alive in enumerate(store.alive(node)):
            assert alive.tolist() == (joint.sum(axis=1 - player) > 0).tolist()
    assert not all(alive.all() for node in range(store.num_nodes) for alive in store.alive(node))
