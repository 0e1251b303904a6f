"""Joint weights are chance: `P(child, s0', s1' | s0, s1, action) = C_child(s0', s1') / C(s0, s1)`."""

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from sog.core.rng import make_rng
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL, AnyGame
from sog.games.registry import load
from sog.public.derived import WAIT, DerivedView
from sog.public.enumeration import Enumeration, enumerate_game, enumerate_store
from sog.public.store import StateStore
from tests.public.world_moves import move_world, rows_of
from tests.random_game import RandomGame

GAMES = [
    "kuhn",
    "leduc",
    "liars_dice(dice=1,faces=3)",
    "goofspiel(cards=4)",
    "scotland_yard(map=glasses)",
    "openspiel:dark_hex(board_size=2)",
    "rps",
]
ALL = [*(load(name) for name in GAMES), *(RandomGame(seed) for seed in range(40))]
_ids = [game.info.name for game in ALL]


def entries(whole: Enumeration, place: int, player: int) -> list[tuple[int, int]]:
    """Return (source, target) of a player's way into a node."""
    node, arrays = int(whole.layout.nodes[place]), whole.store.arrays()
    record = arrays.places[player][node]
    if record["is_mapped"]:
        part = slice(int(record["map_start"]), int(record["map_end"]))
        return list(zip(arrays.map_source[part].tolist(), arrays.map_target[part].tolist(), strict=True))
    return [(int(record["start"]) + row, row) for row in range(int(record["rows"]))]


@pytest.mark.parametrize("game", ALL, ids=_ids)
def test_what_may_follow_a_pair_has_probability_one(game: AnyGame) -> None:
    store, layout = whole = enumerate_game(game)
    joint = [store.joint_weights(int(node)) for node in layout.nodes]
    assert all(np.all(weights >= 0) for weights in joint), "for either player"
    assert joint[0].sum() > 0
    for place in np.flatnonzero(layout.num_children).tolist():
        actor = int(layout.actor[place])
        # Weights of all that follows, by pair and by action of the acting infostate.
        following: defaultdict[tuple[int, int, int], float] = defaultdict(float)
        for child in layout.children(place):
            for source0, target0 in entries(whole, child, 0):
                for source1, target1 in entries(whole, child, 1):
                    pair, action = [source0, source1], 0
                    if actor < NUM_PLAYERS:
                        action, pair[actor] = divmod(pair[actor], int(layout.size[actor][place]))
                    following[pair[0], pair[1], action] += joint[child][target0, target1]
        for (row, column), weight in np.ndenumerate(joint[place]):
            acting = (row, column)[actor] if actor < NUM_PLAYERS else 0
            legal = store.legal(int(layout.nodes[place]))[acting] if actor < NUM_PLAYERS else 1
            for action in range(int(legal)):
                total = following.pop((row, column, action), 0.0)
                assert total == pytest.approx(weight, rel=1e-12, abs=1e-300)
        assert not any(following.values()), "nothing follows from actions that are not legal"


@pytest.mark.parametrize("game", ALL, ids=_ids)
def test_worlds_and_pairs_take_the_same_way(game: AnyGame) -> None:
    """A play of worlds is followed by pairs alone; where those leave a choice, the world's is possible."""
    store, _ = enumerate_store(StateStore(DerivedView(game)))
    view, rng = store.view, make_rng(1)
    assert isinstance(view, DerivedView)
    for _ in range(30):
        node, place = 0, 0
        while store.actor(node) != TERMINAL:
            state = view.state(store, node)
            pair = rows_of(store, node, place)
            actor, world = state.actor, state.worlds[place]
            move = draw_move(view, world, state.legal[pair[actor]] if actor < NUM_PLAYERS else (), rng)
            child, place = move_world(store, node, place, move)
            after = rows_of(store, child, place)
            share = store.joint_weights(child)[after] / store.joint_weights(node)[pair]
            assert 0 < share <= 1 + 1e-12
            found = {store.follow(node, pair, move, rng) for _ in range(4 if share < 1 else 1)}
            if actor != CHANCE and share > 1 - 1e-12:
                assert found == {(child, after)}
            for node_found, pair_found in found:
                assert store.joint_weights(node_found)[pair_found] > 0
            node = child
        pair = rows_of(store, node, place)
        state = view.state(store, node)
        alike = [
            (chance, game.returns(world)[0])
            for world, s0, s1, chance in view.worlds(store, node)
            if (s0, s1) == pair
        ]
        mean = np.average([utility for _, utility in alike], weights=[chance for chance, _ in alike])
        assert store.utility(node, pair) == pytest.approx(mean, abs=1e-9)


def draw_move(view: DerivedView, world: Any, legal: tuple[int, ...], rng: np.random.Generator) -> int:
    """Return the number of a move: of chance, of the acting infostate, or the wait of one that is not."""
    if view.game.actor(world) == CHANCE:
        chances = [chance for _, chance in view.game.chance_outcomes(world)]
        return int(rng.choice(len(chances), p=np.array(chances) / sum(chances)))
    return 0 if not legal or legal[0] == WAIT else int(rng.integers(len(legal)))


@pytest.mark.parametrize("name", ["kuhn", "scotland_yard(map=glasses)"])
def test_chance_draws_as_often_as_joint_weights_say(name: str) -> None:
    store, layout = enumerate_game(load(name))
    rng, count = make_rng(3), 3000
    for place in np.flatnonzero(layout.actor == CHANCE)[:3].tolist():
        node = int(layout.nodes[place])
        weights = store.joint_weights(node)
        row, column = (int(index) for index in np.argwhere(weights)[0])
        drawn: defaultdict[Any, int] = defaultdict(int)
        for _ in range(count):
            drawn[store.follow(node, (row, column), 0, rng)] += 1
        for (child, pair), times in drawn.items():
            share = store.joint_weights(child)[pair] / weights[row, column]
            assert abs(times / count - share) <= 5 * np.sqrt(share * (1 - share) / count) + 1e-12
