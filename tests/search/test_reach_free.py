"""Updates on boards, where every state learns as if the game began there."""

from dataclasses import replace

import numpy as np
import pytest

from sog.games.registry import load
from sog.public.evaluator import Batch
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Searcher, Task
from sog.search.lanes import ANSWER, AVERAGE, INTERIOR, OVER, POLICY, REGRET, VALUE, VISITS
from sog.search.settings import SearchSettings

TASK = Task(ROOT, ROOT, (np.ones(1), np.ones(1)))


class Opinions:
    """Has an opinion of every position's value and actions, the same whenever it is asked."""

    name = "opinions"
    has_priors = True

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        for query, node in enumerate(batch.nodes):
            rng = np.random.default_rng(int(node))
            value = rng.uniform(-1, 1)
            batch.values[0][batch.rows(0, query)], batch.values[1][batch.rows(1, query)] = value, -value
            part = slice(int(batch.prior_start[query]), int(batch.prior_start[query + 1]))
            batch.priors[part] = rng.uniform(size=part.stop - part.start)


def board(name: str = "tictactoe") -> StateStore:
    game = load(name)
    return open_store(game)


class Oracle:
    """A plain walk over the tree of a search: values, regrets and averages after one more update."""

    def __init__(self, searcher: Searcher) -> None:
        self.store = searcher.store
        self.lanes = searcher._lanes
        self.nodes = self.lanes.nodes[0, : int(self.lanes.lane[0]["num_nodes"])].copy()
        self.slots, self.visits = self.lanes.slots[:, 0].copy(), self.lanes.marks[:, 0, VISITS].copy()
        self.wanted: dict[tuple[int, int, int], float] = {}  # by field, player and slot
        weights = searcher._weights[int(self.lanes.lane[0]["iteration"])]
        self.positive, self.negative, self.weight = weights[:3]
        self.walk(0)

    def walk(self, node: int) -> float:
        """Return the value of a node to player 0, and note what its decision learns."""
        record = self.nodes[node]
        answer = float(self.lanes.leaf_rows[0, 0, ANSWER, int(self.lanes.leaves[0, 0, node]["value"])])
        if record["kind"] == OVER:
            return self.store.utility(int(record["state"]), (0, 0))
        if record["kind"] != INTERIOR:
            return answer
        actor = self.store.actor(int(record["state"]))
        sign = 1 if actor == 0 else -1
        children = np.flatnonzero(self.nodes["parent"] == node)
        places = [int(self.lanes.leaves[actor, 0, child]["slot"]) for child in children]
        assert len(set(places)) == len(places)
        values = [sign * self.walk(int(child)) for child in children]
        policy = self.slots[actor, POLICY, places]
        assert policy.sum() == pytest.approx(1)
        mean = float(policy @ values)
        for slot, value in zip(places, values, strict=True):
            regret = self.slots[actor, REGRET, slot] + value - mean
            self.wanted[VALUE, actor, slot] = value
            self.wanted[REGRET, actor, slot] = regret * (self.positive if regret > 0 else self.negative)
            played = self.slots[actor, POLICY, slot]
            self.wanted[AVERAGE, actor, slot] = self.slots[actor, AVERAGE, slot] + self.weight * played
        counts = self.visits[actor, places] + 1.0
        words, answers = sign * float(counts @ values), float(counts.sum())
        if record["is_answered"]:  # not if it was expanded before anybody could ask
            words, answers = words + answer, answers + 1
        return words / answers

    def check(self, searcher: Searcher) -> None:
        """Compare with what the kernels have made of it."""
        for (field, player, slot), value in self.wanted.items():
            assert searcher._lanes.slots[player, 0, field, slot] == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("algorithm", ["dcfr", "cfr+"])
@pytest.mark.parametrize("per_update", [1.0, 4.0])
def test_updates_are_those_of_a_plain_walk(per_update: float, algorithm: str) -> None:
    settings = SearchSettings(
        simulations=60,
        per_update=per_update,
        algorithm=algorithm,
        learns_everywhere=True,
    )
    searcher = Searcher(board(), Opinions(), settings)
    oracles: dict[int, Oracle] = {}  # by iteration; those that ask nothing are not heard of
    checked: list[int] = []

    def check(simulations: int) -> bool:
        iteration = int(searcher._lanes.lane[0]["iteration"])
        if iteration - 1 in oracles:
            oracles[iteration - 1].check(searcher)
            checked.append(iteration)
        oracles[iteration] = Oracle(searcher)
        return False

    searcher.search(TASK, 3, should_stop=check)
    assert len(checked) > 5


def count_learned(searcher: Searcher) -> int:
    """Return how many decisions have regrets."""
    lanes, store = searcher._lanes, searcher.store
    learned = 0
    for record in lanes.nodes[0, : int(lanes.lane[0]["num_nodes"])]:
        if record["kind"] == INTERIOR:
            actor = store.actor(int(record["state"]))
            step = lanes.steps[actor, 0, int(record["decision"])]
            slots = slice(int(step["output"]), int(step["output"]) + int(step["num_actions"]))
            learned += bool(np.any(lanes.slots[actor, 0, REGRET, slots] != 0))
    return learned


def test_a_state_that_nobody_plays_to_goes_on_learning() -> None:
    settings = SearchSettings(simulations=200)
    counts = {True: 0, False: 0}
    for is_reach_free in counts:
        searcher = Searcher(board(), Opinions(), replace(settings, learns_everywhere=is_reach_free))
        for seed in range(6):
            searcher.search(TASK, seed)
            counts[is_reach_free] += count_learned(searcher)
    assert counts[True] > counts[False] > 0


def test_values_are_averages_of_the_states_own() -> None:
    """At the current state: between the best action's value and the evaluator's word, and zero-sum."""
    result = Searcher(board(), Opinions(), SearchSettings(simulations=50, learns_everywhere=True)).search(
        TASK, 0
    )
    for node in range(result.states.size):
        if result.has_values[node]:
            first, second = result.summary(node).values
            assert first[0] == pytest.approx(-second[0])
            assert abs(first[0]) <= 1
