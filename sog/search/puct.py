"""AlphaZero's search (Silver et al. 2018): a tree of positions, chosen by PUCT, valued by an evaluator.

The baseline beside GT-CFR, on the same store and with the same evaluators, for games without secrets. Each
simulation walks down by

    Q(s, a) + c(s) P(s, a) √N(s) / (1 + N(s, a))        c(s) = log((1 + N(s) + base) / base) + init

to a position that is new, which the evaluator is asked about; its answer is the position's prior, and its
value is counted all the way up. Several positions may share a call: walks that are not answered yet count as
lost, so that the next one goes elsewhere. What was found below the move that is played stays for the next
search.

Verified: tests/search/test_puct.py.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite

import numpy as np

from sog.core.arrays import F64, I64, Records
from sog.core.errors import InputError
from sog.core.rng import make_rng
from sog.games.base import NUM_PLAYERS, TERMINAL
from sog.public.evaluator import Batch, Evaluator
from sog.public.store import StateStore
from sog.search.puct_tree import (
    ANSWERS,
    CAPACITY,
    DONE,
    NONE,
    OPEN,
    ROOM,
    ROOT_NODE,
    Choice,
    PuctTree,
    absorb,
    allocate_tree,
    enlarge_tree,
    gather,
    keep_subtree,
    plant,
)


@dataclass(frozen=True)
class PuctSettings:
    """How to search."""

    simulations: int = 800
    batch: int = 1  # positions that share a call of the evaluator, at most
    exploration: float = 1.25  # c at the first visits
    exploration_base: float = 19652.0  # visits after which c grows
    first_value: float = 0.0  # of a move that was not tried, to its player, in units of the largest utility
    noise_share: float = 0.0  # of the root's prior that is noise; 0.25 in self-play
    noise_alpha: float = 0.3  # of Dirichlet's distribution: about 10 over the usual number of moves

    def __post_init__(self) -> None:
        for name, number in (("simulations", self.simulations), ("batch", self.batch)):
            if number < 1:
                raise InputError(f"puct: {name} must be 1 or more, not {number}")
        if not (isfinite(self.exploration) and self.exploration >= 0 and self.exploration_base > 0):
            raise InputError("puct: exploration must be 0 or more, and its base positive")
        if not (0 <= self.noise_share <= 1 and 0 < self.noise_alpha < inf):
            raise InputError("puct: the share of noise must be from 0 to 1, and its alpha positive")


@dataclass(frozen=True)
class PuctResult:
    """What a search found at its root. A actions, in the order of the legal ones."""

    visits: F64  # [A]
    values: F64  # [A] mean utility to the player to move; of the first value where a move was not tried
    value: float  # mean utility to the player to move
    variation: list[int]  # ordinals of the most visited moves, from the root on
    simulations: int
    queries: int
    seconds: float

    def policy(self, temperature: float = 1.0) -> F64:
        """Return how often to play each move: visits to the power 1/T; the most visited one if T is 0.

        >>> PuctResult(np.array([1.0, 3.0]), np.zeros(2), 0.0, [], 4, 4, 0.0).policy()
        array([0.25, 0.75])
        """
        if temperature == 0:
            weights = (np.arange(self.visits.size) == np.argmax(self.visits)).astype(np.float64)
        else:
            weights = (self.visits / max(1.0, self.visits.max())) ** (1 / temperature)
        total = weights.sum()
        return weights / total if total > 0 else np.full(weights.size, 1 / weights.size)


class Puct:
    """Runs searches on one store with one evaluator; each goes on from the last one, if it can."""

    def __init__(self, store: StateStore, evaluator: Evaluator, settings: PuctSettings) -> None:
        if not store.facts.hides_nothing:
            raise InputError("puct: searches only games in which nothing is hidden")
        self.store, self.evaluator, self.settings = store, evaluator, settings
        self._tree = allocate_tree(CAPACITY)
        self._choice = choice_of(settings)
        self._pending = np.zeros(settings.batch, np.uint32)
        self._queries = 0
        self._visits_before = 0  # of the root, when the present search began

    def search(self, node: int, seed: int, should_stop: Callable[[int], bool] | None = None) -> PuctResult:
        """Search from a node of the store; `should_stop` is asked after every answer of the evaluator."""
        started = time.perf_counter()
        if self.store.actor(node) >= NUM_PLAYERS:
            reason = "the game is over" if self.store.actor(node) == TERMINAL else "chance is to move"
            raise InputError(f"puct: {reason}, there is nothing to search")
        self._queries = 0
        self._plant(node)
        mix_noise(self._tree, self.settings, seed)
        self._visits_before = int(self._tree.nodes[ROOT_NODE]["visits"])
        target = np.uint64(self._visits_before + self.settings.simulations)
        while (wait := self._advance(target)) != DONE:
            if wait == ANSWERS:
                self._ask()
                if should_stop is not None and should_stop(self._simulations()):
                    break
        return self._read(time.perf_counter() - started)

    def look(self) -> PuctResult:
        """Return what was found so far, in the middle of a search (for `should_stop`)."""
        return self._read(0.0)

    def _read(self, seconds: float) -> PuctResult:
        return read_tree(self._tree, self.settings.first_value, self._simulations(), self._queries, seconds)

    def _simulations(self) -> int:
        """Return how many simulations of the present search are done."""
        return int(self._tree.nodes[ROOT_NODE]["visits"]) - self._visits_before

    def _plant(self, node: int) -> None:
        """Begin with what is known below the node, or with the node alone."""
        count = int(self._tree.counts[0])
        found = np.flatnonzero(self._tree.nodes["state"][:count] == node)
        if found.size and self._tree.nodes[found[0]]["kind"] == OPEN:
            kept = allocate_tree((len(self._tree.nodes), len(self._tree.edges)))
            keep_subtree(self._tree, np.uint64(found[0]), kept)
            self._tree = kept
            return
        while not plant(self.store.arrays(), self._tree, np.uint32(node)):
            self._tree = enlarge_tree(self._tree)
        self._pending[0] = ROOT_NODE
        self._tree.counts[2] = 1
        self._ask()

    def _advance(self, target: np.uint64) -> int:
        """Walk until answers are wanted or the search is done; answer all other wishes."""
        while True:
            wait, node = gather(self.store.arrays(), self._tree, self._choice, target, self._pending)
            if wait in (ANSWERS, DONE):
                return int(wait)
            if wait == ROOM:
                self._tree = enlarge_tree(self._tree)
            else:
                self.store.children(int(node))

    def _ask(self) -> None:
        """Have the evaluator answer about all positions that wait."""
        tree, count = self._tree, int(self._tree.counts[2])
        nodes = tree.nodes[self._pending[:count]]
        starts: I64 = np.arange(count + 1)
        prior_start = np.concatenate(([0], np.cumsum(nodes["num_edges"], dtype=np.int64)))
        batch = Batch(
            nodes=nodes["state"].astype(np.int32),
            start=(starts, starts),
            ranges=(np.ones(count), np.ones(count)),
            values=(np.zeros(count), np.zeros(count)),
            prior_start=prior_start,
            priors=np.repeat(1.0 / nodes["num_edges"], nodes["num_edges"]),
        )
        self.evaluator.evaluate(self.store, batch)
        absorb(self.store.arrays(), tree, self._pending, batch.values[0], batch.prior_start, batch.priors)
        self._queries += count


def choice_of(settings: PuctSettings) -> Choice:
    """Return how walks choose, for kernels."""
    return Choice(settings.exploration, settings.exploration_base, settings.first_value)


def mix_noise(tree: PuctTree, settings: PuctSettings, seed: int) -> None:
    """Mix noise into the root's prior; tree modified in place."""
    share = settings.noise_share
    if share > 0:
        priors = _edges_of(tree, ROOT_NODE)["prior"]
        noise = make_rng(seed).dirichlet(np.full(priors.size, settings.noise_alpha))
        priors[:] = (1 - share) * priors + share * noise


def read_tree(
    tree: PuctTree, first_value: float, simulations: int, queries: int, seconds: float
) -> PuctResult:
    """Return what a search has found at its tree's root."""
    root, edges = tree.nodes[ROOT_NODE], _edges_of(tree, ROOT_NODE)
    sign = 1.0 if root["actor"] == 0 else -1.0
    visits = edges["visits"].astype(np.float64)
    means = np.full(visits.size, first_value)
    np.divide(sign * edges["returns"], visits, out=means, where=visits > 0)
    value = sign * float(root["value"] + edges["returns"].sum()) / (1 + visits.sum())
    return PuctResult(visits, means, value, _variation(tree), simulations, queries, seconds)


def _edges_of(tree: PuctTree, node: int) -> Records:
    first, count = (int(tree.nodes[node][name]) for name in ("first_edge", "num_edges"))
    return tree.edges[first : first + count]


def _variation(tree: PuctTree) -> list[int]:
    moves: list[int] = []
    node = ROOT_NODE
    while node != NONE and tree.nodes[node]["kind"] == OPEN:
        edges = _edges_of(tree, node)
        best = int(np.argmax(edges["visits"]))
        if edges[best]["visits"] == 0:
            break
        moves.append(best)
        node = int(edges[best]["child"])
    return moves
