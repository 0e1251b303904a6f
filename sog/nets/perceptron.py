"""Perceptrons that answer without torch, which is slow to import: matrix products by numpy.

Few features are other than zero: their share of the first layer is a sum of rows of its weights. The rest are
products into buffers that stay. A layer's norm takes the mean off its units, which is linear, and so is done
to its weights; a kernel does the rest.

Verified: tests/nets/test_evaluator.py.
"""

import ctypes
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F32, I32
from sog.core.jit import ONE, inlined, kernel
from sog.nets.spec import NetworkSpec, Sizes
from sog.nets.state_batch import StateBatch
from sog.public.codes import CodeTables

_EPSILON = 1e-5  # torch's, of norms
_HEAD_UNITS = 16  # heads are as wide as a multiple of this: products of few columns take longer
_WIDE = 8  # sums that run side by side
WIDEST_FOR_ONE_CORE = 512  # units; handing smaller products to several cores takes longer than computing them


@cache
def use_one_core() -> None:
    """Have numpy multiply matrices on one core from now on, where it comes with its own OpenBLAS."""
    for path in Path(np.__file__).parent.with_name("numpy.libs").glob("libscipy_openblas64*"):
        getattr(ctypes.CDLL(str(path)), "scipy_openblas_set_num_threads64_", int)(1)


class _Layer(NamedTuple):
    weight: F32  # [inputs, units]
    bias: F32  # [units]
    scale: F32 | None = None  # [units] of the norm
    shift: F32 | None = None


def shapes_of(spec: NetworkSpec, sizes: Sizes) -> dict[str, tuple[int, ...]]:
    """Return the shapes of a perceptron's weights, by their names."""
    shapes: dict[str, tuple[int, ...]] = {}
    inputs, step = sizes.num_features + sizes.num_values, 3 if spec.normalises else 2
    for layer in range(spec.layers):
        shapes |= _linear(f"trunk.layers.{step * layer}", inputs, spec.width)
        if spec.normalises:
            name = f"trunk.layers.{step * layer + 1}"
            shapes |= {f"{name}.weight": (spec.width,), f"{name}.bias": (spec.width,)}
        inputs = spec.width
    return shapes | _linear("value", inputs, sizes.num_values) | _linear("policy", inputs, sizes.num_logits)


def _linear(name: str, inputs: int, units: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (units, inputs), f"{name}.bias": (units,)}


class HiddenLayers:
    """Hidden layers with weights of their own."""

    def __init__(
        self, spec: NetworkSpec, weights: Mapping[str, F32], name: str, num_features: int, scale: float
    ) -> None:
        """name: of the layers among the weights. scale: of the inputs beside features."""
        if spec.width <= WIDEST_FOR_ONE_CORE:
            use_one_core()
        step = 3 if spec.normalises else 2
        self._layers = [
            _copy_layer(weights, f"{name}.{step * layer}", f"{name}.{step * layer + 1}", spec)
            for layer in range(spec.layers)
        ]
        self._is_gelu = spec.activation == "gelu"
        first = self._layers[0]
        self._from_features = first.weight[:num_features]
        self._from_others = first.weight[num_features:] * np.float32(scale)
        self._buffers = [np.zeros((0, spec.width), np.float32)]

    def __call__(self, states: StateBatch, inputs: F32) -> F32:
        """Return units [B, U] for features and inputs beside them [B, I], valid until the next call."""
        hidden = self._enter(inputs)
        add_features(states.tables, states.numbers, self._from_features, hidden)
        return self._finish(hidden)

    def dense(self, inputs: F32) -> F32:
        """Return units [B, U] for inputs [B, I] that are all there is, valid until the next call."""
        return self._finish(self._enter(inputs))

    def _enter(self, inputs: F32) -> F32:
        """Return the share of the first layer that comes from inputs beside features."""
        count = len(inputs)
        if count > len(self._buffers[0]):
            width = self._buffers[0].shape[1]
            self._buffers = [np.zeros((2 * count, width), np.float32) for _ in self._layers]
        return np.matmul(inputs, self._from_others, out=self._buffers[0][:count])

    def _finish(self, hidden: F32) -> F32:
        """Return the last layer's units, once the first has all its inputs."""
        for number, layer in enumerate(self._layers):
            if number > 0:
                hidden = np.matmul(hidden, layer.weight, out=self._buffers[number][: len(hidden)])
            finish_layer(hidden, layer.bias, layer.scale, layer.shift, self._is_gelu)
        return hidden


class Perceptron:
    """A perceptron with weights of its own."""

    def __init__(self, spec: NetworkSpec, sizes: Sizes, weights: Mapping[str, F32]) -> None:
        """weights: by the names and with the shapes of `shapes_of`; they are copied."""
        self._hidden = HiddenLayers(spec, weights, "trunk.layers", sizes.num_features, sizes.num_values / 2)
        self._value, self._policy = Head(weights, ("value",)), Head(weights, ("policy",))

    def __call__(self, states: StateBatch, ranges: F32) -> tuple[F32, F32]:
        """Return values [B, V] and logits [W, L], valid until the next call; columns may follow."""
        hidden, wanted = self._hidden(states, ranges), states.wanted
        return self._value(hidden), self._policy(hidden if wanted.size == len(hidden) else hidden[wanted])


class Head:
    """Outputs of several linear layers side by side."""

    def __init__(self, weights: Mapping[str, F32], names: tuple[str, ...]) -> None:
        weight = np.concatenate([weights[f"{name}.weight"] for name in names]).T
        bias = np.concatenate([weights[f"{name}.bias"] for name in names])
        spare = -bias.size % _HEAD_UNITS  # units that nothing reads
        self._weight = np.pad(weight, ((0, 0), (0, spare))).copy(order="C")
        self._bias = np.pad(bias, (0, spare))
        self._buffer = np.zeros((0, self._bias.size), np.float32)

    def __call__(self, hidden: F32) -> F32:
        """Return outputs [B, at least as many as there are], valid until the next call."""
        count = len(hidden)
        if count > len(self._buffer):
            self._buffer = np.zeros((2 * count, self._bias.size), np.float32)
        outputs = np.matmul(hidden, self._weight, out=self._buffer[:count])
        outputs += self._bias
        return outputs


def _copy_layer(weights: Mapping[str, F32], name: str, norm: str, spec: NetworkSpec) -> _Layer:
    weight, bias = weights[f"{name}.weight"].T, weights[f"{name}.bias"]
    if not spec.normalises:
        return _Layer(weight.copy(order="C"), bias.copy())
    return _Layer(
        np.ascontiguousarray(weight - weight.mean(axis=1, keepdims=True, dtype=np.float64), np.float32),
        (bias - bias.mean(dtype=np.float64)).astype(np.float32),
        weights[f"{norm}.weight"].copy(),
        weights[f"{norm}.bias"].copy(),
    )


@kernel
def add_features(tables: CodeTables, numbers: I32, weights: F32, hidden: F32) -> None:
    """Add the features' share of the first layer; hidden [B, U] modified in place. weights: [F, U]."""
    units = np.uint64(hidden.shape[1])
    for query in range(np.uint64(hidden.shape[0])):
        record, row = tables.codes[np.uint64(numbers[query])], hidden[query]
        first = np.uint64(record["features"])
        for place in range(np.uint64(record["features_end"]) - first):
            added, value = weights[np.uint64(tables.feature[first + place])], tables.value[first + place]
            for unit in range(units):
                row[unit] += value * added[unit]


@kernel
def finish_layer(hidden: F32, bias: F32, scale: F32 | None, shift: F32 | None, is_gelu: bool) -> None:
    """Add the bias [U], normalise units [B, U] whose mean is zero, and activate; hidden modified in place.

    scale, shift: [U] of the norm, if there is one.
    """
    zero, half, units = np.float32(0), np.float32(0.5), np.uint64(hidden.shape[1])
    for query in range(np.uint64(hidden.shape[0])):
        row = hidden[query]
        for unit in range(units):
            row[unit] += bias[unit]
        if scale is not None and shift is not None:
            factor = np.float32(1.0 / math.sqrt(_mean_square(row) + _EPSILON))
            for unit in range(units):
                row[unit] = row[unit] * factor * scale[unit] + shift[unit]
        if is_gelu:
            for unit in range(units):
                row[unit] *= half * np.float32(1.0 + math.erf(row[unit] * math.sqrt(0.5)))
        else:
            for unit in range(units):
                row[unit] = max(row[unit], zero)


@inlined
def _mean_square(row: F32) -> float:
    """Return the mean of squares; several sums side by side, since one would wait for each addition."""
    units, zero = np.uint64(row.size), np.float32(0)
    a, b, c, d = zero, zero, zero, zero
    e, f, g, h = zero, zero, zero, zero
    for index in range(units // np.uint64(_WIDE)):
        at = index * np.uint64(_WIDE)
        a += row[at] * row[at]
        b += row[at + ONE] * row[at + ONE]
        c += row[at + np.uint64(2)] * row[at + np.uint64(2)]
        d += row[at + np.uint64(3)] * row[at + np.uint64(3)]
        e += row[at + np.uint64(4)] * row[at + np.uint64(4)]
        f += row[at + np.uint64(5)] * row[at + np.uint64(5)]
        g += row[at + np.uint64(6)] * row[at + np.uint64(6)]
        h += row[at + np.uint64(7)] * row[at + np.uint64(7)]
    total = float(((a + e) + (b + f)) + ((c + g) + (d + h)))
    for index in range(units % np.uint64(_WIDE)):
        value = row[units - ONE - index]
        total += value * value
    return total / float(units)
