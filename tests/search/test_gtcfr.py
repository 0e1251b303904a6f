"""Whole searches: reproducible, alone as in company, and right about games whose answers are known."""

from collections import Counter
from dataclasses import replace
from math import inf

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.games.base import CHANCE, TERMINAL
from sog.games.registry import load
from sog.public.evaluator import Batch
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.search.evaluators import RolloutEvaluator, make_evaluator
from sog.search.gtcfr import Searcher, Task
from sog.search.lanes import LEGAL, LOSSES, POLICY
from sog.search.resolving import first_task
from sog.search.result import SearchResult
from sog.search.settings import SearchSettings, parse_search
from tests.random_game import RandomGame


def first_decision(store: StateStore) -> int:
    node = ROOT
    while store.actor(node) >= CHANCE:
        node = store.children(node)[0]
    return node


def assert_equal(one: SearchResult, other: SearchResult) -> None:
    for left, right in (
        (one.policy, other.policy),
        (one.visits, other.visits),
        *zip(one.ranges, other.ranges, strict=True),
        *zip(one.values, other.values, strict=True),
    ):
        np.testing.assert_array_equal(left, right)


def test_same_seed_same_result_bit_for_bit_whatever_the_store_knows() -> None:
    settings = SearchSettings(simulations=40)
    store = open_store(load("leduc"))
    searcher = Searcher(store, None, settings)
    task = first_task(store, first_decision(store))
    cold = searcher.search(task, seed=7)
    assert_equal(cold, searcher.search(task, seed=7))
    fresh = open_store(load("leduc"))
    assert_equal(cold, Searcher(fresh, None, settings).search(first_task(fresh, first_decision(fresh)), 7))
    assert np.any(searcher.search(task, seed=8).policy != cold.policy)


@pytest.mark.parametrize("name", ["zero", "exact(iterations=10)"])
def test_searches_in_company_find_what_they_find_alone(name: str) -> None:
    game = RandomGame(4)
    store, evaluator = open_store(game), make_evaluator(name)
    store.children(ROOT)
    nodes = [node for node in range(store.num_nodes) if store.actor(node) != TERMINAL]
    tasks = [first_task(store, node) for node in nodes] * 3
    searcher = Searcher(store, evaluator, SearchSettings(simulations=12))
    together = searcher.search_many(tasks, range(len(tasks)))
    for seed, (task, result) in enumerate(zip(tasks, together, strict=True)):
        assert_equal(result, searcher.search(task, seed))


@pytest.mark.parametrize(
    ("text", "updates", "simulations"),
    [("20,1", 20, 19), ("20,5", 4, 15), ("5,0.1", 50, 4), ("7,2", 4, 6), ("1,0.3", 4, 0)],
)
def test_phases_have_the_papers_sizes(text: str, updates: int, simulations: int) -> None:
    store = open_store(load("leduc"))
    searcher = Searcher(store, None, parse_search(text))
    result = searcher.search(first_task(store, first_decision(store)), seed=0)
    assert result.statistics.updates == updates
    assert result.visits.sum() == simulations  # the growth after the last update is left out
    assert not searcher._lanes.marks[:, :, LOSSES].any()


def test_a_small_share_of_the_tree_is_one_simulation_an_update() -> None:
    store = open_store(load("leduc"))
    task = first_task(store, first_decision(store))
    every, share = (Searcher(store, None, parse_search(text)) for text in ("60,1", "60,0.001%"))
    assert_equal(every.search(task, 3), share.search(task, 3))


@pytest.mark.parametrize(("simulations", "percent"), [(500, 2), (500, 100), (1000, 7)])
def test_phases_are_a_share_of_the_tree(simulations: int, percent: int) -> None:
    """On a tree that cannot grow any more all phases are equally long."""
    store = open_store(load("leduc"))
    settings = replace(parse_search(f"{simulations},{percent}%"), depth=1000)
    result = Searcher(store, None, settings).search(first_task(store, first_decision(store)), seed=0)
    phase = -(-percent * result.statistics.nodes // 100)
    assert phase > 1
    assert result.statistics.updates == -(-simulations // phase)
    assert result.visits.sum() == (result.statistics.updates - 1) * phase


def test_updates_get_rarer_and_go_on_as_the_tree_grows() -> None:
    """Nodes visited by updates grow with the simulations, not with their square: s / share, or nearly so."""
    store = open_store(load("liars_dice(dice=1,faces=4)"))
    task = first_task(store, first_decision(store))
    updates = [
        Searcher(store, None, parse_search(f"{size},10%")).search(task, 0).statistics.updates
        for size in (10, 100, 1000, 4000)
    ]
    assert updates[0] < updates[1] < updates[2] < updates[3] < 4000 / 10


def test_kuhn_is_solved() -> None:
    store = open_store(load("kuhn"))
    searcher = Searcher(store, None, SearchSettings(simulations=2000))
    result = searcher.search(first_task(store, first_decision(store)), seed=0)
    values = result.summary(0).values
    assert values[0].sum() == pytest.approx(-1 / 18, abs=2e-3)
    assert values[1].sum() == pytest.approx(1 / 18, abs=2e-3)
    assert result.policy[1, 1] < 0.01  # the queen never bets
    np.testing.assert_allclose(result.policy.sum(axis=0), 1)


class Counting:
    """Counts how often each public state is asked about."""

    name = "counting"
    has_priors = False

    def __init__(self) -> None:
        self.asked: Counter[int] = Counter()
        self.inner = RolloutEvaluator(20)

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        self.asked.update(batch.nodes.tolist())
        self.inner.evaluate(store, batch)


def play(store: StateStore, *moves: str) -> int:
    node = ROOT
    for move in moves:
        node = next(child for child in store.children(node) if store.named.observation(store, child) == move)
    return node


def test_perfect_information_asks_once_a_state_and_finds_the_win() -> None:
    store, evaluator = open_store(load("tictactoe")), Counting()
    searcher = Searcher(store, evaluator, SearchSettings(simulations=200))
    current = play(store, "b2", "a3", "a1", "c1")  # crosses on b2 and a1 want c3
    task = Task(current, current, (np.ones(1), np.ones(1)))
    result = searcher.search(task, seed=0)
    assert set(evaluator.asked.values()) == {1}
    assert result.statistics.queries == len(evaluator.asked)
    names = store.named.action_names(store, current, 0)
    assert names[int(result.policy[:, 0].argmax())] == "c3"
    assert result.summary(0).values[0][0] > 0.8


def test_a_fork_must_be_stopped() -> None:
    """Noughts, having seen a corner and the opposite one, must not take a third corner."""
    store = open_store(load("tictactoe"))
    searcher = Searcher(store, RolloutEvaluator(20), SearchSettings(simulations=3000))
    current = play(store, "a1", "b2", "c3")
    result = searcher.search(Task(current, current, (np.ones(1), np.ones(1))), seed=0)
    names = store.named.action_names(store, current, 0)
    corners = sum(result.policy[names.index(name), 0] for name in ("a3", "c1"))
    assert corners < 0.05


class Prior:
    """Likes the last action most, and finds everything worth nothing."""

    name = "prior"
    has_priors = True

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        for query in range(batch.nodes.size):
            part = slice(int(batch.prior_start[query]), int(batch.prior_start[query + 1]))
            batch.priors[part] = np.arange(part.stop - part.start) + 1.0


def test_priors_say_what_is_expanded_and_played_first() -> None:
    store = open_store(load("tictactoe"))
    settings = SearchSettings(simulations=12, first_policy="prior", puct_share=1.0, exploration=10.0)
    searcher = Searcher(store, Prior(), settings)
    result = searcher.search(Task(ROOT, ROOT, (np.ones(1), np.ones(1))), seed=0)
    assert np.all(np.diff(result.visits[:, 0].astype(int)) >= 0)  # more visits for what the prior likes more
    nodes = searcher._lanes.nodes[0, : result.statistics.nodes]
    grandchildren = [node for node in nodes if node["depth"] == 2]
    first = store.named.observation(store, int(grandchildren[0]["state"]))
    assert first == "b1"  # the last square but the one just taken, c1
    once = Searcher(store, Prior(), replace(settings, simulations=1))
    policy = once.search(Task(ROOT, ROOT, (np.ones(1), np.ones(1))), seed=0).policy[:, 0]
    np.testing.assert_allclose(policy, np.arange(1, 10) / 45)


def test_a_search_may_begin_with_the_likeliest_actions_alone() -> None:
    """Policies and visits stand at the actions' own places, whatever the order in which they came."""
    store = open_store(load("tictactoe"))
    settings = SearchSettings(simulations=1, puct_share=1.0, root_actions=2)
    task = Task(ROOT, ROOT, (np.ones(1), np.ones(1)))
    first = Searcher(store, Prior(), settings).search(task, seed=0)
    np.testing.assert_allclose(first.policy[:, 0], [0, 0, 0, 0, 0, 0, 0, 0, 1])
    assert first.statistics.nodes == 3
    searcher = Searcher(store, Prior(), replace(settings, simulations=12, exploration=10.0))
    result = searcher.search(task, seed=0)
    assert result.policy[:, 0].sum() == pytest.approx(1)
    nodes = searcher._lanes.nodes[0, : result.statistics.nodes]
    parents = nodes["state"][nodes["parent"][nodes["depth"] == 2]]
    below = Counter(parents.tolist())
    for action, child in enumerate(store.children(ROOT)):
        is_there = child in nodes["state"].tolist()
        assert is_there or result.policy[action, 0] == result.visits[action, 0] == 0
        assert (below[child] > 0) <= is_there
    assert 2 < np.count_nonzero(result.visits[:, 0]) < 9
    with pytest.raises(InputError, match="root_actions must be from 0"):
        replace(settings, root_actions=-1)


def test_average_policies_of_partial_nodes_are_of_what_is_there() -> None:
    store = open_store(load("tictactoe"))
    searcher = Searcher(store, Prior(), SearchSettings(simulations=60))
    result = searcher.search(Task(ROOT, ROOT, (np.ones(1), np.ones(1))), seed=0)
    lanes, seen = searcher._lanes, 0
    for node in lanes.nodes[0, : result.statistics.nodes]:
        if node["is_partial"]:
            actor = store.actor(int(node["state"]))
            step = lanes.steps[actor, 0, int(node["decision"])]
            first, legal = int(step["output"]), int(lanes.marks[actor, 0, LEGAL, int(step["first_row"])])
            policy = lanes.slots[actor, 0, POLICY, first : first + int(step["num_actions"])]
            assert policy[:legal].sum() == pytest.approx(1)
            assert not policy[legal:].any()
            seen += 1
    assert seen > 10


def test_a_win_at_hand_is_found_among_actions_that_come_later() -> None:
    """Crosses on a3 and b3 win with c3, which a prior that likes the last square most would try last."""
    game = load("tictactoe")
    world = game.initial_world()
    for action in (0, 8, 1, 7):
        world = game.apply(world, action)
    store = open_store(game, world)
    searcher = Searcher(store, Prior(), SearchSettings(simulations=40, puct_share=1.0, root_actions=1))
    policy = searcher.search(Task(ROOT, ROOT, (np.ones(1), np.ones(1))), seed=0).policy[:, 0]
    assert game.legal_actions(world)[int(policy.argmax())] == 2


def test_a_range_of_zero_is_asked_about_with_a_stand_in() -> None:
    store, log = open_store(load("kuhn")), []

    class Log(Prior):
        has_priors = False

        def evaluate(self, store: StateStore, batch: Batch) -> None:
            for query in range(batch.nodes.size):
                log.append((batch.ranges[0][batch.rows(0, query)], batch.ranges[1][batch.rows(1, query)]))

    current = first_decision(store)
    searcher = Searcher(store, Log(), SearchSettings(simulations=1))
    searcher.search(Task(current, current, (np.zeros(3), np.array([0.0, 1.0, 3.0]))), seed=0)
    assert log
    for first, second in log:
        np.testing.assert_allclose(first, 1 / 3)
        np.testing.assert_allclose(second, [0, 0.25, 0.75])
    log.clear()
    searcher.search(Task(current, current, (np.zeros(3), np.zeros(3))), seed=0)
    assert log == []  # nobody comes here: there is nothing to ask


def test_queries_are_logged_by_search() -> None:
    store = open_store(load("leduc"))
    searcher = Searcher(store, make_evaluator("uniform-rollout(rollouts=1)"), SearchSettings(simulations=8))
    task = first_task(store, first_decision(store))
    results = searcher.search_many([task, task], [1, 2], kept_queries=inf)
    for result, seed in zip(results, (1, 2), strict=True):
        queries = result.queries
        assert queries is not None
        assert queries.nodes.size == result.statistics.queries > 0
        assert queries.start[0][-1] == queries.ranges[0].size
        alone = searcher.search(task, seed, kept_queries=inf).queries
        assert alone is not None
        np.testing.assert_array_equal(queries.nodes, alone.nodes)
        np.testing.assert_array_equal(queries.ranges[1], alone.ranges[1])


@pytest.mark.parametrize("per_update", [1.0, 10.0])
def test_a_search_stops_when_it_is_told_to(per_update: float) -> None:
    """It hears of every answer, and ends with the phase that it is in; the next search is a whole one."""
    store = open_store(load("tictactoe"))
    searcher = Searcher(
        store, RolloutEvaluator(), SearchSettings(simulations=200, per_update=per_update, top_actions=1)
    )
    heard: list[int] = []

    def should_stop(simulations: int) -> bool:
        heard.append(simulations)
        return simulations >= 50

    stopped = searcher.search(first_task(store, ROOT), 1, should_stop=should_stop)
    assert heard == sorted(heard)
    assert heard[-1] >= 50 > heard[-2]
    assert 50 <= stopped.visits.sum() < 50 + 2 * per_update
    assert stopped.statistics.updates < searcher.settings.num_updates / 2
    assert searcher.search(first_task(store, ROOT), 1).statistics.updates == searcher.settings.num_updates


def test_a_search_of_a_finished_game_is_refused() -> None:
    store = open_store(load("rps"))
    end = store.children(store.children(ROOT)[0])[0]
    with pytest.raises(InputError, match="over"):
        Searcher(store, None, SearchSettings()).search(first_task(store, end), seed=0)


@pytest.mark.parametrize("weight", [-0.1, np.nan, np.inf])
def test_ranges_that_are_none_are_refused(weight: float) -> None:
    store = open_store(load("rps"))
    node = store.children(ROOT)[0]
    good, bad = Task(node, node, (np.ones(3), np.ones(1))), np.array([1.0, weight, 1.0])
    searcher = Searcher(store, None, SearchSettings(simulations=2))
    with pytest.raises(InputError, match="finite and not negative"):
        searcher.search_many([good, good._replace(ranges=(bad, np.ones(1)))], [0, 1])
    assert searcher.search(good, seed=0).policy.shape == (3, 1)  # it goes on


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_bad_seeds_are_refused(seed: int) -> None:
    store = open_store(load("kuhn"))
    with pytest.raises(InputError, match="seed"):
        Searcher(store, None, SearchSettings()).search(first_task(store, first_decision(store)), seed)


@pytest.mark.parametrize(
    "text",
    ["", "100", "0,1", "10,0", "a,b", "10,1,1", "10,inf", "100,nan", "9,0%", "9,nan%", "9,200%", "9,%"],
)
def test_bad_searches_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_search(text)


@pytest.mark.parametrize("share", [-0.1, 1.5])
def test_a_share_of_simulations_is_a_share(share: float) -> None:
    with pytest.raises(InputError, match="puct_share must be from 0 to 1"):
        SearchSettings(puct_share=share)
