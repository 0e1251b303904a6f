import numpy as np
import pytest

from sog.core.arrays import F64
from sog.core.jit import kernel
from sog.core.rng import RngState, draw_uniforms, make_rng_state, next_uniform


@kernel
def _draw(state: RngState, found: F64) -> None:
    for index in range(found.size):
        found[index] = next_uniform(state)


@pytest.mark.parametrize("seed", [0, 7, 2**64 - 1])
def test_numbers_by_ordinal_are_those_drawn_one_after_another(seed: int) -> None:
    found = np.zeros(1000)
    _draw(make_rng_state(seed), found)
    seeds = np.full(1000, seed, np.uint64)
    np.testing.assert_array_equal(draw_uniforms(seeds, np.arange(1000, dtype=np.uint64)), found)
    assert 0 <= found.min() < 0.01
    assert 0.99 < found.max() < 1
    assert abs(found.mean() - 0.5) < 0.04
