"""Exploitability of ReBeL's agents (Brown et al. 2020, table 2): the average policy of many playthroughs.

An agent that plays iterations drawn at random has no one policy either. A **playthrough** goes through the
whole public tree: every subgame is solved, an iteration is drawn, everybody plays as in it down to the
leaves, and the beliefs there begin the next subgames. The policies of many playthroughs are averaged as if
one of them was drawn before play. The agent is the average of all there are, so the average of some of them
is exploitable at least as much in expectation: an upper bound that falls with their number.

Verified: tests/evaluation/test_rebel.py.
"""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sog.core.errors import InputError
from sog.core.rng import make_rng
from sog.evaluation.searching import SearchEvaluation
from sog.games.base import AnyGame
from sog.public.evaluator import Evaluator
from sog.public.tree import PublicTree
from sog.search.gtcfr import Searcher
from sog.search.kept import Kept
from sog.search.rebel import RebelSettings, Subgame, first_subgame, open_subgames
from sog.solvers.evaluation import Profile
from sog.solvers.policies import average_policy
from sog.solvers.traversal import push_reach

MAX_LANES = 128  # subgames solved side by side
TOGETHER = 16  # playthroughs that share them
_SEEDS = 2**63


class RebelReport(NamedTuple):
    """How exploitable an agent is, at most."""

    search: str
    playthroughs: list[int]  # [K] how many were averaged
    exploitabilities: list[float]  # [K] in utilities
    subgames: int  # solved in all
    seconds: float


class RebelEvaluation:
    """A game whose whole public tree can be played through.

    >>> from sog.games.registry import load
    >>> from sog.search.exact import ExactEvaluator
    >>> settings = RebelSettings(depth=2, iterations=64)
    >>> report = RebelEvaluation(load("kuhn")).report(settings, ExactEvaluator(iterations=50), 32, seed=1)
    >>> report.exploitabilities[-1] < 0.1
    True
    """

    def __init__(self, game: AnyGame, tree: PublicTree[Any] | None = None) -> None:
        self._whole = SearchEvaluation(game, tree)

    def report(
        self,
        settings: RebelSettings,
        evaluator: Evaluator | None,
        playthroughs: int,
        seed: int,
        on_group: Callable[[int], None] | None = None,
    ) -> RebelReport:
        """Average some playthroughs; `on_group` is called with the number of those that are done."""
        if playthroughs < 1:
            raise InputError(f"rebel: playthroughs must be 1 or more, not {playthroughs}")
        started, exact = time.perf_counter(), self._whole.exact
        rng, searcher = make_rng(seed), Searcher(self._whole.atlas, evaluator, settings.search())
        players = exact.layout.players
        sums = [np.zeros(size) for size in exact.layout.num_slots]
        report = RebelReport(settings.name, [], [], 0, 0.0)
        done = subgames = 0
        while done < playthroughs:
            policies, solved = self._play(searcher, settings, min(TOGETHER, playthroughs - done), rng)
            for policy in policies:
                for player, own in enumerate(players):
                    reach = np.ones_like(sums[player])
                    push_reach(own, policy[player], reach)
                    sums[player] += reach
            done, subgames = done + len(policies), subgames + solved
            average = average_policy(players[0], sums[0]), average_policy(players[1], sums[1])
            report.playthroughs.append(done)
            report.exploitabilities.append(exact.exploitability(average))
            if on_group is not None:
                on_group(done)
        return report._replace(subgames=subgames, seconds=time.perf_counter() - started)

    def _play(
        self, searcher: Searcher, settings: RebelSettings, count: int, rng: np.random.Generator
    ) -> tuple[list[Profile], int]:
        """Return the policies of some playthroughs, and how many subgames were solved for them."""
        policies = [self._whole.exact.uniform_policy() for _ in range(count)]
        first = first_subgame(searcher.atlas)
        waiting = [(policy, first) for policy in policies]
        solved = 0
        while waiting:
            chunk, waiting = waiting[-MAX_LANES:], waiting[:-MAX_LANES]
            iterations = settings.draw_iterations(len(chunk), rng)
            tasks = [subgame.task(kept) for (_, subgame), kept in zip(chunk, iterations, strict=True)]
            results = searcher.search_many(tasks, rng.integers(_SEEDS, size=len(chunk)).tolist())
            solved += len(chunk)
            found: list[tuple[Profile, Subgame]] = []
            for (policy, _), result in zip(chunk, results, strict=True):
                assert result.kept is not None
                self._write(policy, result.kept)
                found += [(policy, subgame) for subgame in open_subgames(result.kept)]
            waiting += found
        return policies, solved

    def _write(self, policy: Profile, kept: Kept) -> None:
        """Take over what an iteration plays everywhere in its tree; policy modified in place."""
        tree = self._whole.tree
        for place in kept.decisions():
            node = int(kept.nodes[place]["atlas"])
            player = int(tree.actor[node])
            choices = kept.choices(place, player)
            output = int(tree.steps[player].output[int(tree.decision_step[node])])
            policy[player][output : output + choices.size] = choices.ravel()
