"""Bots that search by GT-CFR at each of their turns: continual re-solving.

Each search continues the one before it (`sog.search.resolving`), also across states that the previous tree
did not hold, such as after an action that the search thought not worth adding. Bots that play many games at
once search them side by side.

Verified: tests/agents/test_searching.py.
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sog.agents.bot import NO_LIMITS, Explanation, Limits, Watch
from sog.agents.cursor import Cursor, Stores
from sog.agents.methods import MOST_SIMULATIONS
from sog.agents.seated import CursorBot
from sog.games.base import AnyGame
from sog.public.evaluator import Evaluator
from sog.public.store import StateStore
from sog.search.gtcfr import Searcher, Task
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
        self._evaluator, self.settings = evaluator, settings
        self._searcher: Searcher | None = None

    def begin(self, game: AnyGame, seat: int, seed: int, world: Any = None) -> None:
        """Sit down, with nothing known of games before."""
        super().begin(game, seat, seed, world)
        self._seed = seed
        self._last: SearchResult | None = None

    def _consider(self, limits: Limits, watch: Watch | None) -> Explanation:
        started, cursor = time.perf_counter(), self.cursor
        searcher = self._prepare(limits)

        def should_stop(simulations: int) -> bool:
            seconds = time.perf_counter() - started
            is_late = limits.seconds is not None and seconds >= limits.seconds
            return is_late or (
                watch is not None
                and watch(simulations, seconds, lambda: _explain(cursor, searcher.look(), started))
            )

        self._last = searcher.search(self._task(), self._seed_at(), should_stop=should_stop)
        return _explain(cursor, self._last, started)

    def _task(self) -> Task:
        """Return the search of the present state."""
        cursor = self.cursor
        return next_task(cursor.store, self._last, cursor.node, cursor.seat, self.settings.is_safe)

    def _prepare(self, limits: Limits) -> Searcher:
        """Return what searches within limits, the last one if it does."""
        asked = self.settings.simulations if limits.simulations is None else limits.simulations
        settings = replace(self.settings, simulations=max(1, min(asked, MOST_SIMULATIONS)))
        store, searcher = self.cursor.store, self._searcher
        if searcher is None or searcher.store is not store or searcher.settings != settings:
            searcher = self._searcher = Searcher(store, self._evaluator, settings)
        return searcher

    def _seed_at(self) -> int:
        """Return the seed of the search of the present state: another one for every state."""
        seed = self._seed
        for ordinal in self.cursor.store.route(self.cursor.node):
            seed = ((seed + ordinal + 1) * _NEXT_SEED + 1) & _MASK
        return seed


def think_together(bots: Sequence[SearchBot]) -> None:
    """Have bots whose turn it is, in games of their own, search side by side before they act.

    Bots that ask the same evaluator on the same store search in one batch. Each finds what it would find
    alone, many of them in a fraction of the time.
    """
    groups: dict[tuple[int, int, SearchSettings], list[SearchBot]] = {}
    for bot in bots:
        bot.cursor.arrive()
        key = id(bot.cursor.store), id(bot._evaluator), bot.settings
        groups.setdefault(key, []).append(bot)
    for group in groups.values():
        started = time.perf_counter()
        searcher = group[0]._prepare(NO_LIMITS)
        tasks, seeds = [bot._task() for bot in group], [bot._seed_at() for bot in group]
        for bot, result in zip(group, searcher.search_many(tasks, seeds), strict=True):
            bot._searcher, bot._last = searcher, result
            bot._explanation = _explain(bot.cursor, result, started)


def _explain(cursor: Cursor, result: SearchResult, started: float) -> Explanation:
    return Explanation(
        names=cursor.action_names(),
        weights=result.policy[: cursor.num_moves, cursor.row].tolist(),
        value=_value(cursor.store, result, cursor),
        simulations=int(result.visits.sum()),
        seconds=time.perf_counter() - started,
    )


def _value(store: StateStore, result: SearchResult, cursor: Cursor) -> float:
    """Return what the seat expects: its counterfactual value over the weight of what it may face."""
    place = result.find(cursor.node)
    if place is None:
        return 0.0
    summary, seat = result.summary(place), cursor.seat
    joint = store.joint_weights(cursor.node)
    faced = (joint if seat == 0 else joint.T)[cursor.row] @ summary.ranges[1 - seat]
    return float(summary.values[seat][cursor.row] / faced) if faced > 0 else 0.0
