"""The derived view of single states of Scotland Yard: what the view by kernels is compared with."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from sog.core.arrays import Records
from sog.games.base import NUM_PLAYERS, TERMINAL
from sog.games.scotland_yard.game import BLACK, ScotlandYard
from sog.games.scotland_yard.successors import RECORD
from sog.games.scotland_yard.tables import CAUGHT, ESCAPED, PLACING, STUCK
from sog.games.scotland_yard.view import ScotlandYardView, stations_of
from sog.games.view import Flows, Successors
from sog.public.derived import DerivedState, DerivedView, Flow, Infostate

EVENTS = (
    "shown",
    "hidden",
    "double declared",
    "first half",
    "second half",
    "second half shown",
    "stuck after a half",
    "caught, others go on",
    "all caught",
    "stuck, others go on",
    "all stuck",
    "detectives skipped",
    "no detective can move",
    "log full",
    "black ticket",
    "boat",
    "kind of ticket used up",
    "stations meet",
)


def derived_state(derived: DerivedView, view: ScotlandYardView, record: Any) -> DerivedState:
    """Return the state of a record with all its worlds, in the order of stations."""
    stations = stations_of(record) or [0]
    start = Infostate(None, None, None, None)
    nothing = Flow(1, 0, np.zeros(0, np.uint32), np.zeros(0, np.uint32))
    worlds = [view.world_of(record, station) for station in stations]
    state = DerivedState(
        observation="",
        actor=view.game.actor(worlds[0]),
        worlds=worlds,
        rows=np.array([range(len(worlds)), [0] * len(worlds)], np.int32),
        chance=np.full(len(worlds), float(record["chance"])),
        histories=np.ones(len(worlds), np.int64),
        infostates=([start] * len(worlds), [start]),
        legal=[],
        moves=np.zeros((0, 3), np.int32),
        move_chance=np.zeros(0),
        flows=(nothing, nothing),
    )
    return derived._with_legal(state)


def check_children(derived: DerivedView, view: ScotlandYardView, record: Any, events: Counter[str]) -> None:
    """Compare all children of a state; count what happens on the way."""
    state = derived_state(derived, view, record)
    wanted = {child.observation: child for child in derived._derive(state)}
    found = view.successors(_Single(record), np.zeros(1, np.uint32))
    seen = [view._observe(record, child) for child in found.states]
    assert sorted(seen) == sorted(wanted)
    assert found.counts.tolist() == [len(wanted)]
    sources = [world.hider for world in state.worlds]
    legal_at = 0
    for number, name in enumerate(seen):
        own, child = wanted[name], found.states[number]
        assert found.legal is not None
        legal_at += _check_child(derived, own, found, number, found.legal[legal_at:], sources, state.actor)
        _count(view, record, state, child, own, events)
    assert found.legal is not None
    assert legal_at == found.legal.size


class _Single:
    """A store of one state."""

    def __init__(self, record: Any) -> None:
        self.records: Records = np.array([record], RECORD)
        self.parents = self.ordinals = np.zeros(1, np.uint32)

    def children(self, node: int) -> Sequence[int]:
        """Return none: nothing follows a play here."""
        return ()


def _check_child(
    derived: DerivedView,
    own: DerivedState,
    found: Successors,
    number: int,
    legal: Any,
    sources: list[int],
    mover: int,
) -> int:
    """Compare a child with its derived state, stations with stations; return how many numbers of actions."""
    record = found.states[number]
    stations = stations_of(record) or [0]
    derived_stations = [0] * own.num_infostates[0]
    for world, row in zip(own.worlds, own.rows[0], strict=True):
        derived_stations[row] = world.hider
    assert sorted(derived_stations) == stations
    assert own.num_infostates == (found.rows[0][number], found.rows[1][number])
    for world in own.worlds:
        expected = derived.game.own_view().world_of(record, world.hider)  # type: ignore[union-attr]
        assert world == expected
    assert found.actor[number] == own.actor
    order = [derived_stations.index(station) for station in stations]
    expected_legal = [len(actions) for actions in own.legal]
    if own.actor == 0:
        expected_legal = [expected_legal[row] for row in order]
    assert legal[: len(expected_legal)].tolist() == expected_legal
    assert found.num_actions[number] == max(expected_legal, default=0)
    joint = derived.joint_weights(own)
    np.testing.assert_allclose(joint, found.joint_scale[number], rtol=1e-12)
    payoffs = derived.payoffs(own) if own.actor == TERMINAL else np.zeros_like(joint)
    np.testing.assert_allclose(payoffs, found.payoff_scale[number], rtol=1e-12)
    assert found.joint[number] == found.payoff[number] == 0
    for player in range(NUM_PLAYERS):
        ours = _pairs(found.flows[player], number, int(found.rows[player][number]))
        assert ours == sorted(ours)
        theirs = _derived_pairs(own.flows[player])
        if player == 0:
            mine = {(_name(source, sources, mover == 0), stations[target]) for source, target in ours}
            other = {
                (_name(source, sources, mover == 0), derived_stations[target]) for source, target in theirs
            }
            assert len(mine) == len(ours)
            assert mine == other
        else:
            assert ours == theirs
    return len(expected_legal)


def _name(source: int, stations: list[int], is_slot: bool) -> tuple[int, int]:
    """Return ordinal and station of a source."""
    return (source // len(stations), stations[source % len(stations)]) if is_slot else (0, stations[source])


def _pairs(flows: Flows, child: int, rows: int) -> list[tuple[int, int]]:
    begin, end = flows.bounds[child : child + 2].tolist()
    if begin == end:
        return [(int(flows.start[child]) + row, row) for row in range(rows)]
    return list(zip(flows.source[begin:end].tolist(), flows.target[begin:end].tolist(), strict=True))


def _derived_pairs(flow: Flow) -> list[tuple[int, int]]:
    if flow.source.size == 0:
        return [(flow.start + row, row) for row in range(flow.size)]
    return list(zip(flow.source.tolist(), flow.target.tolist(), strict=True))


def _count(
    view: ScotlandYardView,
    record: Any,
    state: DerivedState,
    child: Any,
    own: DerivedState,
    events: Counter[str],
) -> None:
    """Count the rare events of a move."""
    before, after, turn = state.worlds[0], own.worlds[0], int(child["turn"])
    if before.turn == PLACING:
        return
    size, left = len(state.worlds), own.num_infostates[0]
    used = np.flatnonzero(record["hider_tickets"] != child["hider_tickets"])
    if before.turn == 0 and after.doubles != before.doubles:
        events["double declared"] += 1
        return
    if before.turn == 0:
        is_shown = after.moves in view.game.setup.reveals
        events["shown" if is_shown else "hidden"] += 1
        events["first half"] += before.double == 2
        events["second half"] += before.double == 1
        events["second half shown"] += before.double == 1 and is_shown
        events["stuck after a half"] += turn == STUCK
        events["black ticket"] += used[0] == BLACK
        events["boat"] += used[0] == BLACK and bool({(157, 194), (115, 157), (108, 115)} & _ways(state, own))
        events["stations meet"] += len(_derived_pairs(own.flows[0])) > left
        events["detectives skipped"] += turn > 1
        events["no detective can move"] += turn == ESCAPED
    else:
        events["caught, others go on"] += turn == CAUGHT and size > 1
        events["all caught"] += turn == CAUGHT and size == 1
        events["stuck, others go on"] += turn == STUCK and left < size
        events["all stuck"] += turn == STUCK and left == size
        events["log full"] += turn == ESCAPED
        events["detectives skipped"] += turn > before.turn + 1
        events["kind of ticket used up"] += bool(child["detective_tickets"][before.turn - 1, used[0]] == 0)


def _ways(state: DerivedState, own: DerivedState) -> set[tuple[int, int]]:
    """Return the pairs of stations, smaller first, that a move may have led between."""
    return {
        (min(pair), max(pair))
        for row, _, target in own.moves.tolist()
        for pair in [(state.worlds[row].hider, own.worlds[target].hider)]
    }


def random_record(game: ScotlandYard, rng: np.random.Generator) -> Any | None:
    """Return a state of random facts, rare ones more often than in play; None if the game would be over."""
    record = np.zeros(1, RECORD)[0]
    pawns, stations = game.num_detectives, game.num_stations
    centre = int(rng.integers(1, stations + 1))
    if rng.random() < 0.2:  # a corner that is soon closed, or a landing stage
        centre = int(rng.choice([8, 18, 30, 108, 115, 157, 194])) % stations + 1
    near = _near(game, centre, int(rng.integers(1, 4)))
    pool = near if rng.random() < 0.7 and len(near) > pawns else list(range(1, stations + 1))
    detectives = rng.choice(pool, pawns, replace=False)
    record["detectives"][:pawns] = detectives
    most = int(rng.choice([0, 1, 2, 9]))
    record["detective_tickets"][:pawns] = rng.integers(0, most + 1, (pawns, 3))
    record["hider_tickets"] = rng.integers(0, int(rng.choice([1, 2, 5])) + 1, 4)
    record["moves"] = rng.integers(0, game.setup.rounds)
    record["doubles"], record["chance"] = rng.integers(0, 3), 2.0**-17
    record["turn"] = rng.integers(0, pawns + 1)
    if record["turn"] == 0:
        record["double"] = rng.integers(0, 3) if rng.random() < 0.5 else 0
        if record["double"]:
            record["moves"] = min(int(record["moves"]), game.setup.rounds - int(record["double"]))
    else:
        record["moves"] = game.setup.rounds if rng.random() < 0.2 else record["moves"] + 1
    possible = [station for station in near if station not in detectives]
    if rng.random() < 0.3:
        possible = possible[:1]
    view = ScotlandYardView(game)
    worlds = [(station, view.world_of(record, station)) for station in possible]
    if record["turn"] > 0:
        own = [station for station, world in worlds if game.legal_actions(world)]
    else:
        own = [
            station
            for station, world in worlds
            if game._moves(station, world.hider_tickets, world.detectives)
        ]
    for station in own:
        record["possible"][(station - 1) // 64] |= np.uint64(1) << np.uint64((station - 1) % 64)
    return record if own else None


def _near(game: ScotlandYard, centre: int, moves: int) -> list[int]:
    """Return the stations within so many moves of one."""
    found = {centre}
    for _ in range(moves):
        found |= {end for station in found for _, _, end in game._routes[station - 1]}
    return sorted(found)
