"""Views of boards against the rules that they are views of, world by world."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.core.errors import InputError
from sog.games.base import NUM_PLAYERS, TERMINAL, AnyGame
from sog.games.board_view import PositionView, WorldBoardView
from sog.games.chess.game import Chess
from sog.games.go.game import Go
from sog.games.registry import load
from sog.games.view import NO_PARENT
from sog.public.derived import DerivedView
from sog.public.opening import open_store, open_view
from sog.public.store import ROOT, StateStore
from tests.codes import code_of

MATE_IN_SIGHT = "6k1/5ppp/8/8/8/8/5PPP/R3R1K1 w - - 0 1"
NEARLY_A_DRAW = "8/8/8/4k3/8/8/4K3/R6r w - - 97 90"
PROMOTING = "k7/7P/8/8/8/8/8/K7 w - - 0 1"
GAMES = [
    Go(size=2),
    Go(size=3, max_length=9),
    Go(size=5),
    Go(size=9),
    Chess(),
    Chess(MATE_IN_SIGHT),
    Chess(NEARLY_A_DRAW),
    Chess(PROMOTING, max_moves=4),
    load("tictactoe"),
    load("connect_four"),
    load("breakthrough(rows=4,columns=3)"),
]
FEW = [Go(size=3), Chess(MATE_IN_SIGHT), load("connect_four"), load("breakthrough(rows=4,columns=3)")]


class Told(NamedTuple):
    """What a store says of a node, all arrays as lists."""

    record: bytes
    actor: int
    num_actions: int
    utility: float
    planes: list[float]
    actions: list[int]


def tell(store: StateStore, node: int) -> Told:
    is_over = store.actor(node) == TERMINAL
    encoding = store.encoded.encoding
    features = np.full((1, int(np.prod(encoding.features))), np.nan, np.float32)
    nodes = np.array([node], np.uint32)
    store.planes.write_planes(store, nodes, features)
    actions = store.encoded.encode(store, nodes).choices
    assert actions.size == store.num_actions(node)
    return Told(
        record=store.records[node].tobytes(),
        actor=store.actor(node),
        num_actions=store.num_actions(node),
        utility=store.utility(node, (0, 0)) if is_over else 0.0,
        planes=features[0].tolist(),
        actions=actions.tolist(),
    )


def check(store: StateStore, node: int, game: AnyGame, world: Any) -> None:
    """Compare a node with a world of the game."""
    told, is_over = tell(store, node), game.actor(world) == TERMINAL
    assert told.actor == game.actor(world)
    assert told.utility == (game.returns(world)[0] if is_over else 0.0)
    assert tuple(told.actions) == (() if is_over else game.legal_actions(world))
    assert told.num_actions == len(told.actions)
    np.testing.assert_array_equal(told.planes, np.array(game.public_features(world), np.float32))
    assert store.num_infostates(node) == (1, 1)
    assert store.joint_weights(node).tolist() == [[1.0]]
    assert store.value_scale(node) == game.info.max_utility
    assert store.enumerated.worlds(store, node) == [(world, 0, 0, 1.0)]


def play(game: AnyGame, rng: np.random.Generator, moves: int, world: Any = None) -> Any:
    """Return the world after some random moves, the last one at which the game goes on."""
    world = game.initial_world() if world is None else world
    for _ in range(moves):
        actions = game.legal_actions(world)
        after = game.apply(world, actions[int(rng.integers(len(actions)))])
        if game.actor(after) == TERMINAL:
            break
        world = after
    return world


def check_play(game: AnyGame, rng: np.random.Generator, past: int, most: int = 80) -> None:
    """Follow a random play that begins after some moves, and look at all children on the way."""
    world = play(game, rng, past)
    store, node = open_store(game, world), ROOT
    check(store, node, game, world)
    for _ in range(most):
        actions = game.legal_actions(world)
        children = store.children(node)
        assert len(children) == len(actions)
        for ordinal in range(0, len(actions), max(1, len(actions) // 4)):
            check(store, children[ordinal], game, game.apply(world, actions[ordinal]))
        move = int(rng.integers(len(actions)))
        node, world = children[move], game.apply(world, actions[move])
        check(store, node, game, world)
        if game.actor(world) == TERMINAL:
            return


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.name)
def test_plays_are_those_of_the_worlds(game: AnyGame) -> None:
    rng = np.random.default_rng(1)
    for past in (0, 0, 3, 12):
        check_play(game, rng, past)


@pytest.mark.parametrize("seed", range(3))
def test_connect_four_is_played_to_the_end_by_its_kernels(seed: int) -> None:
    """Random games deep enough for lines, full columns and, now and then, a full board."""
    game, rng = load("connect_four"), np.random.default_rng(seed)
    for _ in range(20):
        check_play(game, rng, 0)


@given(seed=st.integers(0, 2**32), past=st.integers(0, 30), size=st.integers(2, 4))
@settings(max_examples=25, deadline=None)
def test_small_boards_of_go_are_full_of_captures_and_repetitions(seed: int, past: int, size: int) -> None:
    check_play(Go(size=size, komi=0.5, max_length=80), np.random.default_rng(seed), past)


@given(seed=st.integers(0, 2**32), past=st.integers(0, 30))
@settings(max_examples=15, deadline=None)
def test_pieces_that_shuffle_repeat_their_positions(seed: int, past: int) -> None:
    """Two kings and two rooks in a corner of pawns: half of the plays end by repetition."""
    check_play(Chess("6rk/5ppp/8/8/8/8/PPP5/KR6 w - - 0 1"), np.random.default_rng(seed), past)


def follow(game: Any, world: Any, names: str) -> Any:
    for name in names.split():
        actions = {game.action_name(world, action): action for action in game.legal_actions(world)}
        world = game.apply(world, actions[name])
    return world


def child_named(store: StateStore, node: int, name: str) -> int:
    return store.children(node)[store.named.action_names(store, node, 0).index(name)]


def test_repetition_looks_back_beyond_the_start_of_the_view() -> None:
    game, dance = Chess(), "g1f3 g8f6 f3g1 f6g8"
    before = follow(game, game.initial_world(), f"{dance} g1f3 g8f6 f3g1")
    store = open_store(game, before)
    last = child_named(store, ROOT, "f6g8")
    assert store.actor(last) == TERMINAL  # the position is there for the third time
    assert store.utility(last, (0, 0)) == 0
    over = open_store(game, follow(game, before, "f6g8"))
    assert over.actor(ROOT) == TERMINAL
    planted = store.plant(store.records[last : last + 1])
    assert store.actor(planted) == TERMINAL  # a record counts its own repetitions
    alone = open_store(game, game.initial_world())
    first = alone.locate(alone.route(child_named(alone, child_named(alone, ROOT, "g1f3"), "g8f6")))
    assert alone.actor(child_named(alone, child_named(alone, first, "f3g1"), "f6g8")) == 0


KO = [".XO..", "XO.O.", ".XO..", ".....", "....."]


def test_superko_looks_back_beyond_the_start_of_the_view() -> None:
    game = Go(size=5)
    world = follow(game, game.draw(KO), "C4")  # takes B4
    assert "B4" not in [game.action_name(world, action) for action in game.legal_actions(world)]
    store = open_store(game, world)
    assert "B4" not in store.named.action_names(store, ROOT, 0)
    later = store.locate([store.named.action_names(store, ROOT, 0).index("pass")])
    again = child_named(store, later, "pass")
    assert store.actor(again) == TERMINAL
    elsewhere = child_named(store, child_named(store, ROOT, "A1"), "E1")
    assert "B4" in store.named.action_names(store, elsewhere, 0)  # the board is another one by now
    record = store.records[:1].copy()
    record["has_past"] = 0
    other = store.plant(record)
    assert "B4" in store.named.action_names(store, other, 0)  # a planted record has no past
    assert store.num_actions(other) == store.num_actions(ROOT) + 1


@pytest.mark.parametrize("game", FEW, ids=lambda game: game.info.name)
def test_planted_records_are_roots_without_a_past(game: AnyGame) -> None:
    rng = np.random.default_rng(4)
    store = open_store(game, play(game, rng, 5))
    child = store.children(ROOT)[0]
    told = tell(store, child)
    root = store.plant(store.records[child : child + 1])
    assert store.parents[root] == NO_PARENT
    assert store.route(root) == ()
    planted = tell(store, root)
    assert (planted.actor, planted.record) == (told.actor, told.record)
    assert set(planted.actions) >= set(told.actions)
    if told.actor != TERMINAL:
        ours, theirs = store.children(child), store.children(root)
        assert len(ours) <= len(theirs)
        assert store.locate([0], root) == theirs[0]


@pytest.mark.parametrize("game", FEW, ids=lambda game: game.info.name)
def test_two_stores_of_one_view_say_the_same(game: AnyGame) -> None:
    view = open_view(game)
    stores, rng = (StateStore(view), StateStore(view)), np.random.default_rng(7)
    routes = list[tuple[int, ...]]()
    for _ in range(12):
        node = ROOT
        while stores[0].actor(node) != TERMINAL and len(stores[0].route(node)) < 6:
            children = stores[0].children(node)
            node = children[int(rng.integers(len(children)))]
        routes.append(stores[0].route(node))
    for route in reversed(routes):
        stores[1].locate(route)
    for route in routes:
        for length in range(len(route) + 1):
            ours, theirs = (tell(store, store.locate(route[:length])) for store in stores)
            assert ours == theirs
    assert stores[0].expanded != stores[1].expanded


@pytest.mark.parametrize("game", FEW, ids=lambda game: game.info.name)
def test_many_at_once_are_as_one_after_the_other(game: AnyGame) -> None:
    one, many = open_store(game), open_store(game)
    for _ in range(3):
        nodes = [node for node in range(one.num_nodes) if one.actor(node) != TERMINAL][::-2][:20]
        for node in nodes:
            one.children(node)
        many.expand([*nodes, *nodes[:3]])  # what is named again is known already
        many.expand(nodes)
    assert one.expanded == many.expanded
    np.testing.assert_array_equal(one.parents, many.parents)
    np.testing.assert_array_equal(one.records, many.records)
    ours, theirs = one.arrays(), many.arrays()
    np.testing.assert_array_equal(ours.nodes, theirs.nodes)
    for player in range(NUM_PLAYERS):
        np.testing.assert_array_equal(ours.places[player], theirs.places[player])
    nodes_of = np.random.default_rng(2).permutation(one.num_nodes)[:60].astype(np.uint32)
    features = np.full((nodes_of.size, int(np.prod(one.encoded.encoding.features))), np.nan, np.float32)
    one.planes.write_planes(one, nodes_of, features)
    actions = one.encoded.encode(one, nodes_of).choices
    ends = np.cumsum(one.arrays().nodes["num_actions"][nodes_of])
    for index, node in enumerate(nodes_of.tolist()):
        told = tell(many, node)
        assert told.planes == features[index].tolist()
        assert told.actions == actions[ends[index] - len(told.actions) : ends[index]].tolist()


@pytest.mark.parametrize(
    "game",
    [Go(size=2), Chess(MATE_IN_SIGHT), load("tictactoe"), load("connect_four")],
    ids=lambda game: game.info.name,
)
def test_boards_are_what_is_derived_from_worlds(game: AnyGame) -> None:
    board, derived = open_store(game), StateStore(DerivedView(game))
    rng = np.random.default_rng(0)
    for store in (board, derived):
        rng = np.random.default_rng(0)
        for _ in range(30):
            node = ROOT
            while store.is_expanded(node) and store.actor(node) != TERMINAL:
                children = store.children(node)
                node = children[int(rng.integers(len(children)))]
            if store.actor(node) != TERMINAL:
                store.children(node)
    assert board.num_nodes == derived.num_nodes > 30
    np.testing.assert_array_equal(board.parents, derived.parents)
    ours, theirs = board.arrays(), derived.arrays()
    same = ("actor", "num_actions", "first_child", "num_children", "is_expanded", "is_direct", "is_plain")
    for name in (*same, "joint", "joint_scale", "value_scale"):
        np.testing.assert_array_equal(ours.nodes[name], theirs.nodes[name], name)
    for player in range(NUM_PLAYERS):
        for name in ("rows", "start", "is_mapped"):
            np.testing.assert_array_equal(ours.places[player][name], theirs.places[player][name], name)
    for node in range(board.num_nodes):
        assert board.named.observation(board, node) == derived.named.observation(derived, node)
        if node % 7 == 0:
            for player in range(NUM_PLAYERS):
                names = [store.named.infostate_name(store, node, player, 0) for store in (board, derived)]
                assert names[0] == names[1]
        if board.actor(node) == TERMINAL:
            assert board.utility(node, (0, 0)) == derived.utility(node, (0, 0))
        else:
            names_of = [store.named.action_names(store, node, 0) for store in (board, derived)]
            assert names_of[0] == names_of[1]


@pytest.mark.parametrize("game", FEW, ids=lambda game: game.info.name)
def test_codes_put_the_mover_first(game: AnyGame) -> None:
    store = open_store(game)
    for node in (ROOT, store.children(ROOT)[1]):
        code, told = code_of(store, node), tell(store, node)
        assert code.features.tolist() == told.planes
        assert code.choices[:, 0].tolist() == told.actions
        assert [own.tolist() for own in code.rows] == [[0], [0]]
        assert [own.tolist() for own in code.columns] == ([[0], [1]] if told.actor == 0 else [[1], [0]])


@pytest.mark.parametrize("game", FEW, ids=lambda game: game.info.name)
def test_plays_are_followed(game: AnyGame) -> None:
    store = open_store(game)
    heard = store.told.hear(store, store.children(ROOT)[2], 0, 0)
    assert store.told.follow(store, ROOT, 1, 0, [heard]) == (store.children(ROOT)[2], 0)
    assert store.follow(ROOT, (0, 0), 2, np.random.default_rng()) == (store.children(ROOT)[2], (0, 0))


def test_worlds_that_meet_again_are_known() -> None:
    view = WorldBoardView(load("tictactoe"))
    store = StateStore(view)
    ways = [store.locate(route) for route in ((0, 0, 0), (1, 0, 0))]  # the same squares in another order
    worlds = [view.world_of(store.records[node]) for node in ways]
    assert worlds[0] != worlds[1]
    same = [store.locate(route) for route in ((0, 3, 1), (2, 3, 0))]
    assert store.records[same[0]] == store.records[same[1]]


def test_records_are_small() -> None:
    sizes = {name: open_view(load(name)).dtype.itemsize for name in ("chess", "go(size=9)", "go(size=19)")}
    assert sizes == {"chess": 120, "go(size=9)": 104, "go(size=19)": 232}


def test_games_that_hide_something_are_no_boards() -> None:
    with pytest.raises(InputError, match="kuhn is not played on a board"):
        WorldBoardView(load("kuhn"))
    with pytest.raises(InputError, match="not played on a board"):
        _ = open_store(load("kuhn")).planes
    with pytest.raises(InputError, match="at the start of the game alone"):
        open_view(load("kuhn"), load("kuhn").initial_world())
    assert isinstance(open_view(load("go")), PositionView)


def test_nothing_is_expanded_beyond_the_end() -> None:
    store, node = open_store(load("tictactoe")), ROOT
    while store.actor(node) != TERMINAL:
        node = store.children(node)[0]
    before = store.num_nodes
    with pytest.raises(ValueError, match="is terminal"):
        store.expand([store.children(ROOT)[3], node])
    assert store.num_nodes == before
