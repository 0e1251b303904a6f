import numpy as np
import pytest

from sog.core.jit import kernel
from sog.core.simd import (
    LANES,
    _plain_add_eights,
    _plain_add_outside_pairs,
    _plain_add_pairs,
    _plain_gather_columns,
    _plain_outside_pairs,
    _plain_scatter_columns,
    _plain_take_outside_pairs,
    add_eights,
    add_outside_pairs,
    add_pairs,
    gather_columns,
    largest,
    outside_pairs,
    scatter_columns,
    take_outside_pairs,
)


@kernel
def compiled(total, part, ones, twos, places, source, target):  # type: ignore[no-untyped-def]
    one, two, three, four = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
    add_pairs(total, part, ones, twos, places, one, source, two, three)
    outside_pairs(total, part, ones, twos, places, two, target, one, four)
    add_outside_pairs(total, part, ones, twos, places, one, target, two, three)
    take_outside_pairs(total, part, ones, twos, places, one, target, one, three)
    add_eights(target, places, source, ones, one, four)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_equal_to_slices(dtype: type[np.floating]) -> None:
    rng = np.random.default_rng(0)
    total, part, source, target = (rng.random(size * LANES).astype(dtype) for size in (1, 6, 6, 6))
    ones = (LANES * np.array([0, 1, 2, 3, 1, 5, 0])).astype(np.uint16)
    twos = (LANES * np.array([3, 2, 4, 1, 0, 4, 1])).astype(np.uint16)
    places = (LANES * np.array([5, 0, 2, 1, 3, 4, 0])).astype(np.uint16)
    expected = total.copy(), part.copy(), target.copy()
    compiled(total, part, ones, twos, places, source, target)  # type: ignore[no-untyped-call]
    _plain_add_pairs(expected[0], expected[1], ones, twos, places, 1, source, 2, 3)
    _plain_outside_pairs(expected[0], expected[1], ones, twos, places, 2, expected[2], 1, 4)
    _plain_add_outside_pairs(expected[0], expected[1], ones, twos, places, 1, expected[2], 2, 3)
    _plain_take_outside_pairs(expected[0], expected[1], ones, twos, places, 1, expected[2], 1, 3)
    _plain_add_eights(expected[2], places, source, ones, 1, 4)
    for got, wanted in zip((total, part, target), expected, strict=True):
        np.testing.assert_array_equal(got, wanted)


@kernel
def compiled_largest(array, start, count):  # type: ignore[no-untyped-def]
    return largest(array, np.uint64(start), np.uint64(count))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_largest_size_of_a_block(dtype: type[np.floating]) -> None:
    array = np.random.default_rng(2).normal(size=100).astype(dtype)
    array[[3, 37, 61]] = 7, -9, 8  # the largest size is that of a negative number, in another chain
    for start, count in ((0, 0), (3, 8), (5, 80), (40, 56), (1, 32)):
        wanted = np.abs(array[start : start + count]).max(initial=0)
        assert compiled_largest(array, start, count) == wanted  # type: ignore[no-untyped-call]


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
