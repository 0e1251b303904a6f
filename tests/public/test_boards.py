from typing import Any

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.games.base import NUM_PLAYERS, TERMINAL, AnyGame
from sog.games.chess.game import Chess
from sog.games.go.game import Go
from sog.games.registry import load
from sog.public.boards import BoardView
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Searcher
from sog.search.resolving import first_task
from sog.search.settings import SearchSettings

MATE_IN_SIGHT = "6k1/5ppp/8/8/8/8/5PPP/R3R1K1 w - - 0 1"
NEARLY_A_DRAW = "8/8/8/4k3/8/8/4K3/R6r w - - 97 90"


def chart_some(store: StateStore, charts: int, rng: np.random.Generator) -> None:
    """Chart nodes at random, as a search might."""
    for _ in range(charts):
        node = ROOT
        while store.is_expanded(node):
            children = store.children(node)
            node = children[int(rng.integers(len(children)))]
            if store.actor(node) == TERMINAL:
                break
        else:
            store.children(node)


def chart_both(game: AnyGame, charts: int, seed: int = 0) -> tuple[StateStore, StateStore]:
    board, derived = StateStore(BoardView(game)), StateStore(game)
    for store in (board, derived):
        chart_some(store, charts, np.random.default_rng(seed))
    return board, derived


@pytest.mark.parametrize(
    ("game", "charts"),
    [
        (Go(size=2), 300),
        (Go(size=3, max_length=9), 200),
        (Go(size=5), 60),
        (Chess(), 40),
        (Chess(MATE_IN_SIGHT), 60),
        (Chess(NEARLY_A_DRAW), 80),
        (load("tictactoe"), 200),
        (load("connect_four"), 300),
        (load("breakthrough(rows=4,columns=3)"), 200),
        (Chess("k7/7P/8/8/8/8/8/K7 w - - 0 1", max_moves=4), 80),
    ],
)
def test_boards_are_charted_as_worlds_are(game: AnyGame, charts: int) -> None:
    board, derived = chart_both(game, charts)
    assert board.num_nodes == derived.num_nodes > charts
    assert board.parents == derived.parents
    ours, theirs = board.arrays(), derived.arrays()
    for name in ("actor", "num_actions", "first_child", "num_children", "is_expanded", "is_plain"):
        np.testing.assert_array_equal(ours.nodes[name], theirs.nodes[name], name)
    np.testing.assert_array_equal(ours.nodes["value_scale"], theirs.nodes["value_scale"])
    is_acting = ours.nodes["actor"] < NUM_PLAYERS
    np.testing.assert_array_equal(
        ours.legal[ours.nodes["legal_start"][is_acting]], theirs.legal[theirs.nodes["legal_start"][is_acting]]
    )
    for player in range(NUM_PLAYERS):
        for name in ("rows", "start", "is_mapped"):
            np.testing.assert_array_equal(ours.places[player][name], theirs.places[player][name], name)
    for node in np.flatnonzero(ours.nodes["actor"] == TERMINAL).tolist():
        assert ours.nodes["scale"][node] == game.returns(derived.states[node].worlds[0])[0]


@pytest.mark.parametrize(
    "game", [Go(size=3), Chess(MATE_IN_SIGHT), load("connect_four"), load("breakthrough(rows=4,columns=3)")]
)
def test_positions_moves_and_planes_are_those_of_the_worlds(game: AnyGame) -> None:
    board, derived = chart_both(game, 30, seed=1)
    rng = np.random.default_rng(2)
    nodes = rng.permutation(board.num_nodes)[:60].astype(np.int32)  # in any order: parents are made first
    assert game.encoding is not None
    features = np.full((nodes.size, int(np.prod(game.encoding.features))), np.nan, np.float32)
    board.board.write_features(nodes, features)
    for node, written in zip(nodes.tolist(), features, strict=True):
        state = derived.states[node]
        assert board.board.world(node) == state.worlds[0]
        np.testing.assert_array_equal(written, np.array(game.public_features(state.worlds[0]), np.float32))
        assert board.observations[node] == derived.observations[node]
        if state.actor != TERMINAL:
            assert tuple(board.board.legal_actions(node).tolist()) == state.legal[0]
            assert board.board.action_names(node) == derived.view.action_names(state, 0)


@pytest.mark.parametrize("seed", range(3))
def test_connect_four_is_played_to_the_end_by_its_kernels(seed: int) -> None:
    """Random games deep enough for lines, full columns and, now and then, a full board."""
    game, rng = load("connect_four"), np.random.default_rng(seed)
    for _ in range(60):
        store, node, world = StateStore(BoardView(game)), ROOT, game.initial_world()
        while game.actor(world) != TERMINAL:
            assert store.actor(node) == game.actor(world)
            actions = game.legal_actions(world)
            assert tuple(store.board.legal_actions(node).tolist()) == actions
            move = int(rng.integers(len(actions)))
            node, world = store.children(node)[move], game.apply(world, actions[move])
        assert store.actor(node) == TERMINAL
        assert store.arrays().nodes["scale"][node] == game.returns(world)[0]
        assert store.board.world(node) == world


def test_a_board_may_begin_with_any_world() -> None:
    game = Chess()
    world = game.initial_world()
    for _ in range(2):
        for action in (name_action(game, world, "g1f3"), None, None, None):
            world = game.apply(world, action if action is not None else back_and_forth(game, world))
    store = StateStore(BoardView(game, world))
    assert store.actor(ROOT) == TERMINAL  # the position is there for the third time


def name_action(game: Chess, world: Any, name: str) -> int:
    actions = game.legal_actions(world)
    return next(action for action in actions if game.action_name(world, action) == name)


def back_and_forth(game: Chess, world: Any) -> int:
    """Return the second, third or fourth move of a dance of two knights."""
    names = {game.action_name(world, action): action for action in game.legal_actions(world)}
    if int(world.position[11]) % 4 == 1:
        return names["g8f6"]
    return names["f3g1"] if int(world.position[11]) % 4 == 2 else names["f6g8"]


def test_a_search_finds_the_same_on_both() -> None:
    game = Go(size=2)
    board, derived = StateStore(BoardView(game)), StateStore(game)
    settings = SearchSettings(simulations=400, top_actions=1)
    found = [Searcher(store, None, settings).search(first_task(store, ROOT), 7) for store in (board, derived)]
    assert found[0].policy.shape == found[1].policy.shape
    assert [result.policy.sum() for result in found] == pytest.approx([1, 1])
    assert board.is_perfect_information


def test_games_without_rows_are_refused() -> None:
    with pytest.raises(InputError, match="kuhn has no positions"):
        BoardView(load("kuhn"))
    with pytest.raises(InputError, match="not searched as a board"):
        _ = StateStore(load("kuhn")).board


@pytest.mark.parametrize(
    "game",
    [Go(size=3), Chess(MATE_IN_SIGHT), load("connect_four"), load("breakthrough(rows=4,columns=3)")],
)
def test_many_at_once_are_as_one_after_the_other(game: AnyGame) -> None:
    one, many = StateStore(BoardView(game)), StateStore(BoardView(game))
    for _ in range(3):
        nodes = [node for node in range(one.num_nodes) if one.actor(node) != TERMINAL][::-2][:20]
        for node in nodes:
            one.children(node)
        many.expand([*nodes, *nodes[:3]])  # what is named again is known already
        many.expand(nodes)
    assert one.expanded == many.expanded
    assert one.parents == many.parents
    ours, theirs = one.arrays(), many.arrays()
    np.testing.assert_array_equal(ours.nodes, theirs.nodes)
    for player in range(NUM_PLAYERS):
        np.testing.assert_array_equal(ours.places[player], theirs.places[player])
    for node in range(0, one.num_nodes, 7):
        assert one.board.world(node) == many.board.world(node)
        if one.actor(node) != TERMINAL:
            assert one.board.legal_actions(node).tolist() == many.board.legal_actions(node).tolist()


def test_nothing_is_charted_beyond_the_end() -> None:
    game = load("tictactoe")
    store, node = StateStore(BoardView(game)), ROOT
    while store.actor(node) != TERMINAL:
        node = store.children(node)[0]
    before = store.num_nodes
    with pytest.raises(ValueError, match="is terminal"):
        store.expand([store.children(ROOT)[3], node])
    assert store.num_nodes == before
