import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sog.core import bits
from sog.core.jit import kernel


@kernel
def count(value: np.uint64) -> np.uint64:
    return bits.count_bits(value)


@kernel
def lowest(value: np.uint64) -> np.uint64:
    return bits.lowest_index(value)


@kernel
def highest(value: np.uint64) -> np.uint64:
    return bits.highest_bit(value)


@kernel
def swap(value: np.uint64) -> np.uint64:
    return bits.swap_bytes(value)


@settings(deadline=None)
@example(1)
@example(1 << 63)
@example(2**64 - 1)
@given(st.integers(1, 2**64 - 1))
def test_equal_to_plain_python_and_to_their_meaning(number: int) -> None:
    value = np.uint64(number)
    text = f"{number:064b}"
    assert count(value) == bits._plain_count_bits(value) == text.count("1")
    assert lowest(value) == bits._plain_lowest_index(value) == 63 - text.rindex("1")
    assert highest(value) == bits._plain_highest_bit(value) == 1 << 63 - text.index("1")
    assert swap(value) == bits._plain_swap_bytes(value) == value.byteswap()


def test_the_empty_set_has_no_bits() -> None:
    assert count(np.uint64(0)) == bits._plain_count_bits(np.uint64(0)) == 0
