"""The one traversal: reach flows down, values flow up, over the steps of one player.

Three passes make every algorithm here (`sog.public.layout` explains steps, slots and rows):

- `push_reach`: reach of every slot from a policy;
- `evaluate_terminals` (`sog.public.terminals`): values of the leaves from the opponent's reach;
- `pull_values`: counterfactual values of all slots, bottom up; what a decision makes of them is the
  `rule`: the policy's mean (`MEAN`), the best action (`BEST`), or that action's value alone (`HIGHEST`, where
  all actions are legal).

Kernels modify their array arguments in place where said. All arrays are per player.

Verified: tests/solvers/test_evaluation.py (against recursion over histories in plain Python).
"""

import numpy as np

from sog.core.arrays import Float
from sog.core.jit import ONE, inlined, kernel
from sog.public.layout import PlayerLayout

MEAN, BEST, HIGHEST = 0, 1, 2


@kernel
def push_reach(own: PlayerLayout, policy: Float, reach: Float) -> None:
    """Fill `reach` below the root's slots. policy, reach: [slots]; reach modified in place."""
    for step in range(1, own.steps.size):
        push_step(np.uint64(step), own, policy, reach)


@inlined
def push_step(number: np.uint64, own: PlayerLayout, policy: Float, reach: Float) -> None:
    """Fill the reach of one step's slots."""
    step = own.steps[number]
    if step["num_actions"] == 0:
        relay_reach(number, own, reach)
        return
    rows, output, source = np.uint64(step["rows"]), np.uint64(step["output"]), np.uint64(step["input"])
    for _ in range(np.uint64(step["num_actions"])):
        for row in range(rows):
            reach[output + row] = reach[source + row] * policy[output + row]
        output += rows


@inlined
def relay_reach(number: np.uint64, own: PlayerLayout, reach: Float) -> None:
    """Fill the reach of a relay's slots from its map."""
    step = own.steps[number]
    output = np.uint64(step["output"])
    for row in range(np.uint64(step["rows"])):
        reach[output + row] = 0
    start = np.uint64(step["map_start"])
    for index in range(np.uint64(step["map_end"]) - start):
        entry = start + index
        reach[np.uint64(own.map_target[entry])] += reach[np.uint64(own.map_source[entry])]


@inlined
def gather_values(
    number: np.uint64, own: PlayerLayout, leaf_values: Float, row_values: Float, values: Float
) -> None:
    """Add up what stands below one step's slots; `values` [slots] modified in place."""
    step = own.steps[number]
    output = np.uint64(step["output"])
    for row in range(np.uint64(step["rows"]) * max(ONE, np.uint64(step["num_actions"]))):
        values[output + row] = 0
    start = np.uint64(step["leaf_start"])
    for index in range(np.uint64(step["leaf_end"]) - start):
        leaf = own.leaves[np.uint64(own.leaf[start + index])]
        slot, first = np.uint64(leaf["slot"]), np.uint64(leaf["value"])
        for row in range(np.uint64(leaf["rows"])):
            values[slot + row] += leaf_values[first + row]
    start = np.uint64(step["child_start"])
    for index in range(np.uint64(step["child_end"]) - start):
        child = own.steps[np.uint64(own.child[start + index])]
        if child["num_actions"] == 0:
            relay_values(child, own, values)
        else:
            slot, first = np.uint64(child["input"]), np.uint64(child["first_row"])
            for row in range(np.uint64(child["rows"])):
                values[slot + row] += row_values[first + row]


@inlined
def relay_values(step: np.void, own: PlayerLayout, values: Float) -> None:
    """Add a relay's values to the slots that feed it; modified in place."""
    start = np.uint64(step["map_start"])
    for index in range(np.uint64(step["map_end"]) - start):
        entry = start + index
        values[np.uint64(own.map_source[entry])] += values[np.uint64(own.map_target[entry])]


@inlined
def take_mean(number: np.uint64, own: PlayerLayout, policy: Float, values: Float, row_values: Float) -> None:
    """Write the policy's mean value of each row of a decision; row_values modified in place."""
    step = own.steps[number]
    rows, slot, first = np.uint64(step["rows"]), np.uint64(step["output"]), np.uint64(step["first_row"])
    for row in range(rows):
        row_values[first + row] = policy[slot + row] * values[slot + row]
    for _ in range(np.uint64(step["num_actions"]) - ONE):
        slot += rows
        for row in range(rows):
            row_values[first + row] += policy[slot + row] * values[slot + row]


@inlined
def take_best(number: np.uint64, own: PlayerLayout, policy: Float, values: Float, row_values: Float) -> None:
    """Write the best value of each row and the action that has it; policy, row_values modified in place."""
    step = own.steps[number]
    rows, output, first = np.uint64(step["rows"]), np.uint64(step["output"]), np.uint64(step["first_row"])
    num_actions = np.uint64(step["num_actions"])
    for row in range(rows):
        best = output + row
        legal = np.uint64(own.legal[first + row])
        slot = output + row
        for action in range(num_actions):
            policy[slot] = 0
            if action < legal and values[slot] > values[best]:
                best = slot
            slot += rows
        policy[best] = 1
        row_values[first + row] = values[best]


@inlined
def take_highest(number: np.uint64, own: PlayerLayout, values: Float, row_values: Float) -> None:
    """Write the best value of each row of a decision; row_values modified in place."""
    step = own.steps[number]
    rows, slot, first = np.uint64(step["rows"]), np.uint64(step["output"]), np.uint64(step["first_row"])
    for row in range(rows):
        row_values[first + row] = values[slot + row]
    for _ in range(np.uint64(step["num_actions"]) - ONE):
        slot += rows
        for row in range(rows):
            row_values[first + row] = max(row_values[first + row], values[slot + row])


@kernel
def pull_values(
    own: PlayerLayout, rule: int, leaf_values: Float, policy: Float, row_values: Float, values: Float
) -> None:
    """Fill the values of all slots bottom up; row_values, values (and for BEST, policy) modified in place."""
    for index in range(own.steps.size):
        pull_step(np.uint64(own.steps.size - 1 - index), own, rule, leaf_values, policy, row_values, values)


@inlined
def pull_step(
    number: np.uint64,
    own: PlayerLayout,
    rule: int,
    leaf_values: Float,
    policy: Float,
    row_values: Float,
    values: Float,
) -> None:
    """Fill the values of one step, everything below it being filled."""
    gather_values(number, own, leaf_values, row_values, values)
    if own.steps[number]["num_actions"] > 0:
        if rule == MEAN:
            take_mean(number, own, policy, values, row_values)
        elif rule == HIGHEST:
            take_highest(number, own, values, row_values)
        else:
            take_best(number, own, policy, values, row_values)
