import numpy as np
import pytest

from sog.core.jit import kernel
from sog.core.lanes import (
    LANES,
    _plain_add,
    _plain_add_outside,
    _plain_outside,
    _plain_subtract_outside,
    add_lanes,
    add_outside_lanes,
    outside_lanes,
    subtract_outside_lanes,
)


@kernel
def compiled(target, source, total, part):  # type: ignore[no-untyped-def]
    add_lanes(target, np.uint64(3), source, np.uint64(5))
    outside_lanes(target, np.uint64(20), total, part, np.uint64(1), np.uint64(9))
    add_outside_lanes(target, np.uint64(12), total, part, np.uint64(0), np.uint64(30))
    subtract_outside_lanes(target, np.uint64(14), total, part, np.uint64(7), np.uint64(7))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_equal_to_slices(dtype: type[np.floating]) -> None:
    rng = np.random.default_rng(0)
    target, source, part = (rng.random(40).astype(dtype) for _ in range(3))
    total = rng.random(LANES).astype(dtype)
    expected = target.copy()
    compiled(target, source, total, part)  # type: ignore[no-untyped-call]
    _plain_add(expected, np.uint64(3), source, np.uint64(5))
    _plain_outside(expected, 20, total, part, 1, 9)
    _plain_add_outside(expected, 12, total, part, 0, 30)
    _plain_subtract_outside(expected, 14, total, part, 7, 7)
    np.testing.assert_array_equal(target, expected)
