"""Exact evaluation against plain recursion over histories, brute force, and OpenSpiel."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.games.base import CHANCE, TERMINAL, AnyGame
from sog.games.registry import load
from sog.public.derived import DerivedView
from sog.public.enumeration import Enumeration, enumerate_game
from sog.public.layout import lay_out
from sog.public.opening import open_store
from sog.public.store import ROOT
from sog.public.terminals import collect_terminals
from sog.solvers.evaluation import Evaluation, Profile
from sog.solvers.solver import Solver
from tests.random_game import RandomGame, RandomWorld


def evaluation_of(game: AnyGame, max_depth: int | None = None) -> Evaluation:
    whole = enumerate_game(game, max_depth)
    return Evaluation(whole.layout, whole.terminals())


def random_policy(evaluation: Evaluation, seed: int) -> Profile:
    rng = np.random.default_rng(seed)
    policy = evaluation.uniform_policy()
    for own, part in zip(evaluation.layout.players, policy, strict=True):
        for step in own.steps:
            actions, rows, start = int(step["num_actions"]), int(step["rows"]), int(step["output"])
            if actions:
                block = part[start : start + actions * rows].reshape(actions, rows)
                block *= rng.random(block.shape) + 0.01
                block /= block.sum(axis=0)
    return policy


def world_policy(whole: Enumeration, policy: Profile) -> dict[Any, dict[int, float]]:
    """Return each acting world's action probabilities."""
    store, layout = whole
    view, result = store.view, {}
    assert isinstance(view, DerivedView)
    for place in np.flatnonzero(layout.actor < 2).tolist():
        state = view.state(store, int(layout.nodes[place]))
        for world, row in zip(state.worlds, state.rows[state.actor].tolist(), strict=True):
            slots = layout.slots_of(place, row, len(state.legal[row]))
            result[world] = dict(zip(state.legal[row], policy[state.actor][slots].tolist(), strict=True))
    return result


def recursive_value(game: AnyGame, plays: dict[Any, dict[int, float]]) -> float:
    def visit(world: Any) -> float:
        actor = game.actor(world)
        if actor == TERMINAL:
            return game.returns(world)[0]
        outcomes = game.chance_outcomes(world) if actor == CHANCE else plays[world].items()
        return sum(probability * visit(game.apply(world, action)) for action, probability in outcomes)

    return visit(game.initial_world())


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_value_equals_recursion_over_histories(seed: int) -> None:
    game = RandomGame(seed)
    whole = enumerate_game(game)
    evaluation = Evaluation(whole.layout, whole.terminals())
    policy = random_policy(evaluation, seed)
    assert evaluation.value(policy) == pytest.approx(recursive_value(game, world_policy(whole, policy)))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 1))
def test_best_response_beats_every_pure_strategy(seed: int, player: int) -> None:
    """The best response's value is the largest over all pure strategies, and its policy attains it."""
    evaluation = evaluation_of(RandomGame(seed, length=3))
    policy = random_policy(evaluation, seed)
    sign = 1 if player == 0 else -1
    own = evaluation.layout.players[player]
    rows = [
        (step, row, int(own.legal[int(step["first_row"]) + row]))
        for step in own.steps
        if step["num_actions"] > 0
        for row in range(int(step["rows"]))
    ]
    choices = [range(legal) for _, _, legal in rows]
    if np.prod([len(choice) for choice in choices], dtype=float) > 2000:
        return
    best = -np.inf
    for combination in itertools.product(*choices):
        pure = policy[player].copy()
        for (step, row, _), chosen in zip(rows, combination, strict=True):
            for action in range(int(step["num_actions"])):
                pure[int(step["output"]) + action * int(step["rows"]) + row] = action == chosen
        profile = (pure, policy[1]) if player == 0 else (policy[0], pure)
        best = max(best, sign * evaluation.value(profile))
    response = evaluation.best_response(player, policy)
    assert response.value == pytest.approx(best)
    profile = (response.policy, policy[1]) if player == 0 else (policy[0], response.policy)
    assert sign * evaluation.value(profile) == pytest.approx(best)


class FewerChoices(RandomGame):
    """Chance tells player 0 a card; with card 0 there is one action, with card 1 two. Everything loses."""

    def actor(self, world: RandomWorld) -> int:
        return (CHANCE, 0, TERMINAL)[len(world.history)]

    def legal_actions(self, world: RandomWorld) -> tuple[int, ...]:
        return (0,) if world.history[0] == 0 else (0, 1)

    def chance_outcomes(self, world: RandomWorld) -> tuple[tuple[int, float], ...]:
        return ((0, 0.5), (1, 0.5))

    def returns(self, world: RandomWorld) -> tuple[float, float]:
        utility = -1.0 - world.history[1]
        return utility, -utility

    def _public(self, history: tuple[int, ...]) -> int:
        return 0

    def _private(self, player: int, history: tuple[int, ...]) -> int:
        return history[0] if player == 0 and len(history) == 1 else 0


def test_unused_slots_are_no_choice() -> None:
    """An infostate with fewer actions than its neighbours cannot answer with one that it does not have."""
    evaluation = evaluation_of(FewerChoices(0))
    assert evaluation.layout.players[0].legal.tolist() == [1, 2]
    assert evaluation.best_response(0, evaluation.uniform_policy()).value == pytest.approx(-1)


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+"])
@pytest.mark.parametrize("seed", range(3, 6))
def test_policies_sum_to_one_over_the_legal_actions(seed: int, algorithm: str) -> None:
    """The uniform policy, and what is played where regrets have been learned and where there are none."""
    solver = Solver(RandomGame(seed), algorithm)
    evaluation, differing = solver.evaluation, 0
    policies = [evaluation.uniform_policy()]
    for _ in range(3):
        solver.advance(1)
        policies.append((solver.variant_state()[0].policy.copy(), solver.variant_state()[1].policy.copy()))
    for policy in policies:
        for own, part in zip(evaluation.layout.players, policy, strict=True):
            for step in own.steps[own.steps["num_actions"] > 0]:
                actions, rows, start = int(step["num_actions"]), int(step["rows"]), int(step["output"])
                block = part[start : start + actions * rows].reshape(actions, rows)
                legal = own.legal[int(step["first_row"]) :][:rows]
                np.testing.assert_allclose(block.sum(axis=0), 1)
                assert not block[np.arange(actions)[:, None] >= legal].any()
                differing += int(np.ptp(legal) > 0)
    assert differing > 0


def test_a_value_is_the_sum_over_the_infostates_at_the_root() -> None:
    """After the deal of Kuhn, which chance's weights contain, the game is worth what it is worth before."""
    store, node = open_store(load("kuhn")), ROOT
    while store.actor(node) == CHANCE:
        (node,) = store.children(node)
    assert store.num_infostates(node) == (3, 3)
    layout = lay_out(store, node)
    whole, rest = evaluation_of(load("kuhn")), Evaluation(layout, collect_terminals(store, layout))
    before, after = whole.uniform_policy(), rest.uniform_policy()
    assert rest.value(after) == pytest.approx(whole.value(before))
    assert rest.nash_conv(after) == pytest.approx(whole.nash_conv(before))
    assert abs(whole.value(before)) > 0.1


@pytest.mark.parametrize(("name", "expected"), [("kuhn", 0.916667), ("leduc", 4.747222), ("rps", 2 / 3)])
def test_nash_conv_of_the_uniform_policy(name: str, expected: float) -> None:
    evaluation = evaluation_of(load(name))
    policy = evaluation.uniform_policy()
    assert evaluation.nash_conv(policy) == pytest.approx(expected, abs=1e-6)
    assert evaluation.exploitability(policy) == pytest.approx(expected / 2, abs=1e-6)
    answers = [evaluation.best_response(player, policy).value for player in (0, 1)]
    assert sum(answers) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_openspiel_agrees_on_random_policies(seed: int) -> None:
    """Liar's Dice through the wrapper has OpenSpiel's own infostates, so policies can be handed over."""
    import pyspiel

    name = "liars_dice(numdice=1,dice_sides=3)"
    whole = enumerate_game(load(f"openspiel:{name}"))
    evaluation = Evaluation(whole.layout, whole.terminals())
    policy = random_policy(evaluation, seed)
    table = {}
    for world, plays in world_policy(whole, policy).items():
        state = world.state
        table[state.information_state_string(state.current_player())] = list(plays.items())
    theirs = pyspiel.load_game(name)
    expected = pyspiel.nash_conv(theirs, pyspiel.TabularPolicy(table), True)
    assert evaluation.nash_conv(policy) == pytest.approx(expected, abs=1e-9)


def test_a_tree_with_open_leaves_is_refused() -> None:
    with pytest.raises(ValueError, match="not terminal"):
        evaluation_of(load("leduc"), max_depth=3)
