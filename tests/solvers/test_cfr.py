"""Every variant against history-tree CFR in plain Python, exact values, and published figures."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.games.base import AnyGame
from sog.games.registry import load
from sog.public.derived import DerivedView
from sog.solvers.algorithms import parse_algorithm
from sog.solvers.evaluation import Profile
from sog.solvers.schedules import Variant
from sog.solvers.solver import Solver
from tests.random_game import RandomGame
from tests.solvers.vanilla import Key, VanillaSolver, slots_by_key
from tests.solvers.warm_start import warm_start

VARIANTS = [
    "cfr",
    "cfr+",
    "lcfr",
    "lcfr+",
    "dcfr",
    "dcfr(alpha=1.5,beta=-inf,gamma=2)",
    "dcfr(beta=0.5)",
    "pcfr+",
    "lcfr(optimism=1)",
    "cfr(updates=simultaneous)",
    "dcfr(updates=simultaneous)",
]


def compare_with_vanilla(
    game: AnyGame, algorithm: str, iterations: int, dtype: type[Any], close: float
) -> None:
    variant = parse_algorithm(algorithm).settings
    assert isinstance(variant, Variant)
    slow = VanillaSolver(game, variant)
    slow.run(iterations)
    fast = Solver(DerivedView(game), algorithm, dtype)
    fast.advance(iterations)
    slots = slots_by_key(fast)
    assert slots.keys() == slow.regret.keys()
    state = fast.variant_state()
    for key, (player, where) in slots.items():
        np.testing.assert_allclose(state[player].regret[where], slow.regret[key], atol=close)
        np.testing.assert_allclose(state[player].average[where], slow.average[key], atol=close)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(VARIANTS))
def test_random_games_equal_history_tree_cfr(seed: int, algorithm: str) -> None:
    compare_with_vanilla(RandomGame(seed), algorithm, 3, np.float64, 1e-10)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(VARIANTS))
def test_single_precision_stays_close(seed: int, algorithm: str) -> None:
    compare_with_vanilla(RandomGame(seed), algorithm, 1, np.float32, 1e-4)


@pytest.mark.parametrize("algorithm", VARIANTS)
def test_kuhn_equals_history_tree_cfr(algorithm: str) -> None:
    compare_with_vanilla(load("kuhn"), algorithm, 20, np.float64, 1e-10)


def test_glasses_equals_history_tree_cfr() -> None:
    compare_with_vanilla(load("scotland_yard(map=glasses,rounds=2)"), "cfr", 20, np.float64, 1e-10)


VALUES = [
    ("kuhn", -1 / 18, 1e-6),
    ("leduc", -0.0856064241, 1e-4),
    ("liars_dice(dice=1,faces=3)", 1 / 9, 1e-5),
    ("liars_dice(dice=1,faces=4)", 1 / 16, 1e-5),
    ("liars_dice(dice=1,faces=5)", 0.008, 1e-4),
    ("liars_dice(dice=1,faces=6)", -0.0271317829, 1e-4),
    ("liars_dice(dice=2,faces=3)", 0.0617283951, 1e-4),
    ("goofspiel(cards=5)", 0.0, 1e-4),
    ("rps", 0.0, 1e-6),
    ("scotland_yard(map=glasses)", -7 / 9, 1e-3),
]


@pytest.mark.parametrize(("name", "value", "close"), VALUES)
def test_values_of_games(name: str, value: float, close: float) -> None:
    """The value lies within exploitability of the truth, and by then within `close` of it."""
    solution = Solver(load(name), "dcfr").run(iterations=2000)
    assert abs(solution.value - value) <= 2 * solution.exploitability + 1e-12
    assert solution.value == pytest.approx(value, abs=close)


def test_modified_rock_paper_scissors_is_played_right() -> None:
    solver = Solver(load("rps"), "cfr+")
    solver.run(iterations=5000)
    for choice in solver.table():
        np.testing.assert_allclose(choice.probabilities, [0.4, 0.4, 0.2], atol=2e-3)


# NashConv after 100 and 1,000 iterations as other programs measure it.
PEERS = [
    ("cfr", "kuhn", 0.01645, 0.00188),
    ("cfr", "leduc", 0.191, 0.0236),
    ("cfr", "liars_dice(dice=1,faces=4)", 0.0341, 0.00345),
    ("cfr+", "kuhn", 0.00239, 0.000175),
    ("cfr+", "leduc", 0.0268, 0.000514),
    ("cfr+", "liars_dice(dice=1,faces=4)", 0.00459, 9.1e-5),
    ("dcfr", "kuhn", 0.00333, 0.000293),
    ("dcfr", "leduc", 0.0155, 0.000287),
    ("dcfr", "liars_dice(dice=1,faces=4)", 0.00137, 5.2e-5),
    ("lcfr", "kuhn", 0.00218, 0.000187),
    ("lcfr", "leduc", 0.069, 0.00965),
    ("lcfr", "liars_dice(dice=1,faces=4)", 0.0174, 2.5e-4),
]


@pytest.mark.parametrize(("algorithm", "name", "hundred", "thousand"), PEERS)
def test_convergence_is_the_peers(algorithm: str, name: str, hundred: float, thousand: float) -> None:
    solver = Solver(load(name), algorithm)
    assert 2 * solver.run(iterations=100).exploitability == pytest.approx(hundred, rel=0.02)
    # By then equal algorithms have drifted apart by the order of floating-point sums.
    assert thousand / 2 < 2 * solver.run(iterations=1000).exploitability < 2 * thousand


# In Goofspiel regrets are often exactly zero and the last bit decides what is played: perturbing payoffs by
# 1e-15 moves these figures by a quarter. OpenSpiel's payoffs are half of ours.
GOOFSPIEL = [
    ("cfr", 0.183, 0.0262),
    ("cfr+", 0.0422, 0.0061),
    ("dcfr", 0.057, 0.0034),
    ("lcfr", 0.128, 0.0123),
]


@pytest.mark.parametrize(("algorithm", "hundred", "thousand"), GOOFSPIEL)
def test_goofspiel_converges_like_the_peers(algorithm: str, hundred: float, thousand: float) -> None:
    solver = Solver(load("goofspiel(cards=5)"), algorithm)
    assert hundred / 2 < solver.run(iterations=100).exploitability < 2 * hundred
    assert thousand / 3 < solver.run(iterations=1000).exploitability < 3 * thousand


# ReBeL, table 2: 1,024 iterations there update one player each, 512 of ours; its "FP" weighs them linearly.
REBEL = [
    ("liars_dice(dice=1,faces=4)", 0.001, 0.012),
    ("liars_dice(dice=1,faces=5)", 0.001, 0.024),
    ("liars_dice(dice=1,faces=6)", 0.002, 0.039),
    ("liars_dice(dice=2,faces=3)", 0.002, 0.057),
]


@pytest.mark.parametrize(("name", "cfr", "fp"), REBEL)
def test_rebel_table_2(name: str, cfr: float, fp: float) -> None:
    solver = Solver(load(name), "lcfr")
    assert solver.run(iterations=512).exploitability == pytest.approx(cfr, abs=0.00055)
    answer = Solver(load(name), "linear-fp", whole=solver.whole)
    # Best responses are full of ties; perturbing payoffs by 1e-12 moves these figures by up to a third.
    assert answer.run(iterations=512).exploitability == pytest.approx(fp, rel=0.2)


def test_flop_beats_linear_fp_beats_fp_and_loses_to_linear_cfr() -> None:
    """ReBeL, figure 3."""
    name = "liars_dice(dice=1,faces=4)"
    results = [
        Solver(load(name), algorithm).run(iterations=4096).exploitability
        for algorithm in ("lcfr", "flop", "linear-fp", "fp")
    ]
    assert results == sorted(results)


@pytest.mark.parametrize(
    ("algorithm", "gamma", "optimism"), [("fp", 0, 0), ("linear-fp", 1, 0), ("flop", 1, 2)]
)
def test_fictitious_play_of_a_matrix_equals_plain_python(algorithm: str, gamma: int, optimism: int) -> None:
    """Players answer in turns to the average of all answers and of the uniform policy, which comes first.

    Averages weigh the t-th answer by (t + 1)^γ and the uniform policy as the first answer; FLOP faces the
    average with 2/(t + 2) of the last answer.
    """
    payoffs = np.array([[0.31, -1.2, 2.05], [1.1, 0.07, -2.3], [-2.15, 1.93, 0.2]])
    text = ",".join(f"[{','.join(map(str, row))}]" for row in payoffs.tolist())
    solver = Solver(load(f"matrix(payoffs=[{text}])"), algorithm)
    sums, last = [np.full(3, 1 / 3), np.full(3, 1 / 3)], [np.full(3, 1 / 3), np.full(3, 1 / 3)]
    for iteration in range(1, 13):
        solver.advance(1)
        share = optimism / (iteration + optimism)
        for player in range(2):
            other = 1 - player
            faced = (1 - share) * sums[other] / sums[other].sum() + share * last[other]
            values = payoffs @ faced if player == 0 else -(faced @ payoffs)
            last[player] = np.eye(3)[int(np.argmax(values))]
            sums[player] += ((iteration + 1) / 2) ** gamma * last[player]
        for player, state in enumerate(solver.variant_state()):
            start = int(solver.layout.players[player].steps[-1]["output"])
            average = state.average[start : start + 3]
            np.testing.assert_allclose(average / average.sum(), sums[player] / sums[player].sum())
            np.testing.assert_allclose(state.policy[start : start + 3], last[player])


def pure_after(algorithm: str, iterations: int) -> bool:
    solver = Solver(load("matrix(payoffs=[[0],[1],[-1000000]])"), algorithm)
    solver.advance(iterations)
    start = int(solver.layout.players[0].steps[1]["output"])
    return bool(solver.variant_state()[0].policy[start + 1] == 1.0)


def test_large_mistakes_are_forgotten_by_linear_cfr() -> None:
    """The discounted CFR paper's example: payoffs 0, 1 and −1,000,000, "after only 970 iterations".

    Exactly: iteration 972 is the first to play the best action alone.
    """
    assert not pure_after("lcfr", 970)
    assert pure_after("lcfr", 971)


def test_large_mistakes_are_remembered_by_cfr_plus() -> None:
    """The same example: "471,407 iterations"; the recursion in plain Python says when."""
    bad, good, iteration = 1_000_000 / 3 - 1 / 3, 1_000_000 / 3 + 2 / 3, 1
    while bad > 0:
        share = good / (bad + good)
        bad, good, iteration = max(bad - share, 0.0), good + 1 - share, iteration + 1
    assert iteration + 1 == 471_407
    assert not pure_after("cfr+", 471_405)
    assert pure_after("cfr+", 471_406)


def begin_warm(solver: Solver, policy: Profile, iterations: int) -> None:
    variant, terminals = solver.algorithm.settings, solver.evaluation.terminals
    assert isinstance(variant, Variant)
    warm_start(variant, iterations, solver.layout, terminals, policy, solver.variant_state())
    solver.iterations = iterations


def test_warm_start_helps_plain_cfr() -> None:
    game = load("leduc")
    teacher = Solver(game, "dcfr")
    teacher.run(iterations=30)
    cold, warm = Solver(game, "cfr", whole=teacher.whole), Solver(game, "cfr", whole=teacher.whole)
    begin_warm(warm, teacher.policy(), iterations=15)
    assert warm.run(iterations=50).exploitability < 0.6 * cold.run(iterations=50).exploitability
    assert warm.run(iterations=2000).exploitability < 0.01


def test_warm_start_from_an_equilibrium_stays_there() -> None:
    game = load("kuhn")
    teacher = Solver(game, "cfr+")
    teacher.run(iterations=20_000)
    warm = Solver(game, "cfr")
    begin_warm(warm, teacher.policy(), iterations=1000)
    assert warm.run(iterations=1010).exploitability < 0.003


def test_keys_name_every_infostate_once() -> None:
    solver = Solver(load("leduc"), "cfr")
    keys: list[Key] = list(slots_by_key(solver))
    assert len(keys) == 936
