"""Bots that search at each of their turns by GT-CFR with continual re-solving.

A search continues the same player's search before (`sog.search.resolving`), also across states that the
previous tree did not hold, such as after an action that the search thought not worth adding.

Verified: tests/agents/test_searching.py.
"""

import time
from dataclasses import replace
from typing import Any

from sog.agents.bot import Explanation, Limits, Watch
from sog.agents.cursor import Stores
from sog.agents.methods import MOST_SIMULATIONS
from sog.agents.seated import CursorBot
from sog.games.base import AnyGame
from sog.public.evaluator import Evaluator
from sog.search.gtcfr import Searcher
from sog.search.resolving import next_task
from sog.search.result import SearchResult
from sog.search.settings import SearchSettings

_NEXT_SEED = 0x9E3779B97F4A7C15
_MASK = 2**64 - 1


class SearchBot(CursorBot):
    """Searches the state that it is in.

    >>> from sog.games.registry import load
    >>> bot = SearchBot(None, SearchSettings(simulations=50))
    >>> bot.begin(load("kuhn"), seat=0, seed=1)
    >>> bot.observe("deal", "K"); bot.observe("deal", None)
    >>> bot.explain().names
    ['pass', 'bet']
    """

    def __init__(
        self, evaluator: Evaluator | None, settings: SearchSettings, stores: Stores | None = None
    ) -> None:
        """Without an evaluator every leaf is worth zero."""
        super().__init__(stores)
        self.evaluator, self.settings = evaluator, settings
        self._searcher: Searcher | None = None
        self._last: SearchResult | None = None
        self._visits_before = 0  # of the node, when the present search began

    def begin(self, game: AnyGame, seat: int, seed: int, world: Any = None) -> None:
        """Sit down."""
        super().begin(game, seat, seed, world)
        self._seed, self._searcher, self._last = seed, None, None

    def _consider(self, limits: Limits, watch: Watch | None) -> Explanation:
        started, cursor, settings = time.perf_counter(), self.cursor, self.settings
        if limits.simulations is not None:
            settings = replace(settings, simulations=max(1, min(limits.simulations, MOST_SIMULATIONS)))
        if self._searcher is None or self._searcher.settings != settings:
            self._searcher = Searcher(cursor.store, self.evaluator, settings)
        searcher = self._searcher

        def should_stop(simulations: int) -> bool:
            seconds = time.perf_counter() - started
            is_late = limits.seconds is not None and seconds >= limits.seconds
            return is_late or (
                watch is not None
                and watch(simulations, seconds, lambda: self._explain(searcher.look(), started))
            )

        task = next_task(cursor.store, self._last, cursor.node, cursor.seat, settings.is_safe)
        self._visits_before = 0 if task.stock is None else task.stock.visits(cursor.seat, cursor.node)
        self._last = searcher.search(task, self._seed_at(), should_stop=should_stop)
        return self._explain(self._last, started)

    def _seed_at(self) -> int:
        """Return the seed of the search of the present state: another one for every state."""
        seed = self._seed
        for ordinal in self.cursor.store.route(self.cursor.node):
            seed = ((seed + ordinal + 1) * _NEXT_SEED + 1) & _MASK
        return seed

    def _explain(self, result: SearchResult, started: float) -> Explanation:
        cursor = self.cursor
        weights = result.policy[: cursor.num_moves, cursor.row].tolist()
        simulations = int(result.visits.sum()) - self._visits_before
        seconds = time.perf_counter() - started
        return Explanation(cursor.action_names(), weights, self._value(result), simulations, seconds)

    def _value(self, result: SearchResult) -> float:
        """Return what the seat expects: its counterfactual value over the weight of what it may face."""
        cursor, store = self.cursor, self.cursor.store
        place, seat = result.find(cursor.node), cursor.seat
        if place is None:
            return 0.0
        summary, joint = result.summary(place), store.joint_weights(cursor.node)
        faced = (joint if seat == 0 else joint.T)[cursor.row] @ summary.ranges[1 - seat]
        return float(summary.values[seat][cursor.row] / faced) if faced > 0 else 0.0
