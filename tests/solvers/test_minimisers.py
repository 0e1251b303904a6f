import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.games.registry import load
from sog.public.enumeration import enumerate_game
from sog.solvers.minimisers import normal_hedge
from sog.solvers.solver import Solver

_LAYOUT = enumerate_game(load("matrix(payoffs=[[0],[1],[2],[3]])")).layout.players[0]
_START = int(_LAYOUT.steps[1]["output"])


@settings(deadline=None)
@given(st.lists(st.floats(-1e3, 1e3), min_size=4, max_size=4))
def test_normal_hedge_solves_its_equation(regrets: list[float]) -> None:
    policy, regret = np.ones(_START + 4), np.zeros(_START + 4)
    regret[_START:] = regrets
    normal_hedge(np.uint64(1), _LAYOUT, False, regret, np.zeros_like(regret), policy)
    played = policy[_START:]
    positive = np.maximum(regrets, 0)
    assert played.sum() == pytest.approx(1)
    if positive.max() < 1e-6:
        if positive.max() == 0:
            np.testing.assert_allclose(played, 0.25)
        return
    low, high = 1e-6 * positive.max() ** 2, 1e6 * positive.max() ** 2
    for _ in range(200):
        middle = np.sqrt(low * high)
        with np.errstate(over="ignore"):
            is_low = np.mean(np.exp(positive**2 / (2 * middle))) > np.e
        low, high = (middle, high) if is_low else (low, middle)
    weights = positive / high * np.exp(positive**2 / (2 * high))
    np.testing.assert_allclose(played, weights / weights.sum(), atol=1e-6)


@pytest.mark.parametrize("algorithm", ["cfr", "dcfr", "lcfr", "cfr+"])
def test_normal_hedge_converges(algorithm: str) -> None:
    solution = Solver(load("leduc"), f"{algorithm}(minimiser=normal-hedge)").run(iterations=300)
    assert solution.exploitability < 0.06
