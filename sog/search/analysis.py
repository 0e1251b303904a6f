"""Searches of positions for people and programs that ask: the best moves, each with its value and its line.

By GT-CFR or by AlphaZero's search, where nothing is hidden. A search may be restricted to some of the moves,
and is asked many times a second whether to stop. What the positions that it met prove (`proofs.py`) overrules
what the search guesses: a proven win is played, a proven loss is avoided.

Verified: tests/search/test_analysis.py, tests/interfaces/protocols/test_uci.py,
tests/interfaces/protocols/test_gtp.py.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from sog.games.base import TERMINAL, AnyGame
from sog.games.restricted_view import RestrictedView
from sog.public.evaluator import Evaluator
from sog.public.opening import open_store, open_view
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Searcher
from sog.search.proofs import OPEN, Proofs, prove
from sog.search.puct import PuctSettings
from sog.search.puct_forest import PuctForest
from sog.search.puct_tree import NONE
from sog.search.puct_tree import OPEN as HAS_EDGES
from sog.search.resolving import next_task
from sog.search.result import SearchResult
from sog.search.settings import SearchSettings

Method = SearchSettings | PuctSettings


class RootMove(NamedTuple):
    """A move of the position that is searched."""

    action: int
    weight: float  # how much is to be said for it; those of all moves sum to one
    value: float  # expected utility to the player to move
    variation: list[int]  # actions, this one first
    end: int | None  # moves until the game is won, negative if it is lost; None: nothing is proven


class Analysis(NamedTuple):
    """What a search came to."""

    moves: list[RootMove]  # the best first; only the first ones that were asked for have a variation
    value: float  # expected utility to the player to move
    simulations: int
    seconds: float

    @property
    def best(self) -> RootMove:
        """The move to play."""
        return self.moves[0]


class Progress(NamedTuple):
    """How far a search is."""

    simulations: int
    seconds: float
    look: Callable[[], Analysis]  # what was found so far; takes a while


Stop = Callable[[Progress], bool]


def never(progress: Progress) -> bool:
    """Let a search do all its simulations."""
    return False


class Analyst:
    """Searches positions of one game.

    What a search has found is of use to the next one, if that is about the same game a move of either side
    later: AlphaZero's search goes on with its tree, and the network is not asked twice about a position.
    """

    def __init__(self, game: AnyGame, evaluator: Evaluator, method: Method) -> None:
        self.game, self.method, self._evaluator = game, method, evaluator
        self._last: _Last | None = None
        self._search: _Search | None = None  # the one that runs, or ran last

    def forget(self) -> None:
        """Begin anew with the next search."""
        self._last = self._search = None

    @property
    def num_bytes(self) -> int:
        """What the positions and the tree of the present search take."""
        return 0 if self._search is None else self._search.store.num_bytes + self._search.num_bytes

    def analyse(
        self,
        world: Any,
        simulations: int,
        seed: int,
        should_stop: Stop = never,
        among: Sequence[int] = (),
        lines: int = 1,
    ) -> Analysis:
        """Search a position that is not over.

        among: the actions to choose from, all legal ones if there are none; lines: how many moves get a
        variation.
        """
        started = time.perf_counter()
        search, node, ordinals = self._open(world, among)
        self._search = search
        legal = self.game.legal_actions(world)
        actions = legal if ordinals is None else [legal[ordinal] for ordinal in ordinals]

        def report(found: _Found) -> Analysis:
            return _report(search.store, node, actions, found, lines, time.perf_counter() - started)

        def ask(done: int) -> bool:
            seconds = time.perf_counter() - started
            return should_stop(Progress(done, seconds, lambda: report(search.look(node))))

        analysis = report(search.run(node, max(1, simulations), seed, ask))
        if ordinals is None:
            self._last = _Last(search, node, world, analysis.best.action)
        return analysis

    def drop_beyond(self, num_bytes: int) -> None:
        """Begin anew with the next search if the last one has left more than so much."""
        if self.num_bytes > num_bytes:
            self.forget()

    def _open(self, world: Any, among: Sequence[int]) -> "tuple[_Search, int, list[int] | None]":
        """Return a search, the node of a position in its store, and the ordinals of moves it has, if not all.

        The last search goes on where it can.
        """
        legal = self.game.legal_actions(world)
        ordinals = [ordinal for ordinal, action in enumerate(legal) if action in among]
        if 0 < len(ordinals) < len(legal):
            view = RestrictedView(open_view(self.game, world), ordinals)  # type: ignore[arg-type]
            return self._begin(StateStore(view)), ROOT, ordinals
        node = None if self._last is None else self._last.find(self.game, world)
        if self._last is not None and node is not None:
            return self._last.search, node, None
        return self._begin(open_store(self.game, world)), ROOT, None

    def _begin(self, store: StateStore) -> "_Search":
        if isinstance(self.method, PuctSettings):
            return _PuctSearch(store, self._evaluator, self.method)
        return _GtcfrSearch(store, self._evaluator, self.method)


class _Found(NamedTuple):
    """What either search says of a position, by ordinals of its moves."""

    weights: list[float]
    values: list[float]  # to the player to move
    value: float
    simulations: int
    follow: Callable[[int], list[int]]  # ordinals of the best moves, from one at the root on


class _Search(Protocol):
    """A search of positions of one store, one after the other."""

    store: StateStore

    @property
    def num_bytes(self) -> int:
        """What its trees take."""

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
        self.store, self._evaluator, self._settings = store, evaluator, settings
        self._searcher: Searcher | None = None
        self._last: SearchResult | None = None
        self._visits_before = 0  # of the node, when the present search began

    @property
    def num_bytes(self) -> int:
        """What lanes take."""
        return 0 if self._searcher is None else self._searcher.num_bytes

    def run(self, node: int, simulations: int, seed: int, should_stop: Callable[[int], bool]) -> _Found:
        """Search a node."""
        settings = replace(self._settings, simulations=simulations)
        self._searcher = Searcher(self.store, self._evaluator, settings)
        task, actor = next_task(self.store, self._last, node, self.store.actor(node)), self.store.actor(node)
        self._visits_before = 0 if task.reusable is None else task.reusable.visits(actor, node)
        self._last = self._searcher.search(task, seed, should_stop=should_stop)
        return self._read(node, self._last)

    def look(self, node: int) -> _Found:
        """Return what was found so far."""
        assert self._searcher is not None
        return self._read(node, self._searcher.look())

    def _read(self, node: int, result: SearchResult) -> _Found:
        store, weights = self.store, result.policy[:, 0]
        places = {int(state): place for place, state in enumerate(result.states) if result.has_values[place]}
        player, nothing = store.actor(node), -store.facts.max_utility

        def value_of(state: int) -> float:
            place = places.get(state)
            return nothing if place is None else float(result.summary(place).values[player][0])

        def reach(state: int, mover: int) -> float:
            place = places.get(state)
            return 0.0 if place is None else float(result.summary(place).ranges[mover][0])

        def follow(ordinal: int) -> list[int]:
            ordinals, at = [ordinal], store.children(node)[ordinal]
            while at in places and store.is_expanded(at) and store.actor(at) != TERMINAL:
                reaches = [reach(child, store.actor(at)) for child in store.children(at)]
                if not max(reaches, default=0.0) > 0:
                    break
                ordinals.append(int(np.argmax(reaches)))
                at = store.children(at)[ordinals[-1]]
            return ordinals

        values = [value_of(child) for child in store.children(node)]
        visits = int(result.visits.sum()) - self._visits_before
        value = 0.0 if node not in places else value_of(node)
        return _Found(weights.tolist(), values, value, visits, follow)


class _PuctSearch:
    """AlphaZero's search, which goes on with the part of its tree that is still of use."""

    def __init__(self, store: StateStore, evaluator: Evaluator, settings: PuctSettings) -> None:
        self.store, self._puct = store, PuctForest(store, evaluator, settings)

    @property
    def num_bytes(self) -> int:
        """What the tree takes."""
        return self._puct.num_bytes

    def run(self, node: int, simulations: int, seed: int, should_stop: Callable[[int], bool]) -> _Found:
        """Search a node."""
        self._puct.settings = replace(self._puct.settings, simulations=simulations)
        self._puct.search([node], [seed], should_stop)
        return self.look(node)

    def look(self, node: int) -> _Found:
        """Return what was found so far."""
        found = self._puct.look()[0]
        total = max(1.0, float(found.visits.sum()))
        weights = (found.visits / total).tolist()
        return _Found(weights, found.values.tolist(), float(found.value), found.simulations, self._follow)

    def _follow(self, ordinal: int) -> list[int]:
        tree, node, ordinals = self._puct.tree(0), 0, list[int]()
        while node != NONE and tree.nodes[node]["kind"] == HAS_EDGES:
            first, count = (int(tree.nodes[node][name]) for name in ("first_edge", "num_edges"))
            visits = tree.edges[first : first + count]["visits"]
            best = int(np.argmax(visits)) if ordinals else ordinal
            if ordinals and visits[best] == 0:
                break
            ordinals.append(best)
            node = int(tree.edges[first + best]["child"])
        return ordinals or [ordinal]


def _report(
    store: StateStore, node: int, actions: Sequence[int], found: _Found, lines: int, seconds: float
) -> Analysis:
    """Return what a search says, with what is proven, the best moves first."""
    proofs, player, children = prove(store), store.actor(node), store.children(node)
    ends = [_end(proofs, child, player) for child in children]

    def rank(ordinal: int) -> tuple[int, float]:
        end = ends[ordinal]
        if end is None:
            return 0, found.weights[ordinal]
        return (1, -end) if end > 0 else (-1, -end)

    order = sorted(range(len(actions)), key=rank, reverse=True)
    most, moves = store.facts.max_utility, list[RootMove]()
    for place, ordinal in enumerate(order):
        end, line = ends[ordinal], [ordinal]
        if place < lines:
            is_won = end is not None
            line = (
                _proven_line(store, proofs, children[ordinal], ordinal) if is_won else found.follow(ordinal)
            )
        value = found.values[ordinal] if end is None else most if end > 0 else -most
        variation = [actions[line[0]], *_actions_along(store, children[line[0]], line[1:])]
        moves.append(RootMove(actions[ordinal], found.weights[ordinal], value, variation, end))
    value = found.value if ends[order[0]] is None else moves[0].value
    return Analysis(moves, value, found.simulations, seconds)


def _end(proofs: Proofs, child: int, player: int) -> int | None:
    """Return after how many moves a player wins who goes to a child; negative: loses."""
    if proofs.winner[child] == OPEN:
        return None
    plies = int(proofs.plies[child]) + 1
    return plies if proofs.winner[child] == player else -plies


def _proven_line(store: StateStore, proofs: Proofs, node: int, ordinal: int) -> list[int]:
    """Return the ordinals of a line that ends the game as it is proven."""
    ordinals = [ordinal]
    while store.actor(node) != TERMINAL:
        children = store.children(node)
        node = proofs.best_child(children, store.actor(node))
        ordinals.append(node - children[0])
    return ordinals


def _actions_along(store: StateStore, node: int, ordinals: list[int]) -> list[int]:
    """Return the actions that ordinals of legal ones stand for, from a node on."""
    actions = []
    for ordinal in ordinals:
        choices = store.encoded.encode(store, np.array([node], np.uint32)).choices
        actions.append(int(choices[ordinal]))
        node = store.children(node)[ordinal]
    return actions
