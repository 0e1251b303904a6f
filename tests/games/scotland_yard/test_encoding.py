"""What networks are shown, against the rules in plain Python."""

from collections import deque
from typing import Any

import numpy as np
import pytest

from sog.games.registry import load
from sog.games.scotland_yard.encoding import FAR, NUM_ROW_FEATURES
from sog.games.scotland_yard.game import ScotlandYard, ScotlandYardWorld
from sog.games.scotland_yard.view import ScotlandYardView, stations_of
from sog.public.opening import open_store
from tests.codes import code_of
from tests.games.scotland_yard.oracle import random_record

LONDON = ScotlandYard("london")


def random_records(game: ScotlandYard, count: int) -> Any:
    rng = np.random.default_rng(3)
    found = [record for record in (random_record(game, rng) for _ in range(count)) if record is not None]
    return np.array(found)


@pytest.mark.parametrize("name", ["scotland_yard(map=london)", "scotland_yard(map=london,detectives=2)"])
def test_codes_are_what_the_rules_say(name: str) -> None:
    game = load(name)
    assert isinstance(game, ScotlandYard)
    store = open_store(game)
    records = random_records(game, 60)
    first = store.plant(records)
    for node in [0, *store.children(0), *range(first, first + records.size)]:
        code, worlds = code_of(store, node), store.enumerated.worlds(store, node)
        for world, row, _, _ in worlds:
            np.testing.assert_allclose(code.features, game.public_features(world), rtol=1e-6)
            assert code.rows[0][row] == game.private_index(0, world)
            assert code.rows[1].tolist() == [0]
            if world.turn >= 0:
                own = row if world.turn == 0 else 0
                expected = [game.choice_index(world, action) for action in game.legal_actions(world)]
                assert [choice for choice in code.choices[:, own].tolist() if choice >= 0] == expected


def distances(game: ScotlandYard, start: int, kinds: set[int]) -> dict[int, int]:
    """Return how many moves away stations are by some kinds of tickets, detectives or not."""
    found, queue = {start: 0}, deque([start])
    while queue:
        station = queue.popleft()
        for _, kind, end in game._routes[station - 1]:
            if kind in kinds and end not in found:
                found[end] = found[station] + 1
                queue.append(end)
    return found


def describe(game: ScotlandYard, world: ScotlandYardWorld) -> list[float]:
    """Return what Mr. X's station is like."""
    far = [
        distances(game, station, {kind for kind in range(3) if tickets[kind]})
        for station, tickets in zip(world.detectives, world.detective_tickets, strict=True)
    ]
    away = [min(max(own.get(world.hider, FAR), 1), FAR) for own in far]
    first = max(world.turn - 1, 0)
    order = [(first + step) % len(away) for step in range(len(away))]
    described: list[float] = []
    for pawn in range(5):
        described += [float(pawn < len(order) and away[order[pawn]] == 1 + near) for near in range(FAR)]
    sooner = [pawn for pawn in range(len(away)) if world.turn > 0 and pawn >= first]
    for group in (sooner, [pawn for pawn in range(len(away)) if pawn not in sooner]):
        described += [float(sum(away[pawn] == 1 + near for pawn in group)) for near in range(FAR)]
    nearest = {
        station: min(min(own.get(station, FAR), FAR) for own in far)
        for station in range(1, game.num_stations + 1)
    }
    described += [nearest[world.hider] / FAR, float(nearest[world.hider] <= 1)]
    exits = [
        (kind, end)
        for _, kind, end in game._routes[world.hider - 1]
        if world.hider_tickets[kind] and end not in world.detectives
    ]
    for least in (0, 2):
        described += [
            0.2 * sum(own == kind and nearest[end] >= least for own, end in exits) for kind in range(4)
        ]
    best = max((nearest[end] for _, end in exits), default=0)
    described += [float(best == 1 + near) for near in range(FAR)]
    ends = [end for _, end in exits]
    beyond = [last for end in ends for _, _, last in game._routes[end - 1]]
    for scale, ways in ((0.2, ends), (0.04, beyond)):
        described += [scale * sum(max(nearest[end], 1) == 1 + near for end in ways) for near in range(FAR)]
    black, total = world.hider_tickets[3], sum(game.setup.hider_tickets) + 1
    return [*described, black / total, float(world.doubles), float(black > 0), float(world.doubles > 0)]


def test_stations_are_described_by_the_map() -> None:
    records, view = random_records(LONDON, 80), ScotlandYardView(LONDON)
    features, owners, columns, expected = [], [], [], []
    for number, record in enumerate(records):
        worlds = [view.world_of(record, station) for station in stations_of(record)]
        features.append(LONDON.public_features(worlds[0]))
        owners += [number] * (len(worlds) + 1)
        columns += [*(world.hider - 1 for world in worlds), LONDON.num_stations]
        expected += [*(describe(LONDON, world) for world in worlds), [0.0] * NUM_ROW_FEATURES]
    told = np.array(features, np.float16).astype(np.float32)  # as examples keep them
    found = view.describe_rows(told, np.array(owners), np.array(columns))
    np.testing.assert_allclose(found, expected, atol=3e-5)
