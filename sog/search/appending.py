"""Appending to a lane's arrays: steps with their slots, nodes with their rows and priors; is there room?

Verified: tests/search/test_growth.py.
"""

import numpy as np

from sog.core.jit import ONE, ZERO, inlined, inner
from sog.games.base import NUM_PLAYERS, TERMINAL
from sog.games.products import is_alive
from sog.public.store_arrays import StoreArrays
from sog.search.lanes import (
    ANSWER,
    ASKED,
    AVERAGE,
    BEFORE,
    DRAWN_LIST,
    GAIN,
    LEAF_SUM,
    LEAF_VALUE,
    LOSSES,
    MAPS,
    NONE,
    OPEN,
    OPEN_LIST,
    ORDINAL,
    OVER,
    OVER_LIST,
    POLICY,
    REACH,
    REGRET,
    ROWS,
    SLOTS,
    STEPS,
    VALUE,
    VALUES,
    VISITS,
    Index,
    Lanes,
)


@inner
def has_room(arrays: StoreArrays, lanes: Lanes, lane: Index, state: np.uint64) -> bool:
    """Return whether everything that expanding a node may add fits into the arrays."""
    node = arrays.nodes[state]
    count = child_count(lanes, lane, node)
    nodes = np.uint64(lanes.lane[lane]["num_nodes"]) + count
    is_enough = nodes < np.uint64(lanes.lists.shape[2])
    num_priors = ZERO
    for player in range(NUM_PLAYERS):
        rows = np.uint64(arrays.places[player][state]["rows"])
        slots = np.uint64(node["num_actions"]) * rows if node["actor"] == player else ZERO
        maps, values = ZERO, ZERO
        for index in range(count):
            below = child_at(lanes, lane, node, np.uint64(index))
            place, child = arrays.places[player][below], arrays.nodes[below]
            values += np.uint64(place["rows"])
            if place["is_mapped"]:
                slots += np.uint64(place["rows"])
                maps += np.uint64(place["map_end"]) - np.uint64(place["map_start"])
            if child["actor"] == player:
                num_priors += np.uint64(child["num_actions"]) * np.uint64(place["rows"])
        counts = lanes.counts[player, lane]
        is_enough &= np.uint64(counts[SLOTS]) + slots <= np.uint64(lanes.slots.shape[3])
        is_enough &= np.uint64(counts[ROWS]) + rows <= np.uint64(lanes.slots.shape[3])
        is_enough &= np.uint64(counts[MAPS]) + maps <= np.uint64(lanes.maps.shape[3])
        is_enough &= np.uint64(counts[VALUES]) + values <= np.uint64(lanes.leaf_rows.shape[3])
    num_priors += np.uint64(lanes.lane[lane]["num_priors"])
    return bool(is_enough and num_priors <= np.uint64(lanes.priors.shape[1]))


@inlined
def child_count(lanes: Lanes, lane: Index, node: np.void) -> np.uint64:
    """Return how many children a node of the store has, at wide chance how many were drawn."""
    if node["num_outcomes"] > 0:
        return np.uint64(lanes.lane[lane]["num_drawn"])
    return np.uint64(node["num_children"])


@inlined
def child_at(lanes: Lanes, lane: Index, node: np.void, index: np.uint64) -> np.uint64:
    """Return one of those children."""
    if node["num_outcomes"] > 0:
        return np.uint64(lanes.lists[lane, DRAWN_LIST, index])
    return np.uint64(node["first_child"]) + index


@inlined
def has_root_room(arrays: StoreArrays, lanes: Lanes, state: np.uint64) -> bool:
    """Return whether a root's rows and prior fit into the arrays."""
    rows = max(arrays.places[0][state]["rows"], arrays.places[1][state]["rows"])
    num_priors = np.uint64(arrays.nodes[state]["num_actions"]) * np.uint64(rows)
    is_enough = np.uint64(rows) <= np.uint64(min(lanes.slots.shape[3], lanes.leaf_rows.shape[3]))
    return bool(is_enough and num_priors <= np.uint64(lanes.priors.shape[1]))


@inner
def add_step(
    lanes: Lanes, player: Index, lane: Index, num_actions: np.uint64, rows: np.uint64, source: np.uint64
) -> np.uint64:
    """Append a step with empty slots; return its number."""
    counts = lanes.counts[player, lane]
    number, output = np.uint64(counts[STEPS]), np.uint64(counts[SLOTS])
    step = lanes.steps[player, lane, number]
    step["num_actions"], step["rows"], step["input"], step["output"] = num_actions, rows, source, output
    step["first_row"] = counts[ROWS]
    step["map_start"] = step["map_end"] = counts[MAPS]
    size = rows * max(ONE, num_actions)
    for index in range(size):
        slot = output + index
        lanes.slots[player, lane, REGRET, slot] = 0.0
        lanes.slots[player, lane, GAIN, slot] = 0.0
        lanes.slots[player, lane, AVERAGE, slot] = 0.0
        lanes.slots[player, lane, POLICY, slot] = 1.0
        lanes.slots[player, lane, REACH, slot] = 0.0
        lanes.slots[player, lane, VALUE, slot] = 0.0
        lanes.marks[player, lane, VISITS, slot] = 0
        lanes.marks[player, lane, LOSSES, slot] = 0
        lanes.marks[player, lane, ORDINAL, slot] = NONE
    counts[STEPS] = number + ONE
    counts[SLOTS] = output + size
    counts[ROWS] += np.uint32(rows if num_actions > ZERO else ZERO)
    return number


@inner
def add_node(
    arrays: StoreArrays,
    lanes: Lanes,
    lane: Index,
    state: np.uint64,
    parent: np.uint32,
    factor: float,
    slot0: np.uint64,
    slot1: np.uint64,
) -> None:
    """Append a leaf whose rows stand at the given slots."""
    state_node, lane_record = arrays.nodes[state], lanes.lane[lane]
    node = np.uint64(lane_record["num_nodes"])
    lane_record["num_nodes"] = node + ONE
    record = lanes.nodes[lane, node]
    record["state"], record["parent"], record["decision"] = state, parent, NONE
    record["first_child"] = record["next_sibling"] = NONE
    record["is_partial"] = record["has_dead"] = record["expanded"] = 0
    record["is_answered"] = record["is_primed"] = 0
    record["factor"], record["entered"] = factor, lane_record["weight"]
    record["depth"] = 0
    if parent != NONE:
        record["depth"] = lanes.nodes[lane, np.uint64(parent)]["depth"] + np.uint32(1)
        lane_record["deepest"] = max(lane_record["deepest"], np.uint64(record["depth"]))
        record["next_sibling"] = lanes.nodes[lane, np.uint64(parent)]["first_child"]
        lanes.nodes[lane, np.uint64(parent)]["first_child"] = node
    is_over = state_node["actor"] == TERMINAL
    lanes.matrix[lane, node] = state_node["payoff"] if is_over else state_node["joint"]
    lanes.scale[lane, node] = (state_node["payoff_scale"] if is_over else state_node["joint_scale"]) * factor
    for player in range(NUM_PLAYERS):
        _add_leaf(
            lanes,
            player,
            lane,
            node,
            slot0 if player == 0 else slot1,
            arrays.places[player][state]["rows"],
        )
    if is_over:
        record["kind"], record["place"], record["prior"] = OVER, lane_record["num_over"], NONE
        lanes.lists[lane, OVER_LIST, np.uint64(lane_record["num_over"])] = node
        lane_record["num_over"] += np.uint64(1)
    else:
        record["kind"], record["place"] = OPEN, lane_record["num_open"]
        lanes.lists[lane, OPEN_LIST, np.uint64(lane_record["num_open"])] = node
        lane_record["num_open"] += np.uint64(1)
        record["prior"] = _add_prior(arrays, lanes, lane, node, state)
        for player in range(NUM_PLAYERS):
            for row in range(np.uint64(arrays.places[player][state]["rows"])):
                if not is_alive(arrays.matrices, player, np.uint64(state_node["joint"]), np.uint64(row)):
                    record["has_dead"] = 1


@inlined
def _add_leaf(
    lanes: Lanes, player: Index, lane: Index, node: np.uint64, slot: np.uint64, rows: np.uint32
) -> None:
    """Write a player's row of a new node, without values."""
    counts = lanes.counts[player, lane]
    leaf = lanes.leaves[player, lane, node]
    first = np.uint64(counts[VALUES])
    leaf["slot"], leaf["rows"], leaf["value"] = slot, rows, first
    for index in range(np.uint64(rows)):
        lanes.leaf_rows[player, lane, LEAF_VALUE, first + index] = 0.0
        lanes.leaf_rows[player, lane, LEAF_SUM, first + index] = 0.0
        lanes.leaf_rows[player, lane, ANSWER, first + index] = 0.0
        lanes.leaf_rows[player, lane, ASKED, first + index] = 0.0
        lanes.leaf_rows[player, lane, BEFORE, first + index] = 0.0
    counts[VALUES] += rows


@inner
def _add_prior(
    arrays: StoreArrays, lanes: Lanes, lane: Index, node: np.uint64, state: np.uint64
) -> np.uint32:
    """Reserve a new leaf's prior, uniform until an evaluator says more; return its first slot or NONE."""
    state_node, lane_record = arrays.nodes[state], lanes.lane[lane]
    if state_node["actor"] >= NUM_PLAYERS:
        return NONE
    rows = np.uint64(lanes.leaves[np.int64(state_node["actor"]), lane, node]["rows"])
    first = np.uint64(lane_record["num_priors"])
    slot = first
    for action in range(np.uint64(state_node["num_actions"])):
        for row in range(rows):
            legal = np.uint64(arrays.legal[np.uint64(state_node["legal_start"]) + row])
            lanes.priors[lane, slot] = 1.0 / float(legal) if action < legal else 0.0
            slot += ONE
    lane_record["num_priors"] = slot
    return np.uint32(first)
