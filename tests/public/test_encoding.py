"""Encodings of every game as stores give them; that nothing hidden is told is checked by `sog check`."""

import numpy as np
import pytest

from sog.games.base import NUM_PLAYERS, TERMINAL, AnyGame
from sog.games.registry import load
from sog.games.view import UNUSED
from sog.public import encoding
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from tests.codes import code_of

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


def expanded(game: AnyGame, limit: int = 2_000) -> StateStore:
    return grown(open_store(game), limit)


def grown(store: StateStore, limit: int = 2_000) -> StateStore:
    node = 0
    while node < store.num_nodes and store.num_nodes < limit:
        if store.actor(node) != TERMINAL:
            store.children(node)
        node += 1
    return store


@pytest.mark.parametrize("name", ENCODED + BY_HISTORY)
def test_codes_have_the_promised_sizes_and_tell_infostates_and_actions_apart(name: str) -> None:
    game = load(name)
    store = expanded(game)
    sizes = store.encoded.encoding
    for node in range(store.num_nodes):
        if store.has_planes and store.actor(node) == TERMINAL:
            continue  # nobody moves, and a board is seen by the mover
        code, actor = code_of(store, node), store.actor(node)
        assert code.features.shape == (int(np.prod(sizes.features)),)
        for player in range(NUM_PLAYERS):
            rows = code.rows[player]
            assert rows.size == store.num_infostates(node)[player] == np.unique(rows).size
            assert rows.min() >= 0
            assert rows.max() < sizes.private[player]
            first = 1 if store.has_planes and actor == 1 else 0  # a mover's value comes first
            skipped = 0 if player == first else sizes.private[first]
            assert code.columns[player].tolist() == (rows + skipped).tolist()
        if actor < NUM_PLAYERS:
            legal = np.where(store.waiting(node), 0, store.legal(node))
            for infostate, count in enumerate(legal.tolist()):
                own = code.choices[:, infostate]
                used = own[own != UNUSED]
                assert used.size == np.unique(used).size == count
                assert np.all(used < sizes.choices)


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_a_poker_game_has_other_features_wherever_something_else_can_be_done(name: str) -> None:
    """States with equal features have equal futures: the same actions, public states and stakes below."""
    game = load(name)
    store = expanded(game)

    def future(node: int) -> tuple[object, ...]:
        actor, scale = store.actor(node), store.value_scale(node)
        if actor == TERMINAL:
            return TERMINAL, scale
        return actor, scale, tuple(future(child) for child in store.children(node))

    seen: dict[bytes, tuple[object, ...]] = {}
    for node in range(store.num_nodes):
        if store.actor(node) != TERMINAL:
            key = code_of(store, node).features.tobytes()
            assert seen.setdefault(key, future(node)) == future(node)


def test_a_big_game_is_encoded_without_being_listed() -> None:
    store = open_store(load(LARGE[0]))
    node = ROOT
    for _ in range(4):
        node = store.children(node)[0]
    encoder = store.encoded
    assert code_of(store, node).features.size == encoder.encoding.features[0]


def test_histories_are_told_apart() -> None:
    store = expanded(load("goofspiel(cards=3)"))
    codes = {code_of(store, node).features.tobytes() for node in range(store.num_nodes)}
    assert len(codes) == store.num_nodes


def test_a_game_too_large_for_its_history_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "MAX_HISTORY_STATES", 10)
    with pytest.raises(ValueError, match="needs an encoding of its own"):
        _ = open_store(load("goofspiel(cards=3)")).encoded.encoding


def test_routes_lead_back() -> None:
    store = expanded(load("leduc"))
    assert all(store.locate(store.route(node)) == node for node in range(store.num_nodes))
    other = open_store(load("leduc"))
    found = other.locate(store.route(store.num_nodes - 1))
    last = store.named.observation(store, store.num_nodes - 1)
    assert other.named.observation(other, found) == last


def test_a_game_is_listed_once_for_its_history(monkeypatch: pytest.MonkeyPatch) -> None:
    listed, measure = [], encoding._measure

    def counting(store: StateStore) -> object:
        listed.append(store)
        return measure(store)

    monkeypatch.setattr(encoding, "_measure", counting)
    game = load("goofspiel(cards=3)")
    sizes = [open_store(game).encoded.encoding for _ in range(3)]
    assert sizes[0] == sizes[1] == sizes[2]
    assert len(listed) == 1
