from typing import Any

import numpy as np
import pytest

from sog.core.arrays import F64
from sog.games.base import TERMINAL
from sog.games.registry import load
from sog.public import payoffs as module
from sog.public.frontier import evaluate_frontier
from sog.public.payoffs import collect_payoffs
from sog.public.tree import PublicTree, build_tree


def matrix_of(tree: PublicTree[Any], node: int) -> F64:
    state = tree.states[node]
    matrix = np.zeros((tree.size[0][node], tree.size[1][node]))
    for world, s0, s1, chance in zip(state.worlds, *state.rows, state.chance, strict=True):
        matrix[s0, s1] += chance * tree.view.game.returns(world)[0]  # type: ignore[attr-defined]
    return matrix


@pytest.mark.parametrize("share", [0.0, 0.3, 1.1], ids=["dense", "mixed", "sparse"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", ["leduc", "goofspiel(cards=4)", "scotland_yard(map=glasses,rounds=3)"])
def test_leaf_values_equal_matrix_products(
    name: str, dtype: type[Any], share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "DENSE_SHARE", share)
    tree = build_tree(load(name))
    layout = tree.layout()
    payoffs = collect_payoffs(tree, layout, dtype)
    rng = np.random.default_rng(1)
    for player in (0, 1):
        own, other = layout.players[player], layout.players[1 - player]
        reach = rng.random(layout.num_slots[1 - player]).astype(dtype)
        values = np.full(layout.num_values[player], np.nan, dtype)
        evaluate_frontier(own, other, payoffs, player, reach, values)
        for leaf, node in enumerate(layout.frontier):
            assert tree.actor[node] == TERMINAL
            matrix = matrix_of(tree, int(node))
            matrix = matrix if player == 0 else -matrix.T
            start, rows = int(other.leaves["slot"][leaf]), int(other.leaves["rows"][leaf])
            expected = matrix @ reach[start : start + rows]
            first = int(own.leaves["value"][leaf])
            np.testing.assert_allclose(
                values[first : first + matrix.shape[0]], expected, rtol=1e-5, atol=1e-6
            )


def test_terminals_share_patterns() -> None:
    tree = build_tree(load("liars_dice(dice=1,faces=4)"))
    payoffs = collect_payoffs(tree, tree.layout())
    assert payoffs.pattern.size == 255
    assert len(payoffs.players[0].patterns) == 8  # one for each bid that can be called a lie
