"""What networks are shown of Scotland Yard, by kernels.

Features are those of `ScotlandYard.public_features`, of which few are other than zero. An infostate of Mr. X
is a station, and a station is described by the map: how far each detective is by the tickets he has left,
first the one who moves first; how many are how near, apart for those who move before Mr. X does; how many
exits are free, and safe from an answer, by ticket; how many exits and ways of two moves lead how far from all
detectives; and what Mr. X has left to vanish with.

Verified: tests/games/scotland_yard/test_encoding.py.
"""

from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F32, I32, I64, U8, U32, Records
from sog.core.bits import lowest_index
from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.games.scotland_yard.setup import Setup
from sog.games.scotland_yard.successors import may_double, num_stations
from sog.games.scotland_yard.tables import (
    MAX_DETECTIVES,
    NUM_KINDS,
    NUM_WORDS,
    PLACING,
    MapTables,
)
from sog.games.view import UNUSED, Codes, Features

FAR = 5  # moves; what is farther away counts as that far
_FAR, _FIVE = np.uint64(FAR), np.uint64(MAX_DETECTIVES)
_NEAR_AT = np.uint64(MAX_DETECTIVES * FAR)  # where the counts by distance begin
_NEAREST_AT = _NEAR_AT + np.uint64(2 * FAR)
_EXITS_AT = _NEAREST_AT + np.uint64(2)
_SAFE_AT = _EXITS_AT + np.uint64(NUM_KINDS)
_BEST_AT = _SAFE_AT + np.uint64(NUM_KINDS)
_WAYS_AT = _BEST_AT + np.uint64(FAR)  # exits by the distance of their end, then ways of two moves
_LEFT_AT = _WAYS_AT + np.uint64(2 * FAR)
NUM_ROW_FEATURES = int(_LEFT_AT) + 4
_SIX, _TICKETS = np.uint64(6), np.uint64(NUM_KINDS - 1)
_EXITS_SCALE, _WAYS_SCALE = np.float32(0.2), np.float32(0.04)
_BLACK = np.uint64(NUM_KINDS - 1)


class EncodingTables(NamedTuple):
    """What never changes. S stations, D detectives."""

    map: MapTables
    distance: U8  # [8, S, S] moves between stations by a set of tickets; FAR where it is that much or more
    ticket_scale: F32  # [kinds] of detectives
    hider_scale: np.float32
    until_shown: U8  # [rounds + 1]
    num_features: np.uint64
    moves_at: np.uint64  # feature: how far the game has gone
    turn_at: np.uint64
    hider_at: np.uint64


class _Seen(NamedTuple):
    """Work space: what features tell of one state."""

    detectives: U32  # [5] stations
    kinds: U32  # [5] sets of tickets
    nearest: U8  # [S] distance of the nearest detective


def until_shown(setup: Setup) -> list[int]:
    """Return how many moves Mr. X makes until he is shown, by the length of his log; 0: never again."""
    return [
        min((shown - moves for shown in setup.reveals if shown > moves), default=0)
        for moves in range(setup.rounds + 1)
    ]


def measure_distances(tables: MapTables) -> U8:
    """Return how many moves apart stations are, by sets of detectives' tickets [8, S, S]."""
    size = tables.degree.shape[0]
    distance = np.full((1 << (NUM_KINDS - 1), size, size), FAR, np.uint8)
    for kinds in range(len(distance)):
        joined = (tables.joins[:, 1:] & kinds != 0).astype(np.float32)
        reached = np.eye(size, dtype=np.float32)
        for moves in range(FAR):
            distance[kinds][(reached > 0) & (distance[kinds] == FAR)] = moves
            reached = ((reached @ joined + reached) > 0).astype(np.float32)
    return distance


class Encoder:
    """Codes of one game's states."""

    def __init__(self, setup: Setup, tables: MapTables) -> None:
        stations, pawns = tables.degree.shape[0], int(tables.num_detectives)
        hider_at = pawns * (stations + NUM_KINDS - 1)
        turn_at = hider_at + NUM_KINDS + 2
        left = until_shown(setup)
        self._tables = EncodingTables(
            map=tables,
            distance=measure_distances(tables),
            ticket_scale=np.array([1 / max(count, 1) for count in setup.detective_tickets], np.float32),
            hider_scale=np.float32(1 / (sum(setup.hider_tickets) + 1)),
            until_shown=np.array(left, np.uint8),
            num_features=np.uint64(turn_at + pawns + 2 + max(left)),
            moves_at=np.uint64(turn_at + pawns + 1),
            turn_at=np.uint64(turn_at),
            hider_at=np.uint64(hider_at),
        )

    def encode(self, records: Records) -> Codes:
        """Return the codes of states."""
        tables, count = self._tables, records.size
        room = np.zeros(2, np.int64)
        _measure(tables.map, records, room)
        most = int(tables.map.num_detectives) * NUM_KINDS + NUM_KINDS + 5
        bounds, feature = np.zeros(count + 1, np.uint32), np.empty(count * most, np.uint32)
        value, columns = np.empty(count * most, np.float32), np.empty(int(room[0]), np.int32)
        choices = np.full(int(room[1]), UNUSED, np.int32)
        used = int(_encode(tables, records, bounds, feature, value, columns, choices))
        ends = int(bounds[-1])
        second = np.full(count, tables.map.degree.shape[0], np.int32)
        features = Features(bounds, feature[:ends], value[:ends])
        return Codes(features, (columns, second), choices[:used])

    def describe_rows(self, features: F32, owners: I64, columns: I64) -> F32:
        """Return what M infostates are like [M, d]; the detectives' one is like nothing."""
        tables = self._tables
        described = np.zeros((columns.size, NUM_ROW_FEATURES), np.float32)
        seen = _Seen(
            np.zeros(MAX_DETECTIVES, np.uint32),
            np.zeros(MAX_DETECTIVES, np.uint32),
            np.zeros(tables.map.degree.shape[0] + 1, np.uint8),
        )
        _describe(tables, features, owners, columns, seen, described)
        return described


@kernel
def _measure(tables: MapTables, records: Records, room: I64) -> None:
    """Add up how many infostates of Mr. X and how many slots at most states have; room [2] modified."""
    for index in range(np.uint64(records.size)):
        record = records[index]
        rows = ONE if record["turn"] == PLACING else num_stations(record)
        room[0] += np.int64(rows)
        if record["turn"] >= 0:
            room[1] += np.int64(tables.most_actions * (rows if record["turn"] == 0 else ONE))


@kernel
def _encode(
    tables: EncodingTables,
    records: Records,
    bounds: U32,
    feature: U32,
    value: F32,
    columns: I32,
    choices: I32,
) -> np.uint64:
    """Write the codes of states; return how many slots there are. choices: [slots] UNUSED before."""
    at, column, slot = ZERO, ZERO, ZERO
    for index in range(np.uint64(records.size)):
        record = records[index]
        at = _write_features(tables, record, feature, value, at)
        bounds[index + ONE] = at
        if record["turn"] == PLACING:
            columns[column] = 0
            column += ONE
        else:
            column = _write_columns(record, columns, column)
        if record["turn"] == 0:
            slot += _write_hider_choices(tables.map, record, choices[slot:])
        elif record["turn"] > 0:
            slot += _write_detective_choices(tables.map, record, choices[slot:])
    return slot


@inlined
def _write_features(
    tables: EncodingTables, record: Any, feature: U32, value: F32, at: np.uint64
) -> np.uint64:
    """Write the features of a state that are other than zero; return where the next begin."""
    stations = np.uint64(tables.map.degree.shape[0])
    pawns = tables.map.num_detectives
    for pawn in range(pawns):
        first = pawn * (stations + _TICKETS)
        station = np.uint64(record["detectives"][pawn])
        if station != ZERO:
            feature[at], value[at] = first + station - ONE, 1.0
            at += ONE
        for kind in range(_TICKETS):
            count = np.float32(record["detective_tickets"][pawn, kind])
            if count > 0:
                feature[at], value[at] = first + stations + kind, count * tables.ticket_scale[kind]
                at += ONE
    for kind in range(np.uint64(NUM_KINDS)):
        count = np.float32(record["hider_tickets"][kind])
        if count > 0:
            feature[at], value[at] = tables.hider_at + kind, count * tables.hider_scale
            at += ONE
    doubles_at = tables.hider_at + np.uint64(NUM_KINDS)
    if record["doubles"] > 0:
        feature[at], value[at] = doubles_at, record["doubles"]
        at += ONE
    if record["double"] > 0:
        feature[at], value[at] = doubles_at + ONE, record["double"]
        at += ONE
    if record["turn"] >= 0:
        feature[at], value[at] = tables.turn_at + np.uint64(record["turn"]), 1.0
        at += ONE
    moves = np.uint64(record["moves"])
    if moves > ZERO:
        feature[at], value[at] = tables.moves_at, np.float32(moves) / np.float32(tables.map.rounds)
        at += ONE
    if tables.until_shown[moves] > 0:
        feature[at], value[at] = tables.moves_at + np.uint64(tables.until_shown[moves]), 1.0
        at += ONE
    return at


@inlined
def _write_columns(record: Any, columns: I32, at: np.uint64) -> np.uint64:
    """Write Mr. X's stations, numbered from 0; return where the next begin."""
    for word in range(np.uint64(NUM_WORDS)):
        left = record["possible"][word]
        while left != ZERO:
            columns[at] = (word << _SIX) + lowest_index(left)
            left &= left - ONE
            at += ONE
    return at


@inlined
def _is_free(record: Any, station: np.uint64) -> bool:
    """Return whether no detective is at a station."""
    is_free = True
    for pawn in range(_FIVE):
        is_free &= np.uint64(record["detectives"][pawn]) != station
    return is_free


@inlined
def _write_hider_choices(tables: MapTables, record: Any, choices: I32) -> np.uint64:
    """Write which of the routes from his station each action of Mr. X is; return how many slots there are."""
    rows, row, most = num_stations(record), ZERO, ZERO
    doubles = may_double(tables, record)
    for word in range(np.uint64(NUM_WORDS)):
        left = record["possible"][word]
        while left != ZERO:
            bit = (word << _SIX) + lowest_index(left)
            left &= left - ONE
            first, ordinal = np.uint64(tables.route_start[bit]), ZERO
            size = np.uint64(tables.route_start[bit + ONE]) - first
            for number in range(size):
                kind = np.uint64(tables.route_kind[first + number])
                end = np.uint64(tables.route_end[first + number])
                if record["hider_tickets"][kind] > 0 and _is_free(record, end):
                    choices[ordinal * rows + row] = number
                    ordinal += ONE
            if doubles:
                choices[ordinal * rows + row] = size
                ordinal += ONE
            most = max(most, ordinal)
            row += ONE
    return most * rows


@inlined
def _write_detective_choices(tables: MapTables, record: Any, choices: I32) -> np.uint64:
    """Write which of the routes from the detective's station each action is; return how many there are."""
    pawn = np.uint64(np.int64(record["turn"]) - 1)
    bit, ordinal = np.uint64(record["detectives"][pawn]) - ONE, ZERO
    first = np.uint64(tables.route_start[bit])
    for number in range(np.uint64(tables.route_start[bit + ONE]) - first):
        kind, end = np.uint64(tables.route_kind[first + number]), np.uint64(tables.route_end[first + number])
        is_paid = kind < _TICKETS and record["detective_tickets"][pawn, min(kind, _TICKETS - ONE)] > 0
        if is_paid and _is_free(record, end):
            choices[ordinal] = number
            ordinal += ONE
    return ordinal


@kernel
def _describe(
    tables: EncodingTables, features: F32, owners: I64, columns: I64, seen: _Seen, described: F32
) -> None:
    """Write what stations are like; described [M, d], zeros, and seen modified in place."""
    last, stations = np.int64(-1), np.int64(tables.map.degree.shape[0])
    first_to_move = ZERO
    for row in range(np.uint64(columns.size)):
        if columns[row] < stations:
            state = features[np.uint64(owners[row])]
            if owners[row] != last:
                last = owners[row]
                first_to_move = _read_state(tables, state, seen)
            _describe_station(tables, state, seen, first_to_move, np.uint64(columns[row]), described[row])


@inlined
def _read_state(tables: EncodingTables, state: F32, seen: _Seen) -> np.uint64:
    """Read stations and tickets of detectives from features [F]; return the detective who moves first."""
    stations = np.uint64(tables.map.degree.shape[0])
    for bit in range(stations):
        seen.nearest[bit] = FAR
    for pawn in range(tables.map.num_detectives):
        first = pawn * (stations + _TICKETS)
        seen.detectives[pawn], seen.kinds[pawn] = 0, 0
        for bit in range(stations):
            if state[first + bit] > 0:
                seen.detectives[pawn] = bit + ONE
        for kind in range(_TICKETS):
            if state[first + stations + kind] > 0:
                seen.kinds[pawn] |= np.uint32(ONE << kind)
        if seen.detectives[pawn] > 0:
            distance = tables.distance[np.uint64(seen.kinds[pawn]), np.uint64(seen.detectives[pawn]) - ONE]
            for bit in range(stations):
                seen.nearest[bit] = min(seen.nearest[bit], distance[bit])
    for pawn in range(tables.map.num_detectives):
        if state[tables.turn_at + pawn + ONE] > 0:
            return np.uint64(pawn)
    return ZERO


@inlined
def _describe_station(
    tables: EncodingTables, state: F32, seen: _Seen, first: np.uint64, bit: np.uint64, described: F32
) -> None:
    """Write what one station is like; described [d], zeros, modified in place."""
    pawns, is_hiders_turn = tables.map.num_detectives, state[tables.turn_at] > 0
    for order in range(pawns):
        pawn = (first + order) % pawns
        if seen.detectives[pawn] > 0:
            station = np.uint64(seen.detectives[pawn]) - ONE
            moves = np.uint64(tables.distance[np.uint64(seen.kinds[pawn]), station, bit])
            near = max(moves, ONE) - ONE
            described[order * _FAR + near] = 1.0
            is_later = is_hiders_turn or pawn < first
            described[_NEAR_AT + (_FAR if is_later else ZERO) + near] += np.float32(1.0)
    described[_NEAREST_AT] = np.float32(seen.nearest[bit]) / np.float32(FAR)
    described[_NEAREST_AT + ONE] = 1.0 if seen.nearest[bit] <= 1 else 0.0
    best = _describe_exits(tables, state, seen, bit, described)
    if best > ZERO:
        described[_BEST_AT + best - ONE] = 1.0
    black, doubles = state[tables.hider_at + _BLACK], state[tables.hider_at + np.uint64(NUM_KINDS)]
    described[_LEFT_AT], described[_LEFT_AT + ONE] = black, doubles
    described[_LEFT_AT + np.uint64(2)] = 1.0 if black > 0 else 0.0
    described[_LEFT_AT + np.uint64(3)] = 1.0 if doubles > 0 else 0.0


@inlined
def _describe_exits(
    tables: EncodingTables, state: F32, seen: _Seen, bit: np.uint64, described: F32
) -> np.uint64:
    """Write where exits lead; return how far from all detectives the best does. described: [d]."""
    start, best = np.uint64(tables.map.route_start[bit]), ZERO
    for number in range(np.uint64(tables.map.route_start[bit + ONE]) - start):
        kind = np.uint64(tables.map.route_kind[start + number])
        end = np.uint64(tables.map.route_end[start + number])
        if state[tables.hider_at + kind] > 0 and _is_empty(tables, seen, end):
            moves = np.uint64(seen.nearest[end - ONE])
            best = max(best, moves)
            described[_EXITS_AT + kind] += _EXITS_SCALE
            if moves > ONE:
                described[_SAFE_AT + kind] += _EXITS_SCALE
            described[_WAYS_AT + max(moves, ONE) - ONE] += _EXITS_SCALE
            then = np.uint64(tables.map.route_start[end - ONE])
            for other in range(np.uint64(tables.map.route_start[end]) - then):
                last = np.uint64(tables.map.route_end[then + other])
                far = max(np.uint64(seen.nearest[last - ONE]), ONE) - ONE
                described[_WAYS_AT + _FAR + far] += _WAYS_SCALE
    return best


@inlined
def _is_empty(tables: EncodingTables, seen: _Seen, station: np.uint64) -> bool:
    """Return whether no detective is at a station."""
    is_empty = True
    for pawn in range(tables.map.num_detectives):
        is_empty &= np.uint64(seen.detectives[pawn]) != station
    return is_empty
