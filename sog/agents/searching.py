"""Bots that search at each of their turns: GT-CFR with continual re-solving, or AlphaZero's search.

GT-CFR continues the same player's search before (`sog.search.resolving`), also across states that the
previous tree did not hold, such as after an action that the search thought not worth adding. AlphaZero's
search, for games that hide nothing, goes on with the part of its tree that is still of use.

Verified: tests/agents/test_searching.py.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from sog.agents.bot import Explanation, Limits, Watch
from sog.agents.cursor import MOST_NODES, Cursor, Stores
from sog.agents.methods import MOST_SIMULATIONS, Method
from sog.agents.seated import CursorBot
from sog.core.errors import InputError
from sog.games.base import TERMINAL, AnyGame
from sog.public.evaluator import Evaluator
from sog.public.store import StateStore
from sog.search.gtcfr import Searcher
from sog.search.puct import PuctResult, PuctSettings
from sog.search.puct_forest import PuctForest
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

    def __init__(self, evaluator: Evaluator | None, settings: Method, stores: Stores | None = None) -> None:
        """Without an evaluator every leaf of GT-CFR is worth zero."""
        super().__init__(stores)
        self.evaluator, self.settings = evaluator, settings
        self._search: _Search | None = None
        self._best: int | None = None  # the move that the last search found best, where the cursor is

    def begin(self, game: AnyGame, seat: int, seed: int, world: Any = None) -> None:
        """Sit down; if a world follows the last search it goes on from there."""
        self._seed = seed
        node = None if world is None or self._best is None else self._find(game, world, self._best)
        if node is None:
            super().begin(game, seat, seed, world)
            self._search = self._best = None
            return
        self.cursor = Cursor(self.cursor.store, seat)
        self.cursor.node, self._explanation, self._chosen = node, None, None

    def forget(self) -> None:
        """Begin the next search anew, in whatever world."""
        self._best = None

    def _consider(self, limits: Limits, watch: Watch | None) -> Explanation:
        started, cursor = time.perf_counter(), self.cursor
        if cursor.store.has_planes and cursor.store.num_nodes > MOST_NODES:
            self.begin(self.game, cursor.seat, self._seed, cursor.world)
            cursor = self.cursor
        if self._search is None:
            self._search = self._make_search(cursor.store)
        search = self._search

        def look() -> Explanation:
            return self._explain(search.look(cursor), started)

        def should_stop(simulations: int) -> bool:
            seconds = time.perf_counter() - started
            is_late = limits.seconds is not None and seconds >= limits.seconds
            return is_late or (watch is not None and watch(simulations, seconds, look))

        asked = self.settings.simulations if limits.simulations is None else limits.simulations
        found = search.run(cursor, max(1, min(asked, MOST_SIMULATIONS)), self._seed_at(), should_stop)
        thought = self._explain(found, started)
        self._best = thought.best
        return thought

    def _seed_at(self) -> int:
        """Return the seed of the search of the present state: another one for every state."""
        seed = self._seed
        for ordinal in self.cursor.store.route(self.cursor.node):
            seed = ((seed + ordinal + 1) * _NEXT_SEED + 1) & _MASK
        return seed

    def _make_search(self, store: StateStore) -> "_Search":
        if isinstance(self.settings, SearchSettings):
            return _GtcfrSearch(store, self.evaluator, self.settings)
        if self.evaluator is None or not store.has_planes:
            raise InputError(f"mcts with a network is for boards that hide nothing, not {store.facts.name}")
        return _PuctSearch(store, self.evaluator, self.settings)

    def _explain(self, found: "_Found", started: float) -> Explanation:
        store, node, names = self.cursor.store, self.cursor.node, list[str]()
        for ordinal in found.ordinals:
            names.append(store.named.action_names(store, node, 0)[ordinal])
            node = store.children(node)[ordinal]
        seconds = time.perf_counter() - started
        legal = self.cursor.action_names()
        return Explanation(legal, found.weights, found.value, found.simulations, seconds, tuple(names))

    def _find(self, game: AnyGame, world: Any, best: int) -> int | None:
        """Return the node of a world that is the one searched last, or follows its best move and a reply."""
        store, before = self.cursor.store, self.cursor.world
        if game.info.name != self.game.info.name or store.num_nodes > MOST_NODES:
            return None
        if world == before:
            return self.cursor.node
        after = game.apply(before, game.legal_actions(before)[best])
        if game.actor(after) == TERMINAL:
            return None
        child = store.children(self.cursor.node)[best]
        for ordinal, action in enumerate(game.legal_actions(after)):
            if game.apply(after, action) == world:
                return store.children(child)[ordinal]
        return None


class _Found(NamedTuple):
    """What either search says of a turn."""

    weights: list[float]  # by ordinals of legal moves
    value: float  # to the player to move
    simulations: int
    ordinals: list[int]  # of the moves that are expected, on a board


class _Search(Protocol):
    """A search of states of one store, one after the other."""

    def run(self, cursor: Cursor, simulations: int, seed: int, should_stop: Callable[[int], bool]) -> _Found:
        """Search where a seat is."""

    def look(self, cursor: Cursor) -> _Found:
        """Return what was found so far, in the middle of a search."""


class _GtcfrSearch:
    """GT-CFR, each search continuing the one before it on the path."""

    def __init__(self, store: StateStore, evaluator: Evaluator | None, settings: SearchSettings) -> None:
        self._store, self._evaluator = store, evaluator
        self._searcher = Searcher(store, evaluator, settings)
        self._last: SearchResult | None = None
        self._visits_before = 0  # of the node, when the present search began

    def run(self, cursor: Cursor, simulations: int, seed: int, should_stop: Callable[[int], bool]) -> _Found:
        """Search where a seat is."""
        settings = self._searcher.settings
        if settings.simulations != simulations:
            settings = replace(settings, simulations=simulations)
            self._searcher = Searcher(self._store, self._evaluator, settings)
        task = next_task(self._store, self._last, cursor.node, cursor.seat, settings.is_safe)
        self._visits_before = 0 if task.stock is None else task.stock.visits(cursor.seat, cursor.node)
        self._last = self._searcher.search(task, seed, should_stop=should_stop)
        return self._read(cursor, self._last)

    def look(self, cursor: Cursor) -> _Found:
        """Return what was found so far."""
        return self._read(cursor, self._searcher.look())

    def _read(self, cursor: Cursor, result: SearchResult) -> _Found:
        weights = result.policy[: cursor.num_moves, cursor.row].tolist()
        simulations = int(result.visits.sum()) - self._visits_before
        ordinals = _expected(self._store, result, cursor.node, int(np.argmax(weights)))
        return _Found(weights, _value(self._store, result, cursor), simulations, ordinals)


class _PuctSearch:
    """AlphaZero's search, which goes on with the part of its tree that is still of use."""

    def __init__(self, store: StateStore, evaluator: Evaluator, settings: PuctSettings) -> None:
        self._puct = PuctForest(store, evaluator, settings)

    def run(self, cursor: Cursor, simulations: int, seed: int, should_stop: Callable[[int], bool]) -> _Found:
        """Search where a seat is."""
        self._puct.settings = replace(self._puct.settings, simulations=simulations)
        return self._read(self._puct.search([cursor.node], [seed], should_stop)[0])

    def look(self, cursor: Cursor) -> _Found:
        """Return what was found so far."""
        return self._read(self._puct.look()[0])

    @staticmethod
    def _read(result: PuctResult) -> _Found:
        return _Found(result.visits.tolist(), float(result.value), result.simulations, result.variation)


def _value(store: StateStore, result: SearchResult, cursor: Cursor) -> float:
    """Return what the seat expects: its counterfactual value over the weight of what it may face."""
    place = result.find(cursor.node)
    if place is None:
        return 0.0
    summary, seat = result.summary(place), cursor.seat
    joint = store.joint_weights(cursor.node)
    faced = (joint if seat == 0 else joint.T)[cursor.row] @ summary.ranges[1 - seat]
    return float(summary.values[seat][cursor.row] / faced) if faced > 0 else 0.0


def _expected(store: StateStore, result: SearchResult, node: int, best: int) -> list[int]:
    """Return the ordinals of moves that both players would most often play, on a board."""
    if not store.has_planes:
        return []
    places = {int(node): place for place, node in enumerate(result.states.tolist())}
    ordinals = [best]
    while True:
        node = store.children(node)[ordinals[-1]]
        if not (node in places and store.is_expanded(node)):
            return ordinals
        player = store.actor(node)
        weights = [
            float(result.summary(places[child]).ranges[player][0]) if child in places else 0.0
            for child in store.children(node)
        ]
        if not max(weights, default=0.0) > 0:
            return ordinals
        ordinals.append(int(np.argmax(weights)))
