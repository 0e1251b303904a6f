import numpy as np
import pytest

from sog.games.registry import load
from sog.solvers.solver import Solver

ALGORITHMS = [
    "mccfr",
    "linear-mccfr(period=10000)",
    "mccfr(discount=initial,period=10000)",
    "outcome-mccfr",
]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_kuhn_is_solved(algorithm: str) -> None:
    solution = Solver(load("kuhn"), algorithm, seed=1).run(iterations=300_000)
    assert solution.exploitability < 0.01
    assert solution.value == pytest.approx(-1 / 18, abs=0.01)


@pytest.mark.parametrize("name", ["leduc", "goofspiel(cards=4)", "scotland_yard(map=glasses)"])
def test_external_sampling_on_larger_games(name: str) -> None:
    start = Solver(load(name), "mccfr", seed=2)
    early = start.run(iterations=100).exploitability
    late = start.run(iterations=30_000).exploitability
    assert late < early / 8


def test_same_seed_same_result_and_another_seed_another() -> None:
    game = load("leduc")
    first, again, other = (Solver(game, "mccfr", seed=seed) for seed in (7, 7, 8))
    for solver in (first, again, other):
        solver.advance(2000)
    for mine, theirs in zip(first.policy(), again.policy(), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert first.exploitability() != other.exploitability()


def test_linear_discounting_forgets_the_beginning() -> None:
    """Discounting by periods beats plain sampling at equal iterations (the paper's figures 10 and 11)."""
    results = {"none": [], "linear": []}  # type: dict[str, list[float]]
    for discount in results:
        for seed in range(6):
            solver = Solver(load("leduc"), f"mccfr(discount={discount},period=20000)", seed=seed)
            results[discount].append(solver.run(iterations=30_000).exploitability)
    assert np.mean(results["linear"]) < np.mean(results["none"])


def test_sampled_regrets_are_unbiased() -> None:
    """The mean of many first iterations' regrets is the exact first iteration's."""
    game = load("kuhn")
    exact = Solver(game, "cfr(updates=simultaneous)")
    exact.advance(1)
    for algorithm, close in (("mccfr", 0.02), ("outcome-mccfr", 0.06)):
        total = [np.zeros(size) for size in exact.layout.num_slots]
        count = 20_000
        solver = Solver(game, algorithm, whole=exact.whole, seed=3)
        arrays = solver.arrays()
        for _ in range(count):
            arrays["regret0"][:], arrays["regret1"][:] = 0, 0
            # Player 1 is sampled second, against player 0's new policy; look at player 0 alone.
            solver.advance(1)
            total[0] += arrays["regret0"]
        np.testing.assert_allclose(total[0] / count, exact.variant_state()[0].regret, atol=close)
