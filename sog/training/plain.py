"""Nested data as one JSON text and a few flat arrays: what checkpoints hold, with nothing that can run.

Lists, tuples, dictionaries, numbers, texts, arrays, tensors, random generators, and named tuples or
dataclasses of the kinds that the reader expects. Arrays of one dtype lie one behind the other in one store,
so that ten thousand small ones cost no more than one large one.

Verified: tests/training/test_plain.py.
"""

import json
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from itertools import count
from math import prod
from typing import Any

import numpy as np
import torch

from sog.core.rng import make_rng

TEXT = "text"  # the JSON among the arrays
_FORMER = {"Finding": "SearchTarget", "Stock": "ReusableTree"}  # names of kinds in older checkpoints


def pack(data: Any, kinds: Iterable[type] = ()) -> dict[str, Any]:
    """Return data as arrays by name; `kinds` are the named tuples and dataclasses it may hold.

    >>> unpack(pack({"a": (1, np.arange(3))}))["a"][1].tolist()
    [0, 1, 2]
    """
    writer = _Writer(kinds)
    text = json.dumps(writer.write(data))
    stores = {f"store{number}": np.concatenate(parts) for number, parts in enumerate(writer.parts)}
    return {TEXT: np.frombuffer(text.encode(), np.uint8), **stores}


def unpack(arrays: dict[str, Any], kinds: Iterable[type] = ()) -> Any:
    """Return the data that `pack` was given; ValueError if it cannot be."""
    try:
        content = json.loads(arrays[TEXT].tobytes())
        return _Reader(arrays, kinds).read(content)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RuntimeError, RecursionError):
        raise ValueError("not what was packed") from None


def reseed(arrays: dict[str, Any], seed: int) -> dict[str, Any]:
    """Return packed data with new random generators in place of those that it holds."""
    seeds = count(seed)

    def renew(content: dict[str, Any]) -> dict[str, Any]:
        return {"rng": make_rng(next(seeds)).bit_generator.state} if "rng" in content else content

    text = json.dumps(json.loads(arrays[TEXT].tobytes(), object_hook=renew))
    return {**arrays, TEXT: np.frombuffer(text.encode(), np.uint8)}


class _Writer:
    def __init__(self, kinds: Iterable[type]) -> None:
        self._kinds = {kind.__name__: kind for kind in kinds}
        self.parts: list[list[Any]] = []  # by store
        self._ends: list[int] = []
        self._stores: dict[Any, int] = {}

    def write(self, data: Any) -> Any:
        """Return data as JSON knows it."""
        if data is None or isinstance(data, bool | int | float | str):
            return data
        if isinstance(data, np.ndarray):
            return {"array": self._place(data)}
        if isinstance(data, torch.Tensor):
            return {"tensor": self._place(data.detach().cpu().numpy())}
        if isinstance(data, np.generic):
            return data.item()
        if isinstance(data, np.random.Generator):
            return {"rng": data.bit_generator.state}
        name = type(data).__name__
        if self._kinds.get(name) is type(data):
            return {"record": name, "fields": [self.write(value) for value in _values(data)]}
        if isinstance(data, list):
            return [self.write(item) for item in data]
        if type(data) is tuple:
            return {"tuple": [self.write(item) for item in data]}
        if isinstance(data, dict):
            return {"dict": [[self.write(key), self.write(value)] for key, value in data.items()]}
        raise TypeError(f"{name} is not plain data")

    def _place(self, array: Any) -> list[Any]:
        """Put an array into its dtype's store; return store, first element and shape."""
        store = self._stores.setdefault(array.dtype, len(self._stores))
        if store == len(self.parts):
            self.parts.append([])
            self._ends.append(0)
        start = self._ends[store]
        self.parts[store].append(array.reshape(-1))
        self._ends[store] += array.size
        return [store, start, *array.shape]


class _Reader:
    def __init__(self, arrays: dict[str, Any], kinds: Iterable[type]) -> None:
        self._arrays = arrays
        self._kinds: dict[str, Any] = {kind.__name__: kind for kind in kinds}

    def read(self, content: Any) -> Any:
        """Return what JSON stands for."""
        if isinstance(content, list):
            return [self.read(item) for item in content]
        if not isinstance(content, dict):
            return content
        if "array" in content:
            return self._find(*content["array"])
        if "tensor" in content:
            return torch.from_numpy(self._find(*content["tensor"]))
        if "tuple" in content:
            return tuple(self.read(item) for item in content["tuple"])
        if "dict" in content:
            return {self.read(key): self.read(value) for key, value in content["dict"]}
        if "rng" in content:
            rng = make_rng(0)
            rng.bit_generator.state = content["rng"]
            return rng
        name: str = content["record"]
        return self._kinds[_FORMER.get(name, name)](*(self.read(item) for item in content["fields"]))

    def _find(self, store: int, start: int, *shape: int) -> Any:
        """Return a copy, so that no array keeps a whole store alive."""
        return self._arrays[f"store{store}"][start : start + prod(shape)].reshape(shape).copy()


def _values(record: Any) -> list[Any]:
    if is_dataclass(record):
        return [getattr(record, part.name) for part in fields(record)]
    return list(record)
