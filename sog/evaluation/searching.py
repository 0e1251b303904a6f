"""Exploitability of an agent that searches (Student of Games, "Results", first part).

A search depends on the searches before it, so a searching agent has no one policy. For a seed, every decision
state of the game is searched breadth first, each search continuing the same player's previous search on the
path; the policies found at the states they were made for are composed, and the composed policy's exact
exploitability is one sample. States of equal depth do not depend on each other and are searched side by side.

Verified: tests/evaluation/test_searching.py.
"""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from sog.core.errors import InputError
from sog.games.base import NUM_PLAYERS
from sog.public.enumeration import Enumeration
from sog.public.evaluator import Evaluator
from sog.public.layout import NO_NODE
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
    """A game, wholly enumerated, whose every decision can be searched.

    >>> from sog.games.registry import load
    >>> from sog.public.enumeration import enumerate_game
    >>> from sog.search.exact import ExactEvaluator
    >>> evaluation = SearchEvaluation(enumerate_game(load("kuhn")))
    >>> exact = ExactEvaluator(iterations=50)
    >>> evaluation.sample(SearchSettings(simulations=100), exact, seed=1).exploitability < 0.05
    True
    """

    def __init__(self, whole: Enumeration) -> None:
        self.store, self.layout = whole
        self.exact = Evaluation(self.layout, whole.terminals())
        self.decisions = np.flatnonzero(self.layout.actor < NUM_PLAYERS).tolist()
        if not self.decisions:
            raise InputError(f"{self.store.facts.name}: no player ever has a choice")
        self._before = [self._decision_before(place) for place in range(self.layout.num_nodes)]

    def report(
        self,
        settings: SearchSettings,
        evaluator: Evaluator | None,
        seeds: Sequence[int],
        on_seed: Callable[[], None] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> SearchReport:
        """Return a sample for each seed; `on_seed` is called after each.

        `should_stop` is asked some times a second; the samples so far are returned if it says yes.
        """
        searcher = Searcher(self.store, evaluator, settings)
        samples: list[Sample] = []
        for seed in seeds:
            sample = self._sample(searcher, seed, should_stop)
            if sample is None:
                break
            samples.append(sample)
            if on_seed is not None:
                on_seed()
        return SearchReport(settings.name, samples)

    def sample(self, settings: SearchSettings, evaluator: Evaluator | None, seed: int) -> Sample:
        """Return one seed's exploitability."""
        sample = self._sample(Searcher(self.store, evaluator, settings), seed)
        assert sample is not None
        return sample

    def policy(
        self, searcher: Searcher, seed: int, should_stop: Callable[[], bool] | None = None
    ) -> tuple[Profile, int] | None:
        """Return the composed policy of one seed, and how many queries it took; None if it was stopped."""
        hears = None if should_stop is None else lambda simulations: should_stop()
        policy = self.exact.uniform_policy()
        results: dict[int, SearchResult] = {}
        queries = 0
        depths = self.layout.depth[self.decisions]
        for depth in np.unique(depths):
            places = [place for place, at in zip(self.decisions, depths, strict=True) if at == depth]
            for start in range(0, len(places), MAX_LANES):
                chunk = places[start : start + MAX_LANES]
                tasks = [self._task(results, place, searcher.settings) for place in chunk]
                seeds = [_mix(seed, place) for place in chunk]
                found = searcher.search_many(tasks, seeds, should_stop=hears)
                if should_stop is not None and should_stop():
                    return None
                for place, result in zip(chunk, found, strict=True):
                    results[place] = result
                    queries += result.statistics.queries
                    self._write(policy, place, result)
        return policy, queries

    def _sample(
        self, searcher: Searcher, seed: int, should_stop: Callable[[], bool] | None = None
    ) -> Sample | None:
        started = time.perf_counter()
        found = self.policy(searcher, seed, should_stop)
        if found is None:
            return None
        policy, queries = found
        seconds = time.perf_counter() - started
        return Sample(seed, self.exact.exploitability(policy), seconds, queries)

    def _task(self, results: dict[int, SearchResult], place: int, settings: SearchSettings) -> Task:
        before = self._before[place]
        previous = None if before == NO_NODE else results[before]
        node, player = int(self.layout.nodes[place]), int(self.layout.actor[place])
        return next_task(self.store, previous, node, player, settings.is_safe)

    def _decision_before(self, place: int) -> int:
        """Return the last place above in which the same player decided."""
        parent, actor = self.layout.parent, self.layout.actor
        above = int(parent[place])
        while above != NO_NODE and actor[above] != actor[place]:
            above = int(parent[above])
        return above

    def _write(self, policy: Profile, place: int, result: SearchResult) -> None:
        """Take over what a search plays at its own state; policy modified in place."""
        output, _ = self.layout.decision_slots(place)
        policy[int(self.layout.actor[place])][output : output + result.policy.size] = result.policy.ravel()


def _mix(seed: int, place: int) -> int:
    """Return the seed of one search: another one for every state."""
    return (seed * _SEED_FACTORS[0] + place * _SEED_FACTORS[1]) & _MASK
