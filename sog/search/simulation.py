"""The expansion phase: simulations from the current state to the first state outside the tree.

A simulation draws a pair of infostates from the belief at the current state and walks down; joint weights say
where a move leads (`sog.public.following`). Where chance moves it draws one of the outcomes in the tree.
Where a player moves, the infostate of the player plays PUCT's choice or, as often, the average (or the
current) policy of CFR. PUCT wants values that look like a position's: counterfactual values divided by the
opponent's compatible reach, and by the state's scale. The first leaf on the way is expanded; visits are
counted on the way. Within a phase of several simulations each leaves a virtual loss behind on its way.

Verified: tests/search/test_gtcfr.py.
"""

from typing import NamedTuple

import numpy as np

from sog.core.jit import ONE, ZERO, inlined, inner
from sog.core.rng import next_uniform
from sog.games.base import CHANCE, NUM_PLAYERS
from sog.games.products import multiply_leaves
from sog.public.following import draw_targets, follow_action, joint_entry, weigh_child
from sog.public.store_arrays import StoreArrays
from sog.search.appending import has_room
from sog.search.growth import add_action, draw_outcomes, expand, find_child
from sog.search.lanes import (
    AVERAGE,
    CURRENT_LIST,
    INTERIOR,
    LEAF_VALUE,
    LOSSES,
    NONE,
    NOTHING,
    ORDINAL,
    OUTCOMES,
    OVER,
    POLICY,
    ROOM,
    SPARE,
    SUCCESSORS,
    VALUE,
    VISITS,
    Index,
    Lanes,
    leaves_of,
)
from sog.search.masses import compatible_mass


class Expansion(NamedTuple):
    """How simulations choose, as kernels see it."""

    exploration: float  # PUCT's constant
    puct_share: float  # how often PUCT chooses
    uses_average: bool  # otherwise the average policy does, or the current one
    top_actions: int  # 0 for all
    max_outcomes: int  # 0 for all
    uses_losses: bool  # a phase has several simulations
    uses_prior: bool  # as the first policy of a new decision
    prior_regret: float  # that speaks for it


@inner
def simulate(arrays: StoreArrays, lanes: Lanes, lane: Index, how: Expansion) -> None:
    """Walk down once; the node to be expanded, if any, is left in `pending`. lanes modified in place."""
    record = lanes.lane[lane]
    node = np.uint64(record["current"])
    row, column = draw_pair(arrays, lanes, lane, node)
    while lanes.nodes[lane, node]["kind"] == INTERIOR:
        state = np.uint64(lanes.nodes[lane, node]["state"])
        state_node = arrays.nodes[state]
        if state_node["actor"] == CHANCE:
            node, row, column = _draw_outcome(arrays, lanes, lane, node, row, column)
            if node == np.uint64(NONE):  # none of the outcomes that were sampled can be
                return
            continue
        own = row if state_node["actor"] == 0 else column
        action = _choose_action(arrays, lanes, lane, how, node, own)
        uniform = 0.0 if state_node["is_direct"] else next_uniform(lanes.rng[lane])
        child_state, row, column = follow_action(arrays, state, row, column, action, uniform)
        child = find_child(lanes, lane, node, child_state)
        if child == np.uint64(NONE):
            record["pending"], record["pending_action"] = node, action
            return
        node = child
    if lanes.nodes[lane, node]["kind"] != OVER:
        record["pending"] = node


@inner
def expand_pending(
    arrays: StoreArrays, lanes: Lanes, lane: Index, how: Expansion, top_actions: Index
) -> None:
    """Expand what was chosen last, or say what is missing to do so; lanes modified in place."""
    record = lanes.lane[lane]
    if record["pending"] == np.uint64(NONE):
        return
    node = np.uint64(record["pending"])
    state = np.uint64(lanes.nodes[lane, node]["state"])
    state_node = arrays.nodes[state]
    if not state_node["is_expanded"]:
        record["waits_for"] = SUCCESSORS
        return
    if state_node["num_outcomes"] > 0 and record["num_drawn"] == 0:
        is_drawn = draw_outcomes(lanes, lane, np.uint64(state_node["num_outcomes"]), how.max_outcomes)
        record["waits_for"] = OUTCOMES if is_drawn else ROOM
        return
    if not has_room(arrays, lanes, lane, state):
        record["waits_for"] = ROOM
        return
    if record["pending_action"] == np.uint64(NONE):
        expand(arrays, lanes, lane, node, top_actions, how.max_outcomes, how.uses_prior, how.prior_regret)
    else:
        action = np.uint64(record["pending_action"])
        add_action(arrays, lanes, lane, node, action)
        actor = np.int64(arrays.nodes[state]["actor"])
        slot = _slot_of(lanes, lane, node, actor, ZERO, action)
        lanes.marks[actor, lane, VISITS, slot] = 1  # there was no place to count the visit before
    record["pending"], record["pending_action"] = np.uint64(NONE), np.uint64(NONE)
    record["waits_for"] = NOTHING


@inner
def draw_pair(arrays: StoreArrays, lanes: Lanes, lane: Index, node: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Draw infostates from the average ranges, or from chance alone where they rule out all pairs.

    Player 0's is drawn by how much of player 1's range it can meet, player 1's among those that meet it.
    Weights are kept in the node's leaf values, which are not read once it is expanded. lanes modified.
    """
    first, second = lanes.leaves[0, lane, node], lanes.leaves[1, lane, node]
    rows, columns = np.uint64(first["rows"]), np.uint64(second["rows"])
    if rows == ONE and columns == ONE:
        return ZERO, ZERO
    weights, slot = lanes.leaf_rows[0, lane, LEAF_VALUE], np.uint64(first["slot"])
    value, field = np.uint64(first["value"]), AVERAGE
    for _ in range(2):
        leaves = leaves_of(lanes, np.int64(0), lane, np.int64(CURRENT_LIST), ONE)
        multiply_leaves(arrays.matrices, np.int64(0), leaves, lanes.slots[1, lane, field], weights)
        total = 0.0
        for index in range(rows):
            weights[value + index] *= lanes.slots[0, lane, field, slot + index]
            total += weights[value + index]
        if total > 0:
            break
        _fill_spare(lanes, lane, node)
        field = SPARE
    left, row = next_uniform(lanes.rng[lane]) * total, ZERO
    for index in range(rows):
        weight = weights[value + np.uint64(index)]
        if weight > 0 and left >= 0:
            row = np.uint64(index)
            left -= weight
    state = np.uint64(lanes.nodes[lane, node]["state"])
    return row, _draw_other(arrays, lanes, lane, state, row, columns, np.uint64(second["slot"]), field)


@inner
def _draw_other(
    arrays: StoreArrays,
    lanes: Lanes,
    lane: Index,
    state: np.uint64,
    row: np.uint64,
    columns: np.uint64,
    slot: np.uint64,
    field: Index,
) -> np.uint64:
    """Draw an infostate of player 1 from its range among those that meet player 0's."""
    total = 0.0
    for index in range(columns):
        share = lanes.slots[1, lane, field, slot + index]
        if share > 0:
            total += share * joint_entry(arrays, state, row, np.uint64(index))
    left, column = next_uniform(lanes.rng[lane]) * total, ZERO
    for index in range(columns):
        share = lanes.slots[1, lane, field, slot + index]
        if share > 0 and left >= 0:
            weight = share * joint_entry(arrays, state, row, np.uint64(index))
            if weight > 0:
                column = np.uint64(index)
                left -= weight
    return column


@inlined
def _fill_spare(lanes: Lanes, lane: Index, node: np.uint64) -> None:
    """Write uniform ranges into the SPARE slots of a node's rows; lanes modified in place."""
    for player in range(NUM_PLAYERS):
        slot = np.uint64(lanes.leaves[player, lane, node]["slot"])
        for row in range(np.uint64(lanes.leaves[player, lane, node]["rows"])):
            lanes.slots[player, lane, SPARE, slot + row] = 1.0


@inner
def _draw_outcome(
    arrays: StoreArrays, lanes: Lanes, lane: Index, node: np.uint64, row: np.uint64, column: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Draw one of the outcomes of chance that are in the tree; return the child and the pair there.

    NONE if the pair can become nothing in any of them.
    """
    total = 0.0
    child = lanes.nodes[lane, node]["first_child"]
    while child != NONE:
        record = lanes.nodes[lane, np.uint64(child)]
        total += record["factor"] * weigh_child(arrays, np.uint64(record["state"]), row, column)
        child = record["next_sibling"]
    left, found, rest = next_uniform(lanes.rng[lane]) * total, NONE, 0.0
    child = lanes.nodes[lane, node]["first_child"]
    while child != NONE and left >= 0:
        record = lanes.nodes[lane, np.uint64(child)]
        weight = record["factor"] * weigh_child(arrays, np.uint64(record["state"]), row, column)
        if weight > 0:
            found, rest = child, left / record["factor"]
            left -= weight
        child = record["next_sibling"]
    if found == NONE:
        return np.uint64(NONE), row, column
    state = np.uint64(lanes.nodes[lane, np.uint64(found)]["state"])
    row, column = draw_targets(arrays, state, row, column, rest)
    return np.uint64(found), row, column


@inner
def _choose_action(
    arrays: StoreArrays, lanes: Lanes, lane: Index, how: Expansion, node: np.uint64, infostate: np.uint64
) -> np.uint64:
    """Return an action of the acting infostate, and count the visit."""
    record = lanes.nodes[lane, node]
    state_node = arrays.nodes[np.uint64(record["state"])]
    actor = np.int64(state_node["actor"])
    legal = np.uint64(arrays.legal[np.uint64(state_node["legal_start"]) + infostate])
    if next_uniform(lanes.rng[lane]) < how.puct_share:
        action = _puct_action(arrays, lanes, lane, how, node, actor, infostate, legal)
    else:
        action = _policy_action(lanes, lane, how, node, actor, infostate, legal)
    slot = _slot_of(lanes, lane, node, actor, infostate, action)
    if slot != np.uint64(NONE):
        lanes.marks[actor, lane, VISITS, slot] += np.uint32(1)
        if how.uses_losses and lanes.lane[lane]["num_touched"] < np.uint64(lanes.touched.shape[1]):
            lanes.marks[actor, lane, LOSSES, slot] += np.uint32(1)
            touched = np.uint64(lanes.lane[lane]["num_touched"])
            lanes.touched[lane, touched] = slot * np.uint64(2) + np.uint64(actor)
            lanes.lane[lane]["num_touched"] = touched + ONE
    return action


@inlined
def _slot_of(
    lanes: Lanes, lane: Index, node: np.uint64, actor: Index, infostate: np.uint64, action: np.uint64
) -> np.uint64:
    """Return the slot of an action, or NONE if it is not in the tree yet."""
    step = lanes.steps[actor, lane, np.uint64(lanes.nodes[lane, node]["decision"])]
    output = np.uint64(step["output"])
    if lanes.nodes[lane, node]["is_partial"]:
        ordinal = lanes.marks[actor, lane, ORDINAL, output + action]
        return np.uint64(NONE) if ordinal == NONE else output + np.uint64(ordinal)
    return output + action * np.uint64(step["rows"]) + infostate


@inner
def _policy_action(
    lanes: Lanes,
    lane: Index,
    how: Expansion,
    node: np.uint64,
    actor: Index,
    infostate: np.uint64,
    legal: np.uint64,
) -> np.uint64:
    """Draw from the average policy, where it has been played, or from the current one."""
    total = 0.0
    if how.uses_average:
        for action in range(legal):
            slot = _slot_of(lanes, lane, node, actor, infostate, np.uint64(action))
            if slot != np.uint64(NONE):
                total += lanes.slots[actor, lane, AVERAGE, slot]
    uses_average = total > 0
    left = next_uniform(lanes.rng[lane]) * (total if uses_average else 1.0)
    last = ZERO
    for action in range(legal):
        slot = _slot_of(lanes, lane, node, actor, infostate, np.uint64(action))
        if slot != np.uint64(NONE):
            share = (
                lanes.slots[actor, lane, AVERAGE, slot]
                if uses_average
                else lanes.slots[actor, lane, POLICY, slot]
            )
            if share > 0:
                last = np.uint64(action)
                left -= share
                if left < 0:
                    break
    return last


@inner
def _puct_action(
    arrays: StoreArrays,
    lanes: Lanes,
    lane: Index,
    how: Expansion,
    node: np.uint64,
    actor: Index,
    infostate: np.uint64,
    legal: np.uint64,
) -> np.uint64:
    """Return the action with the best sum of value and exploration; the first of equals."""
    record = lanes.nodes[lane, node]
    state_node = arrays.nodes[np.uint64(record["state"])]
    step = lanes.steps[actor, lane, np.uint64(record["decision"])]
    rows = np.uint64(step["rows"])
    mass = compatible_mass(arrays, lanes, lane, node, actor, infostate) * state_node["value_scale"]
    unit = 1.0 / mass if mass > 0 else 0.0
    visits, mean = 0.0, 0.0
    for action in range(legal):
        slot = _slot_of(lanes, lane, node, actor, infostate, np.uint64(action))
        if slot != np.uint64(NONE):
            visits += float(lanes.marks[actor, lane, VISITS, slot])
            mean += lanes.slots[actor, lane, POLICY, slot] * lanes.slots[actor, lane, VALUE, slot]
    best, best_score = ZERO, -np.inf
    for action in range(legal):
        slot = _slot_of(lanes, lane, node, actor, infostate, np.uint64(action))
        prior = lanes.priors[lane, np.uint64(record["prior"]) + np.uint64(action) * rows + infostate]
        value, count = mean * unit, 0.0  # an action that is not in the tree is as good as the others are
        if slot != np.uint64(NONE):
            count = float(lanes.marks[actor, lane, VISITS, slot])
            losses = float(lanes.marks[actor, lane, LOSSES, slot])
            value = lanes.slots[actor, lane, VALUE, slot] * unit
            if losses > 0:
                value = (value * (count - losses) - losses) / count
        score = value + how.exploration * prior * np.sqrt(1.0 + visits) / (1.0 + count)
        if score > best_score:
            best, best_score = np.uint64(action), score
    return best


@inner
def forget_losses(lanes: Lanes, lane: Index) -> None:
    """Take back the virtual losses of a phase; lanes modified in place."""
    for index in range(np.uint64(lanes.lane[lane]["num_touched"])):
        touched = np.uint64(lanes.touched[lane, index])
        lanes.marks[np.int64(touched % np.uint64(2)), lane, LOSSES, touched // np.uint64(2)] = 0
    lanes.lane[lane]["num_touched"] = 0


assert NUM_PLAYERS == 2  # `touched` packs the player into one bit
