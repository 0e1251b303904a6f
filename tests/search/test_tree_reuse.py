"""Trees that the next search goes on with."""

from dataclasses import replace

import numpy as np
import pytest

from sog.core.arrays import Records
from sog.games.base import NUM_PLAYERS, TERMINAL
from sog.public.evaluator import Batch
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Searcher, Task
from sog.search.lanes import ANSWER, AVERAGE, INTERIOR, NONE, POLICY, REGRET, VISITS
from sog.search.resolving import next_task
from sog.search.result import SearchResult
from sog.search.settings import SearchSettings
from sog.search.tree_reuse import ReusableTree
from tests.search.test_reach_free import Opinions, board

SETTINGS = SearchSettings(simulations=80, warm_start=1.0, learns_everywhere=True)


def first_search(searcher: Searcher) -> SearchResult:
    return searcher.search(Task(ROOT, ROOT, (np.ones(1), np.ones(1))), seed=1)


def below(reusable: ReusableTree, node: int) -> dict[int, int]:
    """Return the numbers of all nodes at and below one, by their nodes in the store."""
    nodes, inside = reusable.tree.nodes, {node}
    for index in range(node + 1, nodes.size):
        if int(nodes[index]["parent"]) in inside:
            inside.add(index)
    return {int(nodes[index]["state"]): index for index in inside}


def stop_at_once(searcher: Searcher, task: Task) -> None:
    """Plant a search and go no further."""
    searcher._reserve([task])
    searcher._plant([task], [0])


def decision(nodes: Records, steps: Records, store: StateStore, node: int) -> tuple[int, slice]:
    """Return who decides at a node of a tree, and the slots of the decision."""
    actor = store.actor(int(nodes[node]["state"]))
    step = steps[actor, int(nodes[node]["decision"])]
    return actor, slice(int(step["output"]), int(step["output"]) + int(step["num_actions"]))


@pytest.mark.parametrize("warm_start", [1.0, 0.4])
@pytest.mark.parametrize("root_actions", [0, 1])
def test_the_next_search_begins_with_what_lies_below(root_actions: int, warm_start: float) -> None:
    """Every node has its answers, priors, visits and policy, and regrets and averages of fewer iterations.

    A share of the iterations in which the new root was decided upon counts as played, with the weights t² of
    the first iterations of a search.
    """
    store, settings = board(), replace(SETTINGS, root_actions=root_actions, warm_start=warm_start)
    searcher = Searcher(store, Opinions(), settings)
    result = first_search(searcher)
    reusable = result.reusable
    assert isinstance(reusable, ReusableTree)
    parts = {
        child: below(reusable, found) for child in store.children(ROOT) if (found := reusable.find(child))
    }
    child = max(parts, key=lambda node: len(parts[node]))
    stop_at_once(searcher, next_task(store, result, child, store.actor(child)))
    lanes, kept, tree = searcher._lanes, parts[child], reusable.tree
    nodes = lanes.nodes[0, : int(lanes.lane[0]["num_nodes"])]
    assert sorted(nodes["state"]) == sorted(kept)
    age = reusable.age(child)
    played = round(warm_start * age)
    assert 0 < played <= age < reusable.iterations
    squares = np.arange(1.0, reusable.iterations + 1) ** 2
    factor = squares[:played].sum() / squares[-age:].sum()
    checked = 0
    for node, record in enumerate(nodes):
        old = kept[int(record["state"])]
        for field in ("kind", "is_partial", "is_answered", "factor"):
            assert record[field] == tree.nodes[old][field], field
        for player in range(NUM_PLAYERS):
            value = int(lanes.leaves[player, 0, node]["value"])
            before = int(tree.leaves[player, old]["value"])
            assert lanes.leaf_rows[player, 0, ANSWER, value] == tree.answers[player, 0, before]
        if record["prior"] != NONE:
            actions = store.arrays().nodes[record["state"]]["num_actions"]
            first, before = int(record["prior"]), int(tree.nodes[old]["prior"])
            priors = lanes.priors[0, first : first + actions]
            np.testing.assert_array_equal(priors, tree.priors[before : before + actions])
        if record["kind"] != INTERIOR:
            continue
        actor, new = decision(nodes, lanes.steps[:, 0], store, node)
        _, there = decision(tree.nodes, tree.steps, store, old)
        slots = lanes.slots[actor, 0, :, new]
        np.testing.assert_array_equal(slots[POLICY], tree.slots[actor, 3, there])
        np.testing.assert_array_equal(lanes.marks[actor, 0, VISITS, new], tree.visits[actor, there])
        regrets, averages = tree.slots[actor, 0, there], tree.slots[actor, 2, there]
        np.testing.assert_allclose(slots[REGRET], played / age * regrets, rtol=1e-12)
        np.testing.assert_allclose(slots[AVERAGE], factor * averages, rtol=1e-12)
        checked += 1
    assert checked > 8


def test_a_search_of_the_same_state_goes_on_as_if_it_had_not_stopped() -> None:
    """Two searches of the root, one after the other, find what one of both lengths finds."""
    store = board()
    parts, whole = Searcher(store, Opinions(), SETTINGS), Searcher(store, Opinions(), SETTINGS)
    task = Task(ROOT, ROOT, (np.ones(1), np.ones(1)))
    reusable = parts.search(task, seed=1).reusable
    assert isinstance(reusable, ReusableTree)
    stop_at_once(parts, task._replace(reusable=reusable))
    whole.search(task, seed=1)
    for player in range(NUM_PLAYERS):
        for field in (REGRET, AVERAGE):
            size = reusable.tree.slots.shape[2]
            ours = parts._lanes.slots[player, 0, field, 1:size]
            np.testing.assert_allclose(ours, whole._lanes.slots[player, 0, field, 1:size], rtol=1e-12)
    assert parts._lanes.lane[0]["iteration"] == whole._lanes.lane[0]["iteration"]


@pytest.mark.parametrize("name", ["tictactoe", "connect_four"])
def test_games_are_played_with_trees_that_go_on(name: str) -> None:
    """All actions of the current state are there, policies sum to one, and nothing is asked about twice."""
    store = board(name)
    asked: list[int] = []

    class Counting(Opinions):
        def evaluate(self, store: StateStore, batch: Batch) -> None:
            asked.extend(batch.nodes.tolist())
            super().evaluate(store, batch)

    searcher = Searcher(store, Counting(), replace(SETTINGS, simulations=40))
    node, previous, reused = ROOT, None, 0
    while store.actor(node) != TERMINAL:
        task = next_task(store, previous, node, store.actor(node))
        reused += task.reusable is not None
        previous = searcher.search(task, seed=node)
        assert previous.policy.shape[0] == len(store.children(node))
        assert previous.policy[:, 0].sum() == pytest.approx(1)
        node = store.children(node)[int(np.argmax(previous.policy[:, 0]))]
    assert reused > 3
    assert len(asked) == len(set(asked))


def test_a_state_that_the_tree_does_not_hold_is_searched_anew() -> None:
    store = board("connect_four")
    searcher = Searcher(store, Opinions(), replace(SETTINGS, simulations=4))
    result = first_search(searcher)
    node = ROOT
    for _ in range(4):
        node = store.children(node)[0]
    task = next_task(store, result, node, store.actor(node))
    again = searcher.search(task, seed=0)
    fresh = searcher.search(task._replace(reusable=None), seed=0)
    np.testing.assert_array_equal(again.policy, fresh.policy)
