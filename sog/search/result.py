"""What a search has found: at every public state of its tree the average ranges and counterfactual values.

Averages are over the iterations since a state came into the tree. The values of a state are those it had as a
leaf, plus, since it was expanded, the acting player's own mean values, or the sum of its children's for
somebody who does not act there.

Verified: tests/search/test_result.py.
"""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, I32, I64, U32, Bools, Records
from sog.core.jit import inlined, inner, kernel
from sog.games.base import NUM_PLAYERS
from sog.public.store_arrays import StoreArrays
from sog.search.iteration_snapshot import IterationSnapshot, read_snapshot
from sog.search.lanes import (
    ANSWER,
    INTERIOR,
    LEAF_SUM,
    NONE,
    ORDINAL,
    POLICY,
    REACH,
    ROW_SUM,
    SNAPSHOT_POLICY,
    SNAPSHOT_REACH,
    VALUES,
    VISITS,
    Index,
    Lanes,
    player_tree,
)
from sog.search.settings import SearchSettings
from sog.search.tree_reuse import ReusableTree
from sog.solvers.policies import normalise
from sog.solvers.traversal import push_reach


class Summary(NamedTuple):
    """What a later search must know of a public state."""

    ranges: tuple[F64, F64]  # [P][H] average reach
    values: tuple[F64, F64]  # [P][H] average counterfactual values


class Statistics(NamedTuple):
    """How much a search has done."""

    nodes: int
    depth: int  # of the deepest node below the current state
    updates: int
    queries: int
    seconds: float  # of all searches that ran together, divided by their number


class Queries(NamedTuple):
    """Belief states that an evaluator was asked about; all of them, or some that were picked at random."""

    nodes: I32  # [Q] of the store
    start: tuple[I64, I64]  # [P][Q + 1]
    ranges: tuple[F64, F64]  # [P][infostates]


class SearchResult(NamedTuple):
    """A finished search. N nodes of its tree, the root first."""

    current: int  # node of the store
    policy: F64  # [A, H] average policy of the player who acts at the current state, its threshold applied
    visits: U32  # [A, H] simulations that went through there
    states: U32  # [N]
    has_values: Bools  # [N] whether the node was there for an iteration at least
    leaves: tuple[Records, Records]  # [P][N] LEAF: `value` points into the two below
    ranges: tuple[F64, F64]
    values: tuple[F64, F64]
    statistics: Statistics
    queries: Queries | None
    reusable: ReusableTree | None = None  # the tree, kept for the next search to go on with
    snapshot: IterationSnapshot | None = None  # of the iteration that the task named
    averages: IterationSnapshot | None = None  # of all decisions, where their priors are of use

    def find(self, state: int) -> int | None:
        """Return the number in this tree of a node of the store, if it is there with values."""
        found = np.flatnonzero((self.states == state) & self.has_values)
        return int(found[0]) if found.size else None

    def summary(self, node: int) -> Summary:
        """Return the summary of a node of this tree."""
        ranges, values = [], []
        for player in range(NUM_PLAYERS):
            leaf = self.leaves[player][node]
            rows = slice(int(leaf["value"]), int(leaf["value"]) + int(leaf["rows"]))
            ranges.append(self.ranges[player][rows])
            values.append(self.values[player][rows])
        return Summary((ranges[0], ranges[1]), (values[0], values[1]))


@kernel
def summarise(arrays: StoreArrays, lanes: Lanes, count: int, is_reach_free: bool) -> None:
    """Turn the sums of the first lanes, which are finished, into averages; lanes modified in place.

    is_reach_free: every node has summed its own values, as if the game began there.
    """
    for lane in range(count):
        _summarise(arrays, lanes, lane, is_reach_free)


@inner
def _summarise(arrays: StoreArrays, lanes: Lanes, lane: Index, is_reach_free: bool) -> None:
    """Turn a finished lane's sums into averages; lanes modified in place.

    `policy` becomes the average policy, `answers` every node's ranges, `leaf_sums` every node's values.
    """
    weight = lanes.lane[lane]["weight"]
    for player in range(NUM_PLAYERS):
        mine = player_tree(lanes, player, lane)
        normalise(mine.layout, mine.average, mine.policy)
        for row in range(np.uint64(mine.layout.steps[0]["rows"])):
            mine.reach[row] = mine.average[row] / weight if weight > 0 else 1.0
        push_reach(mine.layout, mine.policy, mine.reach)
        num_nodes = np.uint64(lanes.lane[lane]["num_nodes"])
        for index in range(num_nodes):
            node = num_nodes - np.uint64(1) - np.uint64(index)
            if not is_reach_free:
                _hand_up(arrays, lanes, player, lane, node)
            _finish_node(lanes, player, lane, node, weight)


@inlined
def _finish_node(lanes: Lanes, player: Index, lane: Index, node: np.uint64, weight: float) -> None:
    """Divide a node's sums by the weight of its iterations."""
    leaf, share = lanes.leaves[player, lane, node], weight - lanes.nodes[lane, node]["entered"]
    first, slot = np.uint64(leaf["value"]), np.uint64(leaf["slot"])
    sums, ranges = lanes.leaf_rows[player, lane, LEAF_SUM], lanes.leaf_rows[player, lane, ANSWER]
    for row in range(np.uint64(leaf["rows"])):
        ranges[first + row] = lanes.slots[player, lane, REACH, slot + row]
        sums[first + row] = sums[first + row] / share if share > 0 else 0.0


@inlined
def _hand_up(arrays: StoreArrays, lanes: Lanes, player: Index, lane: Index, node: np.uint64) -> None:
    """Complete a node's sums, and add them to its parent's, unless the player chooses there."""
    record, leaf = lanes.nodes[lane, node], lanes.leaves[player, lane, node]
    state, sums = np.uint64(record["state"]), lanes.leaf_rows[player, lane, LEAF_SUM]
    first, rows = np.uint64(leaf["value"]), np.uint64(leaf["rows"])
    if record["kind"] == INTERIOR and arrays.nodes[state]["actor"] == player:
        decision = np.uint64(lanes.steps[player, lane, np.uint64(record["decision"])]["first_row"])
        for row in range(rows):
            sums[first + row] += lanes.slots[player, lane, ROW_SUM, decision + row]
    if record["parent"] == NONE:
        return
    parent = np.uint64(record["parent"])
    if arrays.nodes[np.uint64(lanes.nodes[lane, parent]["state"])]["actor"] == player:
        return
    to = np.uint64(lanes.leaves[player, lane, parent]["value"])
    place = arrays.places[player][state]
    if place["is_mapped"]:
        start = np.uint64(place["map_start"])
        for index in range(np.uint64(place["map_end"]) - start):
            source = np.uint64(arrays.map_source[start + index])
            sums[to + source] += sums[first + np.uint64(arrays.map_target[start + index])]
    else:
        start = np.uint64(place["start"])
        for row in range(rows):
            sums[to + start + row] += sums[first + row]


def read_result(
    arrays: StoreArrays,
    lanes: Lanes,
    lane: Index,
    seconds: float,
    settings: SearchSettings,
    queries: Queries | None = None,
    reusable: ReusableTree | None = None,
) -> SearchResult:
    """Copy a summarised lane."""
    record = lanes.lane[lane]
    num_nodes, current = int(record["num_nodes"]), int(record["current"])
    nodes = lanes.nodes[lane, :num_nodes]
    ends = lanes.counts[:, lane, VALUES]
    policy, visits = _choices(arrays, lanes, lane, current)
    has_snapshot = 0 < record["snapshot_iteration"] <= record["iteration"]
    return SearchResult(
        current=int(nodes["state"][current]),
        policy=drop_unlikely(policy, settings.threshold),
        visits=visits,
        states=nodes["state"].copy(),
        has_values=nodes["entered"] < record["weight"],
        leaves=(lanes.leaves[0, lane, :num_nodes].copy(), lanes.leaves[1, lane, :num_nodes].copy()),
        ranges=(
            lanes.leaf_rows[0, lane, ANSWER, : ends[0]].copy(),
            lanes.leaf_rows[1, lane, ANSWER, : ends[1]].copy(),
        ),
        values=(
            lanes.leaf_rows[0, lane, LEAF_SUM, : ends[0]].copy(),
            lanes.leaf_rows[1, lane, LEAF_SUM, : ends[1]].copy(),
        ),
        statistics=Statistics(
            nodes=num_nodes,
            depth=int(record["deepest"]) - int(nodes["depth"][current]),
            updates=int(record["iteration"]) - int(record["first_iteration"]),
            queries=int(record["num_queries"]),
            seconds=seconds,
        ),
        queries=queries,
        reusable=reusable,
        snapshot=read_snapshot(lanes, lane, SNAPSHOT_POLICY, SNAPSHOT_REACH) if has_snapshot else None,
        averages=read_snapshot(lanes, lane, POLICY, REACH) if settings.prior_iterations > 0 else None,
    )


def drop_unlikely(policy: F64, threshold: float) -> F64:
    """Return a policy [A, H] without the moves that are less likely than a share of an infostate's likeliest.

    What is left keeps its proportions (thresholding: Ganzfried, Sandholm and Waugh, 2012).

    >>> drop_unlikely(np.array([[0.6], [0.3], [0.1]]), 0.5)[:, 0].round(3).tolist()
    [0.667, 0.333, 0.0]
    """
    if threshold == 0 or policy.size == 0:
        return policy
    kept = np.where(policy >= threshold * policy.max(axis=0), policy, 0.0)
    shares: F64 = kept / kept.sum(axis=0)
    return shares


def _choices(arrays: StoreArrays, lanes: Lanes, lane: Index, node: int) -> tuple[F64, U32]:
    """Return the policy [A, H] and the visits [A, H] of whoever acts at an expanded node."""
    actor = int(arrays.nodes[lanes.nodes[lane, node]["state"]]["actor"])
    if actor >= NUM_PLAYERS:
        return np.zeros((0, 0)), np.zeros((0, 0), np.uint32)
    step = lanes.steps[actor, lane, lanes.nodes[lane, node]["decision"]]
    shape = int(arrays.nodes[lanes.nodes[lane, node]["state"]]["num_actions"]), int(step["rows"])
    slots = slice(int(step["output"]), int(step["output"]) + shape[0] * shape[1])
    policy = lanes.slots[actor, lane, POLICY, slots].copy()
    visits = lanes.marks[actor, lane, VISITS, slots].copy()
    if lanes.nodes[lane, node]["is_partial"]:  # slots are in the order in which actions were added
        ordinals = lanes.marks[actor, lane, ORDINAL, slots]
        is_there = ordinals != NONE
        places = ordinals[is_there].astype(np.int64)
        policy, visits = np.zeros_like(policy), np.zeros_like(visits)
        policy[is_there] = lanes.slots[actor, lane, POLICY, slots][places]
        visits[is_there] = lanes.marks[actor, lane, VISITS, slots][places]
    return policy.reshape(shape), visits.reshape(shape)
