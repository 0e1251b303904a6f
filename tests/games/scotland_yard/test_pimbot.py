"""PimBot: its positions are those of the rules, and it finds what is easy to find."""

from typing import Any

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.core.jit import kernel
from sog.games.base import TERMINAL
from sog.games.scotland_yard.game import ScotlandYard
from sog.games.scotland_yard.pimbot import PimBot, PimBotSettings, make_ground, parse_pimbot
from sog.games.scotland_yard.playouts import (
    CORNERED,
    DOUBLE,
    NO_FILTER,
    THREATENED,
    Ground,
    Parts,
    Scene,
    list_moves,
    make_move,
    play_out,
)
from sog.games.scotland_yard.successors import RECORD
from sog.games.scotland_yard.view import ScotlandYardView, stations_of
from sog.public.opening import open_store
from sog.public.store import ROOT
from tests.games.scotland_yard.oracle import random_record
from tests.games.scotland_yard.test_encoding import distances

LONDON = ScotlandYard("london")
VIEW = ScotlandYardView(LONDON)
GROUND = make_ground(LONDON.tables)
PLAIN = Parts(0.5, 5.0, 1.0, 0.25, False, NO_FILTER, np.zeros(5), is_hiders=True)
FILTERED = PLAIN._replace(filters_black=True, double_filter=THREATENED)


def scene_of(record: Any, hider: int) -> Scene:
    return Scene(
        np.array([record], RECORD), np.array([hider]), np.zeros(64, np.uint32), np.zeros(4, np.uint64)
    )


@kernel
def do_list(ground: Ground, parts: Parts, scene: Scene) -> np.uint64:
    return list_moves(ground, parts, scene)


@kernel
def do_move(ground: Ground, parts: Parts, scene: Scene, move: np.uint64) -> None:
    make_move(ground, parts, scene, move)


@kernel
def do_play(ground: Ground, parts: Parts, scene: Scene, rng: Any) -> np.int64:
    return play_out(ground, parts, scene, rng)


def moves_of(parts: Parts, scene: Scene) -> list[int]:
    return list(scene.moves[: int(do_list(GROUND, parts, scene))].tolist())


def number_of(action: int) -> int:
    """Return the number of an action of London's game in playouts."""
    if action == LONDON.info.num_actions - 1:
        return DOUBLE
    return (action // LONDON.num_stations) << 8 | action % LONDON.num_stations + 1


def random_worlds(count: int, seed: int) -> list[tuple[Any, int, Any]]:
    rng = np.random.default_rng(seed)
    found: list[tuple[Any, int, Any]] = []
    while len(found) < count:
        record = random_record(LONDON, rng)
        if record is not None:
            station = int(rng.choice(stations_of(record)))
            found.append((record, station, VIEW.world_of(record, station)))
    return found


def test_moves_are_those_of_the_rules() -> None:
    store = open_store(LONDON)
    for record, station, world in random_worlds(150, seed=1):
        actions = LONDON.legal_actions(world)
        scene = scene_of(record, station)
        assert moves_of(PLAIN, scene) == [number_of(action) for action in actions]
        node = store.plant(np.array([record], RECORD))
        row = stations_of(record).index(station)
        for move, action in enumerate(actions):
            scene, after = scene_of(record, station), LONDON.apply(world, action)
            do_move(GROUND, PLAIN, scene, np.uint64(number_of(action)))
            assert VIEW.world_of(scene.record[0], int(scene.hider[0])) == after
            if LONDON.actor(after) != TERMINAL:
                child, _ = store.follow(node, (row, 0), move, np.random.default_rng())
                possible = set(stations_of(store.records[child]))
                assert possible <= set(stations_of(scene.record[0]))  # those who are stuck stay in
                assert after.hider in possible


def test_playouts_end_as_plays_do() -> None:
    rng = np.array([5], np.uint64)
    ends = set()
    for record, station, world in random_worlds(60, seed=2):
        for epsilon, is_hiders in ((1.0, True), (0.1, True), (0.2, False)):
            scene = scene_of(record, station)
            last = do_play(GROUND, PLAIN._replace(epsilon=epsilon, is_hiders=is_hiders), scene, rng)
            after = VIEW.world_of(scene.record[0], int(scene.hider[0]))
            assert LONDON.actor(after) == TERMINAL
            assert 0 <= last <= 5
            if after.turn == -3:
                assert after.detectives[last - 1] == after.hider
            assert after.moves >= world.moves
            ends.add(after.turn)
    assert ends >= {-2, -3}


def test_black_tickets_that_tell_nothing_are_left_out() -> None:
    seen = {True: 0, False: 0}
    for record, station, world in random_worlds(200, seed=3):
        if world.turn or not world.hider_tickets[3]:
            continue
        by_taxi = all(
            all(kind in (0, 3) for _, kind, end in LONDON._routes[own - 1] if kind != 3)
            and {end for _, kind, end in LONDON._routes[own - 1] if kind == 3}
            == {end for _, kind, end in LONDON._routes[own - 1] if kind == 0}
            for own in stations_of(record)
        )
        wasted = world.moves < 2 or world.moves + 1 in LONDON.setup.reveals or by_taxi
        plain = moves_of(PLAIN, scene_of(record, station))
        others = [move for move in plain if move >> 8 != 3]
        kept = others if wasted and set(others) - {DOUBLE} else plain
        threat = min(distances(LONDON, own, {0, 1, 2})[station] for own in world.detectives) <= 1
        if not threat:
            kept = [move for move in kept if move != DOUBLE]
        assert moves_of(FILTERED, scene_of(record, station)) == kept
        seen[wasted] += 1
    assert min(seen.values()) > 5


def test_double_moves_of_a_cornered_hider() -> None:
    seen = {True: 0, False: 0}
    for record, station, world in random_worlds(300, seed=4):
        plain = moves_of(PLAIN, scene_of(record, station))
        if DOUBLE not in plain:
            continue
        far = [distances(LONDON, own, {0, 1, 2}) for own in world.detectives]
        ends = [move & 255 for move in plain if move != DOUBLE]
        cornered = max(min(own[end] for own in far) for end in ends) <= 1
        found = moves_of(PLAIN._replace(double_filter=CORNERED), scene_of(record, station))
        assert (DOUBLE in found) == cornered
        seen[cornered] += 1
    assert min(seen.values()) > 1


def test_a_detective_takes_mr_x() -> None:
    """He is at 100 for sure; detective 1 is one stop away."""
    tickets = ((10, 8, 4, 0),) * 5
    world = LONDON.initial_world()._replace(
        turn=1, hider=100, detectives=(101, 13, 26, 29, 34), detective_tickets=tickets, moves=3
    )
    record = VIEW.record_of(world)[0]
    names = [LONDON.action_name(world, action) for action in LONDON.legal_actions(world)]
    bot = PimBot(LONDON, PimBotSettings(simulations=300))
    assert names[bot.choose(record, None, seed=1)] == "taxi 100"


def test_mr_x_leaves_the_reach_of_detectives() -> None:
    """Some of his moves end where a detective comes next; he chooses another, or two moves at once."""
    world = LONDON.initial_world()._replace(
        turn=0, hider=100, detectives=(101, 82, 112, 13, 29), detective_tickets=((10, 8, 4, 0),) * 5, moves=3
    )
    far = [distances(LONDON, own, {0, 1, 2}) for own in world.detectives]
    actions = LONDON.legal_actions(world)[:-1]
    ends = [min(own[action % LONDON.num_stations + 1] for own in far) for action in actions]
    assert min(ends) == 1
    assert max(ends) > 1
    visits = PimBot(LONDON, PimBotSettings(simulations=2_000)).search(VIEW.record_of(world)[0], 100, seed=1)
    assert visits.sum() == 2_000
    assert [*ends, 2][int(np.argmax(visits))] > 1


def test_the_same_seed_finds_the_same() -> None:
    record, station, world = random_worlds(1, seed=6)[0]
    bot = PimBot(LONDON, PimBotSettings(simulations=200))
    own = station if world.turn == 0 else None
    assert bot.search(record, own, 7).tolist() == bot.search(record, own, 7).tolist()
    assert bot.search(record, own, 7).tolist() != bot.search(record, own, 8).tolist()


def test_detectives_do_not_know_where_mr_x_is() -> None:
    """A search takes no station of his: only the set."""
    bot = PimBot(LONDON, PimBotSettings(simulations=50))
    record = next(record for record, _, world in random_worlds(40, seed=7) if world.turn > 0)
    assert bot.search(record, None, 3).tolist() == bot.search(record, 55, 3).tolist()
    assert PimBot(LONDON, PimBotSettings(simulations=50, infers=False)).search(record, None, 3).sum() == 50


def test_whole_games_on_glasses() -> None:
    game = ScotlandYard()
    bot = PimBot(game, PimBotSettings(simulations=30))
    store, rng, node, rows = open_store(game), np.random.default_rng(1), ROOT, (0, 0)
    while store.actor(node) != TERMINAL:
        record = store.records[node]
        station = stations_of(record)[rows[0]] if store.actor(node) == 0 else None
        node, rows = store.follow(node, rows, bot.choose(record, station, node), rng)
    assert abs(store.utility(node, rows)) == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "pimbot: write the simulations of a move, such as 1000, not ''"),
        ("many", "pimbot: write the simulations of a move, such as 1000, not 'many'"),
        ("0", "pimbot: simulations must be from 1 to 100,000,000, not 0"),
        ("10,coalition=2", "pimbot: coalition must be from 0 to 1, not 2"),
        ("10,doubles=never", "pimbot: doubles must be one of all, threatened, cornered, not 'never'"),
    ],
)
def test_bad_settings(text: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_pimbot(text)
    assert str(caught.value) == complaint
