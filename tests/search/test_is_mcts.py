from math import sqrt
from typing import Any

import numpy as np
import pyspiel
import pytest

from sog.core.arrays import F64, I64
from sog.core.errors import InputError
from sog.games.base import TERMINAL, AnyGame
from sog.games.registry import load
from sog.public.derived import DerivedState, DerivedView
from sog.public.enumeration import Enumeration, enumerate_game
from sog.search.is_mcts import FINAL_RULES, Findings, IsMcts
from sog.solvers.evaluation import Evaluation
from sog.solvers.traversal import push_reach
from tests.public.belief import belief_at, world_probabilities
from tests.random_game import RandomGame

OPENSPIEL_RULES = {
    "visits": pyspiel.ISMCTSFinalPolicyType.NORMALIZED_VISIT_COUNT,
    "max-visits": pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
    "max-value": pyspiel.ISMCTSFinalPolicyType.MAX_VALUE,
}


def _states(whole: Enumeration) -> list[DerivedState]:
    """The public states with their worlds, in the order of the layout."""
    view = whole.store.view
    assert isinstance(view, DerivedView)
    return [view.state(whole.store, node) for node in whole.layout.nodes]


def _by_pair(state: DerivedState) -> list[Any]:
    """The worlds of a state, one for each pair of infostates, in the order of the graph."""
    order = np.lexsort((state.rows[1], state.rows[0]))
    return [state.worlds[index] for index in order]


def _slots(root: Any) -> I64:
    """The slots of an infostate's actions."""
    slots: I64 = int(root["slot"]) + int(root["stride"]) * np.arange(int(root["num_actions"]))
    return slots


def _openspiel_policies(state: Any, rule: str, simulations: int, exploration: float, runs: int) -> F64:
    policies = []
    for seed in range(runs):
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed + 1000)
        bot = pyspiel.ISMCTSBot(
            seed, evaluator, exploration, simulations, -1, OPENSPIEL_RULES[rule], False, False
        )
        policies.append([chance for _, chance in sorted(bot.get_policy(state))])
    return np.array(policies)


def _assert_same_mean(ours: F64, theirs: F64, what: object) -> None:
    """Means over runs [runs, A] differ by no more than chance makes them."""
    spread = np.sqrt(ours.var(axis=0) / len(ours) + theirs.var(axis=0) / len(theirs))
    assert np.all(np.abs(ours.mean(axis=0) - theirs.mean(axis=0)) <= 5 * spread + 1e-9), (
        what,
        ours.mean(axis=0),
        theirs.mean(axis=0),
    )


@pytest.mark.parametrize(
    ("name", "simulations", "exploration", "runs", "step", "rule"),
    [
        *(("kuhn_poker", 40, 1.5, 400, 1, rule) for rule in FINAL_RULES),
        ("leduc_poker", 60, 10.0, 80, 90, "visits"),
    ],
)
def test_policies_are_distributed_like_openspiels(
    name: str, simulations: int, exploration: float, runs: int, step: int, rule: str
) -> None:
    tree = enumerate_game(load(f"openspiel:{name}"))
    search = IsMcts(tree)
    worlds = [world for state in _states(tree) for world in _by_pair(state)]
    chosen = range(0, search.num_infostates, step)
    assert len(chosen) >= 11
    policies = [
        np.concatenate(search.policy(search.run(simulations, exploration, seed, chosen), rule))
        for seed in range(runs)
    ]
    for root in search.roots.infostates[chosen]:
        ours = np.array(policies)[:, _slots(root)]
        world = worlds[search.roots.pair_row[root["pair_start"]]]
        theirs = _openspiel_policies(world.state, rule, simulations, exploration, runs)
        _assert_same_mean(ours, theirs, world)


def test_leduc_is_as_exploitable_as_in_the_paper() -> None:
    """Player of Games, table 5: 511, 465 and 470 mbb/h with 10,000 simulations and C = 13."""
    tree = enumerate_game(load("leduc"))
    search, evaluation = IsMcts(tree), Evaluation(tree.layout, tree.terminals())
    runs = [search.run(10_000, 13.0, seed) for seed in range(8)]
    for rule, paper in (("visits", 0.511), ("max-visits", 0.465), ("max-value", 0.470)):
        found = [evaluation.exploitability(search.policy(findings, rule)) for findings in runs]
        assert np.mean(found) == pytest.approx(paper, rel=0.12), rule


@pytest.mark.parametrize(
    "name", ["kuhn", "leduc", "scotland_yard(map=glasses,rounds=3)", "liars_dice(faces=3)"]
)
def test_every_infostate_counts_its_simulations(name: str) -> None:
    game = load(name)
    tree = enumerate_game(game)
    search = IsMcts(tree)
    findings = search.run(50, game.info.max_utility, 3)
    visited = 0
    for root in search.roots.infostates:
        slots = _slots(root)
        assert findings.visits[slots].sum() == 49  # the first simulation adds the root
        assert np.all(np.abs(findings.returns[slots]) <= findings.visits[slots] * game.info.max_utility)
        assert np.all(findings.visits[slots] > 0)  # every action is tried before one is repeated
        visited += slots.size
    assert np.count_nonzero(findings.visits) == visited
    evaluation = Evaluation(tree.layout, tree.terminals())
    for rule in FINAL_RULES:
        for own, policy in zip(evaluation.layout.players, search.policy(findings, rule), strict=True):
            for step in own.steps[1:]:
                if step["num_actions"]:
                    block = policy[step["output"] :][: step["num_actions"] * step["rows"]]
                    np.testing.assert_allclose(block.reshape(-1, step["rows"]).sum(axis=0), 1)


@pytest.mark.parametrize(
    "game",
    [*(RandomGame(seed, length=6) for seed in (1, 3, 15)), load("scotland_yard(rounds=3)"), load("leduc")],
    ids=lambda game: game.info.name,
)
def test_pairs_are_drawn_by_the_belief_in_a_uniform_opponent(game: AnyGame) -> None:
    """In all of these games but Leduc, pairs of one infostate differ in the opponent's hidden moves."""
    tree = enumerate_game(DerivedView(game))
    search, evaluation = IsMcts(tree), Evaluation(tree.layout, tree.terminals())
    reach = evaluation.uniform_policy()
    for own, policy, mine in zip(evaluation.layout.players, evaluation.uniform_policy(), reach, strict=True):
        mine[:] = 1
        push_reach(own, policy, mine)
    first, checked = 0, 0
    for place, state in enumerate(_states(tree)):
        player = state.actor
        pairs, of_world = np.unique(
            state.rows, axis=1, return_inverse=True
        )  # [2, pairs] in the graph's order
        if player < 2:
            worlds = world_probabilities(state, belief_at(tree.layout, place, reach))
            beliefs = np.bincount(of_world.ravel(), worlds)
            for infostate in range(len(state.infostates[player])):
                slot = int(tree.layout.slots_of(place, infostate, 1)[0])
                index = search.index_of(player, slot)
                assert (index is None) == (len(state.legal[infostate]) == 1)
                if index is None:
                    continue
                root = search.roots.infostates[index]
                drawn = slice(root["pair_start"], root["pair_start"] + root["num_pairs"])
                members = np.flatnonzero(pairs[player] == infostate)
                np.testing.assert_array_equal(search.roots.pair_row[drawn], first + members)
                share = np.diff(search.roots.pair_share[drawn], prepend=0)
                np.testing.assert_allclose(share, beliefs[members] / beliefs[members].sum(), atol=1e-12)
                checked += 1
        first += pairs.shape[1]
    assert checked == search.num_infostates > 0


def test_last_decisions_find_the_expected_utility() -> None:
    """Where every action ends the game, means are the exact expectations over the infostate's worlds."""
    search = IsMcts(enumerate_game(load("leduc")))
    rows, moves = search.graph.rows, search.graph.moves
    last = []
    for index, root in enumerate(search.roots.infostates):
        worlds = search.roots.pair_row[root["pair_start"] :][: root["num_pairs"]]
        first_moves = rows["move_start"][worlds][:, None] + np.arange(root["num_actions"])
        after = rows[moves["row"][first_moves]]
        if np.all(after["actor"] == TERMINAL):
            last.append((index, worlds, after["utility"]))
    assert len(last) > 100
    simulations = 4000
    findings = search.run(simulations, 13.0, 5, [index for index, _, _ in last])
    for index, worlds, utilities in last:
        root = search.roots.infostates[index]
        slots = _slots(root)
        sign = 1 if rows["actor"][worlds[0]] == 0 else -1
        visits, means = findings.visits[slots], findings.returns[slots] / findings.visits[slots]
        error = 5 * 13 / np.sqrt(visits)
        assert np.all(np.abs(means - sign * utilities.mean(axis=0)) <= error)
        best = int(np.argmax(sign * utilities.mean(axis=0)))
        assert int(np.argmax(visits)) == best or np.ptp(utilities.mean(axis=0)) < 26 / sqrt(simulations)


def test_actions_are_tried_in_any_order() -> None:
    search = IsMcts(enumerate_game(load("rps")))
    slots = _slots(search.roots.infostates[0])
    first = sum(search.run(2, 1.0, seed, [0]).visits[slots] for seed in range(600))
    assert np.all(np.abs(first - 200) < 60), first


def test_final_rules() -> None:
    search = IsMcts(enumerate_game(load("kuhn")))
    root = search.roots.infostates[0]
    slots = _slots(root)
    findings = Findings(np.zeros(sum(search.num_slots)), np.zeros(sum(search.num_slots)))

    def policy(rule: str) -> list[float]:
        played: list[float] = np.concatenate(search.policy(findings, rule))[slots].tolist()
        return played

    assert [policy(rule) for rule in FINAL_RULES] == [[0.5, 0.5]] * 3  # nothing known
    findings.visits[slots], findings.returns[slots] = (3, 1), (-3, 2)
    assert [policy(rule) for rule in FINAL_RULES] == [[0.75, 0.25], [1, 0], [0, 1]]
    findings.visits[slots], findings.returns[slots] = (2, 2), (1, 1)
    assert [policy(rule) for rule in FINAL_RULES] == [[0.5, 0.5]] * 3  # equals share
    findings.visits[slots], findings.returns[slots] = (1, 0), (-5, 0)
    assert [policy(rule) for rule in FINAL_RULES] == [[1, 0]] * 3  # what was never tried has no mean


def test_same_seed_same_findings_whatever_else_is_searched() -> None:
    tree = enumerate_game(load("leduc"))
    search = IsMcts(tree)
    first, again, other = (search.run(200, 5.0, seed) for seed in (7, 7, 8))
    np.testing.assert_array_equal(first.visits, again.visits)
    np.testing.assert_array_equal(first.returns, again.returns)
    assert np.any(first.visits != other.visits)
    alone = IsMcts(tree).run(200, 5.0, 7, [500])
    slots = np.flatnonzero(alone.visits)
    assert slots.size == search.roots.infostates[500]["num_actions"]
    np.testing.assert_array_equal(alone.visits[slots], first.visits[slots])
    np.testing.assert_array_equal(alone.returns[slots], first.returns[slots])


@pytest.mark.parametrize(("simulations", "exploration"), [(0, 1.0), (2**32, 1.0), (5, -1.0), (5, np.nan)])
def test_impossible_settings_are_refused(simulations: int, exploration: float) -> None:
    search = IsMcts(enumerate_game(load("kuhn")))
    with pytest.raises(InputError, match="must be"):
        search.run(simulations, exploration, 1)


def test_unknown_rules_are_refused() -> None:
    search = IsMcts(enumerate_game(load("kuhn")))
    with pytest.raises(InputError, match="choose from visits, max-visits, max-value"):
        search.policy(search.run(5, 1.0, 1), "best")
