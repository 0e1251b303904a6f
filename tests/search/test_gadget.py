"""The gadget against a few lines of plain Python."""

import numpy as np
import pytest

from sog.core.arrays import F64
from sog.games.registry import load
from sog.public.opening import open_store
from sog.public.store import ROOT
from sog.search.gtcfr import Searcher, Task
from sog.search.lanes import FOLLOW, FOLLOW_REGRET, STOP_REGRET
from sog.search.settings import SearchSettings

PAYOFFS = np.array([[0.0, -1, 2], [1, 0, -2], [-2, 2, 0]])  # modified rock-paper-scissors, player 0's


def plain_gadget(
    iterations: int, before: F64, stop: F64, mix: float, is_normalised: bool, alternates: bool
) -> tuple[F64, F64, F64]:
    """Return average policy of player 1, follow probabilities and regrets [follow, stop] of player 0.

    In turns, player 0 chooses first and player 1 answers to that choice.
    """
    follow, gadget, regret = np.full(3, 0.5), np.zeros((2, 3)), np.zeros(3)
    policy, average = np.full(3, 1 / 3), np.zeros(3)
    for iteration in range(1, iterations + 1):
        values = PAYOFFS @ policy  # of player 0's infostates: what they played
        mean = follow * values + (1 - follow) * stop
        gadget = np.maximum(0, gadget + np.stack([values - mean, stop - mean]))
        sums = gadget.sum(axis=0)
        chosen = np.where(sums > 0, gadget[0] / np.where(sums > 0, sums, 1), 0.5)
        faced = chosen if alternates else follow
        total = faced.sum() if is_normalised else 3.0
        entering = mix * faced / total + (1 - mix) * before if total > 0 else before
        average += iteration**2 * policy
        mine = -(entering @ PAYOFFS)
        regret = np.maximum(0, regret + mine - policy @ mine)
        policy = regret / regret.sum() if regret.sum() > 0 else np.full(3, 1 / 3)
        follow = chosen
    return average / average.sum(), follow, gadget


@pytest.mark.parametrize("alternates", [False, True])
@pytest.mark.parametrize("is_normalised", [True, False])
@pytest.mark.parametrize("mix", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("iterations", [1, 2, 10, 57])
def test_gadget_equals_plain_python(
    iterations: int, mix: float, is_normalised: bool, alternates: bool
) -> None:
    store = open_store(load("rps"))
    node = store.children(ROOT)[0]
    settings = SearchSettings(
        algorithm="cfr+(gamma=2)",
        alternates=alternates,
        simulations=1,
        per_update=1 / iterations,
        gadget_mix=mix,
        gadget_normalises=is_normalised,
    )
    before, stop = np.array([0.5, 0.3, 0.2]), np.array([0.05, -0.2, 0.31])
    searcher = Searcher(store, None, settings)
    result = searcher.search(Task(node, node, (before, np.ones(1)), resolver=1, stop_values=stop), seed=0)
    policy, follow, regrets = plain_gadget(iterations, before, stop, mix, is_normalised, alternates)
    np.testing.assert_allclose(result.policy[:, 0], policy, atol=1e-9)
    roots = searcher._lanes.roots[0, :, :3]
    np.testing.assert_allclose(roots[FOLLOW], follow, atol=1e-9)
    np.testing.assert_allclose(roots[FOLLOW_REGRET], regrets[0], atol=1e-9)
    np.testing.assert_allclose(roots[STOP_REGRET], regrets[1], atol=1e-9)
