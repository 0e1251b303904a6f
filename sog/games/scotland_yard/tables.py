"""A map and its setup as arrays, for kernels.

Sets of stations are bits: station s is the bit s - 1 of four words. Sets of tickets are bits, too: kind k is
the bit k. Pawns that are not on the board stand at station 0, which no line reaches.
"""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import U8, U32
from sog.games.scotland_yard.setup import Setup

NUM_WORDS = 4  # of a set of stations
MAX_STATIONS = 64 * NUM_WORDS - 1  # numbers of stations fit into a byte
MAX_DETECTIVES = 5
NUM_KINDS = 4  # of tickets

HIDER, DETECTIVES = 0, 1  # the players
PLACING, ESCAPED, CAUGHT, STUCK = -1, -2, -3, -4  # values of `turn` in which no player decides

Routes = tuple[tuple[tuple[int, int, int], ...], ...]  # [station - 1] (action, kind of ticket, end)


class MapTables(NamedTuple):
    """What never changes in a game. S stations, D detectives."""

    route_start: U32  # [S + 1] of the routes that leave a station, in the order of legal actions
    route_kind: U8
    route_end: U8  # station
    degree: U8  # [S, 16] routes that leave a station, by the set of tickets that are left
    joins: U8  # [S, S + 1] set of tickets that lead from a station straight to another
    is_shown: U8  # [rounds + 1] whether Mr. X is shown after so many moves
    starts: U8  # [D + 1, pool] stations that chance draws from, Mr. X's last; zeros at the end
    num_detectives: np.uint64
    rounds: np.uint64
    most_actions: np.uint64  # of any pawn


def make_tables(setup: Setup, routes: Routes) -> MapTables:
    """Return the tables of a setup, with the routes of its map."""
    size = len(routes)
    assert size <= MAX_STATIONS
    assert len(setup.detective_starts) <= MAX_DETECTIVES
    degree, joins = np.zeros((size, 1 << NUM_KINDS), np.uint8), np.zeros((size, size + 1), np.uint8)
    for station, own in enumerate(routes):
        for _, kind, end in own:
            joins[station, end] |= 1 << kind
            for tickets in range(1 << NUM_KINDS):
                degree[station, tickets] += tickets >> kind & 1
    pools = (*setup.detective_starts, setup.hider_starts)
    starts = np.zeros((len(pools), max(map(len, pools)) + 1), np.uint8)
    for pawn, pool in enumerate(pools):
        starts[pawn, : len(pool)] = sorted(pool)
    listed = [route for own in routes for route in own]
    return MapTables(
        route_start=np.cumsum([0, *map(len, routes)]).astype(np.uint32),
        route_kind=np.array([kind for _, kind, _ in listed], np.uint8),
        route_end=np.array([end for _, _, end in listed], np.uint8),
        degree=degree,
        joins=joins,
        is_shown=np.array([move in setup.reveals for move in range(setup.rounds + 1)], np.uint8),
        starts=starts,
        num_detectives=np.uint64(len(setup.detective_starts)),
        rounds=np.uint64(setup.rounds),
        most_actions=np.uint64(max(map(len, routes)) + bool(setup.doubles)),
    )
