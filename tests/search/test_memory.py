"""Warm starts: a search goes on where another one stopped."""

from dataclasses import replace

import numpy as np
import pytest

from sog.core.arrays import F64
from sog.games.base import NUM_PLAYERS
from sog.games.registry import load
from sog.public.store import ROOT, StateStore
from sog.search.evaluators import make_evaluator
from sog.search.gtcfr import Searcher, Task
from sog.search.lanes import AVERAGE, POLICY, REGRET
from sog.search.memory import Memory
from sog.search.player import Player
from sog.search.resolving import first_task, next_task
from sog.search.settings import SearchSettings
from tests.public.test_store import chart_fully
from tests.search.test_gtcfr import assert_equal, first_decision
from tests.search.test_player import play_out

WHOLE = 1000  # deeper than any game here


def fixed(iterations: int, warm_start: float = 1.0) -> SearchSettings:
    """Return updates on the whole tree alone."""
    return SearchSettings(
        simulations=1, per_update=1 / iterations, depth=WHOLE, warm_start=warm_start, first_policy="uniform"
    )


def decision_slots(searcher: Searcher, field: int) -> list[F64]:
    """Return a field of all slots of decisions, player by player."""
    lanes, found = searcher._lanes, []
    for player in range(NUM_PLAYERS):
        num_steps = int(lanes.counts[player, 0, 0])
        for step in lanes.steps[player, 0, :num_steps]:
            size = int(step["num_actions"]) * int(step["rows"])
            found.append(lanes.slots[player, 0, field, int(step["output"]) : int(step["output"]) + size])
    return found


def run(task: Task, store: StateStore, settings: SearchSettings, memory: Memory | None = None) -> Searcher:
    searcher = Searcher(store, None, settings)
    searcher.search(task._replace(memory=memory), seed=0)
    return searcher


def memory_of(
    task: Task, store: StateStore, settings: SearchSettings, memory: Memory | None = None
) -> Memory:
    found = Searcher(store, None, settings).search(task._replace(memory=memory), seed=0).memory
    assert isinstance(found, Memory)
    return found


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_with_the_same_root_a_search_goes_on_exactly_where_it_stopped(name: str) -> None:
    store = chart_fully(StateStore(load(name)))
    task = first_task(store, first_decision(store))
    memory = memory_of(task, store, fixed(7))
    memory = memory_of(task, store, fixed(5), memory)
    assert memory.iterations == 12
    parts, whole = run(task, store, fixed(8), memory), run(task, store, fixed(20))
    for field in (REGRET, AVERAGE, POLICY):
        for one, other in zip(decision_slots(parts, field), decision_slots(whole, field), strict=True):
            np.testing.assert_array_equal(one, other)


def test_what_the_ranges_are_divided_by_makes_no_difference() -> None:
    store = chart_fully(StateStore(load("leduc")))
    task = first_task(store, first_decision(store))
    rng = np.random.default_rng(0)
    ranges = rng.random(task.ranges[0].size), rng.random(task.ranges[1].size)
    task = task._replace(ranges=ranges)
    memory = memory_of(task, store, fixed(9))
    masses = (5.0, 0.25)
    scaled = task._replace(ranges=(ranges[0] / masses[0], ranges[1] / masses[1]), masses=masses)
    one, other = run(task, store, fixed(3), memory), run(scaled, store, fixed(3), memory)
    for left, right in zip(decision_slots(one, POLICY), decision_slots(other, POLICY), strict=True):
        np.testing.assert_allclose(left, right, atol=1e-12)


def test_a_share_of_the_iterations_counts_as_played() -> None:
    store = chart_fully(StateStore(load("leduc")))
    current = first_decision(store)
    task = first_task(store, current)
    memory = memory_of(task, store, fixed(20))
    assert memory.age(0, current) == 20
    warm = Searcher(store, None, fixed(10, warm_start=0.3)).search(task._replace(memory=memory), seed=0)
    assert warm.statistics.updates == 10
    assert warm.memory is not None
    assert warm.memory.iterations == 16
    once = run(task, store, fixed(1, warm_start=0.3), memory)
    place = int(np.searchsorted(memory.players[0].nodes, current))
    start = int(memory.players[0].start[place])
    before = memory.players[0].average[start : start + warm.policy.size].reshape(warm.policy.shape)
    share = np.sum(np.arange(1, 7) ** 2.0) / np.sum(np.arange(1, 21) ** 2.0)
    lanes = once._lanes
    step = lanes.steps[0, 0, lanes.nodes[0, int(lanes.lane[0]["current"])]["decision"]]
    slots = slice(int(step["output"]), int(step["output"]) + warm.policy.size)
    after = lanes.slots[0, 0, AVERAGE, slots].reshape(warm.policy.shape)
    np.testing.assert_allclose(after.sum(axis=0), share * before.sum(axis=0) + 7**2)  # the seventh iteration


def test_only_what_the_search_before_decided_upon_is_remembered() -> None:
    """A state that the tree did not hold is searched as if there were nothing to remember."""
    store = chart_fully(StateStore(load("leduc")))
    settings = SearchSettings(simulations=1, warm_start=1.0)
    result = Searcher(store, None, settings).search(first_task(store, first_decision(store)), seed=0)
    deep = max(node for node in range(store.num_nodes) if store.actor(node) == 0)
    task = next_task(store, result, deep, player=0)
    assert task.memory is not None
    assert task.memory.age(0, deep) == 0
    larger = replace(settings, simulations=30)
    warm, cold = (
        Searcher(store, None, larger).search(one, seed=1) for one in (task, task._replace(memory=None))
    )
    assert_equal(warm, cold)
    none = Searcher(store, None, SearchSettings(simulations=1)).search(task, seed=0)
    assert none.memory is None


@pytest.mark.parametrize("evaluator", ["zero", "exact(iterations=10)"])
def test_warm_searches_in_company_find_what_they_find_alone(evaluator: str) -> None:
    store = chart_fully(StateStore(load("leduc")))
    searcher = Searcher(store, make_evaluator(evaluator), SearchSettings(simulations=40, warm_start=0.5))
    first = first_decision(store)
    before = searcher.search(first_task(store, first), seed=0)
    nodes = [
        node for node in range(store.num_nodes) if store.actor(node) == 0 and first in store.path(node)[:-1]
    ]
    tasks = [next_task(store, before, node, player=0) for node in nodes[:12]]
    memories = [task.memory for task in tasks]
    assert any(
        memory is not None and memory.age(0, node) > 1 for memory, node in zip(memories, nodes, strict=False)
    )
    together = searcher.search_many(tasks, range(len(tasks)))
    for seed, (task, result) in enumerate(zip(tasks, together, strict=True)):
        assert_equal(result, searcher.search(task, seed))


def test_partial_decisions_are_not_remembered_and_do_no_harm() -> None:
    store = StateStore(load("tictactoe"))
    searcher = Searcher(
        store, make_evaluator("uniform-rollout"), SearchSettings(simulations=60, warm_start=1.0)
    )
    result = searcher.search(Task(ROOT, ROOT, (np.ones(1), np.ones(1))), seed=0)
    assert isinstance(result.memory, Memory)
    assert result.memory.players[0].nodes.tolist() == [ROOT]
    again = searcher.search(Task(ROOT, ROOT, (np.ones(1), np.ones(1)), memory=result.memory), seed=1)
    np.testing.assert_allclose(again.policy.sum(axis=0), 1)
    game = load("tictactoe")
    assert play_out(game, [Player(searcher, 0, 1), None], np.random.default_rng(0)) >= 0


def test_a_warm_started_player_plays_leduc_to_the_end() -> None:
    game, rng = load("leduc"), np.random.default_rng(3)
    searcher = Searcher(StateStore(game), None, SearchSettings(simulations=20, warm_start=0.5))
    for seed in range(10):
        play_out(game, [Player(searcher, 0, seed), Player(searcher, 1, seed)], rng)
