"""The store: numbers, ways there and back, roots of one's own, pairs that follow a play."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from sog.core.arrays import num_bytes
from sog.core.errors import InputError
from sog.core.rng import make_rng
from sog.games.base import CHANCE, TERMINAL
from sog.games.registry import load
from sog.games.view import NO_PARENT, PublicView
from sog.public.derived import DerivedView
from sog.public.opening import open_store, open_view
from sog.public.store import ROOT, StateStore
from tests.public.world_moves import move_world
from tests.random_game import RandomGame

GAMES = ["kuhn", "leduc", "rps", "scotland_yard(map=glasses,rounds=3)", "tictactoe", "connect_four"]


def expand_fully(store: StateStore) -> StateStore:
    node = ROOT
    while node < store.num_nodes:
        if store.actor(node) != TERMINAL:
            store.children(node)
        node += 1
    return store


def grown(view: PublicView, seed: int, size: int = 300) -> StateStore:
    """Return a store that was filled in an order drawn at random."""
    store, rng = StateStore(view), make_rng(seed)
    while store.num_nodes < size:
        wanted = [node for node in range(store.num_nodes) if store.actor(node) != TERMINAL]
        wanted = [node for node in wanted if not store.is_expanded(node)]
        if not wanted:
            break
        store.expand(rng.choice(wanted, min(len(wanted), 1 + int(rng.integers(3))), replace=False).tolist())
    return store


def described(store: StateStore, node: int) -> dict[str, object]:
    """Return all that the store knows of a node, without numbers that depend on when it was met."""
    record, arrays = store.arrays().nodes[node], store.arrays()
    known: dict[str, object] = {
        name: record[name].item() for name in ("actor", "num_actions", "value_scale", "num_children")
    }
    known["joint"] = store.joint_weights(node).tolist()
    if store.actor(node) < 2:
        known["legal"] = store.legal(node).tolist(), store.waiting(node).tolist()
    for player in (0, 1):
        place = arrays.places[player][node]
        entries = slice(int(place["map_start"]), int(place["map_end"]))
        ways = arrays.map_source[entries].tolist(), arrays.map_target[entries].tolist()
        known[f"flow{player}"] = int(place["rows"]), int(place["start"]), ways
    return known


@pytest.mark.parametrize("name", GAMES)
def test_two_stores_of_one_view_filled_in_different_orders_know_the_same(name: str) -> None:
    view = open_view(load(name))
    one, two = grown(view, seed=1), grown(view, seed=2)
    compared = 0
    for node in range(one.num_nodes):
        other = two.locate(one.route(node))
        if one.is_expanded(node) and one.actor(node) != TERMINAL:
            two.children(other)
        known, same = described(one, node), described(two, other)
        if not one.is_expanded(node):
            del known["num_children"], same["num_children"]
        assert known == same
        compared += 1
    assert compared >= 3


@pytest.mark.parametrize("name", GAMES[:5])
def test_a_route_leads_back_in_another_store(name: str) -> None:
    store = grown(open_view(load(name)), seed=3)
    for node in range(store.num_nodes):
        fresh = open_store(load(name))
        assert described(fresh, fresh.locate(store.route(node)))["joint"] == described(store, node)["joint"]


@pytest.mark.parametrize("name", GAMES[:5])
def test_many_routes_are_expanded_side_by_side(name: str) -> None:
    """Everything on the way, and no more."""
    store = grown(open_view(load(name)), seed=3)
    routes = [store.route(node) for node in range(0, store.num_nodes, 3)]
    bulk, single = open_store(load(name)), open_store(load(name))
    bulk.reach(routes)
    before = bulk.num_nodes
    for route in routes:
        bulk.locate(route)
        single.locate(route)
    assert bulk.num_nodes == before == single.num_nodes >= len(routes)


@pytest.mark.parametrize("seed", range(12))
def test_moves_of_chance_are_the_rules_own(seed: int) -> None:
    """Outcomes of a world lead where the rules say, and as often, summed over what both players ignore."""
    game = RandomGame(seed)
    view = DerivedView(game)
    store = expand_fully(StateStore(view))
    for node in range(store.num_nodes):
        if store.actor(node) != CHANCE:
            continue
        expected = {child: np.zeros(store.num_infostates(child)) for child in store.children(node)}
        for place, (world, _, _, chance) in enumerate(view.worlds(store, node)):
            for move, (outcome, share) in enumerate(game.chance_outcomes(world)):
                child, below = move_world(store, node, place, move)
                after, *rows, _ = view.worlds(store, child)[below]
                assert after == game.apply(world, outcome)
                expected[child][tuple(rows)] += chance * share
        for child, weights in expected.items():
            np.testing.assert_allclose(store.joint_weights(child), weights)


def test_path_leads_from_the_root() -> None:
    store = expand_fully(open_store(load("kuhn")))
    for node in range(store.num_nodes):
        path = store.path(node)
        assert path[0] == ROOT
        assert path[-1] == node
        assert all(store.parents[child] == parent for parent, child in pairwise(path))
        assert store.locate(store.route(node)) == node


def test_a_record_can_be_a_root_of_its_own() -> None:
    store = expand_fully(open_store(load("leduc")))
    node = store.locate((0, 0, 0))
    planted = store.plant(store.records[node : node + 1].copy())
    assert store.parents[planted] == NO_PARENT
    assert store.path(planted) == [planted]
    assert store.num_infostates(planted) == store.num_infostates(node)
    below = [store.actor(child) for child in store.children(planted)]
    assert below == [store.actor(child) for child in store.children(node)]
    assert store.route(store.children(planted)[1]) == (1,)
    assert store.locate((1,), planted) == store.children(planted)[1]


def test_perfect_information_is_plain() -> None:
    for view in (open_view(load("tictactoe")), DerivedView(load("tictactoe"))):
        store = StateStore(view)
        store.children(ROOT)
        assert store.arrays().nodes["is_plain"][ROOT] == 1
    assert not expand_fully(open_store(load("kuhn"))).arrays().nodes["is_plain"].any()


def test_a_terminal_cannot_be_expanded() -> None:
    store = expand_fully(open_store(load("rps")))
    with pytest.raises(ValueError, match="terminal"):
        store.children(2)


def test_parts_that_a_view_lacks_are_named() -> None:
    with pytest.raises(InputError, match=r"kuhn: .*board"):
        _ = open_store(load("kuhn")).planes
    with pytest.raises(ValueError, match="no player acts"):
        open_store(load("kuhn")).legal(ROOT)


@pytest.mark.parametrize("seed", range(6))
def test_plays_that_follow_pairs_end_as_often_as_chance_says(seed: int) -> None:
    """Uniform play by pairs: the mean utility is that of all worlds, weighed by chance and policies."""
    store, rng = expand_fully(StateStore(DerivedView(RandomGame(seed)))), make_rng(seed)
    expected, square = uniform_moments(store)
    plays = []
    for _ in range(2000):
        node, rows = ROOT, (0, 0)
        while (actor := store.actor(node)) != TERMINAL:
            action = int(rng.integers(store.legal(node)[rows[actor]])) if actor < 2 else 0
            node, rows = store.follow(node, rows, action, rng)
            assert store.joint_weights(node)[rows] > 0
        plays.append(store.utility(node, rows))
    deviation = np.sqrt(max(square - expected**2, 0) / len(plays))
    assert abs(np.mean(plays) - expected) < 4.5 * deviation + 1e-12


def uniform_moments(store: StateStore) -> tuple[float, float]:
    """Return mean and mean square of utilities when both play uniformly, by reach and joint weights."""
    reach: dict[int, list[np.ndarray]] = {ROOT: [np.ones(size) for size in store.num_infostates(ROOT)]}
    mean = square = 0.0
    for node in range(store.num_nodes):
        own = reach.pop(node)
        actor = store.actor(node)
        if actor == TERMINAL:
            weights = store.joint_weights(node) * np.outer(own[0], own[1])
            for pair in zip(*np.nonzero(weights), strict=True):
                utility = store.utility(node, (int(pair[0]), int(pair[1])))
                mean, square = mean + weights[pair] * utility, square + weights[pair] * utility**2
            continue
        if actor < 2:
            shares = 1 / store.legal(node)
            legal = np.arange(store.num_actions(node))[:, None] < store.legal(node)[None, :]
            own[actor] = (own[actor] * shares * legal).ravel()
        for child in store.children(node):
            reach[child] = [store.push(child, player, own[player]) for player in (0, 1)]
    return mean, square


def test_a_view_that_fails_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(load("kuhn"))
    with monkeypatch.context() as patch:
        patch.setattr(store.view, "successors", lambda store, nodes: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            store.children(ROOT)
    assert not store.is_expanded(ROOT)
    assert len(store.children(ROOT)) == 1


def room_of(part: Any) -> int:
    """Return what a growable array takes that is filled so far."""
    return int(part.itemsize * 2 ** max(4, int(part.size - 1).bit_length()))


@pytest.mark.parametrize("name", GAMES)
def test_what_a_store_takes_is_known(name: str) -> None:
    store = grown(open_view(load(name)), 1)
    arrays = store.arrays()
    parts = [*arrays[:1], *arrays.places, *arrays[2:8], store.records, store.parents, store.ordinals]
    filled = sum(room_of(part) for part in parts) + room_of(store._waits.values) + num_bytes(arrays.matrices)
    objects = 250 * len(store.expanded) + getattr(store.view, "num_bytes", 0)
    assert store.num_bytes == filled + objects
    again = StateStore(open_view(load(name)))
    for node in store.expanded:
        again.expand([node])
    assert again.num_bytes == store.num_bytes  # whatever the way
