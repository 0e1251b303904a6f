import numpy as np
import pytest

from sog.core.jit import kernel
from sog.core.lanes import (
    LANES,
    _plain_add_pairs,
    _plain_gather_columns,
    _plain_outside_pairs,
    _plain_scatter_columns,
    add_pairs,
    gather_columns,
    outside_pairs,
    scatter_columns,
)


@kernel
def compiled(total, part, ones, twos, source, target):  # type: ignore[no-untyped-def]
    add_pairs(total, part, ones, twos, np.uint64(1), source, np.uint64(2), np.uint64(3))
    outside_pairs(total, part, ones, twos, np.uint64(2), target, np.uint64(1), np.uint64(4))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_equal_to_slices(dtype: type[np.floating]) -> None:
    rng = np.random.default_rng(0)
    total, part, source, target = (rng.random(size * LANES).astype(dtype) for size in (1, 6, 6, 6))
    ones = (LANES * np.array([0, 1, 2, 3, 1, 5, 0])).astype(np.uint32)
    twos = (LANES * np.array([3, 2, 4, 1, 0, 4, 1])).astype(np.uint32)
    expected = total.copy(), part.copy(), target.copy()
    compiled(total, part, ones, twos, source, target)  # type: ignore[no-untyped-call]
    _plain_add_pairs(expected[0], expected[1], ones, twos, 1, source, 2, 3)
    _plain_outside_pairs(expected[0], expected[1], ones, twos, 2, expected[2], 1, 4)
    for got, wanted in zip((total, part, target), expected, strict=True):
        np.testing.assert_array_equal(got, wanted)


@kernel
def compiled_columns(block, back, source, starts, factor, scales):  # type: ignore[no-untyped-def]
    gather_columns(block, np.uint64(4), source, starts, np.uint64(2), factor, np.uint64(6))
    scatter_columns(
        back, starts, np.uint64(3), block, np.uint64(4), factor, np.uint64(7), scales, np.uint64(5)
    )


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
    _plain_gather_columns(expected_block, 4, source, starts, 2, factor, 6)
    _plain_scatter_columns(expected_back, starts, 3, expected_block, 4, factor, 7, scales, 5)
    np.testing.assert_array_equal(block, expected_block)
    np.testing.assert_allclose(back, expected_back, rtol=1e-6)
    assert np.all(back[100:] == 0), "lanes beyond the count are left alone"
