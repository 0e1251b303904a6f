"""Growing a lane's tree: nodes are copied from the store, with their steps and slots.

Steps and slots are those of `sog.public.layout`, with two liberties that a search takes. A **partial** node
(perfect information) holds only the actions that were found worth it: its slots are numbered in the order in
which actions came, so that the first `legal` of them are those in the tree, as the regret minimisers want it.
And a chance node with very many outcomes holds a sample of them, each weighted by one over the share sampled,
so that its value is estimated without bias.

Verified: tests/search/test_growth.py.
"""

import numpy as np

from sog.core.jit import ONE, ZERO, inlined, inner
from sog.core.rng import next_uniform
from sog.games.base import CHANCE, NUM_PLAYERS
from sog.public.store_arrays import StoreArrays
from sog.search.appending import add_node, add_step, child_at, child_count, has_room, has_root_room
from sog.search.lanes import (
    CURRENT_LIST,
    DRAWN_LIST,
    INTERIOR,
    LEGAL,
    MAPS,
    NONE,
    OPEN_LIST,
    ORDINAL,
    POLICY,
    REGRET,
    ROW_SUM,
    ROW_VALUE,
    SOURCE,
    TARGET,
    Index,
    Lanes,
)
from sog.search.masses import compatible_mass


@inner
def plant_root(arrays: StoreArrays, lanes: Lanes, lane: Index, state: np.uint64) -> None:
    """Begin a lane's tree anew with one leaf; lanes modified in place."""
    record = lanes.lane[lane]
    record["num_nodes"] = record["num_open"] = record["num_over"] = 0
    record["num_priors"] = record["num_touched"] = record["num_queries"] = record["deepest"] = 0
    record["pending"], record["pending_action"], record["weight"] = NONE, NONE, 0.0
    record["cursor"] = record["num_drawn"] = 0
    for player in range(NUM_PLAYERS):
        counts = lanes.counts[player, lane]
        counts[:] = 0
        rows = np.uint64(arrays.places[player][state]["rows"])
        add_step(lanes, player, lane, ZERO, rows, ZERO)
    add_node(arrays, lanes, lane, state, NONE, 1.0, ZERO, ZERO)


@inner
def plant_branch(arrays: StoreArrays, lanes: Lanes, lane: Index) -> bool:
    """Begin a lane's tree with the path from its root to the current state; return False without room for it.

    The path, nodes of the arrays, stands in CURRENT_LIST. Everything off the path is a leaf, and so is the
    current state. lanes modified in place.
    """
    path, node = lanes.lists[lane, CURRENT_LIST], ZERO
    length = np.uint64(lanes.lane[lane]["path_length"])
    if not has_root_room(arrays, lanes, np.uint64(path[0])):
        return False
    plant_root(arrays, lanes, lane, np.uint64(path[0]))
    is_prior_used = length == ZERO  # False, and no constant: those are compiled once more
    for index in range(length - ONE):
        if not has_room(arrays, lanes, lane, np.uint64(path[index])):
            return False
        expand(arrays, lanes, lane, node, np.int64(0), np.int64(0), is_prior_used, 0.0)
        node = find_child(lanes, lane, node, np.uint64(path[index + ONE]))
    lanes.lane[lane]["current"] = path[0] = node
    return True


@inner
def expand(
    arrays: StoreArrays,
    lanes: Lanes,
    lane: Index,
    node: np.uint64,
    top: Index,
    max_outcomes: Index,
    uses_prior: bool,
    prior_regret: float,
) -> None:
    """Turn a leaf into an interior node with all its children; lanes modified in place.

    With `top` > 0 a plain node gets its `top` likeliest actions alone; a chance node with more than
    `max_outcomes` (> 0) outcomes gets a sample of that many. A decision's first policy is uniform, or the
    prior.
    """
    state_node = arrays.nodes[np.uint64(lanes.nodes[lane, node]["state"])]
    actor, count = np.int64(state_node["actor"]), np.uint64(state_node["num_children"])
    _open(arrays, lanes, lane, node, uses_prior, prior_regret)
    if top > 0 and state_node["is_plain"] and np.uint64(top) < count:
        _empty(lanes, lane, node, actor, count)
        for _ in range(top):
            add_action(arrays, lanes, lane, node, _likeliest_action(lanes, lane, node, actor, count))
        return
    if state_node["num_outcomes"] > 0:
        count = child_count(lanes, lane, state_node)
        factor = float(state_node["num_outcomes"]) / float(count)
        for index in range(count):
            _add_child(arrays, lanes, lane, node, child_at(lanes, lane, state_node, np.uint64(index)), factor)
        lanes.lane[lane]["num_drawn"] = ZERO
    elif max_outcomes > 0 and actor == CHANCE and count > np.uint64(max_outcomes):
        first = np.uint64(state_node["first_child"])
        _sample_outcomes(arrays, lanes, lane, node, first, count, np.uint64(max_outcomes))
    else:
        for index in range(count):
            _add_child(arrays, lanes, lane, node, np.uint64(state_node["first_child"]) + index, 1.0)


@inner
def draw_outcomes(lanes: Lanes, lane: Index, num_outcomes: np.uint64, max_outcomes: Index) -> bool:
    """Draw which outcomes of wide chance to add, every subset equally likely; False without room for them.

    All of them if they are no more than `max_outcomes`, or if that is 0. Their numbers stand in DRAWN_LIST.
    """
    kept = num_outcomes
    if max_outcomes > 0:
        kept = min(kept, np.uint64(max_outcomes))
    if kept > np.uint64(lanes.lists.shape[2]):
        return False
    wanted, drawn = kept, ZERO
    for index in range(num_outcomes):
        if next_uniform(lanes.rng[lane]) * float(num_outcomes - index) < float(wanted):
            lanes.lists[lane, DRAWN_LIST, drawn] = index
            drawn += ONE
            wanted -= ONE
    lanes.lane[lane]["num_drawn"] = drawn
    return True


@inner
def open_partial(arrays: StoreArrays, lanes: Lanes, lane: Index, node: np.uint64) -> None:
    """Turn a leaf into an interior node that holds none of its actions yet; lanes modified in place."""
    state_node = arrays.nodes[np.uint64(lanes.nodes[lane, node]["state"])]
    is_prior_used = state_node["num_children"] == 0  # False, and no constant: those are compiled once more
    _open(arrays, lanes, lane, node, is_prior_used, 0.0)
    _empty(lanes, lane, node, np.int64(state_node["actor"]), np.uint64(state_node["num_children"]))


@inner
def _open(
    arrays: StoreArrays, lanes: Lanes, lane: Index, node: np.uint64, uses_prior: bool, prior_regret: float
) -> None:
    """Make an interior node of a leaf, with a decision if a player acts there."""
    record = lanes.nodes[lane, node]
    _leave_open(lanes, lane, node)
    record["expanded"] = lanes.lane[lane]["iteration"]
    actor = np.int64(arrays.nodes[np.uint64(record["state"])]["actor"])
    if actor < NUM_PLAYERS:
        _add_decision(arrays, lanes, lane, node, actor, uses_prior, prior_regret)


@inlined
def _empty(lanes: Lanes, lane: Index, node: np.uint64, actor: Index, count: np.uint64) -> None:
    """Make a new decision partial, without any action: what is not there must not be played nor averaged."""
    lanes.nodes[lane, node]["is_partial"] = 1
    step = lanes.steps[actor, lane, np.uint64(lanes.nodes[lane, node]["decision"])]
    lanes.marks[actor, lane, LEGAL, np.uint64(step["first_row"])] = 0
    step["num_actions"] = 0  # of those in the tree, for kernels to look at no others
    for action in range(count):
        lanes.slots[actor, lane, POLICY, np.uint64(step["output"]) + action] = 0.0


@inner
def add_others(arrays: StoreArrays, lanes: Lanes, lane: Index, node: np.uint64) -> None:
    """Add all actions of a partial node that are not in the tree; lanes modified in place."""
    record = lanes.nodes[lane, node]
    state_node = arrays.nodes[np.uint64(record["state"])]
    actor, count = np.int64(state_node["actor"]), np.uint64(state_node["num_children"])
    row = np.uint64(lanes.steps[actor, lane, np.uint64(record["decision"])]["first_row"])
    for _ in range(count - np.uint64(lanes.marks[actor, lane, LEGAL, row])):
        add_action(arrays, lanes, lane, node, _likeliest_action(lanes, lane, node, actor, count))


@inner
def _sample_outcomes(
    arrays: StoreArrays,
    lanes: Lanes,
    lane: Index,
    node: np.uint64,
    first: np.uint64,
    count: np.uint64,
    kept: np.uint64,
) -> None:
    """Add `kept` of the outcomes, every subset equally likely, in their order."""
    wanted = kept
    for index in range(count):
        if next_uniform(lanes.rng[lane]) * float(count - index) < float(wanted):
            _add_child(arrays, lanes, lane, node, first + index, float(count) / float(kept))
            wanted -= ONE


@inner
def add_action(arrays: StoreArrays, lanes: Lanes, lane: Index, node: np.uint64, action: np.uint64) -> None:
    """Add one more action of a partial node, and its child; lanes modified in place."""
    record = lanes.nodes[lane, node]
    state_node = arrays.nodes[np.uint64(record["state"])]
    actor = np.int64(state_node["actor"])
    step = lanes.steps[actor, lane, np.uint64(record["decision"])]
    row, output = np.uint64(step["first_row"]), np.uint64(step["output"])
    ordinal = np.uint64(lanes.marks[actor, lane, LEGAL, row])
    lanes.marks[actor, lane, ORDINAL, output + action] = ordinal
    lanes.marks[actor, lane, LEGAL, row] += np.uint32(1)
    step["num_actions"] += np.uint32(1)
    lanes.slots[actor, lane, POLICY, output + ordinal] = 1.0 if ordinal == ZERO else 0.0
    own, other = output + ordinal, np.uint64(lanes.leaves[1 - actor, lane, node]["slot"])
    slot0, slot1 = (own, other) if actor == 0 else (other, own)
    child = np.uint64(state_node["first_child"]) + action
    add_node(arrays, lanes, lane, child, np.uint32(node), record["factor"], slot0, slot1)


@inlined
def _likeliest_action(
    lanes: Lanes, lane: Index, node: np.uint64, actor: Index, count: np.uint64
) -> np.uint64:
    """Return the action with the largest prior among those not in the tree; the first of equals."""
    record = lanes.nodes[lane, node]
    output = np.uint64(lanes.steps[actor, lane, np.uint64(record["decision"])]["output"])
    best, largest = ZERO, -1.0
    for action in range(count):
        prior = 0.0
        if record["prior"] != NONE:
            prior = lanes.priors[lane, np.uint64(record["prior"]) + np.uint64(action)]
        if lanes.marks[actor, lane, ORDINAL, output + np.uint64(action)] == NONE and prior > largest:
            best, largest = np.uint64(action), prior
    return best


@inner
def find_child(lanes: Lanes, lane: Index, node: np.uint64, child_state: np.uint64) -> np.uint64:
    """Return the tree's node of a child, or NONE if it is not there."""
    child = lanes.nodes[lane, node]["first_child"]
    while child != NONE and lanes.nodes[lane, np.uint64(child)]["state"] != child_state:
        child = lanes.nodes[lane, np.uint64(child)]["next_sibling"]
    return np.uint64(child)


@inlined
def _leave_open(lanes: Lanes, lane: Index, node: np.uint64) -> None:
    """Take a node from the open leaves: the last of them gets its place."""
    record, lane_record = lanes.nodes[lane, node], lanes.lane[lane]
    last = np.uint64(lane_record["num_open"]) - ONE
    place = np.uint64(record["place"])
    moved = lanes.lists[lane, OPEN_LIST, last]
    lanes.lists[lane, OPEN_LIST, place] = moved
    lanes.nodes[lane, np.uint64(moved)]["place"] = place
    lane_record["num_open"] = last
    record["kind"] = INTERIOR


@inner
def _add_child(
    arrays: StoreArrays, lanes: Lanes, lane: Index, node: np.uint64, child_state: np.uint64, factor: float
) -> None:
    """Add a child as a leaf."""
    slot0, slot1 = ZERO, ZERO
    for player in range(NUM_PLAYERS):
        slot = _place_row(arrays, lanes, player, lane, node, child_state)
        slot0, slot1 = (slot, slot1) if player == 0 else (slot0, slot)
    factor *= lanes.nodes[lane, node]["factor"]
    add_node(arrays, lanes, lane, child_state, np.uint32(node), factor, slot0, slot1)


@inner
def _place_row(
    arrays: StoreArrays, lanes: Lanes, player: Index, lane: Index, node: np.uint64, child_state: np.uint64
) -> np.uint64:
    """Return the first slot of a player's row in a new child; where infostates are mapped, add a relay."""
    place = arrays.places[player][child_state]
    record = lanes.nodes[lane, node]
    if arrays.nodes[np.uint64(record["state"])]["actor"] == player:
        base = np.uint64(lanes.steps[player, lane, np.uint64(record["decision"])]["output"])
    else:
        base = np.uint64(lanes.leaves[player, lane, node]["slot"])
    if not place["is_mapped"]:
        return base + np.uint64(place["start"])
    counts = lanes.counts[player, lane]
    step = add_step(lanes, player, lane, ZERO, np.uint64(place["rows"]), ZERO)
    output, entry = np.uint64(lanes.steps[player, lane, step]["output"]), np.uint64(counts[MAPS])
    start = np.uint64(place["map_start"])
    for index in range(np.uint64(place["map_end"]) - start):
        lanes.maps[player, lane, SOURCE, entry] = base + np.uint64(arrays.map_source[start + index])
        lanes.maps[player, lane, TARGET, entry] = output + np.uint64(arrays.map_target[start + index])
        entry += ONE
    counts[MAPS] = entry
    lanes.steps[player, lane, step]["map_end"] = entry
    return output


@inner
def _add_decision(
    arrays: StoreArrays,
    lanes: Lanes,
    lane: Index,
    node: np.uint64,
    actor: Index,
    uses_prior: bool,
    prior_regret: float,
) -> None:
    """Add the actor's decision at a node, to be played uniformly or by the prior at first.

    The prior may begin with regrets that speak for it, as large as `prior_regret` times the state's scale.
    """
    record = lanes.nodes[lane, node]
    state_node = arrays.nodes[np.uint64(record["state"])]
    leaf = lanes.leaves[actor, lane, node]
    rows, num_actions = np.uint64(leaf["rows"]), np.uint64(state_node["num_actions"])
    step = add_step(lanes, actor, lane, num_actions, rows, np.uint64(leaf["slot"]))
    record["decision"] = step
    slot = np.uint64(lanes.steps[actor, lane, step]["output"])
    first = np.uint64(lanes.steps[actor, lane, step]["first_row"])
    for row in range(rows):
        number = np.uint64(state_node["legal_start"]) + row
        lanes.marks[actor, lane, LEGAL, first + row] = arrays.legal[number]
        lanes.slots[actor, lane, ROW_VALUE, first + row] = 0.0
        lanes.slots[actor, lane, ROW_SUM, first + row] = 0.0
    prior = np.uint64(record["prior"])
    for action in range(num_actions):
        for row in range(rows):
            legal = np.uint64(lanes.marks[actor, lane, LEGAL, first + row])
            uniform = 1.0 / float(legal) if action < legal else 0.0
            lanes.slots[actor, lane, POLICY, slot] = lanes.priors[lane, prior] if uses_prior else uniform
            slot += ONE
            prior += ONE
    if uses_prior and prior_regret > 0:
        _favour_prior(arrays, lanes, lane, node, actor, prior_regret)


@inner
def _favour_prior(
    arrays: StoreArrays, lanes: Lanes, lane: Index, node: np.uint64, actor: Index, prior_regret: float
) -> None:
    """Give a new decision regrets in proportion to its first policy."""
    record = lanes.nodes[lane, node]
    state_node = arrays.nodes[np.uint64(record["state"])]
    step = lanes.steps[actor, lane, np.uint64(record["decision"])]
    rows, output = np.uint64(step["rows"]), np.uint64(step["output"])
    for index in range(rows):
        row = np.uint64(index)
        mass = compatible_mass(arrays, lanes, lane, node, actor, row)
        for action in range(np.uint64(step["num_actions"])):
            slot = output + action * rows + row
            share = lanes.slots[actor, lane, POLICY, slot]
            lanes.slots[actor, lane, REGRET, slot] = prior_regret * state_node["value_scale"] * mass * share
