"""Exploitability of an agent that searches (Student of Games, "Results", first part).

A search depends on the searches before it, so a searching agent has no one policy. For a seed, every decision
state of the game is searched breadth first, each search continuing the same player's previous search on the
path; the policies found at the states they were made for are composed, and the composed policy's exact
exploitability is one sample. States of equal depth do not depend on each other and are searched side by side.

Verified: tests/evaluation/test_searching.py.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from sog.core.errors import InputError
from sog.games.base import NUM_PLAYERS, TERMINAL, AnyGame
from sog.games.holdem.spot import Spot
from sog.public.evaluator import Evaluator
from sog.public.holdem import HoldemView
from sog.public.payoffs import collect_payoffs
from sog.public.showdown import collect_holdem_payoffs
from sog.public.store import StateStore
from sog.public.tree import NO_PARENT, PublicTree, build_tree, grow_fully
from sog.search.gtcfr import Searcher, Task
from sog.search.resolving import next_task
from sog.search.result import SearchResult
from sog.search.settings import SearchSettings
from sog.solvers.evaluation import Evaluation, Profile

MAX_LANES = 64  # searched side by side at a time
_SEED_FACTORS = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9)
_MASK = 2**64 - 1


class Sample(NamedTuple):
    """The agent of one seed."""

    seed: int
    exploitability: float  # in utilities
    seconds: float
    queries: int  # of the evaluator


class SearchReport(NamedTuple):
    """How exploitable the agents of several seeds are."""

    search: str
    samples: list[Sample]

    def exploitabilities(self) -> list[float]:
        """Return every seed's, in utilities."""
        return [sample.exploitability for sample in self.samples]


class SearchEvaluation:
    """A game, or a hold'em spot, whose every decision can be searched.

    >>> from sog.games.registry import load
    >>> from sog.search.exact import ExactEvaluator
    >>> evaluation = SearchEvaluation(load("kuhn"))
    >>> exact = ExactEvaluator(iterations=50)
    >>> evaluation.sample(SearchSettings(simulations=100), exact, seed=1).exploitability < 0.05
    True
    """

    def __init__(self, game: AnyGame | Spot, tree: PublicTree[Any] | None = None) -> None:
        self.store = StateStore(game)
        if tree is None:
            tree = grow_fully(PublicTree(HoldemView(game))) if isinstance(game, Spot) else build_tree(game)
        layout, self.tree = tree.layout(), tree
        collect = collect_holdem_payoffs if isinstance(game, Spot) else collect_payoffs
        self.exact = Evaluation(tree, layout, collect(tree, layout, np.float64))
        node = 0
        while node < self.store.num_nodes:  # breadth first, as the tree: nodes have the same numbers
            if self.store.actor(node) != TERMINAL:
                self.store.children(node)
            node += 1
        actors = self.tree.actor.values
        self.decisions = np.flatnonzero(actors < NUM_PLAYERS).tolist()
        self._before = [self._decision_before(node) for node in range(self.tree.num_nodes)]
        if not self.decisions:
            raise InputError(f"{tree.view.name}: nobody ever has a choice")

    def report(
        self,
        settings: SearchSettings,
        evaluator: Evaluator | None,
        seeds: Sequence[int],
        on_seed: Callable[[], None] | None = None,
    ) -> SearchReport:
        """Return a sample for each seed; `on_seed` is called after each."""
        searcher = Searcher(self.store, evaluator, settings)
        samples = []
        for seed in seeds:
            samples.append(self._sample(searcher, seed))
            if on_seed is not None:
                on_seed()
        return SearchReport(settings.name, samples)

    def sample(self, settings: SearchSettings, evaluator: Evaluator | None, seed: int) -> Sample:
        """Return one seed's exploitability."""
        return self._sample(Searcher(self.store, evaluator, settings), seed)

    def policy(self, searcher: Searcher, seed: int) -> tuple[Profile, int]:
        """Return the composed policy of one seed, and how many queries it took."""
        policy = self.exact.uniform_policy()
        results: dict[int, SearchResult] = {}
        queries = 0
        depths = self.tree.depth.values[self.decisions]
        for depth in np.unique(depths):
            nodes = [node for node, at in zip(self.decisions, depths, strict=True) if at == depth]
            for start in range(0, len(nodes), MAX_LANES):
                chunk = nodes[start : start + MAX_LANES]
                tasks = [self._task(results, node, searcher.settings) for node in chunk]
                found = searcher.search_many(tasks, [_mix(seed, node) for node in chunk])
                for node, result in zip(chunk, found, strict=True):
                    results[node] = result
                    queries += result.statistics.queries
                    self._write(policy, node, result)
        return policy, queries

    def _sample(self, searcher: Searcher, seed: int) -> Sample:
        started = time.perf_counter()
        policy, queries = self.policy(searcher, seed)
        seconds = time.perf_counter() - started
        return Sample(seed, self.exact.exploitability(policy), seconds, queries)

    def _task(self, results: dict[int, SearchResult], node: int, settings: SearchSettings) -> Task:
        before = self._before[node]
        previous = None if before == NO_PARENT else results[before]
        return next_task(self.store, previous, node, int(self.tree.actor[node]), settings.is_safe)

    def _decision_before(self, node: int) -> int:
        """Return the last node above in which the same player decided."""
        above = int(self.tree.parent[node])
        while above != NO_PARENT and self.tree.actor[above] != self.tree.actor[node]:
            above = int(self.tree.parent[above])
        return above

    def _write(self, policy: Profile, node: int, result: SearchResult) -> None:
        """Take over what a search plays at its own state; policy modified in place."""
        player = int(self.tree.actor[node])
        steps, step = self.tree.steps[player], int(self.tree.decision_step[node])
        output = int(steps.output[step])
        policy[player][output : output + result.policy.size] = result.policy.ravel()


def _mix(seed: int, node: int) -> int:
    """Return the seed of one search: another one for every state."""
    return (seed * _SEED_FACTORS[0] + node * _SEED_FACTORS[1]) & _MASK
