"""The regret update phase: public-tree CFR on a lane's tree as it stands, both players at once or in turns.

`look` sends reach down and evaluates terminals; open leaves wait for the evaluator's answers, if there is an
evaluator to ask. `learn` adds the iteration to all averages, sends values up and turns them into regrets and
the next policies. Both are the passes of `sog.solvers`, step by step; only the way up differs. A tree that
grows has no lists of what hangs below a step, so each step adds its values to the slots it hangs on, the last
step first.

In turns, player 0 answers player 1's policy and then player 1 that answer; only the second half is averaged,
for both players alike, so that policies and values are those of the same plays and values cancel.

Averages carry weights `t^γ` instead of discounts: the same up to scale, and nothing is touched twice.

CFR-D asks about open leaves with the ranges of the current policies. CFR-AVE (ReBeL, appendix E) asks with
those of the average policies, but needs what the answer is worth to the current ones. In the sound form the
evaluator plays the averages' solution against both. In the modified form it need not: with S the sum of
weighted reach up to now, the answer times the opponent's S is the sum of all iterations' values; what it has
grown by since the last iteration is this one's.

Fictitious play (`answer` in place of `learn`) asks with the ranges of what it answers to: the averages, or in
FLOP the averages with more of the last answer.

Verified: tests/search/test_update.py, tests/search/test_rebel.py.
"""

import numpy as np

from sog.core.arrays import F64
from sog.core.jit import inlined, inner
from sog.games.base import NUM_PLAYERS
from sog.games.products import multiply_leaves
from sog.public.store_arrays import StoreArrays
from sog.search.gadget import learn_gadget, mix_root_ranges
from sog.search.lanes import (
    ANSWER,
    BEFORE,
    BOTH,
    OPEN_LIST,
    OVER_LIST,
    SLOTS,
    SNAPSHOT_POLICY,
    SNAPSHOT_REACH,
    VALUES,
    Index,
    Lanes,
    PlayerTree,
    leaves_of,
    player_tree,
)
from sog.solvers.minimisers import add_regrets, match_regrets
from sog.solvers.traversal import BEST, MEAN, push_reach, relay_values, take_best, take_mean

AVERAGED = BEST + 1  # a rule beside those of `sog.solvers.traversal`


@inner
def look(
    arrays: StoreArrays,
    lanes: Lanes,
    lane: Index,
    mix: float,
    is_normalised: bool,
    uniform_weight: float | None,
    optimism: float,
) -> None:
    """Send reach down from the root's ranges and evaluate terminals; lanes modified in place.

    uniform_weight: of the policy that fictitious play answers first; None for regret matching.
    """
    mix_root_ranges(lanes, lane, mix, is_normalised)
    for player in range(NUM_PLAYERS):
        mine = player_tree(lanes, player, lane)
        push_reach(mine.layout, mine.policy, mine.reach)
    if uniform_weight is not None:
        _face_average(lanes, lane, uniform_weight, optimism)
    for player in range(NUM_PLAYERS):
        _evaluate_over(arrays, lanes, lane, player, uniform_weight is not None)


@inlined
def _face_average(lanes: Lanes, lane: Index, uniform_weight: float, optimism: float) -> None:
    """Write into `spare` what fictitious play answers to; lanes modified in place.

    That is the average's reach, with optimism also the current policy's. The uniform policy is answered to
    first, and has a weight in averages as if it were an iteration of its own; its values are not averaged.
    """
    record = lanes.lane[lane]
    is_first = record["iteration"] == 0
    if is_first:
        record["weight"] = uniform_weight
        for node in range(np.uint64(record["num_nodes"])):
            lanes.nodes[lane, node]["entered"] = uniform_weight
    share = 0.0 if is_first else (1.0 - optimism) / record["weight"]
    rest = 1.0 if is_first else optimism
    for player in range(NUM_PLAYERS):
        mine = player_tree(lanes, player, lane)
        for slot in range(np.uint64(mine.counts[SLOTS])):
            if is_first:
                mine.average[slot] = uniform_weight * mine.reach[slot]
            mine.spare[slot] = share * mine.average[slot] + rest * mine.reach[slot]


@inlined
def _evaluate_over(arrays: StoreArrays, lanes: Lanes, lane: Index, player: Index, faces_spare: bool) -> None:
    """Fill a player's values of all terminals."""
    own, other = player_tree(lanes, player, lane), player_tree(lanes, 1 - player, lane)
    leaves = leaves_of(lanes, player, lane, OVER_LIST, np.uint64(lanes.lane[lane]["num_over"]))
    faced = other.spare if faces_spare else other.reach
    multiply_leaves(arrays.matrices, player, leaves, faced, own.leaf_values)


@inner
def sum_reach(lanes: Lanes, lane: Index, weight: float) -> None:
    """Add an iteration that has been looked at to the sums of reach, in `spare`; lanes modified in place."""
    for player in range(NUM_PLAYERS):
        mine = player_tree(lanes, player, lane)
        for slot in range(np.uint64(mine.counts[SLOTS])):
            mine.spare[slot] = mine.average[slot] + weight * mine.reach[slot]


@inner
def keep_iteration(lanes: Lanes, lane: Index, field: Index) -> None:
    """Note the policies and a field of `slots` as their reach; lanes modified in place."""
    for player in range(NUM_PLAYERS):
        mine = player_tree(lanes, player, lane)
        for slot in range(np.uint64(mine.counts[SLOTS])):
            lanes.slots[player, lane, SNAPSHOT_POLICY, slot] = mine.policy[slot]
            lanes.slots[player, lane, SNAPSHOT_REACH, slot] = lanes.slots[player, lane, field, slot]


@inner
def apply_answers(
    arrays: StoreArrays, lanes: Lanes, lane: Index, faces_spare: bool, takes_growth: bool, weight: float
) -> None:
    """Turn the evaluator's answers at open leaves into counterfactual values; lanes modified in place.

    An infostate's value counts as often as the opponent's reach and chance make it possible.
    """
    for player in range(NUM_PLAYERS):
        own, other = player_tree(lanes, player, lane), player_tree(lanes, 1 - player, lane)
        num_open = np.uint64(lanes.lane[lane]["num_open"])
        leaves = leaves_of(lanes, player, lane, OPEN_LIST, num_open)
        faced = other.spare if faces_spare else other.reach
        multiply_leaves(arrays.matrices, player, leaves, faced, own.leaf_values)
        for index in range(num_open):
            leaf = np.uint64(lanes.lists[lane, OPEN_LIST, index])
            first = np.uint64(own.layout.leaves[leaf]["value"])
            unit = arrays.nodes[np.uint64(lanes.nodes[lane, leaf]["state"])]["value_scale"]
            for row in range(np.uint64(own.layout.leaves[leaf]["rows"])):
                value = own.leaf_values[first + row]
                value *= lanes.leaf_rows[player, lane, ANSWER, first + row] * unit
                own.leaf_values[first + row] = value
                if takes_growth:
                    before = lanes.leaf_rows[player, lane, BEFORE, first + row]
                    lanes.leaf_rows[player, lane, BEFORE, first + row] = value
                    own.leaf_values[first + row] = (value - before) / weight


@inner
def learn(lanes: Lanes, lane: Index, weights: F64, has_values: bool, turn: Index) -> None:
    """Finish an iteration that has been looked at, or one player's half of it; lanes modified in place.

    weights: [4] discounts of positive and negative regrets, weight in averages, optimism. Without
    `has_values` open leaves are worth nothing.
    """
    positive, negative, weight, optimism = weights
    share = 0.0 if turn == 0 else weight
    for player in range(NUM_PLAYERS):
        if turn == 0 and player == 1:
            continue
        mine = player_tree(lanes, player, lane)
        for slot in range(np.uint64(mine.counts[SLOTS])):
            mine.average[slot] += share * mine.reach[slot]
        _send_up(lanes, lane, mine, has_values, share, MEAN)
    learn_gadget(lanes, lane, turn)
    for player in range(NUM_PLAYERS):
        if turn != BOTH and turn != player:
            continue
        mine = player_tree(lanes, player, lane)
        for index in range(1, mine.layout.steps.size):
            number = np.uint64(index)
            if mine.layout.steps[number]["num_actions"] > 0:
                add_regrets(
                    number, mine.layout, positive, negative, optimism, mine.values, mine.row_values,
                    mine.regret, mine.gain,
                )  # fmt: skip
                match_regrets(
                    number, mine.layout, optimism > 0, mine.regret, mine.gain, mine.row_values, mine.policy,
                    mine.spare,
                )  # fmt: skip
    lanes.lane[lane]["weight"] += share


@inner
def imitate(lanes: Lanes, lane: Index, weights: F64, has_values: bool, takes_growth: bool) -> None:
    """Finish as many iterations as `weights` has rows, as if all had played alike; lanes modified in place.

    ReBeL's warm start (appendix J): a decision's regrets are those of its policy against a best response
    below it, as often as there are iterations. Averages and values are the policy's.
    """
    total = 0.0
    for iteration in range(weights.shape[0]):
        total += weights[iteration, 2]
    for player in range(NUM_PLAYERS):
        mine = player_tree(lanes, player, lane)
        num_slots = np.uint64(mine.counts[SLOTS])
        for slot in range(num_slots):
            mine.average[slot] += total * mine.reach[slot]
            mine.spare[slot] = mine.policy[slot]
        for rule in (MEAN, BEST):
            share = total if rule == MEAN else 0.0
            _send_up(lanes, lane, mine, has_values, share, rule)
        for slot in range(num_slots):
            mine.policy[slot] = mine.spare[slot]  # what `take_best` has written over
        _imitate_steps(mine, weights)
        if takes_growth:  # what the sums were worth is known for the first iteration alone
            for value in range(np.uint64(mine.counts[VALUES])):
                lanes.leaf_rows[player, lane, BEFORE, value] *= total / weights[0, 2]
    lanes.lane[lane]["weight"] += total


@inlined
def _imitate_steps(mine: PlayerTree, weights: F64) -> None:
    """Add the regrets of every decision once for each row of `weights`; then play by them."""
    optimism = weights[0, 3]
    for index in range(1, mine.layout.steps.size):
        number = np.uint64(index)
        if mine.layout.steps[number]["num_actions"] == 0:
            continue
        take_mean(number, mine.layout, mine.policy, mine.values, mine.row_values)
        for iteration in range(weights.shape[0]):
            positive, negative = weights[iteration, 0], weights[iteration, 1]
            add_regrets(
                number, mine.layout, positive, negative, weights[iteration, 3], mine.values, mine.row_values,
                mine.regret, mine.gain,
            )  # fmt: skip
        match_regrets(
            number, mine.layout, optimism > 0, mine.regret, mine.gain, mine.row_values, mine.policy,
            mine.spare,
        )  # fmt: skip


@inner
def answer(
    arrays: StoreArrays, lanes: Lanes, lane: Index, weight: float, has_values: bool, uniform_weight: float
) -> None:
    """Finish an iteration of fictitious play: both answer best, and average the answers; lanes modified.

    The values that are averaged are those of the averages so far: best answers promise too much. Where
    nothing is hidden the averages of both players count this iteration, which may be the only one: answers
    of the evaluator hold for all ranges. Elsewhere the opponent's is the one that was answered to.
    """
    for player in range(NUM_PLAYERS):
        mine = player_tree(lanes, player, lane)
        _send_up(lanes, lane, mine, has_values, 0.0, BEST)
        push_reach(mine.layout, mine.policy, mine.reach)
        for slot in range(np.uint64(mine.counts[SLOTS])):
            mine.average[slot] += weight * mine.reach[slot]
    lanes.lane[lane]["weight"] += weight
    if uniform_weight == 0:
        _face_present(arrays, lanes, lane, has_values)
    for player in range(NUM_PLAYERS):
        _send_up(lanes, lane, player_tree(lanes, player, lane), has_values, weight, AVERAGED)


@inlined
def _face_present(arrays: StoreArrays, lanes: Lanes, lane: Index, has_values: bool) -> None:
    """Evaluate leaves against the averages that count this iteration; lanes modified in place."""
    weight = lanes.lane[lane]["weight"]
    for player in range(NUM_PLAYERS):
        mine = player_tree(lanes, player, lane)
        for slot in range(np.uint64(mine.counts[SLOTS])):
            mine.spare[slot] = mine.average[slot] / weight
    for player in range(NUM_PLAYERS):
        _evaluate_over(arrays, lanes, lane, player, True)
    if has_values:
        apply_answers(arrays, lanes, lane, True, False, weight)


@inlined
def _send_up(lanes: Lanes, lane: Index, mine: PlayerTree, has_values: bool, weight: float, rule: int) -> None:
    """Fill the values of a player's slots, from the leaves to the root, and add them to the sums."""
    record = lanes.lane[lane]
    for slot in range(np.uint64(mine.counts[SLOTS])):
        mine.values[slot] = 0.0
    _send_leaves(mine, lanes.lists[lane, OVER_LIST], np.uint64(record["num_over"]), weight)
    if has_values:
        _send_leaves(mine, lanes.lists[lane, OPEN_LIST], np.uint64(record["num_open"]), weight)
    _send_values(mine, weight, rule)


@inlined
def _send_leaves(mine: PlayerTree, nodes: F64, count: np.uint64, weight: float) -> None:
    """Add the values of leaves to the slots their rows stand at, and to their sums."""
    for index in range(count):
        leaf = mine.layout.leaves[np.uint64(nodes[index])]
        slot, first = np.uint64(leaf["slot"]), np.uint64(leaf["value"])
        for row in range(np.uint64(leaf["rows"])):
            value = mine.leaf_values[first + row]
            mine.values[slot + row] += value
            mine.leaf_sums[first + row] += weight * value


@inlined
def _send_values(mine: PlayerTree, weight: float, rule: int) -> None:
    """Add the values of every step to the slots it hangs on, the last step first.

    rule: MEAN of what is played, AVERAGED for that of the average, or BEST, which is then played.
    """
    layout = mine.layout
    for index in range(layout.steps.size - 1):
        number = np.uint64(layout.steps.size - 1 - index)
        step = layout.steps[number]
        if step["num_actions"] == 0:
            relay_values(step, layout, mine.values)
            continue
        if rule == BEST:
            take_best(number, layout, mine.policy, mine.values, mine.row_values)
        elif rule == AVERAGED:
            _take_averaged(number, mine)
        else:
            take_mean(number, layout, mine.policy, mine.values, mine.row_values)
        slot, first = np.uint64(step["input"]), np.uint64(step["first_row"])
        for row in range(np.uint64(step["rows"])):
            mine.values[slot + row] += mine.row_values[first + row]
            mine.row_sums[first + row] += weight * mine.row_values[first + row]


@inlined
def _take_averaged(number: np.uint64, mine: PlayerTree) -> None:
    """Write the mean value of each row of a decision under the average policy; row_values modified in place.

    An infostate that never comes here has the value of its best action.
    """
    step = mine.layout.steps[number]
    rows, first = np.uint64(step["rows"]), np.uint64(step["first_row"])
    for row in range(rows):
        slot, legal = np.uint64(step["output"]) + row, np.uint64(mine.layout.legal[first + row])
        total, value, best = 0.0, 0.0, -np.inf
        for _ in range(legal):
            total += mine.average[slot]
            value += mine.average[slot] * mine.values[slot]
            best = max(best, mine.values[slot])
            slot += rows
        mine.row_values[first + row] = value / total if total > 0 else best
