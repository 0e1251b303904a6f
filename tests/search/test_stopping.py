"""Searches are heard of and can be stopped all the time: in the kernel, at the evaluator, asking the view."""

from sog.core.arrays import U32
from sog.games.registry import load
from sog.games.view import Store, Successors
from sog.public.derived import DerivedView
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.search.exact import ExactEvaluator
from sog.search.gtcfr import Searcher
from sog.search.rebel import RebelSettings, first_subgame
from sog.search.resolving import first_task
from sog.search.settings import SearchSettings

MANY = 1_000_000


class Watch:
    """Says stop at the given call; remembers what it was told."""

    def __init__(self, at: int) -> None:
        self.told: list[int] = []
        self._at = at

    def __call__(self, simulations: int) -> bool:
        self.told.append(simulations)
        return len(self.told) >= self._at


def first_decision(store: StateStore) -> int:
    node = ROOT
    while store.actor(node) > 1:
        node = store.children(node)[0]
    return node


def test_a_search_without_an_evaluator_is_heard_of_and_stopped() -> None:
    """All public states are known: the kernel alone is at work, and returns by itself."""
    store = open_store(load("leduc"))
    task = first_task(store, first_decision(store))
    Searcher(store, None, SearchSettings(simulations=3000)).search(task, seed=0)
    watch = Watch(at=8)
    result = Searcher(store, None, SearchSettings(simulations=MANY)).search(task, seed=0, should_stop=watch)
    assert watch.told == sorted(watch.told)
    assert result.statistics.updates < MANY // 2
    assert abs(result.policy.sum(axis=0) - 1).max() < 1e-9


def test_many_updates_without_growth_are_stopped_in_the_middle() -> None:
    """ReBeL's subgames have all their updates in one phase."""
    store = open_store(load("liars_dice(dice=1,faces=4)"))
    settings = RebelSettings(iterations=500_000, depth=20).search()
    searcher, watch = Searcher(store, None, settings), Watch(at=5)
    found = searcher.search(first_subgame(store).task(0), seed=0, should_stop=watch)
    assert found.statistics.updates < 250_000
    assert len(watch.told) <= 6, "one more update, and no more"


def test_a_search_is_stopped_between_answers() -> None:
    store = open_store(load("leduc"))
    searcher = Searcher(store, ExactEvaluator(iterations=2), SearchSettings(simulations=5000))
    found = searcher.search(first_task(store, first_decision(store)), seed=0, should_stop=Watch(at=20))
    assert found.statistics.updates < 100


class Counting(DerivedView):
    """Counts the nodes whose successors are asked for in one call."""

    def successors(self, store: Store, nodes: U32) -> Successors:
        self.most = max(getattr(self, "most", 0), nodes.size)
        return super().successors(store, nodes)


def test_a_search_is_stopped_while_the_view_is_asked() -> None:
    """Several searches that all need new states ask for few at a time, if somebody listens."""
    view = Counting(load("leduc"))
    store = StateStore(view)
    node = first_decision(store)
    searcher = Searcher(store, None, SearchSettings(simulations=400))
    tasks, seeds = [first_task(store, node)] * 24, list(range(24))
    watch = Watch(at=4)
    results = searcher.search_many(tasks, seeds, should_stop=watch)
    assert view.most <= 8
    assert all(result.statistics.updates < 200 for result in results)


def test_stopping_changes_nothing_before_it_happens() -> None:
    store = open_store(load("kuhn"))
    task = first_task(store, first_decision(store))
    searcher = Searcher(store, None, SearchSettings(simulations=300))
    heard = searcher.search(task, seed=3, should_stop=Watch(at=MANY))
    alone = searcher.search(task, seed=3)
    assert (heard.policy == alone.policy).all()
