"""Sixteen bits against floats."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.core.errors import InputError
from sog.core.jit import inlined, kernel
from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.cards import NUM_HANDS, parse_board
from sog.games.holdem.spot import Spot, make_spot
from sog.poker.regret_storage import Need, close_sums, make_short_sums, open_sums
from sog.poker.spot_solver import SpotSolver
from sog.poker.visits import fit_layout


def turn_spot() -> Spot:
    weights = np.random.default_rng(0).random((2, NUM_HANDS))
    return make_spot(parse_board("3s7hTdKc"), 100, 130, parse_bet_sizes("60,allin"), weights)


@kernel
def put(board, unit, own, first_row, sums, mine):  # type: ignore[no-untyped-def]
    fit(board, unit, own, first_row)  # type: ignore[no-untyped-call]
    close_sums(board, unit, own, first_row, sums, mine)


@kernel
def get(board, unit, own, first_row, sums, work):  # type: ignore[no-untyped-def]
    fit(board, unit, own, first_row)  # type: ignore[no-untyped-call]
    open_sums(board, Need(True, True), unit, own, first_row, sums, work)


@inlined
def fit(board, unit, own, first_row):  # type: ignore[no-untyped-def]
    fit_layout(np.uint64(first_row[board + np.uint64(1)] - first_row[board]), unit, own)


SOLVER = SpotSolver(turn_spot(), "cfr")


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(1e-6, 1e6))
def test_sums_come_back_to_one_part_in_thousands(seed: int, size: float) -> None:
    """Three boards, each with another number of rows."""
    street, first_row = SOLVER.root.street, np.array([0, 16, 40, 48], np.uint32)
    unit = street.layout.players[0]
    own = unit._replace(steps=unit.steps.copy(), leaves=unit.leaves.copy())
    sums = make_short_sums(street.layout, 0, first_row)
    work = SOLVER.root.workspaces[0].work[0]
    rng, kept = np.random.default_rng(seed), []
    for board, rows in enumerate(np.diff(first_row)):
        slots = street.layout.num_slots[0] * int(rows)
        mine = work._replace(
            regret=(size * rng.standard_normal(slots)).astype(np.float32),
            average=(size * rng.random(slots)).astype(np.float32),
        )
        put(np.uint64(board), unit, own, first_row, sums, mine)  # type: ignore[no-untyped-call]
        kept.append(mine)
    for board, mine in enumerate(kept):
        back = work._replace(regret=np.zeros_like(mine.regret), average=np.zeros_like(mine.average))
        get(np.uint64(board), unit, own, first_row, sums, back)  # type: ignore[no-untyped-call]
        for step in own.steps[1:]:
            block = slice(
                int(step["output"]), int(step["output"]) + int(step["num_actions"]) * int(step["rows"])
            )
            for name, steps in (("regret", 32_767), ("average", 65_535)):
                true, found = getattr(mine, name)[block], getattr(back, name)[block]
                np.testing.assert_allclose(found, true, atol=0.6 * np.abs(true).max() / steps)


@pytest.mark.parametrize("algorithm", ["dcfr", "lcfr", "cfr+"])
def test_sixteen_bits_converge_as_floats_do(algorithm: str) -> None:
    short, full = (SpotSolver(turn_spot(), algorithm, is_short=is_short) for is_short in (True, False))
    for solver in (short, full):
        solver.advance(100)
    assert short.exploitability() == pytest.approx(full.exploitability(), rel=0.1)
    assert short.value() == pytest.approx(full.value(), abs=0.1)


def test_sixteen_bits_take_half_the_memory_and_resume(tmp_path: Path) -> None:
    short, full = (SpotSolver(turn_spot(), "dcfr", is_short=is_short) for is_short in (True, False))
    sizes = [sum(array.nbytes for array in solver.arrays().values()) for solver in (short, full)]
    assert sizes[0] < 0.55 * sizes[1]
    short.advance(3)
    short.save(tmp_path / "short.npz")
    again = SpotSolver(turn_spot(), "dcfr", is_short=True)
    again.resume(tmp_path / "short.npz")
    for solver in (short, again):
        solver.advance(2)
    arrays = again.arrays()
    for name, array in short.arrays().items():
        np.testing.assert_array_equal(array, arrays[name])
    with pytest.raises(InputError, match="does not fit"):
        full.resume(tmp_path / "short.npz")


def test_sixteen_bits_are_refused_where_they_do_not_go() -> None:
    with pytest.raises(InputError, match="float32"):
        SpotSolver(turn_spot(), "dcfr", np.float64, is_short=True)
    with pytest.raises(InputError, match="optimistic"):
        SpotSolver(turn_spot(), "pcfr+", is_short=True)
