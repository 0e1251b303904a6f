"""Encodings of every game: shapes, invariance, and nothing hidden."""

import numpy as np
import pytest
from sog.public.rows import is_board_game

from sog.games.base import NUM_PLAYERS, TERMINAL, AnyGame
from sog.games.registry import load
from sog.public import encoding
from sog.public.derived import WAIT
from sog.public.encoding import UNUSED, GameEncoder, HistoryEncoder, make_encoder
from sog.public.store import ROOT, StateStore

ENCODED = [
    "kuhn",
    "leduc",
    "liars_dice(dice=1,faces=3)",
    "liars_dice(dice=2,faces=2)",
    "scotland_yard(map=glasses,rounds=3)",
    "tictactoe",
    "connect_four",
    "breakthrough(rows=4,columns=3)",
    "go(size=3)",
]
BY_HISTORY = ["rps", "goofspiel(cards=3)", "openspiel:kuhn_poker"]
LARGE = ["scotland_yard(map=london)"]


def charted(game: AnyGame, limit: int = 2_000) -> StateStore:
    store, node = StateStore(game), 0
    while node < store.num_nodes and store.num_nodes < limit:
        if store.actor(node) != TERMINAL:
            store.children(node)
        node += 1
    return store


@pytest.mark.parametrize("name", ENCODED + BY_HISTORY)
def test_codes_have_the_promised_sizes_and_tell_infostates_and_actions_apart(name: str) -> None:
    game = load(name)
    encoder, store = make_encoder(game), charted(game)
    sizes = encoder.encoding
    for node in range(store.num_nodes):
        code, state = encoder.encode(store, node), store.states[node]
        assert code.features.shape == (int(np.prod(sizes.features)),)
        for player in range(NUM_PLAYERS):
            rows = code.rows[player]
            assert rows.size == store.num_infostates(node)[player] == np.unique(rows).size
            assert rows.min() >= 0
            assert rows.max() < sizes.private[player]
            first = 1 if is_board_game(game) and state.actor == 1 else 0  # a mover's value comes first
            skipped = 0 if player == first else sizes.private[first]
            assert code.columns[player].tolist() == (rows + skipped).tolist()
        if state.actor < NUM_PLAYERS:
            for infostate, actions in enumerate(state.legal):
                own = code.choices[:, infostate]
                used = own[own != UNUSED]
                assert used.size == np.unique(used).size == sum(action != WAIT for action in actions)
                assert np.all(used < sizes.choices)


@pytest.mark.parametrize("name", ENCODED)
def test_nothing_hidden_is_in_the_code(name: str) -> None:
    """Features and scale are the same in all worlds, a row in all worlds of its infostate."""
    game = load(name)
    store = charted(game)
    for node in range(store.num_nodes):
        state = store.states[node]
        features = {tuple(game.public_features(world)) for world in state.worlds}
        assert len(features) == 1
        assert len({game.value_scale(world) for world in state.worlds}) == 1
        for player in range(NUM_PLAYERS):
            indices: dict[int, set[int]] = {}
            for world, infostate in zip(state.worlds, state.rows[player].tolist(), strict=True):
                indices.setdefault(infostate, set()).add(game.private_index(player, world))
            assert all(len(found) == 1 for found in indices.values())
        if state.actor < NUM_PLAYERS:
            choices: dict[tuple[int, int], set[int]] = {}
            for world, infostate in zip(state.worlds, state.rows[state.actor].tolist(), strict=True):
                for action in state.legal[infostate]:
                    choices.setdefault((infostate, action), set()).add(game.choice_index(world, action))
            assert all(len(found) == 1 for found in choices.values())


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_a_poker_game_has_other_features_wherever_something_else_can_be_done(name: str) -> None:
    """States with equal features have equal futures: the same actions, public states and stakes below."""
    game = load(name)
    encoder, store = GameEncoder(game), charted(game)

    def future(node: int) -> tuple[object, ...]:
        state = store.states[node]
        scale = game.value_scale(state.worlds[0])
        if state.actor == TERMINAL:
            return TERMINAL, scale
        return state.actor, scale, tuple(future(child) for child in store.children(node))

    seen: dict[bytes, tuple[object, ...]] = {}
    for node in range(store.num_nodes):
        if store.actor(node) != TERMINAL:
            key = encoder.encode(store, node).features.tobytes()
            assert seen.setdefault(key, future(node)) == future(node)


def test_a_big_game_is_encoded_without_being_listed() -> None:
    game = load(LARGE[0])
    encoder, store = make_encoder(game), StateStore(game)
    node = ROOT
    for _ in range(4):
        node = store.children(node)[0]
    assert encoder.encode(store, node).features.size == encoder.encoding.features[0]


def test_histories_are_told_apart() -> None:
    game = load("goofspiel(cards=3)")
    encoder, store = HistoryEncoder(game), charted(game)
    codes = {encoder.encode(store, node).features.tobytes() for node in range(store.num_nodes)}
    assert len(codes) == store.num_nodes


def test_a_game_too_large_for_its_history_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "MAX_HISTORY_STATES", 10)
    with pytest.raises(ValueError, match="needs an encoding of its own"):
        HistoryEncoder(load("goofspiel(cards=3)"))


def test_routes_lead_back() -> None:
    store = charted(load("leduc"))
    assert all(store.locate(store.route(node)) == node for node in range(store.num_nodes))
    other = StateStore(load("leduc"))
    found = other.locate(store.route(store.num_nodes - 1))
    assert other.observations[found] == store.observations[-1]
