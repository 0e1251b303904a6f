"""The passes on several cores give the same bits as on one."""

import numpy as np
import pytest

from sog.games.registry import load
from sog.solvers.algorithms import parse_algorithm
from sog.solvers.cfr import SAVED_FIELDS, iterate
from sog.solvers.schedules import MINIMISERS, Variant, discounts
from sog.solvers.solver import Solver
from sog.solvers.wide import iterate_wide


@pytest.mark.parametrize("algorithm", ["dcfr", "cfr(updates=simultaneous)", "flop", "pcfr+"])
def test_equal_to_one_core_bit_for_bit(algorithm: str) -> None:
    game = load("goofspiel(cards=4)")
    variant = parse_algorithm(algorithm).settings
    assert isinstance(variant, Variant)
    one, many = Solver(game, algorithm), Solver(game, algorithm)
    weights = discounts(variant, 1, 30)
    for solver, run in ((one, iterate), (many, iterate_wide)):
        run(
            MINIMISERS.index(variant.minimiser),
            variant.updates == "alternating",
            weights,
            solver.layout.players,
            solver.evaluation.terminals,
            solver.variant_state(),
        )
    for mine, theirs in zip(one.variant_state(), many.variant_state(), strict=True):
        for name in SAVED_FIELDS:
            np.testing.assert_array_equal(getattr(mine, name), getattr(theirs, name))
