"""Asking the evaluator: the open leaves of all lanes go into one batch, and its answers come back.

A leaf is asked about with both players' ranges there, each normalised over the infostates that are alive:
chance may have ruled out others by now. Where one player's reach is zero everywhere, that player's infostates
still have values, for it to know what coming here would be worth: the query takes the uniform range as a
stand-in. Where both are zero nothing can be learned. A leaf with one infostate a player (perfect information)
is asked about once: the answer cannot change, only its weight. If wished, neither is a leaf asked about again
before its ranges have moved so far that it could matter. Its prior is asked for once, with the first query:
it guides growth, and takes most of the time of a network with many choices.

Verified: tests/search/test_gtcfr.py, tests/search/test_rebel.py.
"""

from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F64, I32, I64
from sog.core.jit import ONE, ZERO, inlined, inner, kernel
from sog.games.base import NUM_PLAYERS
from sog.games.products import is_alive
from sog.public.evaluator import Batch
from sog.public.store_arrays import StoreArrays
from sog.search.lanes import (
    ANSWER,
    ASKED,
    NONE,
    NOTHING,
    OPEN_LIST,
    REACH,
    Index,
    Lanes,
)


class Buffer(NamedTuple):
    """Room for a batch: at most B queries, V infostates a player, S slots of priors."""

    size: I64  # [1] queries in it
    nodes: I32  # [B] of the store
    places: I32  # [B, 2] lane, and node of its tree
    start: I64  # [P, B + 1]
    ranges: F64  # [P, V]
    faced: F64  # [P, V] of what is played, where queries are about averages
    values: F64  # [P, V]
    prior_start: I64  # [B + 1]
    priors: F64  # [S]


def allocate_buffer(queries: int, infostates: int, slots: int) -> Buffer:
    """Return an empty buffer."""
    return Buffer(
        size=np.zeros(1, np.int64),
        nodes=np.zeros(queries, np.int32),
        places=np.zeros((queries, 2), np.int32),
        start=np.zeros((NUM_PLAYERS, queries + 1), np.int64),
        ranges=np.zeros((NUM_PLAYERS, infostates)),
        faced=np.zeros((NUM_PLAYERS, infostates)),
        values=np.zeros((NUM_PLAYERS, infostates)),
        prior_start=np.zeros(queries + 1, np.int64),
        priors=np.zeros(slots),
    )


def enlarge_buffer(buffer: Buffer) -> Buffer:
    """Return the same queries with twice the room."""
    larger = allocate_buffer(2 * buffer.nodes.size, 2 * buffer.ranges.shape[1], 2 * buffer.priors.size)
    old: Any
    new: Any
    for old, new in zip(buffer, larger, strict=True):
        new[tuple(slice(size) for size in old.shape)] = old
    return larger


def batch_of(buffer: Buffer) -> Batch:
    """Return the filled part of a buffer, for an evaluator to write its answers into."""
    count = int(buffer.size[0])
    start, ends = buffer.start[:, : count + 1], buffer.start[:, count]
    return Batch(
        nodes=buffer.nodes[:count],
        start=(start[0], start[1]),
        ranges=(buffer.ranges[0, : ends[0]], buffer.ranges[1, : ends[1]]),
        values=(buffer.values[0, : ends[0]], buffer.values[1, : ends[1]]),
        prior_start=buffer.prior_start[: count + 1],
        priors=buffer.priors[: buffer.prior_start[count]],
    )


def faced_of(buffer: Buffer) -> tuple[F64, F64]:
    """Return the ranges of what is played, for each query of a buffer."""
    ends = buffer.start[:, int(buffer.size[0])]
    return buffer.faced[0, : ends[0]], buffer.faced[1, : ends[1]]


@inner
def write_queries(
    arrays: StoreArrays, lanes: Lanes, lane: Index, buffer: Buffer, field: Index, stale: float
) -> int:
    """Add queries about a lane's open leaves; return their number, or -1 if there is no room for them.

    field: of `slots`, the reach that ranges are made of. stale: how much must have changed to ask again.
    """
    before = buffer.size[0]
    roots = _mass(lanes, np.int64(0), lane, ZERO, field), _mass(lanes, np.int64(1), lane, ZERO, field)
    for index in range(np.uint64(lanes.lane[lane]["num_open"])):
        leaf = np.uint64(lanes.lists[lane, OPEN_LIST, index])
        if lanes.nodes[lane, leaf]["is_answered"]:
            continue
        masses = _mass(lanes, np.int64(0), lane, leaf, field), _mass(lanes, np.int64(1), lane, leaf, field)
        if masses[0] == 0 and masses[1] == 0:
            continue
        if stale > 0 and _change(lanes, lane, leaf, masses, roots, field) < stale:
            continue
        if not _has_room(arrays, lanes, lane, leaf, buffer):
            _take_back(lanes, lane, before, buffer)
            return -1
        _write_query(arrays, lanes, lane, leaf, masses, buffer, field)
    written = buffer.size[0] - before
    _leave_out_dead(arrays, lanes, lane, before, buffer)
    lanes.lane[lane]["num_queries"] += np.uint64(written)
    return int(written)


@inlined
def _mass(lanes: Lanes, player: Index, lane: Index, node: np.uint64, field: Index) -> float:
    """Return the sum of a player's reach at a node."""
    leaf = lanes.leaves[player, lane, node]
    slot, total = np.uint64(leaf["slot"]), 0.0
    for row in range(np.uint64(leaf["rows"])):
        total += lanes.slots[player, lane, field, slot + row]
    return total


@inlined
def _share(
    lanes: Lanes, player: Index, lane: Index, slot: np.uint64, rows: np.uint64, mass: float, field: Index
) -> float:
    """Return an infostate's share of its player's range."""
    return lanes.slots[player, lane, field, slot] / mass if mass > 0 else 1.0 / float(rows)


@inlined
def _change(
    lanes: Lanes,
    lane: Index,
    node: np.uint64,
    masses: tuple[float, float],
    roots: tuple[float, float],
    field: Index,
) -> float:
    """Return how much counterfactual values at a leaf may have changed since it was asked about last.

    The sum of differences between its ranges now and then (2 if it was never asked about), times the larger
    share of a player's reach at the root that is still there.
    """
    total = 0.0
    for player in range(NUM_PLAYERS):
        leaf = lanes.leaves[player, lane, node]
        slot, rows, first = np.uint64(leaf["slot"]), np.uint64(leaf["rows"]), np.uint64(leaf["value"])
        for row in range(rows):
            share = _share(lanes, player, lane, slot + row, rows, masses[player], field)
            total += abs(share - lanes.leaf_rows[player, lane, ASKED, first + row])
    weight = 0.0
    for player in range(NUM_PLAYERS):
        if roots[player] > 0:
            weight = max(weight, masses[player] / roots[player])
    return total * weight


@inlined
def _take_back(lanes: Lanes, lane: Index, before: int, buffer: Buffer) -> None:
    """Forget the queries that a lane has written after the first ones; lanes and buffer modified in place."""
    for index in range(buffer.size[0] - before):
        node = np.uint64(buffer.places[np.uint64(before + index), 1])
        lanes.nodes[lane, node]["is_answered"] = 0
        if buffer.prior_start[np.uint64(before + index + 1)] > buffer.prior_start[np.uint64(before + index)]:
            lanes.nodes[lane, node]["is_primed"] = 0
        for player in range(NUM_PLAYERS):
            leaf = lanes.leaves[player, lane, node]
            for row in range(np.uint64(leaf["rows"])):
                lanes.leaf_rows[player, lane, ASKED, np.uint64(leaf["value"]) + row] = 0.0
    buffer.size[0] = before


@inner
def _leave_out_dead(arrays: StoreArrays, lanes: Lanes, lane: Index, before: int, buffer: Buffer) -> None:
    """Take infostates that are dead out of the ranges of a lane's queries; buffer modified in place."""
    for index in range(buffer.size[0] - before):
        query = np.uint64(before + index)
        node = np.uint64(buffer.places[query, 1])
        if lanes.nodes[lane, node]["has_dead"]:
            number = np.uint64(lanes.matrix[lane, node])
            for player in range(NUM_PLAYERS):
                first, end = (
                    np.uint64(buffer.start[player, query]),
                    np.uint64(buffer.start[player, query + ONE]),
                )
                _normalise(arrays, player, number, buffer.ranges[player, first:end])
                _normalise(arrays, player, number, buffer.faced[player, first:end])


@inlined
def _normalise(arrays: StoreArrays, player: Index, number: np.uint64, shares: F64) -> None:
    """Make a range one of infostates that are alive, uniform where there are none; shares modified."""
    total, count = 0.0, 0
    for index in range(shares.size):
        row = np.uint64(index)
        if is_alive(arrays.matrices, player, number, row):
            total += shares[row]
            count += 1
        else:
            shares[row] = 0.0
    for index in range(shares.size):
        row = np.uint64(index)
        if total > 0:
            shares[row] /= total
        elif is_alive(arrays.matrices, player, number, row):
            shares[row] = 1.0 / float(count)


@inlined
def _num_priors(arrays: StoreArrays, lanes: Lanes, lane: Index, node: np.uint64) -> np.uint64:
    state_node = arrays.nodes[np.uint64(lanes.nodes[lane, node]["state"])]
    if state_node["actor"] >= NUM_PLAYERS or lanes.nodes[lane, node]["is_primed"]:
        return ZERO
    rows = np.uint64(lanes.leaves[np.int64(state_node["actor"]), lane, node]["rows"])
    return np.uint64(state_node["num_actions"]) * rows


@inlined
def _has_room(arrays: StoreArrays, lanes: Lanes, lane: Index, node: np.uint64, buffer: Buffer) -> bool:
    query = np.uint64(buffer.size[0])
    is_enough = query < np.uint64(buffer.nodes.size)
    for player in range(NUM_PLAYERS):
        end = np.uint64(buffer.start[player, query]) + np.uint64(lanes.leaves[player, lane, node]["rows"])
        is_enough &= end <= np.uint64(buffer.ranges.shape[1])
    slots = np.uint64(buffer.prior_start[query]) + _num_priors(arrays, lanes, lane, node)
    return bool(is_enough and slots <= np.uint64(buffer.priors.size))


@inner
def _write_query(
    arrays: StoreArrays,
    lanes: Lanes,
    lane: Index,
    node: np.uint64,
    masses: tuple[float, float],
    buffer: Buffer,
    field: Index,
) -> None:
    query = np.uint64(buffer.size[0])
    record = lanes.nodes[lane, node]
    buffer.nodes[query] = record["state"]
    buffer.places[query, 0], buffer.places[query, 1] = lane, node
    is_single = True
    for player in range(NUM_PLAYERS):
        leaf = lanes.leaves[player, lane, node]
        slot, rows = np.uint64(leaf["slot"]), np.uint64(leaf["rows"])
        first, mass = np.uint64(buffer.start[player, query]), masses[player]
        for row in range(rows):
            share = _share(lanes, player, lane, slot + row, rows, mass, field)
            lanes.leaf_rows[player, lane, ASKED, np.uint64(leaf["value"]) + row] = share
            buffer.ranges[player, first + row] = share
            buffer.values[player, first + row] = 0.0
        if field != REACH:
            mass = _mass(lanes, np.int64(player), lane, node, REACH)
            for row in range(rows):
                share = _share(lanes, player, lane, slot + row, rows, mass, REACH)
                buffer.faced[player, first + row] = share
        buffer.start[player, query + ONE] = first + rows
        is_single &= rows == ONE
    start, count = np.uint64(buffer.prior_start[query]), _num_priors(arrays, lanes, lane, node)
    for index in range(count):
        buffer.priors[start + index] = lanes.priors[lane, np.uint64(record["prior"]) + index]
    buffer.prior_start[query + ONE] = start + count
    record["is_answered"] = is_single
    record["is_primed"] |= np.uint32(count > ZERO)
    buffer.size[0] = query + ONE


@kernel
def read_answers(arrays: StoreArrays, lanes: Lanes, buffer: Buffer, temperature: float) -> None:
    """Hand the answers of a batch to the leaves that asked, and empty it; lanes and buffer modified in place.

    Priors are flattened by a temperature: `p^(1/T)`, normalised for each infostate.
    """
    for index in range(buffer.size[0]):
        query = np.uint64(index)
        lane, node = np.int64(buffer.places[query, 0]), np.uint64(buffer.places[query, 1])
        for player in range(NUM_PLAYERS):
            leaf = lanes.leaves[player, lane, node]
            to, start = np.uint64(leaf["value"]), np.uint64(buffer.start[player, query])
            for row in range(np.uint64(leaf["rows"])):
                lanes.leaf_rows[player, lane, ANSWER, to + row] = buffer.values[player, start + row]
        _read_prior(arrays, lanes, lane, node, query, buffer, temperature)
        lanes.lane[lane]["waits_for"] = NOTHING
    buffer.size[0] = 0


@inlined
def _read_prior(
    arrays: StoreArrays,
    lanes: Lanes,
    lane: Index,
    node: np.uint64,
    query: np.uint64,
    buffer: Buffer,
    temperature: float,
) -> None:
    first = lanes.nodes[lane, node]["prior"]
    if first == NONE:
        return
    actor = np.int64(arrays.nodes[np.uint64(lanes.nodes[lane, node]["state"])]["actor"])
    rows, to = np.uint64(lanes.leaves[actor, lane, node]["rows"]), np.uint64(first)
    start = np.uint64(buffer.prior_start[query])
    num_actions = (np.uint64(buffer.prior_start[query + ONE]) - start) // rows
    for row in range(rows):
        total = 0.0
        for action in range(num_actions):
            at = action * rows + row
            prior = max(0.0, buffer.priors[start + at]) ** (1.0 / temperature)
            lanes.priors[lane, to + at] = prior
            total += prior
        for action in range(num_actions):
            if total > 0:
                lanes.priors[lane, to + action * rows + row] /= total
