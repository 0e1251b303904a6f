"""Sixteen bits against floats."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.core.errors import InputError
from sog.core.jit import kernel
from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.cards import NUM_HANDS, parse_board
from sog.games.holdem.spot import Spot, make_spot
from sog.poker.regret_storage import close_sums, make_short_sums, open_sums
from sog.poker.spot_solver import SpotSolver


def turn_spot() -> Spot:
    weights = np.random.default_rng(0).random((2, NUM_HANDS))
    return make_spot(parse_board("3s7hTdKc"), 100, 130, parse_bet_sizes("60,allin"), weights)


@kernel
def put(board, own, sums, mine):  # type: ignore[no-untyped-def]
    close_sums(board, True, own, sums, mine)


@kernel
def get(board, own, sums, work):  # type: ignore[no-untyped-def]
    open_sums(board, True, own, sums, work)


SOLVER = SpotSolver(turn_spot(), "cfr")


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(1e-6, 1e6))
def test_sums_come_back_to_one_part_in_thousands(seed: int, size: float) -> None:
    street = SOLVER.root.street
    own = street.layout.players[0]
    sums = make_short_sums(street.layout, 0, 3)
    work = SOLVER.root.workspaces[0].work[0]
    rng, slots = np.random.default_rng(seed), street.layout.num_slots[0]
    kept = []
    for board in range(3):
        mine = work._replace(
            regret=(size * rng.standard_normal(slots)).astype(np.float32),
            average=(size * rng.random(slots)).astype(np.float32),
        )
        put(np.uint64(board), own, sums, mine)  # type: ignore[no-untyped-call]
        kept.append(mine)
    for board, mine in enumerate(kept):
        back = work._replace(regret=np.zeros(slots, np.float32), average=np.zeros(slots, np.float32))
        get(np.uint64(board), own, sums, back)  # type: ignore[no-untyped-call]
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
