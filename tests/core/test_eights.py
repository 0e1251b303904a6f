import numpy as np
import pytest

from sog.core.eights import (
    _plain_load,
    _plain_spread,
    _plain_store,
    load_eight,
    spread,
    store_eight,
)
from sog.core.jit import kernel
from sog.core.simd import LANES


@kernel
def join(one, two, number, out):  # type: ignore[no-untyped-def]
    for index in range(np.uint64(one.size) // np.uint64(8)):
        at = index * np.uint64(8)
        first, second = load_eight(one, at), load_eight(two, at)
        store_eight(out, at, (first - second) * spread(number) + first)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_operators_are_those_of_numbers(dtype: type[np.floating]) -> None:
    rng = np.random.default_rng(0)
    one, two, out = (
        rng.random(3 * LANES).astype(dtype),
        rng.random(3 * LANES).astype(dtype),
        np.zeros(30, dtype),
    )
    join(one, two, dtype(0.25), out)  # type: ignore[no-untyped-call]
    np.testing.assert_array_equal(out[: one.size], (one - two) * dtype(0.25) + one)
    assert not out[one.size :].any(), "nothing is written behind the last eight"


def test_without_compilation_eights_are_arrays() -> None:
    array = np.arange(20.0)
    eight = _plain_load(array, np.uint64(3))
    _plain_store(array, np.uint64(11), eight + _plain_spread(1.0))
    assert array.tolist() == [*range(11), *range(4, 12), 19]
    assert eight.tolist() == list(range(3, 11)), "what is loaded stays as it was"
