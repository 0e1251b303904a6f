"""Many of AlphaZero's searches side by side, each in its own tree, all asking the evaluator in one batch.

A tree's search finds what it would find alone. Trees stay between searches: what was found below the move
that is played is where the next search of that tree goes on.

Verified: tests/search/test_puct_forest.py.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F64, I32, I64, U32, Records, num_bytes
from sog.core.errors import InputError
from sog.core.jit import ONE, ZERO, kernel
from sog.games.base import NUM_PLAYERS, TERMINAL
from sog.public.evaluator import Batch, Evaluator
from sog.public.store import StateStore
from sog.public.store_arrays import StoreArrays
from sog.search.puct import PuctResult, PuctSettings, choice_of, mix_noise, read_tree
from sog.search.puct_tree import (
    ANSWERS,
    DONE,
    EDGE,
    NUM_EDGES,
    NUM_NODES,
    NUM_PENDING,
    OPEN,
    POSITION,
    ROOM,
    ROOT_NODE,
    SUCCESSORS,
    Choice,
    PuctTree,
    absorb,
    allocate_tree,
    gather,
    keep_subtree,
    plant,
)

_CAPACITY = (256, 2048)  # nodes and edges of each tree at first


class Forest(NamedTuple):
    """G trees of equal room."""

    nodes: Records  # [G, N] POSITION
    edges: Records  # [G, E] EDGE
    counts: U32  # [G, 3]
    pending: U32  # [G, batch] nodes that wait for answers
    waits: U32  # [G] what each tree waits for
    wants: U32  # [G] node of the store whose children are wanted, where that is SUCCESSORS


def allocate_forest(trees: int, batch: int, capacity: tuple[int, int]) -> Forest:
    """Return empty trees with room for so many nodes and edges each."""
    return Forest(
        nodes=np.zeros((trees, capacity[0]), POSITION),
        edges=np.zeros((trees, capacity[1]), EDGE),
        counts=np.zeros((trees, 3), np.uint32),
        pending=np.zeros((trees, batch), np.uint32),
        waits=np.zeros(trees, np.uint32),
        wants=np.zeros(trees, np.uint32),
    )


class PuctForest:
    """Runs searches of many games in lockstep on one store with one evaluator."""

    def __init__(
        self, store: StateStore, evaluator: Evaluator, settings: PuctSettings, trees: int = 1
    ) -> None:
        if not store.facts.hides_nothing:
            raise InputError("puct: searches only games in which nothing is hidden")
        self.store, self.evaluator, self.settings = store, evaluator, settings
        self._choice = choice_of(settings)
        self._forest = allocate_forest(trees, settings.batch, _CAPACITY)
        self._spare = allocate_tree(_CAPACITY)
        self._queries = np.zeros(trees, np.int64)  # [G] of the present search
        self._visits_before = np.zeros(trees, np.uint32)  # [G] of the roots, when the present search began

    def search(
        self, roots: Sequence[int], seeds: Sequence[int], should_stop: Callable[[int], bool] | None = None
    ) -> list[PuctResult]:
        """Search from a node of the store in every tree.

        `should_stop` is asked after every answer of the evaluator; it hears of the simulations of all trees.
        """
        started = time.perf_counter()
        for root in roots:
            if self.store.actor(root) >= NUM_PLAYERS:
                reason = "the game is over" if self.store.actor(root) == TERMINAL else "chance is to move"
                raise InputError(f"puct: {reason}, there is nothing to search")
        self._queries[:] = 0
        wanted = np.array(roots, np.uint32)
        while not plant_all(self.store.arrays(), self._forest, wanted, self._spare):
            self._enlarge()
        self._ask()
        for number, seed in enumerate(seeds):
            mix_noise(self.tree(number), self.settings, seed)
        self._visits_before = self._forest.nodes["visits"][:, ROOT_NODE].copy()
        targets = self._visits_before + np.uint32(self.settings.simulations)
        while waits := gather_all(self.store.arrays(), self._forest, self._choice, targets):
            if waits & 1 << SUCCESSORS:
                self.store.expand(self._forest.wants[self._forest.waits == SUCCESSORS].tolist())
            if waits & 1 << ROOM:
                self._enlarge()
            if waits == 1 << ANSWERS:
                self._ask()
                if should_stop is not None and should_stop(int(self._simulations().sum())):
                    break
        return self.look((time.perf_counter() - started) / len(roots))

    @property
    def num_bytes(self) -> int:
        """What the trees take."""
        return num_bytes((self._forest, self._spare))

    def look(self, seconds: float = 0.0) -> list[PuctResult]:
        """Return what every tree has found so far; also in the middle of a search, for `should_stop`."""
        first_value, done = self.settings.first_value, self._simulations()
        return [
            read_tree(self.tree(number), first_value, int(done[number]), int(self._queries[number]), seconds)
            for number in range(len(done))
        ]

    def _simulations(self) -> U32:
        """Return how many simulations of the present search are done in each tree."""
        done: U32 = self._forest.nodes["visits"][:, ROOT_NODE] - self._visits_before
        return done

    def tree(self, number: int) -> PuctTree:
        """Return one of the trees."""
        forest = self._forest
        return PuctTree(forest.nodes[number], forest.edges[number], forest.counts[number])

    def state(self) -> dict[str, Any]:
        """Return all trees, as far as they are filled; they refer to the store."""
        forest = self._forest
        num_nodes, num_edges, _ = (int(size) for size in forest.counts.max(axis=0))
        return {
            "nodes": forest.nodes[:, :num_nodes].copy(),
            "edges": forest.edges[:, :num_edges].copy(),
            "counts": forest.counts.copy(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state, on a store that was expanded in the same order."""
        counts, nodes, edges = state["counts"], state["nodes"], state["edges"]
        while len(self._spare.nodes) < nodes.shape[1] or len(self._spare.edges) < edges.shape[1]:
            self._enlarge()
        self._forest.nodes[:, : nodes.shape[1]], self._forest.edges[:, : edges.shape[1]] = nodes, edges
        self._forest.counts[:] = counts

    def _enlarge(self) -> None:
        """Double the room of every tree."""
        old = self._forest
        trees, (num_nodes, num_edges) = len(old.counts), (len(self._spare.nodes), len(self._spare.edges))
        new = allocate_forest(trees, old.pending.shape[1], (2 * num_nodes, 2 * num_edges))
        new.nodes[:, :num_nodes], new.edges[:, :num_edges] = old.nodes, old.edges
        for ours, theirs in ((new.counts, old.counts), (new.pending, old.pending), (new.waits, old.waits)):
            ours[:] = theirs
        self._forest, self._spare = new, allocate_tree((2 * num_nodes, 2 * num_edges))

    def _ask(self) -> None:
        """Have the evaluator answer about all positions that wait, of all trees."""
        self._queries += self._forest.counts[:, NUM_PENDING]
        count = int(self._forest.counts[:, NUM_PENDING].sum())
        if count == 0:
            return
        nodes, prior_start = np.zeros(count, np.int32), np.zeros(count + 1, np.int64)
        write_batch(self._forest, nodes, prior_start)
        starts: I64 = np.arange(count + 1)
        sizes = np.diff(prior_start)
        batch = Batch(
            nodes=nodes,
            start=(starts, starts),
            ranges=(np.ones(count), np.ones(count)),
            values=(np.zeros(count), np.zeros(count)),
            prior_start=prior_start,
            priors=np.repeat(1.0 / sizes, sizes),
        )
        self.evaluator.evaluate(self.store, batch)
        absorb_all(self.store.arrays(), self._forest, batch.values[0], prior_start, batch.priors)


@kernel
def plant_all(arrays: StoreArrays, forest: Forest, roots: U32, spare: PuctTree) -> bool:
    """Begin every tree at its root, with what it knows below it; return False without room.

    New roots wait for answers. forest and spare modified in place.
    """
    for number in range(roots.size):
        tree = PuctTree(forest.nodes[number], forest.edges[number], forest.counts[number])
        place, count = ZERO, np.uint64(tree.counts[NUM_NODES])
        while place < count and tree.nodes[place]["state"] != roots[number]:
            place += ONE
        if place < count and tree.nodes[place]["kind"] == OPEN:
            keep_subtree(tree, place, spare)
            for index in range(np.uint64(spare.counts[NUM_NODES])):
                tree.nodes[index] = spare.nodes[index]
            for index in range(np.uint64(spare.counts[NUM_EDGES])):
                tree.edges[index] = spare.edges[index]
            tree.counts[NUM_NODES], tree.counts[NUM_EDGES] = spare.counts[NUM_NODES], spare.counts[NUM_EDGES]
        elif not (place < count and tree.counts[NUM_PENDING] > 0):  # a second try after more room
            if not plant(arrays, tree, roots[number]):
                return False
            forest.pending[number, 0] = ROOT_NODE
            tree.counts[NUM_PENDING] = 1
    return True


@kernel
def gather_all(arrays: StoreArrays, forest: Forest, how: Choice, targets: U32) -> int:
    """Walk in every tree until it waits for something; forest modified in place.

    Return what is waited for, a bit for each kind; 0 when all are done.
    """
    waits = 0
    for number in range(targets.size):
        tree = PuctTree(forest.nodes[number], forest.edges[number], forest.counts[number])
        wait, node = gather(arrays, tree, how, np.uint64(targets[number]), forest.pending[number])
        forest.waits[number], forest.wants[number] = wait, node
        if wait != DONE:
            waits |= 1 << wait
    return waits


@kernel
def write_batch(forest: Forest, nodes: I32, prior_start: I64) -> None:
    """Write which nodes of the store wait for answers [B], and where their priors begin [B + 1]."""
    query = ZERO
    for number in range(forest.counts.shape[0]):
        for index in range(np.uint64(forest.counts[number, NUM_PENDING])):
            record = forest.nodes[number, np.uint64(forest.pending[number, index])]
            nodes[query] = record["state"]
            prior_start[query + ONE] = prior_start[query] + np.int64(record["num_edges"])
            query += ONE


@kernel
def absorb_all(arrays: StoreArrays, forest: Forest, values: F64, prior_start: I64, priors: F64) -> None:
    """Take in all answers; forest modified in place."""
    query = 0
    for number in range(forest.counts.shape[0]):
        count = int(forest.counts[number, NUM_PENDING])
        tree = PuctTree(forest.nodes[number], forest.edges[number], forest.counts[number])
        absorb(arrays, tree, forest.pending[number], values[query:], prior_start[query:], priors)
        query += count
