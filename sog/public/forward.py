"""The forward index of a store: where each slot of an acting player leads.

Flows are kept by child, with sources ascending: that is how reach and values pass through them. A play asks
the other way round, from a slot to the children it feeds. Where the k-th action leads all infostates, in
their order, to the k-th child, the answer is arithmetic (a **direct** node). Elsewhere the slots of the
acting player are indexed. The other player's infostate in a given child is found by `sog.public.following`.

Verified: tests/public/test_following.py.
"""

import numpy as np

from sog.core.arrays import U32, Records
from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.games.base import NUM_PLAYERS

Places = tuple[Records, Records]  # [P][N] PLACE


@kernel
def classify_nodes(nodes: Records, places: Places, expanded: U32) -> int:
    """Note which of the expanded nodes are direct and plain; return how many; nodes modified in place."""
    count = 0
    for index in range(expanded.size):
        node = np.uint64(expanded[index])
        record = nodes[node]
        is_direct = record["actor"] < NUM_PLAYERS and record["num_children"] == record["num_actions"]
        if is_direct:
            for player in range(NUM_PLAYERS):
                is_direct &= _keeps_rows(nodes, places, node, player)
        record["is_direct"] = is_direct
        count += 1 if is_direct else 0
        record["is_plain"] = is_direct and places[0][node]["rows"] == 1 and places[1][node]["rows"] == 1
    return count


@inlined
def _keeps_rows(nodes: Records, places: Places, node: np.uint64, player: int) -> bool:
    """Whether a player's infostates, or those that play an action, are all there is in each child."""
    record, rows = nodes[node], places[player][node]["rows"]
    first, step = np.uint64(record["first_child"]), rows if record["actor"] == player else np.uint32(0)
    keeps = True
    for index in range(np.uint64(record["num_children"])):
        place = places[player][first + index]
        is_kept = place["rows"] == rows and place["start"] == np.uint64(index) * np.uint64(step)
        keeps &= is_kept and not place["is_mapped"]
    return keeps


@inlined
def num_entries(place: np.void) -> np.uint64:
    """Return how many entries the map of a place has."""
    if place["is_mapped"]:
        return np.uint64(place["map_end"]) - np.uint64(place["map_start"])
    return np.uint64(place["rows"])


@kernel
def count_sources(nodes: Records, places: Places, indexed: U32) -> tuple[np.uint64, np.uint64]:
    """Return how much room the index of nodes takes: starts of slots, and entries."""
    num_starts, total = ZERO, ZERO
    for index in range(indexed.size):
        node = np.uint64(indexed[index])
        record, actor = nodes[node], np.int64(nodes[node]["actor"])
        num_starts += np.uint64(record["num_actions"]) * np.uint64(places[actor][node]["rows"]) + ONE
        first = np.uint64(record["first_child"])
        for child in range(np.uint64(record["num_children"])):
            total += num_entries(places[actor][first + child])
    return num_starts, total


@kernel
def fill_forward(
    nodes: Records,
    places: Places,
    indexed: U32,
    map_source: U32,
    map_target: U32,
    start: np.uint64,
    entry: np.uint64,
    forward_start: U32,
    forward_child: U32,
    forward_target: U32,
) -> None:
    """Index the slots of nodes, from `start` on, with entries from `entry` on; all but the maps modified."""
    for index in range(indexed.size):
        node = np.uint64(indexed[index])
        record, actor = nodes[node], np.int64(nodes[node]["actor"])
        record["forward"] = start
        num_slots = np.uint64(record["num_actions"]) * np.uint64(places[actor][node]["rows"])
        first = np.uint64(record["first_child"])
        # Count the entries of each slot one place ahead, sum up, then move each start on while filling.
        for child in range(np.uint64(record["num_children"])):
            place = places[actor][first + child]
            for number in range(num_entries(place)):
                source, _ = entry_at(place, map_source, map_target, np.uint64(number))
                forward_start[start + source + ONE] += np.uint32(1)
        forward_start[start] = entry
        for slot in range(num_slots):
            forward_start[start + slot + ONE] += forward_start[start + slot]
        for child in range(np.uint64(record["num_children"])):
            place = places[actor][first + child]
            for number in range(num_entries(place)):
                source, target = entry_at(place, map_source, map_target, np.uint64(number))
                to = np.uint64(forward_start[start + source])
                forward_child[to], forward_target[to] = first + child, target
                forward_start[start + source] = to + ONE
        for slot in range(num_slots):  # every start has moved to its end: move them back
            at = start + num_slots - np.uint64(slot)
            forward_start[at] = forward_start[at - ONE]
        entry_end = np.uint64(forward_start[start + num_slots]) if num_slots > ZERO else entry
        forward_start[start] = entry
        entry = entry_end
        start += num_slots + ONE


@inlined
def entry_at(
    place: np.void, map_source: U32, map_target: U32, number: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Return source and target of one of a place's entries."""
    if place["is_mapped"]:
        at = np.uint64(place["map_start"]) + number
        return np.uint64(map_source[at]), np.uint64(map_target[at])
    return np.uint64(place["start"]) + number, number
