from dataclasses import dataclass
from math import inf, nan
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from sog.core.rng import make_rng
from sog.training.plain import TEXT, pack, reseed, unpack

_LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
_TREES = st.recursive(
    _LEAVES,
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(st.integers() | st.text() | st.tuples(st.integers()), inner)
    ),
    max_leaves=20,
)


class Pair(NamedTuple):
    first: Any
    second: Any


@dataclass
class Thing:
    size: int
    pair: Pair


@given(_TREES)
def test_what_is_packed_is_unpacked(tree: Any) -> None:
    found = unpack(pack(tree))
    assert found == tree
    assert repr(found) == repr(tree)  # tuples stay tuples, 1.0 stays 1.0


def test_arrays_tensors_and_records_keep_their_kind() -> None:
    record = np.zeros(3, [("a", "u4"), ("b", "f8")])
    record["b"] = [0.1, inf, -0.0]
    tree: dict[str, Any] = {
        "arrays": [np.arange(6, dtype=np.int8).reshape(2, 3), np.zeros((0, 4)), np.array(3.5), record],
        "tensors": (torch.arange(3), torch.tensor(1.5)),
        "thing": Thing(3, Pair(np.array([True, False]), None)),
        "scalar": np.float64(0.1),
    }
    found = unpack(pack(tree, (Pair, Thing)), (Pair, Thing))
    for ours, theirs in zip(tree["arrays"], found["arrays"], strict=True):
        assert ours.dtype == theirs.dtype
        assert ours.shape == theirs.shape
        np.testing.assert_array_equal(ours, theirs)
    assert all(torch.equal(*pair) for pair in zip(tree["tensors"], found["tensors"], strict=True))
    assert type(found["thing"]) is Thing
    assert type(found["thing"].pair) is Pair
    assert found["thing"].pair.first.tolist() == [True, False]
    assert found["scalar"] == 0.1


def test_numbers_that_are_not_finite_survive() -> None:
    found = unpack(pack([inf, -inf, nan]))
    assert found[:2] == [inf, -inf]
    assert found[2] != found[2]


def test_random_generators_go_on_where_they_were() -> None:
    rng = make_rng(5)
    rng.random(7)
    copy = unpack(pack(rng))
    assert copy.random(5).tolist() == rng.random(5).tolist()


def test_random_generators_can_be_exchanged() -> None:
    packed = pack({"a": make_rng(5), "b": [make_rng(5), np.arange(3), {"rng": 7}]})
    first, second, again = (unpack(reseed(packed, seed)) for seed in (1, 2, 1))
    numbers = [each.random() for each in (first["a"], first["b"][0], second["b"][0], make_rng(5))]
    assert len(set(numbers)) == 4
    assert again["a"].random() == numbers[0]
    assert first["b"][1].tolist() == [0, 1, 2]
    assert first["b"][2] == {"rng": 7}


def test_many_arrays_lie_in_few_stores() -> None:
    packed = pack([np.full(3, number, np.float32) for number in range(1000)])
    assert len(packed) == 2


def test_only_plain_data_is_packed_and_only_expected_kinds_are_made() -> None:
    with pytest.raises(TypeError, match="Pair is not plain data"):
        pack(Pair(1, 2))
    packed = pack(Pair(1, 2), (Pair,))
    with pytest.raises(ValueError, match="not what was packed"):
        unpack(packed)
    for text in (b"{", b'{"array": [9, 0, 1]}', b'{"record": "Pair"}', b'{"rng": {}}'):
        with pytest.raises(ValueError, match="not what was packed"):
            unpack({TEXT: np.frombuffer(text, np.uint8)}, (Pair,))


def test_kinds_of_older_checkpoints_are_found_by_their_former_names() -> None:
    class SearchTarget(NamedTuple):
        node: int

    packed = pack(SearchTarget(3), [SearchTarget])
    packed[TEXT] = np.frombuffer(packed[TEXT].tobytes().replace(b"SearchTarget", b"Finding"), np.uint8)
    assert unpack(packed, [SearchTarget]) == SearchTarget(3)
