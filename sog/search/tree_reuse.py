"""Going on with a tree: what lies below the state that was played becomes the next search's first tree.

Only where nothing is hidden, and every state has one infostate a player. Growth is played again in the order
in which it came, so that the new tree is made by the same functions as the old one; then every node gets what
the old one had learned: regrets, averages, the current policy, visits and the evaluator's answers. Regrets
and averages are multiplied by factors, so that they count for a share of their iterations. Values are
averaged anew.

Verified: tests/search/test_tree_reuse.py.
"""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, U32, Records
from sog.core.jit import ONE, ZERO, inlined, inner, kernel
from sog.games.base import NUM_PLAYERS
from sog.public.store_arrays import StoreArrays
from sog.search.appending import has_room, has_root_room
from sog.search.growth import add_action, expand, open_partial, plant_root
from sog.search.lanes import (
    ANSWER,
    ASKED,
    AVERAGE,
    CURRENT_LIST,
    GAIN,
    INTERIOR,
    NONE,
    POLICY,
    REGRET,
    SLOTS,
    STEPS,
    VALUES,
    VISITS,
    Index,
    Lanes,
)


class Tree(NamedTuple):
    """What a search grew. N nodes; of each player S slots, V leaf rows and K steps."""

    nodes: Records  # [N] TREE_NODE
    leaves: Records  # [P, N] LEAF
    steps: Records  # [P, K] STEP
    slots: F64  # [P, 4, S] regrets, gains, averages, policies
    visits: U32  # [P, S]
    answers: F64  # [P, 2, V] answers, and what they were about
    priors: F64  # [S]


class ReusableTree(NamedTuple):
    """What a search on a board leaves to the next one."""

    iterations: int  # played, and taken over
    tree: Tree

    def find(self, node: int) -> int | None:
        """Return the number in the tree of a node of the store, if it is there and has been decided upon."""
        nodes = self.tree.nodes
        found = np.flatnonzero((nodes["state"] == node) & (nodes["kind"] == INTERIOR))
        return int(found[0]) if found.size else None

    def visits(self, player: int, node: int) -> int:
        """Return how many simulations have gone on from a node of the store where a player acts."""
        found = self.find(node)
        if found is None:
            return 0
        step = self.tree.steps[player, int(self.tree.nodes["decision"][found])]
        slots = slice(int(step["output"]), int(step["output"]) + int(step["num_actions"]))
        return int(self.tree.visits[player, slots].sum())

    def age(self, node: int) -> int:
        """Return for how many iterations a node of the store has been decided upon; 0 if it was not."""
        found = self.find(node)
        return 0 if found is None else self.iterations - int(self.tree.nodes["expanded"][found])


_FIELDS = (REGRET, GAIN, AVERAGE, POLICY)


def keep_tree(lanes: Lanes, lane: Index) -> ReusableTree:
    """Copy a lane's tree, before its sums become averages."""
    num_nodes, num_priors = (int(lanes.lane[lane][name]) for name in ("num_nodes", "num_priors"))
    slots, values, steps = (int(lanes.counts[:, lane, count].max()) for count in (SLOTS, VALUES, STEPS))
    tree = Tree(
        nodes=lanes.nodes[lane, :num_nodes].copy(),
        leaves=lanes.leaves[:, lane, :num_nodes].copy(),
        steps=lanes.steps[:, lane, :steps].copy(),
        slots=lanes.slots[:, lane, _FIELDS, :slots].copy(),
        visits=lanes.marks[:, lane, VISITS, :slots].copy(),
        answers=lanes.leaf_rows[:, lane, (ANSWER, ASKED), :values].copy(),
        priors=lanes.priors[lane, :num_priors].copy(),
    )
    return ReusableTree(int(lanes.lane[lane]["iteration"]), tree)


@kernel
def reuse_tree(
    arrays: StoreArrays,
    tree: Tree,
    root: np.uint64,
    lanes: Lanes,
    lane: Index,
    factors: F64,
    moved: U32,
) -> bool:
    """Begin a lane's tree with what lies at and below a node of another; return False without room for it.

    factors: [2] of regrets and averages. moved: [N] work space. lanes modified in place.
    """
    root_state = np.uint64(tree.nodes[root]["state"])
    if not has_root_room(arrays, lanes, root_state):
        return False
    plant_root(arrays, lanes, lane, root_state)
    moved[:] = NONE
    moved[root] = 0
    _copy_answer(arrays, tree, root, lanes, lane, ZERO)
    for index in range(root + ONE, np.uint64(tree.nodes.size)):
        old = np.uint64(index)
        parent = np.uint64(tree.nodes[old]["parent"])
        if moved[parent] == NONE:
            continue
        if not has_room(arrays, lanes, lane, np.uint64(tree.nodes[parent]["state"])):
            return False
        moved[old] = _grow(arrays, tree, old, lanes, lane, np.uint64(moved[parent]))
        _copy_answer(arrays, tree, old, lanes, lane, np.uint64(moved[old]))
    for index in range(root, np.uint64(tree.nodes.size)):
        old = np.uint64(index)
        if moved[old] != NONE and tree.nodes[old]["kind"] == INTERIOR:
            _copy_decision(arrays, tree, old, lanes, lane, np.uint64(moved[old]), factors)
    lanes.lane[lane]["current"] = lanes.lists[lane, CURRENT_LIST, 0] = 0
    return True


@inlined
def _grow(
    arrays: StoreArrays,
    tree: Tree,
    old: np.uint64,
    lanes: Lanes,
    lane: Index,
    parent: np.uint64,
) -> np.uint32:
    """Add a node below its parent, if it is not there with its siblings already; return its number."""
    state, above = np.uint64(tree.nodes[old]["state"]), np.uint64(tree.nodes[old]["parent"])
    first = np.uint64(arrays.nodes[np.uint64(tree.nodes[above]["state"])]["first_child"])
    is_partial = tree.nodes[above]["is_partial"] > 0
    if lanes.nodes[lane, parent]["kind"] != INTERIOR:
        if is_partial:
            open_partial(arrays, lanes, lane, parent)
        else:
            is_prior_used = old == ZERO  # False, and no constant: those are compiled once more
            expand(arrays, lanes, lane, parent, np.int64(0), np.int64(0), is_prior_used, 0.0)
    if is_partial:
        add_action(arrays, lanes, lane, parent, state - first)
        return np.uint32(lanes.lane[lane]["num_nodes"] - ONE)
    last = np.uint64(lanes.nodes[lane, parent]["first_child"])  # siblings stand side by side
    last_state = np.uint64(lanes.nodes[lane, last]["state"])
    return np.uint32(last - (last_state - state))


@inner
def _copy_answer(
    arrays: StoreArrays, tree: Tree, old: np.uint64, lanes: Lanes, lane: Index, node: np.uint64
) -> None:
    """Give a node what the evaluator said of it."""
    source, record = tree.nodes[old], lanes.nodes[lane, node]
    record["is_answered"], record["is_primed"] = source["is_answered"], source["is_primed"]
    for player in range(NUM_PLAYERS):
        value = np.uint64(lanes.leaves[player, lane, node]["value"])
        there = np.uint64(tree.leaves[player, old]["value"])
        lanes.leaf_rows[player, lane, ANSWER, value] = tree.answers[player, 0, there]
        lanes.leaf_rows[player, lane, ASKED, value] = tree.answers[player, 1, there]
    if record["prior"] != NONE:
        prior, there = np.uint64(record["prior"]), np.uint64(source["prior"])
        for action in range(np.uint64(arrays.nodes[np.uint64(record["state"])]["num_actions"])):
            lanes.priors[lane, prior + action] = tree.priors[there + action]


@inner
def _copy_decision(
    arrays: StoreArrays, tree: Tree, old: np.uint64, lanes: Lanes, lane: Index, node: np.uint64, factors: F64
) -> None:
    """Give a decision what was learned there; a node without any (nobody acts) has none."""
    record = lanes.nodes[lane, node]
    actor = np.int64(arrays.nodes[np.uint64(record["state"])]["actor"])
    record["expanded"] = 0
    step = lanes.steps[actor, lane, np.uint64(record["decision"])]
    slot = np.uint64(step["output"])
    there = np.uint64(tree.steps[actor, np.uint64(tree.nodes[old]["decision"])]["output"])
    slots, learned = lanes.slots[actor, lane], tree.slots[actor]
    for action in range(np.uint64(step["num_actions"])):
        slots[REGRET, slot + action] = factors[0] * learned[0, there + action]
        slots[GAIN, slot + action] = factors[0] * learned[1, there + action]
        slots[AVERAGE, slot + action] = factors[1] * learned[2, there + action]
        slots[POLICY, slot + action] = learned[3, there + action]
        lanes.marks[actor, lane, VISITS, slot + action] = tree.visits[actor, there + action]
