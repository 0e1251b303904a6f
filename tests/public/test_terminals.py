from typing import Any

import numpy as np
import pytest

from sog.core.arrays import F64
from sog.games import matrices
from sog.games.base import TERMINAL
from sog.games.registry import load
from sog.public.derived import DerivedView
from sog.public.enumeration import Enumeration, enumerate_game, enumerate_store
from sog.public.store import StateStore
from sog.public.terminals import evaluate_terminals


def matrix_of(whole: Enumeration, node: int) -> F64:
    view = whole.store.view
    assert isinstance(view, DerivedView)
    state = view.state(whole.store, node)
    matrix = np.zeros(whole.store.num_infostates(node))
    for world, s0, s1, chance in zip(state.worlds, *state.rows, state.chance, strict=True):
        matrix[s0, s1] += chance * view.game.returns(world)[0]
    return matrix


@pytest.mark.parametrize("share", [0.0, 0.3, 1.1], ids=["dense", "mixed", "sparse"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", ["leduc", "goofspiel(cards=4)", "scotland_yard(map=glasses,rounds=3)"])
def test_leaf_values_equal_matrix_products(
    name: str, dtype: type[Any], share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matrices, "DENSE_SHARE", share)
    whole = enumerate_store(StateStore(DerivedView(load(name))))
    layout, terminals = whole.layout, whole.terminals(dtype)
    assert terminals.is_complete
    rng = np.random.default_rng(1)
    for player in (0, 1):
        own, other = layout.players[player], layout.players[1 - player]
        reach = rng.random(layout.num_slots[1 - player]).astype(dtype)
        values = np.full(layout.num_values[player], np.nan, dtype)
        evaluate_terminals(own, other, terminals, player, reach, values)
        for leaf, place in enumerate(layout.frontier):
            assert layout.actor[place] == TERMINAL
            matrix = matrix_of(whole, int(layout.nodes[place]))
            matrix = matrix if player == 0 else -matrix.T
            start, rows = int(other.leaves["slot"][leaf]), int(other.leaves["rows"][leaf])
            expected = matrix @ reach[start : start + rows]
            first = int(own.leaves["value"][leaf])
            np.testing.assert_allclose(
                values[first : first + matrix.shape[0]], expected, rtol=1e-5, atol=1e-6
            )


def test_terminals_share_matrices_and_stand_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = enumerate_game(load("liars_dice(dice=1,faces=4)"))
    terminals = whole.terminals()
    assert terminals.leaves.tolist() == list(range(255))
    assert len(set(terminals.numbers.tolist())) == 8  # one for each bid that can be called a lie
    monkeypatch.setattr("sog.public.terminals.takes_runs", lambda tables: True)
    by_matrix = whole.terminals().leaves
    assert sorted(by_matrix.tolist()) == list(range(255))
    assert np.all(np.diff(terminals.numbers[by_matrix].astype(np.int64)) >= 0)


def test_open_leaves_are_left_alone() -> None:
    whole = enumerate_game(load("leduc"), max_depth=4)
    layout, terminals = whole.layout, whole.terminals()
    assert not terminals.is_complete
    values = np.full(layout.num_values[0], np.nan)
    evaluate_terminals(*layout.players, terminals, 0, np.ones(layout.num_slots[1]), values)
    for leaf, place in enumerate(layout.frontier):
        first = int(layout.players[0].leaves["value"][leaf])
        assert np.isnan(values[first]) == (layout.actor[place] != TERMINAL)
