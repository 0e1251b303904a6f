"""Reach-free regret updates on a board: every state learns as if the game began there (`learns_everywhere`).

Where nothing is hidden every state is a subgame of its own, so counterfactual values need not carry the
opponent's reach. Without it a state that is not played at present goes on learning: what the opponent would
answer to a move is known before the move is taken up. Reach is 1 everywhere, and an update is one pass over
the tree's nodes, from the last one added to the root:

    v(s) = (answer(s) + Σ_a (n(s, a) + 1) v(s a)) / (1 + Σ_a (n(s, a) + 1))
    regret(s, a) += v(s a) - Σ_b π(s, b) v(s b)

with values to the player who acts and n the simulations that took an action, over the actions in the tree. So
a state is worth the mean of what the evaluator said of it and of all that was found below, as in AlphaZero's
search: a state comes into the tree with one answer, and with every simulation that goes on from it comes one
more. What the best of few actions seems worth, or what is played at present, is the word of few answers, and
too much.

Verified: tests/search/test_reach_free.py.
"""

import numpy as np

from sog.core.arrays import F64, U32
from sog.core.jit import ONE, ZERO, inlined, inner
from sog.games.base import NUM_PLAYERS
from sog.games.products import multiply_row
from sog.public.store_arrays import StoreArrays
from sog.search.lanes import (
    ANSWER,
    INTERIOR,
    LEAF_SUM,
    LEAF_VALUE,
    NONE,
    OVER,
    REACH,
    SLOTS,
    VISITS,
    Index,
    Lanes,
    PlayerTree,
    player_tree,
)
from sog.solvers.minimisers import add_regrets, match_regrets


@inner
def set_full_reach(lanes: Lanes, lane: Index) -> None:
    """Make every state likely; lanes modified in place."""
    for player in range(NUM_PLAYERS):
        lanes.slots[player, lane, REACH, : lanes.counts[player, lane, SLOTS]] = 1.0


@inner
def update_reach_free(arrays: StoreArrays, lanes: Lanes, lane: Index, weights: F64) -> None:
    """Finish an iteration that has been looked at; lanes modified in place.

    weights: [4] discounts of positive and negative regrets, weight in averages, optimism.
    """
    first, second = player_tree(lanes, 0, lane), player_tree(lanes, 1, lane)
    nodes, values = lanes.nodes[lane], lanes.leaf_rows[0, lane, LEAF_VALUE]
    num_nodes, weight = np.uint64(lanes.lane[lane]["num_nodes"]), weights[2]
    for index in range(num_nodes):
        values[np.uint64(lanes.leaves[0, lane, index]["value"])] = 0.0
    for index in range(num_nodes):
        node = num_nodes - ONE - np.uint64(index)
        record, place = nodes[node], np.uint64(lanes.leaves[0, lane, node]["value"])
        state_node = arrays.nodes[np.uint64(record["state"])]
        own = _word(arrays, lanes, lane, node, place)
        if record["kind"] == INTERIOR:
            actor = np.int64(state_node["actor"])
            count = _decide(
                np.uint64(record["decision"]),
                first if actor == 0 else second,
                weights,
                lanes.marks[actor, lane, VISITS],
            )
            if record["is_answered"]:  # not if it was expanded before anybody could ask
                values[place], count = values[place] + own, count + 1.0
            values[place] /= count
        else:
            values[place] = own
        value = values[place]
        lanes.leaf_rows[0, lane, LEAF_SUM, place] += weight * value
        lanes.leaf_rows[1, lane, LEAF_SUM, np.uint64(lanes.leaves[1, lane, node]["value"])] -= weight * value
        if record["parent"] != NONE:
            parent = np.uint64(record["parent"])
            mover = np.int64(arrays.nodes[np.uint64(nodes[parent]["state"])]["actor"])
            mine = first if mover == 0 else second
            slot = np.uint64(mine.layout.leaves[node]["slot"])  # where its actor played to come here
            mine.values[slot] = value if mover == 0 else -value
            count = float(lanes.marks[mover, lane, VISITS, slot]) + 1.0
            values[np.uint64(lanes.leaves[0, lane, parent]["value"])] += count * value
    first.average[ZERO] += weight
    second.average[ZERO] += weight
    lanes.lane[lane]["weight"] += weight


@inlined
def _word(arrays: StoreArrays, lanes: Lanes, lane: Index, node: np.uint64, place: np.uint64) -> float:
    """Return what the evaluator, or the end of the game, says of a node to player 0; terminals keep it."""
    record, answers = lanes.nodes[lane, node], lanes.leaf_rows[0, lane, ANSWER]
    if record["kind"] == OVER and not record["is_answered"]:
        number, slot = np.uint64(lanes.matrix[lane, node]), np.uint64(lanes.leaves[1, lane, node]["slot"])
        reach = lanes.slots[1, lane, REACH]
        utility = multiply_row(arrays.matrices, np.int64(0), number, ZERO, ONE, reach, slot)
        answers[place], record["is_answered"] = lanes.scale[lane, node] * utility, 1
    scale = 1.0 if record["kind"] == OVER else arrays.nodes[np.uint64(record["state"])]["value_scale"]
    word: float = answers[place] * scale
    return word


@inlined
def _decide(number: np.uint64, mine: PlayerTree, weights: F64, visits: U32) -> float:
    """Add a decision's policy to its average, learn its regrets and play by them.

    Return how many answers there are below its actions.
    """
    positive, negative, weight, optimism = weights
    step = mine.layout.steps[number]
    row, output = np.uint64(step["first_row"]), np.uint64(step["output"])
    mean, total = 0.0, 0.0
    for action in range(np.uint64(step["num_actions"])):
        slot = output + np.uint64(action)
        mean += mine.policy[slot] * mine.values[slot]
        total += float(visits[slot]) + 1.0
        mine.average[slot] += weight * mine.policy[slot]
    mine.row_values[row] = mean
    add_regrets(
        number, mine.layout, positive, negative, optimism, mine.values, mine.row_values, mine.regret,
        mine.gain,
    )  # fmt: skip
    match_regrets(
        number, mine.layout, optimism > 0, mine.regret, mine.gain, mine.row_values, mine.policy, mine.spare
    )
    return total
