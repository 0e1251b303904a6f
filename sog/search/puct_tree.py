"""The tree of AlphaZero's search in flat arrays, and the kernels that walk and grow it.

A node is a position that was reached; its edges, one for each legal action, stand side by side from the
moment it is added. Values are player 0's.

Verified: tests/search/test_puct.py.
"""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, I64, U32, Records
from sog.core.jit import ONE, ZERO, inlined, inner, kernel
from sog.games.base import TERMINAL
from sog.public.following import utility_of
from sog.public.store_arrays import StoreArrays

NONE = 0xFFFFFFFF
ROOT_NODE = 0
ASKED, OPEN, OVER = range(3)  # what a node is: waiting for its answer, with edges to choose from, terminal
DONE, ANSWERS, ROOM, SUCCESSORS = range(4)  # what the search waits for
NUM_NODES, NUM_EDGES, NUM_PENDING = range(3)  # what `counts` counts

_NONE = np.uint32(NONE)

POSITION = np.dtype(
    [
        ("state", "u4"),
        ("edge", "u4"),  # that leads here, NONE for the root
        ("first_edge", "u4"),
        ("num_edges", "u4"),
        ("actor", "u4"),
        ("kind", "u4"),
        ("visits", "u4"),
        ("losses", "u4"),  # walks through here that wait for an answer
        ("value", "f8"),  # as the evaluator or the rules told it
    ]
)
EDGE = np.dtype(
    [
        ("node", "u4"),  # it begins here
        ("child", "u4"),  # and ends here, NONE until it is walked
        ("visits", "u4"),
        ("losses", "u4"),
        ("prior", "f8"),
        ("returns", "f8"),  # sum of the values of all walks
    ]
)


class PuctTree(NamedTuple):
    """Everything found so far. N nodes, E edges, both with room to spare."""

    nodes: Records  # [N] POSITION
    edges: Records  # [E] EDGE
    counts: U32  # [3] nodes, edges, nodes that wait for answers


class Choice(NamedTuple):
    """How walks choose, as kernels see it."""

    exploration: float
    base: float
    first_value: float


def allocate_tree(capacity: tuple[int, int]) -> PuctTree:
    """Return an empty tree with room for so many nodes and edges."""
    return PuctTree(np.zeros(capacity[0], POSITION), np.zeros(capacity[1], EDGE), np.zeros(3, np.uint32))


@kernel
def plant(arrays: StoreArrays, tree: PuctTree, state: np.uint32) -> bool:
    """Begin anew with one node, which waits for its answer; return False without room for it."""
    tree.counts[:] = 0
    if np.uint64(arrays.nodes[np.uint64(state)]["num_actions"]) > np.uint64(tree.edges.size):
        return False
    _add_node(arrays, tree, np.uint64(state), _NONE)
    return True


@kernel
def gather(
    arrays: StoreArrays, tree: PuctTree, how: Choice, target: np.uint64, pending: U32
) -> tuple[int, np.uint64]:
    """Walk down until `pending` is full of new positions or the root has been visited `target` times.

    Return what is waited for, and the store's node whose children are wanted if it is SUCCESSORS. tree and
    pending [batch] modified in place.
    """
    while True:
        root = tree.nodes[ROOT_NODE]
        waiting = np.uint64(tree.counts[NUM_PENDING])
        if np.uint64(root["visits"]) + waiting >= target or waiting == np.uint64(pending.size):
            return (ANSWERS if waiting > ZERO else DONE), ZERO
        node, edge = _walk(tree, how)
        if edge != np.uint64(NONE):
            state = np.uint64(tree.nodes[node]["state"])
            if not arrays.nodes[state]["is_expanded"]:
                return SUCCESSORS, state
            ordinal = edge - np.uint64(tree.nodes[node]["first_edge"])
            child = np.uint64(arrays.nodes[state]["first_child"]) + ordinal
            if not _has_room(arrays, tree, child):
                return ROOM, ZERO
            node = _add_node(arrays, tree, child, np.uint32(edge))
            tree.edges[edge]["child"] = node
            if tree.nodes[node]["kind"] == ASKED:
                pending[waiting] = node
                tree.counts[NUM_PENDING] += np.uint32(1)
                _add_losses(tree, node)
                continue
        if tree.nodes[node]["kind"] == ASKED:
            return ANSWERS, ZERO  # a walk to a position that somebody waits for already
        _back_up(tree, node, tree.nodes[node]["value"])


@inlined
def _walk(tree: PuctTree, how: Choice) -> tuple[np.uint64, np.uint64]:
    """Return the node where a walk ends, and the edge on which it leaves the tree or NONE."""
    node = np.uint64(ROOT_NODE)
    while tree.nodes[node]["kind"] == OPEN:
        edge = _choose(tree, how, node)
        child = tree.edges[edge]["child"]
        if child == _NONE:
            return node, edge
        node = np.uint64(child)
    return node, np.uint64(NONE)


@inlined
def _choose(tree: PuctTree, how: Choice, node: np.uint64) -> np.uint64:
    """Return the edge with the largest bound, the first of equals."""
    record = tree.nodes[node]
    sign = 1.0 if record["actor"] == 0 else -1.0
    walks = float(record["visits"]) + float(record["losses"])
    width = (np.log((1.0 + walks + how.base) / how.base) + how.exploration) * np.sqrt(walks)
    first, best, chosen = np.uint64(record["first_edge"]), -np.inf, ZERO
    for index in range(np.uint64(record["num_edges"])):
        edge = tree.edges[first + index]
        lost = float(edge["losses"])
        count, value = float(edge["visits"]) + lost, how.first_value
        if count > 0.0:
            value = (sign * edge["returns"] - lost) / count
        bound = value + width * edge["prior"] / (1.0 + count)
        if bound > best:
            best, chosen = bound, first + index
    return chosen


@inlined
def _has_room(arrays: StoreArrays, tree: PuctTree, state: np.uint64) -> bool:
    edges = np.uint64(tree.counts[NUM_EDGES]) + np.uint64(arrays.nodes[state]["num_actions"])
    is_enough = np.uint64(tree.counts[NUM_NODES]) < np.uint64(tree.nodes.size)
    return bool(is_enough and edges <= np.uint64(tree.edges.size))


@inner
def _add_node(arrays: StoreArrays, tree: PuctTree, state: np.uint64, edge: np.uint32) -> np.uint64:
    """Append a node with its edges; return its number."""
    state_node, number = arrays.nodes[state], np.uint64(tree.counts[NUM_NODES])
    record, first = tree.nodes[number], np.uint64(tree.counts[NUM_EDGES])
    record["state"], record["edge"], record["actor"] = state, edge, state_node["actor"]
    record["first_edge"], record["num_edges"] = first, state_node["num_actions"]
    record["visits"], record["losses"], record["value"], record["kind"] = 0, 0, 0.0, ASKED
    if state_node["actor"] == TERMINAL:
        record["value"] = utility_of(arrays, state, ZERO, ZERO)
        record["kind"], record["num_edges"] = OVER, 0
    for index in range(np.uint64(record["num_edges"])):
        added = tree.edges[first + index]
        added["node"], added["child"], added["visits"], added["losses"] = number, NONE, 0, 0
        added["prior"] = added["returns"] = 0.0
    tree.counts[NUM_NODES] = number + ONE
    tree.counts[NUM_EDGES] = first + np.uint64(record["num_edges"])
    return number


@inlined
def _add_losses(tree: PuctTree, node: np.uint64) -> None:
    """Count a walk as lost until its answer comes."""
    edge = tree.nodes[node]["edge"]
    while edge != _NONE:
        tree.edges[np.uint64(edge)]["losses"] += np.uint32(1)
        parent = np.uint64(tree.edges[np.uint64(edge)]["node"])
        tree.nodes[parent]["losses"] += np.uint32(1)
        edge = tree.nodes[parent]["edge"]


@inlined
def _back_up(tree: PuctTree, node: np.uint64, value: float) -> None:
    """Count a value on the whole way to a node."""
    tree.nodes[node]["visits"] += np.uint32(1)
    edge = tree.nodes[node]["edge"]
    while edge != _NONE:
        record = tree.edges[np.uint64(edge)]
        record["visits"] += np.uint32(1)
        record["returns"] += value
        parent = np.uint64(record["node"])
        tree.nodes[parent]["visits"] += np.uint32(1)
        edge = tree.nodes[parent]["edge"]


@kernel
def absorb(
    arrays: StoreArrays, tree: PuctTree, pending: U32, values: F64, prior_start: I64, priors: F64
) -> None:
    """Take in the answers about all positions that wait; tree modified in place."""
    for query in range(np.uint64(tree.counts[NUM_PENDING])):
        node = np.uint64(pending[query])
        record = tree.nodes[node]
        first, start = np.uint64(record["first_edge"]), np.uint64(prior_start[query])
        for index in range(np.uint64(record["num_edges"])):
            tree.edges[first + index]["prior"] = priors[start + index]
        record["value"] = values[query] * arrays.nodes[np.uint64(record["state"])]["value_scale"]
        record["kind"] = OPEN
        edge = record["edge"]
        while edge != _NONE:
            tree.edges[np.uint64(edge)]["losses"] -= np.uint32(1)
            parent = np.uint64(tree.edges[np.uint64(edge)]["node"])
            tree.nodes[parent]["losses"] -= np.uint32(1)
            edge = tree.nodes[parent]["edge"]
        _back_up(tree, node, record["value"])
    tree.counts[NUM_PENDING] = 0


@kernel
def keep_subtree(tree: PuctTree, root: np.uint64, kept: PuctTree) -> None:
    """Copy what lies at and below a node into an empty tree; kept modified in place.

    While nodes are copied, `first_edge` of those that wait for their turn still points into the old tree.
    """
    kept.nodes[ZERO] = tree.nodes[root]
    kept.nodes[ZERO]["edge"] = NONE
    num_nodes, num_edges, turn = ONE, ZERO, ZERO
    while turn < num_nodes:
        record = kept.nodes[turn]
        old = np.uint64(record["first_edge"])
        record["first_edge"] = num_edges
        for index in range(np.uint64(record["num_edges"])):
            kept.edges[num_edges] = tree.edges[old + index]
            kept.edges[num_edges]["node"] = turn
            child = kept.edges[num_edges]["child"]
            if child != _NONE:
                kept.nodes[num_nodes] = tree.nodes[np.uint64(child)]
                kept.nodes[num_nodes]["edge"] = num_edges
                kept.edges[num_edges]["child"] = num_nodes
                num_nodes += ONE
            num_edges += ONE
        turn += ONE
    kept.counts[NUM_NODES], kept.counts[NUM_EDGES] = num_nodes, num_edges
