"""The expansion phase: simulations from the current state to the first state outside the tree.

A simulation draws a world from the belief at the current state and walks down; where worlds are too many to
be enumerated, a world is a pair of infostates, drawn one after the other. Where chance moves it draws
an outcome. Where a player moves, the infostate of the player plays PUCT's choice or, as often, the average
(or the current) policy of CFR. PUCT wants values that look like a position's: counterfactual values divided
by the opponent's compatible reach, and by the state's scale. The first leaf on the way is expanded; visits
are counted on the way. Within a phase of several simulations each leaves a virtual loss behind on its way.

Verified: tests/search/test_gtcfr.py.
"""

from typing import NamedTuple

import numpy as np

from sog.core.jit import ONE, ZERO, inlined, inner
from sog.core.rng import next_uniform
from sog.games.base import CHANCE, NUM_PLAYERS
from sog.public.products import multiply_leaves
from sog.public.store import StoreArrays
from sog.search.appending import has_room
from sog.search.growth import add_action, expand, find_child
from sog.search.lanes import (
    AVERAGE,
    CURRENT_LIST,
    INTERIOR,
    LEAF_VALUE,
    LOSSES,
    NONE,
    NOTHING,
    ORDINAL,
    OVER,
    POLICY,
    ROOM,
    RULES,
    SPARE,
    VALUE,
    VISITS,
    Index,
    Lanes,
    player_layout,
)
from sog.search.masses import compatible_mass

PAIR = np.uint64(2**32)  # worlds that are not enumerated: player 0's infostate times this, plus player 1's


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
def simulate(rules: StoreArrays, lanes: Lanes, lane: Index, how: Expansion) -> None:
    """Walk down once; the node to be expanded, if any, is left in `pending`. lanes modified in place."""
    record = lanes.lane[lane]
    node = np.uint64(record["current"])
    world = _draw_world(rules, lanes, lane, node)
    while lanes.nodes[lane, node]["kind"] == INTERIOR:
        rule = rules.nodes[np.uint64(lanes.nodes[lane, node]["state"])]
        if rule["actor"] == CHANCE:
            action = _draw_outcome(rules, lanes, lane, world)
        else:
            action = _choose_action(rules, lanes, lane, how, node, world)
        child_state, next_world = _follow(rules, rule, world, action)
        child = find_child(lanes, lane, node, child_state)
        if child == np.uint64(NONE):
            if rule["actor"] != CHANCE:  # an outcome that was not sampled has no place in the tree
                record["pending"], record["pending_action"] = node, action
            return
        node, world = child, next_world
    if lanes.nodes[lane, node]["kind"] != OVER:
        record["pending"] = node


@inner
def expand_pending(rules: StoreArrays, lanes: Lanes, lane: Index, how: Expansion, top_actions: Index) -> None:
    """Expand what was chosen last, or say what is missing to do so; lanes modified in place."""
    record = lanes.lane[lane]
    if record["pending"] == np.uint64(NONE):
        return
    node = np.uint64(record["pending"])
    state = np.uint64(lanes.nodes[lane, node]["state"])
    if not rules.nodes[state]["is_expanded"]:
        record["waits_for"] = RULES
        return
    if not has_room(rules, lanes, lane, state):
        record["waits_for"] = ROOM
        return
    if record["pending_action"] == np.uint64(NONE):
        expand(rules, lanes, lane, node, top_actions, how.max_outcomes, how.uses_prior, how.prior_regret)
    else:
        action = np.uint64(record["pending_action"])
        add_action(rules, lanes, lane, node, action)
        actor = np.int64(rules.nodes[state]["actor"])
        slot = _slot_of(lanes, lane, node, actor, ZERO, action)
        lanes.marks[actor, lane, VISITS, slot] = 1  # there was no place to count the visit before
    record["pending"], record["pending_action"] = np.uint64(NONE), np.uint64(NONE)
    record["waits_for"] = NOTHING


@inlined
def _follow(
    rules: StoreArrays, rule: np.void, world: np.uint64, action: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Return the store's node after a move in a world, and the world there."""
    if rule["num_worlds"] == 0:
        return np.uint64(rule["first_child"]) + action, world
    move = rules.moves[np.uint64(rules.worlds[world]["move_start"]) + action]
    return np.uint64(move["child"]), np.uint64(move["world"])


@inlined
def _infostate_of(rules: StoreArrays, rule: np.void, world: np.uint64, player: Index) -> np.uint64:
    """Return a player's infostate in a world."""
    if rule["num_worlds"] == 0:
        return world // PAIR if player == 0 else world % PAIR
    return np.uint64(rules.worlds[world]["first"] if player == 0 else rules.worlds[world]["second"])


@inlined
def _num_legal(rules: StoreArrays, rule: np.void, world: np.uint64, infostate: np.uint64) -> np.uint64:
    """Return how many moves the acting infostate has."""
    if rule["num_worlds"] == 0:
        return np.uint64(rules.legal[np.uint64(rule["legal_start"]) + infostate])
    return np.uint64(rules.worlds[world]["num_moves"])


@inner
def _draw_world(rules: StoreArrays, lanes: Lanes, lane: Index, node: np.uint64) -> np.uint64:
    """Draw a world of a node from the average ranges, or from chance alone where they rule out all worlds."""
    rule = rules.nodes[np.uint64(lanes.nodes[lane, node]["state"])]
    start, count = np.uint64(rule["world_start"]), np.uint64(rule["num_worlds"])
    if count == ZERO:
        return draw_pair(rules, lanes, lane, node)
    total, chance = 0.0, 0.0
    for index in range(count):
        total += _world_weight(rules, lanes, lane, node, start + index)
        chance += rules.worlds[start + index]["chance"]
    is_possible = total > 0
    left = next_uniform(lanes.rng[lane]) * (total if is_possible else chance)
    last = start
    for index in range(count):
        world = start + index
        weight = rules.worlds[world]["chance"]
        if is_possible:
            weight = _world_weight(rules, lanes, lane, node, world)
        if weight > 0:
            last = world
            left -= weight
            if left < 0:
                break
    return last


@inner
def draw_pair(rules: StoreArrays, lanes: Lanes, lane: Index, node: np.uint64) -> np.uint64:
    """Draw infostates from the average ranges, or from chance alone where they rule out all pairs.

    Player 0's is drawn by how much of player 1's range it can meet, player 1's among those that meet it. The
    SPARE slots of the node's rows hold the ranges, then player 0's infostate alone. lanes modified in place.
    """
    for player in range(NUM_PLAYERS):
        slot = np.uint64(lanes.leaves[player, lane, node]["slot"])
        for row in range(np.uint64(lanes.leaves[player, lane, node]["rows"])):
            lanes.slots[player, lane, SPARE, slot + row] = lanes.slots[player, lane, AVERAGE, slot + row]
    first = _draw_infostate(rules, lanes, lane, node, np.int64(0))
    if first == np.uint64(NONE):
        for player in range(NUM_PLAYERS):
            slot = np.uint64(lanes.leaves[player, lane, node]["slot"])
            for row in range(np.uint64(lanes.leaves[player, lane, node]["rows"])):
                lanes.slots[player, lane, SPARE, slot + row] = 1.0
        first = _draw_infostate(rules, lanes, lane, node, np.int64(0))
    slot = np.uint64(lanes.leaves[0, lane, node]["slot"])
    for row in range(np.uint64(lanes.leaves[0, lane, node]["rows"])):
        lanes.slots[0, lane, SPARE, slot + row] = 1.0 if row == first else 0.0
    return first * PAIR + _draw_infostate(rules, lanes, lane, node, np.int64(1))


@inner
def _draw_infostate(
    rules: StoreArrays, lanes: Lanes, lane: Index, node: np.uint64, player: Index
) -> np.uint64:
    """Draw an infostate of a player, from its SPARE range, that meets the other's; NONE if none does.

    Weights are kept in the node's leaf values, which nobody reads once it is expanded. lanes modified.
    """
    weights = lanes.leaf_rows[player, lane, LEAF_VALUE]
    multiply_leaves(
        rules.patterns, player, lanes.lists[lane, CURRENT_LIST], ONE, player_layout(lanes, player, lane),
        player_layout(lanes, 1 - player, lane), lanes.pattern[lane], lanes.scale[lane],
        lanes.slots[1 - player, lane, SPARE], weights,
    )  # fmt: skip
    leaf, total = lanes.leaves[player, lane, node], 0.0
    slot, first = np.uint64(leaf["slot"]), np.uint64(leaf["value"])
    rows = np.uint64(leaf["rows"])
    for row in range(rows):
        weights[first + row] = abs(weights[first + row]) * lanes.slots[player, lane, SPARE, slot + row]
        total += weights[first + row]
    if not total > 0:
        return np.uint64(NONE)
    left, last = next_uniform(lanes.rng[lane]) * total, ZERO
    for row in range(rows):
        if weights[first + row] > 0:
            last = np.uint64(row)
            left -= weights[first + row]
            if left < 0:
                break
    return last


@inlined
def _world_weight(rules: StoreArrays, lanes: Lanes, lane: Index, node: np.uint64, world: np.uint64) -> float:
    first = np.uint64(lanes.leaves[0, lane, node]["slot"]) + np.uint64(rules.worlds[world]["first"])
    second = np.uint64(lanes.leaves[1, lane, node]["slot"]) + np.uint64(rules.worlds[world]["second"])
    weight: float = rules.worlds[world]["chance"] * lanes.slots[0, lane, AVERAGE, first]
    weight *= lanes.slots[1, lane, AVERAGE, second]
    return weight


@inlined
def _draw_outcome(rules: StoreArrays, lanes: Lanes, lane: Index, world: np.uint64) -> np.uint64:
    """Draw an outcome of chance."""
    start, count = np.uint64(rules.worlds[world]["move_start"]), np.uint64(rules.worlds[world]["num_moves"])
    left = next_uniform(lanes.rng[lane])
    for index in range(count):
        left -= rules.moves[start + index]["chance"]
        if left < 0:
            return np.uint64(index)
    return count - ONE


@inner
def _choose_action(
    rules: StoreArrays, lanes: Lanes, lane: Index, how: Expansion, node: np.uint64, world: np.uint64
) -> np.uint64:
    """Return an action of the acting infostate, and count the visit."""
    record = lanes.nodes[lane, node]
    rule = rules.nodes[np.uint64(record["state"])]
    actor = np.int64(rule["actor"])
    infostate = _infostate_of(rules, rule, world, actor)
    legal = _num_legal(rules, rule, world, infostate)
    if next_uniform(lanes.rng[lane]) < how.puct_share:
        action = _puct_action(rules, lanes, lane, how, node, actor, infostate, legal)
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
    rules: StoreArrays,
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
    rule = rules.nodes[np.uint64(record["state"])]
    step = lanes.steps[actor, lane, np.uint64(record["decision"])]
    rows = np.uint64(step["rows"])
    mass = compatible_mass(rules, lanes, lane, node, actor, infostate) * rule["value_scale"]
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
