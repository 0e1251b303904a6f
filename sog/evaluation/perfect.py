"""Exploitability of ReBeL's agent where nothing is hidden: everything that an opponent can do is tried.

A policy is wanted at the public states that its player comes to, whatever the opponent does, and nowhere
else; the rest of the game is never looked at. So games can be measured whose whole tree is large:
tic-tac-toe's has half a million histories, of which an agent that plays one move everywhere meets some
thousands. The policies of playthroughs are averaged as in `sog.evaluation.rebel`; the best answer to the
average is found by going through it.

Verified: tests/evaluation/test_perfect.py.
"""

import time
from collections.abc import Callable

import numpy as np

from sog.core.arrays import F64
from sog.core.errors import InputError
from sog.core.rng import make_rng
from sog.evaluation.rebel import MAX_LANES, RebelReport
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL
from sog.public.evaluator import Evaluator
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Searcher
from sog.search.iteration_snapshot import IterationSnapshot
from sog.search.rebel import RebelSettings, first_subgame, open_subgames

_SEEDS = 2**63
_Reach = dict[int, tuple[float, float]]  # of either player, by node


class TooManyStatesError(InputError):
    """A game in which an opponent can do too much."""


class PerfectEvaluation:
    """A game of perfect information.

    >>> from sog.games.registry import load
    >>> from sog.public.opening import open_store
    >>> evaluation = PerfectEvaluation(open_store(load("openspiel:nim(pile_sizes=1;2;2)")))
    >>> settings = RebelSettings(depth=1, iterations=1)
    >>> evaluation.report(settings, None, 1, seed=0).exploitabilities[0] > 0
    True
    """

    def __init__(self, store: StateStore, max_states: int = 250_000) -> None:
        self._store, self._max_states = store, max_states
        self._rng = make_rng(0)  # nothing is drawn: both players have one infostate

    def report(
        self,
        settings: RebelSettings,
        evaluator: Evaluator | None,
        playthroughs: int,
        seed: int,
        on_group: Callable[[int, float], bool] | None = None,
    ) -> RebelReport:
        """Average some playthroughs, one by one; `on_group` hears of each, and says whether to stop."""
        started, rng = time.perf_counter(), make_rng(seed)
        searcher = Searcher(self._store, evaluator, settings.search())
        sums: dict[int, F64] = {}  # [A] by node: reach of the player who acts there, over all playthroughs
        report = RebelReport(settings.name, [], [], 0, 0.0)
        subgames = 0
        for done in range(1, playthroughs + 1):
            subgames += self._play(searcher, settings, sums, rng)
            answers = [self._best_answer(ROOT, player, sums) for player in range(NUM_PLAYERS)]
            report.playthroughs.append(done)
            report.exploitabilities.append(sum(answers) / 2)
            if on_group is not None and on_group(done, report.exploitabilities[-1]):
                break
        return report._replace(subgames=subgames, seconds=time.perf_counter() - started)

    def _play(
        self,
        searcher: Searcher,
        settings: RebelSettings,
        sums: dict[int, F64],
        rng: np.random.Generator,
    ) -> int:
        """Play through once; return how many subgames were solved. sums modified in place."""
        first = first_subgame(self._store)
        waiting, solved = [first], 0
        reach: _Reach = {first.node: (1.0, 1.0)}
        while waiting:
            chunk, waiting = waiting[-MAX_LANES:], waiting[:-MAX_LANES]
            drawn = settings.draw_iterations(len(chunk), rng)
            tasks = [
                subgame.task(number, stops_there=True) for subgame, number in zip(chunk, drawn, strict=True)
            ]
            for result in searcher.search_many(tasks, rng.integers(_SEEDS, size=len(chunk)).tolist()):
                assert result.snapshot is not None
                self._follow(result.snapshot, reach, sums)
                waiting += [each for each in open_subgames(result.snapshot) if any(reach[each.node])]
            solved += len(chunk)
            if self._store.num_nodes > self._max_states:
                size = f"{self._max_states:,} public states"
                raise TooManyStatesError(f"{self._store.facts.name}: opponents can come to more than {size}")
        return solved

    def _follow(self, snapshot: IterationSnapshot, reach: _Reach, sums: dict[int, F64]) -> None:
        """Go through a subgame's tree, parents first; reach and sums modified in place."""
        store = self._store
        for place in range(snapshot.nodes.size):
            if not snapshot.is_interior(place):
                continue
            node = int(snapshot.nodes[place]["state"])
            own, actor = reach[node], store.actor(node)
            if actor == CHANCE:
                reach.update((child, own) for child in store.children(node))
                continue
            policy = snapshot.choices(place, actor)[:, 0]
            sums[node] = sums.get(node, np.zeros(policy.size)) + own[actor] * policy
            for action, share in enumerate(policy.tolist()):
                after = (own[0] * share, own[1]) if actor == 0 else (own[0], own[1] * share)
                reach[self._after(node, action)] = after

    def _best_answer(self, node: int, player: int, sums: dict[int, F64]) -> float:
        """Return what a player gets at most against the averages of the other, from a node on."""
        store, actor = self._store, self._store.actor(node)
        if actor == TERMINAL:
            return store.utility(node, (0, 0)) * (1 if player == 0 else -1)
        if actor == CHANCE:
            children = list(store.all_children(node))
            weights = np.array([store.joint_weights(child)[0, 0] for child in children])
        else:
            children = [self._after(node, move) for move in range(store.num_actions(node))]
            weights = np.ones(len(children)) if actor == player else sums[node]
        answers = [
            self._best_answer(child, player, sums) if weight > 0 else 0.0
            for child, weight in zip(children, weights, strict=True)
        ]
        return max(answers) if actor == player else float(weights @ answers / weights.sum())

    def _after(self, node: int, move: int) -> int:
        """Return the child that a move leads to."""
        return self._store.follow(node, (0, 0), move, self._rng)[0]
