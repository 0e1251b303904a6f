"""What engines and contestants have in common: an evaluator, and a search of the position they are in.

Verified: tests/matches/test_thinking.py, tests/interfaces/test_uci.py, tests/interfaces/test_gtp.py.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from sog.agents.making import make_evaluator as make_board_evaluator
from sog.agents.methods import MOST_SIMULATIONS, Method, parse_method
from sog.agents.specs import find_agent
from sog.games.base import TERMINAL, AnyGame
from sog.public.evaluator import Evaluator
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Searcher
from sog.search.puct import PuctResult, PuctSettings
from sog.search.puct_forest import PuctForest
from sog.search.resolving import next_task
from sog.search.result import SearchResult
from sog.search.settings import SearchSettings

__all__ = [
    "MOST_SIMULATIONS",
    "Limits",
    "Thinker",
    "Thought",
    "find_agent",
    "make_board_evaluator",
    "never_stop",
    "parse_method",
]
_MOST_NODES = 2_000_000  # of a store: a search begins anew beyond


class Limits(NamedTuple):
    """When to stop thinking; whatever comes first."""

    simulations: int
    seconds: float | None = None


class Thought(NamedTuple):
    """What a search came to."""

    actions: list[int]  # legal ones
    weights: list[float]  # how much is to be said for each
    value: float  # expected utility to the player to move
    simulations: int
    seconds: float
    variation: list[int]  # actions, the first one best

    @property
    def best(self) -> int:
        """The action to play."""
        return self.actions[int(np.argmax(self.weights))]


Watch = Callable[[int, float, Callable[[], Thought]], bool]
"""Hears, whenever the network has answered, of simulations and seconds so far, and may ask what was found so
far; says whether to stop."""


def never_stop(simulations: int, seconds: float, look: Callable[[], Thought]) -> bool:
    """Watch nothing."""
    return False


class Thinker:
    """Searches positions of one game, by GT-CFR or by AlphaZero's search.

    What a search has found is of use to the next one, if that is about the same game a move of either side
    later: AlphaZero's search goes on with its tree, and the network is not asked twice about a position.
    """

    def __init__(self, game: AnyGame, evaluator: Evaluator, settings: Method) -> None:
        self.game, self.settings = game, settings
        self._evaluator = evaluator
        self._last: _Last | None = None

    def forget(self) -> None:
        """Begin anew with the next search."""
        self._last = None

    def think(self, world: Any, limits: Limits, seed: int, watch: Watch = never_stop) -> Thought:
        """Search a position that is not over."""
        started = time.perf_counter()
        search, node = self._go_on(world)

        def look() -> Thought:
            return self._thought(search, node, search.look(node), time.perf_counter() - started)

        def should_stop(simulations: int) -> bool:
            seconds = time.perf_counter() - started
            is_late = limits.seconds is not None and seconds >= limits.seconds
            return watch(simulations, seconds, look) or is_late

        simulations = max(1, min(limits.simulations, MOST_SIMULATIONS))
        found = search.run(node, simulations, seed, should_stop)
        thought = self._thought(search, node, found, time.perf_counter() - started)
        self._last = _Last(search, node, world, thought.best)
        return thought

    def _go_on(self, world: Any) -> "tuple[_Search, int]":
        """Return the last search and the node of a position in its store; a new search if it is not there."""
        if self._last is not None and self._last.search.store.num_nodes < _MOST_NODES:
            node = self._last.find(self.game, world)
            if node is not None:
                return self._last.search, node
        store = open_store(self.game, world)
        if isinstance(self.settings, PuctSettings):
            return _PuctSearch(store, self._evaluator, self.settings), ROOT
        return _GtcfrSearch(store, self._evaluator, self.settings), ROOT

    def _thought(self, search: "_Search", node: int, found: "_Found", seconds: float) -> Thought:
        actions = _legal_actions(search.store, node)
        variation = _actions_along(search.store, node, found.ordinals)
        return Thought(actions, found.weights, found.value, found.simulations, seconds, variation)


class _Found(NamedTuple):
    """What either search says of a position."""

    weights: list[float]  # by ordinals of legal actions
    value: float  # to the player to move
    simulations: int
    ordinals: list[int]  # of the principal variation


class _Search(Protocol):
    """A search of positions of one store, one after the other."""

    store: StateStore

    def run(self, node: int, simulations: int, seed: int, should_stop: Callable[[int], bool]) -> _Found:
        """Search a node."""

    def look(self, node: int) -> _Found:
        """Return what was found so far about the node, in the middle of a search."""


class _Last(NamedTuple):
    """The last search, and what came of it."""

    search: _Search
    node: int
    world: Any
    best: int  # action

    def find(self, game: AnyGame, world: Any) -> int | None:
        """Return the node of a world that is the same one, or follows the best move and a reply."""
        if world == self.world:
            return self.node
        after = game.apply(self.world, self.best)
        if game.actor(after) == TERMINAL:
            return None
        store = self.search.store
        child = store.children(self.node)[game.legal_actions(self.world).index(self.best)]
        for ordinal, action in enumerate(game.legal_actions(after)):
            if game.apply(after, action) == world:
                return store.children(child)[ordinal]
        return None


class _GtcfrSearch:
    """GT-CFR, which begins every search with a tree of its own, unless its settings say otherwise."""

    def __init__(self, store: StateStore, evaluator: Evaluator, settings: SearchSettings) -> None:
        self.store, self._evaluator = store, evaluator
        self._settings = settings
        self._last: SearchResult | None = None
        self._visits_before = 0  # of the node, when the present search began

    def run(self, node: int, simulations: int, seed: int, should_stop: Callable[[int], bool]) -> _Found:
        """Search a node."""
        settings = replace(self._settings, simulations=simulations)
        self._searcher = Searcher(self.store, self._evaluator, settings)
        task = next_task(self.store, self._last, node, self.store.actor(node))
        stock, actor = task.stock, self.store.actor(node)
        self._visits_before = 0 if stock is None else stock.visits(actor, node)
        self._last = self._searcher.search(task, seed, should_stop=should_stop)
        return self._read(node, self._last)

    def look(self, node: int) -> _Found:
        """Return what was found so far."""
        return self._read(node, self._searcher.look())

    def _read(self, node: int, result: SearchResult) -> _Found:
        weights = result.policy[:, 0].tolist()
        place = result.find(node)
        value = 0.0 if place is None else float(result.summary(place).values[self.store.actor(node)][0])
        ordinals = _variation(self.store, result, node, int(np.argmax(weights)))
        return _Found(weights, value, int(result.visits.sum()) - self._visits_before, ordinals)


class _PuctSearch:
    """AlphaZero's search, which goes on with the part of its tree that is still of use."""

    def __init__(self, store: StateStore, evaluator: Evaluator, settings: PuctSettings) -> None:
        self.store, self._puct = store, PuctForest(store, evaluator, settings)

    def run(self, node: int, simulations: int, seed: int, should_stop: Callable[[int], bool]) -> _Found:
        """Search a node."""
        self._puct.settings = replace(self._puct.settings, simulations=simulations)
        return self._read(self._puct.search([node], [seed], should_stop)[0])

    def look(self, node: int) -> _Found:
        """Return what was found so far."""
        return self._read(self._puct.look()[0])

    @staticmethod
    def _read(result: PuctResult) -> _Found:
        return _Found(result.visits.tolist(), float(result.value), result.simulations, result.variation)


def _legal_actions(store: StateStore, node: int) -> list[int]:
    return [int(action) for action in store.encoded.encode(store, np.array([node], np.uint32)).choices]


def _actions_along(store: StateStore, node: int, ordinals: list[int]) -> list[int]:
    """Return the actions that ordinals of legal ones stand for, from a node on."""
    actions = []
    for ordinal in ordinals:
        actions.append(_legal_actions(store, node)[ordinal])
        node = store.children(node)[ordinal]
    return actions


def _variation(store: StateStore, result: SearchResult, node: int, best: int) -> list[int]:
    """Return the ordinals of moves that both players would most often play, from the best one on."""
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
