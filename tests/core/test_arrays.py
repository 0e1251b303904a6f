import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sog.core.arrays import Growable, num_bytes


@given(st.lists(st.lists(st.integers(-100, 100), max_size=20), max_size=20))
def test_grows_like_a_list(parts: list[list[int]]) -> None:
    array = Growable(np.int32, capacity=1)
    expected: list[int] = []
    for part in parts:
        assert array.extend(part) == len(expected)
        expected += part
        assert array.append(7) == len(expected)
        expected.append(7)
    assert array.values.tolist() == expected
    assert len(array) == len(expected)


def test_out_of_range() -> None:
    array = Growable(np.int32)
    array.append(1)
    assert array[-1] == 1
    with pytest.raises(IndexError):
        array[1]
    with pytest.raises(IndexError):
        array[1] = 2


def test_room_depends_on_the_length_alone() -> None:
    whole, parts = Growable(np.int32), Growable(np.int32)
    whole.extend(np.zeros(1_000))
    for _ in range(1_000):
        parts.append(0)
    assert num_bytes(whole) == num_bytes(parts) == 4 * 1_024
