"""Exploitability of ReBeL's agent: the policies of many playthroughs, averaged (Brown et al. 2020, table 2).

The agent solves a subgame, plays as in an iteration drawn at random, and solves the next one from that
iteration's beliefs. In one playthrough of the whole public tree every subgame is solved, from the top down,
and what is drawn in each makes one policy. The agent plays the mixture of all playthroughs; policies are
mixed as play is, each weighed by its own reach. The mixture's exploitability is convex, so the average of
some of them is exploitable at least as much in expectation: an upper bound that falls with their number.

Playthroughs go down the tree together, level by level. A subgame that neither player comes to in a
playthrough has no weight in its policies and is left out; one that several come to with the same beliefs and
the same iteration is solved once; and none is solved beyond its iteration. Iterations are drawn spread out,
which makes the average settle sooner.

Verified: tests/evaluation/test_rebel.py.
"""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F64
from sog.core.errors import InputError
from sog.core.rng import make_rng
from sog.evaluation.searching import SearchEvaluation
from sog.games.base import NUM_PLAYERS
from sog.public.enumeration import Enumeration
from sog.public.evaluator import Evaluator
from sog.search.gtcfr import Searcher, Task
from sog.search.iteration_snapshot import IterationSnapshot
from sog.search.rebel import RebelSettings, Subgame, first_subgame, open_subgames
from sog.solvers.evaluation import Profile
from sog.solvers.policies import average_policy
from sog.solvers.traversal import push_reach

MAX_LANES = 256  # subgames solved side by side
FIRST_GROUP, LARGEST_GROUP = 8, 128  # playthroughs that share them
_DECISIONS = 32_768  # of a group, about: progress is told after each
_SEEDS = 2**63


class RebelReport(NamedTuple):
    """How exploitable an agent is, at most."""

    search: str
    playthroughs: list[int]  # [K] how many were averaged
    exploitabilities: list[float]  # [K] in utilities
    subgames: int  # solved in all
    seconds: float


class RebelEvaluation:
    """A game, wholly enumerated, that can be played through.

    >>> from sog.games.registry import load
    >>> from sog.public.enumeration import enumerate_game
    >>> from sog.search.exact import ExactEvaluator
    >>> evaluation = RebelEvaluation(enumerate_game(load("kuhn")))
    >>> settings = RebelSettings(depth=2, iterations=64)
    >>> report = evaluation.report(settings, ExactEvaluator(iterations=50), 32, seed=1)
    >>> report.exploitabilities[-1] < 0.1
    True
    """

    def __init__(self, whole: Enumeration) -> None:
        self._whole = SearchEvaluation(whole)
        self._place = {int(node): place for place, node in enumerate(whole.layout.nodes)}

    def report(
        self,
        settings: RebelSettings,
        evaluator: Evaluator | None,
        playthroughs: int,
        seed: int,
        on_group: Callable[[int, float], bool] | None = None,
    ) -> RebelReport:
        """Average some playthroughs, group by group.

        `on_group` hears how many are done and how exploitable their average is, and says whether to stop.
        """
        if playthroughs < 1:
            raise InputError(f"rebel: playthroughs must be 1 or more, not {playthroughs}")
        started, exact = time.perf_counter(), self._whole.exact
        rng, searcher = make_rng(seed), Searcher(self._whole.store, evaluator, settings.search())
        players = exact.layout.players
        sums = [np.zeros(size) for size in exact.layout.num_slots]
        report = RebelReport(settings.name, [], [], 0, 0.0)
        largest = max(1, min(LARGEST_GROUP, _DECISIONS // len(self._whole.decisions)))
        done = subgames = 0
        while done < playthroughs:
            group = min(max(done, FIRST_GROUP), largest, playthroughs - done)
            reaches, solved = self._play(searcher, settings, group, rng)
            for reach in reaches:
                for player in range(NUM_PLAYERS):
                    sums[player] += reach[player]
            done, subgames = done + group, subgames + solved
            average = average_policy(players[0], sums[0]), average_policy(players[1], sums[1])
            report.playthroughs.append(done)
            report.exploitabilities.append(exact.exploitability(average))
            if on_group is not None and on_group(done, report.exploitabilities[-1]):
                break
        return report._replace(subgames=subgames, seconds=time.perf_counter() - started)

    def _play(
        self, searcher: Searcher, settings: RebelSettings, count: int, rng: np.random.Generator
    ) -> tuple[list[Profile], int]:
        """Return each player's reach in some playthroughs, and how many subgames were solved for them."""
        exact = self._whole.exact
        policies = [exact.uniform_policy() for _ in range(count)]
        reaches: list[Profile] = [(np.ones_like(first), np.ones_like(second)) for first, second in policies]
        waiting = [(index, first_subgame(searcher.store)) for index in range(count)]
        solved = 0
        while waiting:
            drawn = settings.find_iterations(_draw_evenly([subgame.node for _, subgame in waiting], rng))
            tasks = [
                subgame.task(number, stops_there=True)
                for (_, subgame), number in zip(waiting, drawn, strict=True)
            ]
            snapshots, fresh = _solve(searcher, tasks, rng)
            solved += fresh
            found: list[tuple[int, Subgame]] = []
            for (index, _), iteration in zip(waiting, snapshots, strict=True):
                self._write(policies[index], iteration)
                found += [(index, subgame) for subgame in open_subgames(iteration)]
            for policy, reach in zip(policies, reaches, strict=True):
                for player, own in enumerate(exact.layout.players):
                    push_reach(own, policy[player], reach[player])
            waiting = [
                (index, subgame) for index, subgame in found if self._comes(reaches[index], subgame.node)
            ]
        return reaches, solved

    def _comes(self, reach: Profile, node: int) -> bool:
        """Return whether either player comes to a node."""
        layout, place = self._whole.layout, self._place[node]
        for player in range(NUM_PLAYERS):
            slot = int(layout.slot[player][place])
            if reach[player][slot : slot + int(layout.size[player][place])].any():
                return True
        return False

    def _write(self, policy: Profile, snapshot: IterationSnapshot) -> None:
        """Take over what an iteration plays everywhere in its tree; policy modified in place."""
        layout = self._whole.layout
        for decision in snapshot.decisions():
            place = self._place[int(snapshot.nodes[decision]["state"])]
            player = int(layout.actor[place])
            choices, (output, _) = snapshot.choices(decision, player), layout.decision_slots(place)
            policy[player][output : output + choices.size] = choices.ravel()


def _draw_evenly(nodes: list[int], rng: np.random.Generator) -> F64:
    """Return a share for each place of a list of nodes, each uniform from 0 to 1, those of a node spread out.

    K playthroughs that come to a public state have one share in each K-th part, in random order: every
    playthrough by itself is drawn as it should be, and their average is closer to that of all.
    """
    shares, ranks = np.empty(len(nodes)), np.array(nodes)
    for node in np.unique(ranks):
        places = rng.permutation(np.flatnonzero(ranks == node))
        shares[places] = (np.arange(places.size) + rng.random(places.size)) / places.size
    return shares


def _solve(
    searcher: Searcher, tasks: list[Task], rng: np.random.Generator
) -> tuple[list[IterationSnapshot], int]:
    """Return the kept iteration of every task, and how many tasks there are without equals."""
    keys = [
        (task.root, task.snapshot_iteration, task.ranges[0].tobytes(), task.ranges[1].tobytes())
        for task in tasks
    ]
    unique = dict(zip(keys, tasks, strict=True))
    ordered = sorted(
        unique.items(), key=lambda item: item[1].snapshot_iteration
    )  # those side by side end together
    found: dict[Any, IterationSnapshot] = {}
    for start in range(0, len(ordered), MAX_LANES):
        chunk = ordered[start : start + MAX_LANES]
        results = searcher.search_many(
            [task for _, task in chunk], rng.integers(_SEEDS, size=len(chunk)).tolist()
        )
        for (key, _), result in zip(chunk, results, strict=True):
            assert result.snapshot is not None
            found[key] = result.snapshot
    return [found[key] for key in keys], len(ordered)
