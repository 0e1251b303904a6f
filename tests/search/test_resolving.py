"""Safe re-solving keeps what the search before has found; unsafe re-solving does not."""

import numpy as np
import pytest

from examples.own_view import CardView
from sog.core.arrays import F64
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL
from sog.games.registry import load
from sog.public.enumeration import enumerate_game
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Searcher
from sog.search.lanes import POLICY
from sog.search.resolving import first_task, next_task
from sog.search.settings import SearchSettings
from sog.solvers.evaluation import Evaluation
from tests.public.test_store import expand_fully

RPS = np.array([0.4, 0.4, 0.2])


def resolved_rps(is_safe: bool) -> F64:
    """Return how player 1 plays modified rock-paper-scissors after having searched player 0's turn."""
    store = expand_fully(open_store(load("rps")))
    searcher = Searcher(store, None, SearchSettings(simulations=2000, is_safe=is_safe))
    before = searcher.search(first_task(store, ROOT), seed=0)
    np.testing.assert_allclose(before.policy[:, 0], RPS, atol=0.02)
    task = next_task(store, before, 1, player=1, is_safe=is_safe)
    assert task.root == 1
    return searcher.search(task, seed=1).policy[:, 0]


def test_safe_resolving_of_rock_paper_scissors() -> None:
    np.testing.assert_allclose(resolved_rps(is_safe=True), RPS, atol=0.02)


def test_unsafe_resolving_of_rock_paper_scissors_is_exploitable() -> None:
    """Against the equilibrium every answer is as good as any other, so nothing holds the policy in place."""
    game = load("rps")
    found = enumerate_game(game)
    evaluation = Evaluation(found.layout, found.terminals())
    policy = evaluation.uniform_policy()
    policy[1][1:4] = resolved_rps(is_safe=False)
    unsafe = evaluation.best_response(0, policy).value
    policy[1][1:4] = resolved_rps(is_safe=True)
    safe = evaluation.best_response(0, policy).value
    assert safe < 0.05 < 0.1 < unsafe


@pytest.mark.parametrize("player", [0, 1])
def test_resolving_leduc_from_an_equilibrium_keeps_its_exploitability(player: int) -> None:
    """Every second-round decision of a player is re-solved from one good solution's summary of it."""
    game = load("leduc")
    found = enumerate_game(game)
    store, evaluation = found.store, Evaluation(found.layout, found.terminals())
    whole = Searcher(store, None, SearchSettings(simulations=1, per_update=1 / 2000, depth=1000))
    solution = whole.search(first_task(store, ROOT), seed=0)
    policy = tuple(whole._lanes.slots[seat, 0, POLICY, : size].copy() for seat, size in
                   enumerate(evaluation.layout.num_slots))  # fmt: skip
    before = evaluation.exploitability((policy[0], policy[1]))
    assert before < 0.005
    rest = Searcher(store, None, SearchSettings(simulations=1, per_update=1 / 2000, depth=1000))
    for node in range(store.num_nodes):
        rounds = [store.actor(above) for above in store.path(node)]
        if store.actor(node) != player or rounds.count(2) < 3:
            continue
        assert solution.find(node) is not None
        result = rest.search(next_task(store, solution, node, player), seed=node)
        output = found.layout.decision_slots(node)[0]
        policy[player][output : output + result.policy.size] = result.policy.ravel()
    after = evaluation.exploitability((policy[0], policy[1]))
    # In turns, values are averaged after player 0's answers: what player 0 is offered is a little too much,
    # and player 1's re-solves lose 0.006 to it, player 0's 0.0002.
    assert after < before + 0.01


def test_a_state_that_the_tree_does_not_hold_is_resolved_from_above() -> None:
    store = expand_fully(open_store(load("leduc")))
    searcher = Searcher(store, None, SearchSettings(simulations=1))
    first = next(node for node in range(store.num_nodes) if store.actor(node) == 0)
    result = searcher.search(first_task(store, first), seed=0)
    deep = max(node for node in range(store.num_nodes) if store.actor(node) == 0)
    assert result.find(deep) is None
    task = next_task(store, result, deep, player=0)
    assert task.root in store.path(deep)
    assert store.parents[task.root] == first  # the tree held the current state's children and no more
    assert task.resolver == 0
    policy = searcher.search(task, seed=1).policy
    np.testing.assert_allclose(policy.sum(axis=0), 1)
    other = searcher.search(next_task(store, None, deep, player=0), seed=1)
    assert other.states[0] == ROOT


def test_values_to_terminate_for_are_those_of_the_average_range() -> None:
    """What is offered to the opponent is its value against the player's normalised range."""
    store = expand_fully(open_store(load("kuhn")))
    searcher = Searcher(store, None, SearchSettings(simulations=500))
    first = next(node for node in range(store.num_nodes) if store.actor(node) == 0)
    result = searcher.search(first_task(store, first), seed=0)
    for player in range(NUM_PLAYERS):
        for node in range(1, store.num_nodes):
            found = result.find(node)
            if found is None or store.actor(node) >= NUM_PLAYERS:
                continue
            summary, task = result.summary(found), next_task(store, result, node, player)
            mass = summary.ranges[player].sum()
            assert task.ranges[1 - player].sum() == pytest.approx(1)
            if mass > 0:
                assert task.ranges[player].sum() == pytest.approx(1)
                assert task.stop_values is not None
                np.testing.assert_allclose(task.stop_values * mass, summary.values[1 - player])


def test_a_search_begins_at_the_last_state_where_all_is_known() -> None:
    """With bids shown, Goofspiel begins anew after each of them: what was found before is of no use."""
    store = open_store(load("goofspiel(cards=5,bids=shown)"))
    searcher = Searcher(store, None, SearchSettings(simulations=1, per_update=1 / 3, depth=4))
    found = searcher.search(first_task(store, ROOT), seed=0)
    known, resolved = 0, 0
    for current in found.states.tolist():
        if store.actor(current) >= CHANCE:
            continue
        path = store.path(current)
        proper = [node for node in path if store.num_infostates(node) == (1, 1)]
        first, later = first_task(store, current), next_task(store, found, current, store.actor(current))
        assert first.root == proper[-1]
        if current == proper[-1]:
            assert later.root == current
            assert later.resolver is None
            known += 1
        else:
            assert path.index(later.root) > path.index(proper[-1])
            assert later.resolver == store.actor(current)
            resolved += 1
    assert known > 3
    assert resolved > 3
    fresh = 0
    for node in set(found.states.tolist()):
        if store.num_infostates(node) == (1, 1) and store.actor(node) < CHANCE:
            below = [child for child in store.children(node) if found.find(child) is None]
            for current in below:
                if store.actor(current) < CHANCE:
                    task = next_task(store, found, current, store.actor(current))
                    assert (task.root, task.resolver) == (node, None)
                    fresh += 1
    assert fresh > 3
    beyond = 0
    for node in set(found.states.tolist()):  # from there to a state where all is known that the tree lacks
        while store.actor(node) != TERMINAL and (
            store.num_infostates(node) != (1, 1) or found.find(node) is not None
        ):
            node = store.children(node)[0]
        current = node if store.actor(node) == TERMINAL else store.children(node)[0]
        if store.actor(current) < CHANCE:
            task = next_task(store, found, current, store.actor(current))
            assert (task.root, task.resolver) == (node, None)
            beyond += 1
    assert beyond > 3


def test_an_opponent_of_one_infostate_needs_no_gadget() -> None:
    """Mr. X knows all that the detectives know: he searches from where he stands, with the range he has."""
    store = open_store(load("scotland_yard(rounds=3)"))
    searcher = Searcher(store, None, SearchSettings(simulations=1, per_update=1 / 5))
    before = searcher.search(first_task(store, ROOT), seed=0)
    node, ranges = (
        store.children(ROOT)[0],
        before.summary(before.find(store.children(ROOT)[0]) or 0).ranges[0],
    )
    while store.actor(node) == 1:
        node = next(child for child in store.children(node) if store.actor(child) < CHANCE)
        ranges = store.push(node, 0, ranges)
    task = next_task(store, before, node, player=0)
    assert (task.root, task.current, task.resolver) == (node, node, None)
    assert store.num_infostates(node)[0] > 1
    np.testing.assert_allclose(task.ranges[0], ranges / ranges.sum())
    detectives = store.children(node)[0]
    task = next_task(store, before, detectives, player=1)
    assert (task.resolver, store.num_infostates(task.root)) == (1, (store.num_infostates(task.root)[0], 1))
    assert task.root != detectives


@pytest.mark.parametrize("player", [0, 1])
def test_resolving_glasses_from_an_equilibrium_keeps_its_exploitability(player: int) -> None:
    """Every decision of a player is re-solved from one good solution's summary of the state before it."""
    found = enumerate_game(load("scotland_yard(rounds=4)"))
    store, evaluation = found.store, Evaluation(found.layout, found.terminals())
    whole = Searcher(store, None, SearchSettings(simulations=1, per_update=1 / 1000, depth=1000))
    solution = whole.search(first_task(store, ROOT), seed=0)
    policy = tuple(whole._lanes.slots[seat, 0, POLICY, : size].copy() for seat, size in
                   enumerate(evaluation.layout.num_slots))  # fmt: skip
    before = evaluation.exploitability((policy[0], policy[1]))
    assert before < 0.01
    moves = store.records["moves"]
    nodes = [node for node in range(store.num_nodes) if store.actor(node) == player and moves[node] >= 3]
    results = whole.search_many([next_task(store, solution, node, player) for node in nodes], nodes)
    for node, result in zip(nodes, results, strict=True):
        output = found.layout.decision_slots(node)[0]
        policy[player][output : output + result.policy.size] = result.policy.ravel()
    assert evaluation.exploitability((policy[0], policy[1])) < before + 0.02


def test_infostates_that_are_dead_have_no_range() -> None:
    """The open card cannot be held: its holders stay in the ranges of a search, and leave the next one's."""
    store = StateStore(CardView())
    searcher = Searcher(store, None, SearchSettings(simulations=1, per_update=1 / 10, depth=3))
    found, dropped = searcher.search(first_task(store, store.locate((0,))), seed=0), 0
    for card in range(4):
        node = store.locate((0, 1, card))
        place = found.find(node)
        assert place is not None
        task = next_task(store, found, node, player=1)
        for alive, own, before in zip(
            store.alive(node), task.ranges, found.summary(place).ranges, strict=True
        ):
            kept = np.where(alive, before, 0.0)
            np.testing.assert_allclose(own, kept / kept.sum())
            dropped += int(np.count_nonzero(before[~alive]))
        ranges = searcher.search(task, seed=0).summary(0).ranges  # under the gadget
        assert all(not own[~alive].any() for alive, own in zip(store.alive(node), ranges, strict=True))
    assert dropped > 3
