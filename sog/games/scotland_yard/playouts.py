"""Positions of Scotland Yard that Monte-Carlo search plays through: moves, and playouts to the end.

A position is a record of the public view and Mr. X's station. A move is a number: the kind of its ticket
times 256 plus the station that it leads to, or `DOUBLE`.

Playouts are ε-greedy (Nijssen and Winands, "Monte Carlo Tree Search for the Hide-and-Seek Game Scotland
Yard", 2012): Mr. X maximises the distance to the nearest detective; a detective minimises the distance to Mr.
X, or, in searches of Mr. X, who knows where they think he may be, the sum of distances to all these stations.

Verified: tests/games/scotland_yard/test_pimbot.py.
"""

from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F64, I64, U8, U32, U64, Records
from sog.core.bits import lowest_index
from sog.core.jit import ONE, ZERO, inlined
from sog.core.rng import RngState, next_uniform
from sog.games.scotland_yard.successors import (
    add_station,
    count_moves,
    hider_kinds,
    may_double,
    next_turn,
)
from sog.games.scotland_yard.tables import (
    CAUGHT,
    MAX_DETECTIVES,
    NUM_KINDS,
    NUM_WORDS,
    STUCK,
    MapTables,
)

DOUBLE = 1 << 10  # the move that declares a double move
NUM_MOVES = DOUBLE + 1
NO_FILTER, THREATENED, CORNERED = range(3)  # when double moves are thought of
_BLACK, _EIGHT, _SIX, _LAST_BIT = np.uint64(NUM_KINDS - 1), np.uint64(8), np.uint64(6), np.uint64(63)
_STATION, _FIVE, _EARLY = np.uint64(255), np.uint64(MAX_DETECTIVES), np.uint64(2)


class Parts(NamedTuple):
    """Which parts of the search are in use, for kernels."""

    exploration: float
    history: float
    epsilon: float
    coalition: float  # what the capture by a colleague is worth less
    filters_black: bool
    double_filter: int
    categories: F64  # [5] weights of Mr. X's stations by the distance of the nearest detective
    is_hiders: bool  # whose search it is


class Ground(NamedTuple):
    """A map for playouts."""

    map: MapTables
    distance: U8  # [S, S] by all lines of detectives
    by_taxi: U64  # [4] set of the stations that nothing but taxis leave
    reaches: U64  # [kinds, S, 4] sets of stations one move away


class Scene(NamedTuple):
    """The position of one playout, and room to think about it."""

    record: Records  # [1] RECORD
    hider: I64  # [1] station
    moves: U32  # [room] legal moves
    reached: U64  # [4]


@inlined
def min_distance(ground: Ground, record: Any, station: np.uint64) -> np.int64:
    """Return how far the nearest detective is."""
    nearest = np.int64(255)
    for pawn in range(_FIVE):
        other = np.uint64(record["detectives"][pawn])
        if other != ZERO:
            nearest = min(nearest, np.int64(ground.distance[station - ONE, other - ONE]))
    return nearest


@inlined
def list_moves(ground: Ground, parts: Parts, scene: Scene) -> np.uint64:
    """Write the moves that are thought of in a position; return how many there are."""
    record = scene.record[0]
    turn = np.int64(record["turn"])
    if turn > 0:
        return _list_detective(ground.map, record, np.uint64(turn - 1), scene.moves)
    black = record["hider_tickets"][_BLACK] > 0
    if parts.filters_black and black and _wastes_black(ground, parts, scene):
        count = _list_hider(ground, parts, scene, False)
        if count > ZERO:
            return count
    return _list_hider(ground, parts, scene, black)


@inlined
def _is_free(record: Any, station: np.uint64) -> bool:
    is_free = True
    for pawn in range(_FIVE):
        is_free &= np.uint64(record["detectives"][pawn]) != station
    return is_free


@inlined
def _list_detective(tables: MapTables, record: Any, pawn: np.uint64, moves: U32) -> np.uint64:
    bit, count = np.uint64(record["detectives"][pawn]) - ONE, ZERO
    first = np.uint64(tables.route_start[bit])
    for number in range(np.uint64(tables.route_start[bit + ONE]) - first):
        kind, end = np.uint64(tables.route_kind[first + number]), np.uint64(tables.route_end[first + number])
        if kind < _BLACK and record["detective_tickets"][pawn, kind] > 0 and _is_free(record, end):
            moves[count] = kind << _EIGHT | end
            count += ONE
    return count


@inlined
def _list_hider(ground: Ground, parts: Parts, scene: Scene, black: bool) -> np.uint64:
    record, tables, count, best = scene.record[0], ground.map, ZERO, np.int64(0)
    bit = np.uint64(scene.hider[0]) - ONE
    first = np.uint64(tables.route_start[bit])
    for number in range(np.uint64(tables.route_start[bit + ONE]) - first):
        kind, end = np.uint64(tables.route_kind[first + number]), np.uint64(tables.route_end[first + number])
        is_paid = record["hider_tickets"][kind] > 0 and (black or kind != _BLACK)
        if is_paid and _is_free(record, end):
            scene.moves[count] = kind << _EIGHT | end
            count += ONE
            if parts.double_filter == CORNERED:
                best = max(best, min_distance(ground, record, end))
    if count > ZERO and may_double(tables, record):
        is_thought_of = parts.double_filter == NO_FILTER
        if parts.double_filter == THREATENED:
            is_thought_of = bool(min_distance(ground, record, bit + ONE) <= 1)
        elif parts.double_filter == CORNERED:
            is_thought_of = bool(best <= 1)
        if is_thought_of:
            scene.moves[count] = DOUBLE
            count += ONE
    return count


@inlined
def _wastes_black(ground: Ground, parts: Parts, scene: Scene) -> bool:
    """Whether a black ticket tells nothing, or too early."""
    record = scene.record[0]
    moves = np.uint64(record["moves"])
    if moves < _EARLY or ground.map.is_shown[moves + ONE] != 0:
        return True
    if not parts.is_hiders:
        bit = np.uint64(scene.hider[0]) - ONE
        return bool(ground.by_taxi[bit >> _SIX] >> (bit & _LAST_BIT) & ONE != ZERO)
    others = ZERO
    for word in range(np.uint64(NUM_WORDS)):
        others |= record["possible"][word] & ~ground.by_taxi[word]
    return bool(others == ZERO)


@inlined
def make_move(ground: Ground, parts: Parts, scene: Scene, move: np.uint64) -> None:
    """Make a move; scene modified in place."""
    record, turn = scene.record[0], np.int64(scene.record[0]["turn"])
    if move == np.uint64(DOUBLE):
        record["doubles"] -= np.uint8(1)
        record["double"] = 2
        return
    kind, end = move >> _EIGHT, move & _STATION
    if turn == 0:
        record["hider_tickets"][kind] -= np.uint8(1)
        record["moves"] += np.uint8(1)
        record["double"] = max(np.int64(record["double"]) - 1, 0)
        scene.hider[0] = np.int64(end)
        if parts.is_hiders:
            _track(ground, scene, kind, end)
    else:
        pawn = np.uint64(turn - 1)
        record["detective_tickets"][pawn, kind] -= np.uint8(1)
        record["hider_tickets"][kind] += np.uint8(1)
        record["detectives"][pawn] = end
        bit = end - ONE
        if np.int64(end) == scene.hider[0]:
            record["turn"] = CAUGHT
            return
        record["possible"][bit >> _SIX] &= ~(ONE << (bit & _LAST_BIT))
    following, may_stick = next_turn(ground.map, record, turn)
    if may_stick and count_moves(ground.map, record, np.uint64(scene.hider[0]), hider_kinds(record)) == ZERO:
        following = STUCK
    record["turn"] = following


@inlined
def _track(ground: Ground, scene: Scene, kind: np.uint64, end: np.uint64) -> None:
    """Follow where the detectives think that Mr. X may be, after a move of his."""
    record = scene.record[0]
    for word in range(np.uint64(NUM_WORDS)):
        scene.reached[word] = ZERO
    if ground.map.is_shown[np.uint64(record["moves"])] == 0:
        for word in range(np.uint64(NUM_WORDS)):
            left = record["possible"][word]
            while left != ZERO:
                reach = ground.reaches[kind, (word << _SIX) + lowest_index(left)]
                left &= left - ONE
                for other in range(np.uint64(NUM_WORDS)):
                    scene.reached[other] |= reach[other]
    for word in range(np.uint64(NUM_WORDS)):
        record["possible"][word] = scene.reached[word]
    for pawn in range(_FIVE):
        station = np.uint64(record["detectives"][pawn])
        if station != ZERO:
            record["possible"][(station - ONE) >> _SIX] &= ~(ONE << ((station - ONE) & _LAST_BIT))
    add_station(record, end)


@inlined
def play_out(ground: Ground, parts: Parts, scene: Scene, rng: RngState) -> np.int64:
    """Play to the end; return the player who moved last. scene modified in place."""
    last = np.int64(0)
    while scene.record[0]["turn"] >= 0:
        last = np.int64(scene.record[0]["turn"])
        count = list_moves(ground, parts, scene)
        if last == 0 and count > ONE and scene.moves[count - ONE] == DOUBLE:
            count -= ONE  # playouts do without
        if next_uniform(rng) < parts.epsilon:
            chosen = np.uint64(next_uniform(rng) * float(count))
        else:
            chosen = _pick_greedily(ground, parts, scene, count, rng)
        make_move(ground, parts, scene, np.uint64(scene.moves[chosen]))
    return last


@inlined
def _pick_greedily(ground: Ground, parts: Parts, scene: Scene, count: np.uint64, rng: RngState) -> np.uint64:
    """Return the number of a move that is best at sight, equal ones being equally likely."""
    record, chosen, best, ties = scene.record[0], ZERO, np.int64(-1 << 60), 0.0
    for number in range(count):
        end = np.uint64(scene.moves[number]) & _STATION
        if record["turn"] == 0:
            score = min_distance(ground, record, end)
        elif parts.is_hiders:
            score = -_sum_distances(ground, record, end)
        else:
            score = -np.int64(ground.distance[end - ONE, np.uint64(scene.hider[0]) - ONE])
        if score > best:
            best, ties = score, 0.0
        if score == best:
            ties += 1.0
            if ties == 1.0 or next_uniform(rng) * ties < 1.0:
                chosen = np.uint64(number)
    return chosen


@inlined
def _sum_distances(ground: Ground, record: Any, station: np.uint64) -> np.int64:
    """Return the sum of distances to all stations where Mr. X may be."""
    total, away = np.int64(0), ground.distance[station - ONE]
    for word in range(np.uint64(NUM_WORDS)):
        left = record["possible"][word]
        while left != ZERO:
            total += np.int64(away[(word << _SIX) + lowest_index(left)])
            left &= left - ONE
    return total
