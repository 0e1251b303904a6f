import numpy as np
import pytest

from sog.core.jit import kernel
from sog.core.lanes import (
    LANES,
    _plain_add,
    _plain_add_many,
    _plain_add_outside,
    _plain_gather_columns,
    _plain_outside,
    _plain_scatter_columns,
    _plain_subtract_outside,
    add_lanes,
    add_many_lanes,
    add_outside_lanes,
    gather_columns,
    outside_lanes,
    scatter_columns,
    subtract_outside_lanes,
)


@kernel
def compiled(target, source, total, part):  # type: ignore[no-untyped-def]
    add_lanes(target, np.uint64(3), source, np.uint64(5))
    add_many_lanes(target, source, np.uint64(2), np.uint64(4))
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
    _plain_add_many(expected, source, 2, 4)
    _plain_outside(expected, 20, total, part, 1, 9)
    _plain_add_outside(expected, 12, total, part, 0, 30)
    _plain_subtract_outside(expected, 14, total, part, 7, 7)
    np.testing.assert_array_equal(target, expected)


@kernel
def compiled_columns(block, back, source, starts, factor, scales):  # type: ignore[no-untyped-def]
    gather_columns(block, np.uint64(4), source, starts, np.uint64(2), factor)
    scatter_columns(back, starts, np.uint64(3), block, np.uint64(4), factor, scales, np.uint64(5))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_columns_are_gathered_and_scattered(dtype: type[np.floating]) -> None:
    rng = np.random.default_rng(1)
    source, factor, scales = (
        rng.random(200).astype(dtype),
        rng.random(20).astype(dtype),
        rng.random(8).astype(dtype),
    )
    starts = np.array([0, 20, 40, 60, 80, 100, 120, 140], np.uint32)
    block, back = np.zeros(80, dtype), np.zeros(200, dtype)
    expected_block, expected_back = block.copy(), back.copy()
    compiled_columns(block, back, source, starts, factor, scales)  # type: ignore[no-untyped-call]
    _plain_gather_columns(expected_block, 4, source, starts, 2, factor)
    _plain_scatter_columns(expected_back, starts, 3, expected_block, 4, factor, scales, 5)
    np.testing.assert_array_equal(block, expected_block)
    np.testing.assert_allclose(back, expected_back, rtol=1e-6)
    assert np.all(back[100:] == 0), "lanes beyond the count are left alone"
