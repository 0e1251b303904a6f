"""Eight numbers at a time: vector instructions that the compiler does not find by itself.

Loops that add to an array at computed places are not vectorised, since the places might be the same. Where
eight sums run side by side (`LANES` neighbours in memory) they cannot be, and these functions say so. Without
compilation (`NUMBA_DISABLE_JIT=1`) they are the slices that their docstrings show.

Verified: tests/core/test_lanes.py.
"""

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from sog.core.arrays import U32, Float

LANES = 8


def _plain_add(target: Float, at: np.uint64, source: Float, start: np.uint64) -> None:
    """`target[at:at + 8] += source[start:start + 8]`."""
    a, b = int(at), int(start)
    target[a : a + LANES] += source[b : b + LANES]


def _plain_add_many(target: Float, source: Float, start: Any, count: Any) -> None:
    """`target[:8] += source[start + 8 k : start + 8 k + 8]` for k below `count`."""
    a = int(start)
    for number in range(int(count)):
        target[:LANES] += source[a + number * LANES : a + (number + 1) * LANES]


def _plain_outside(target: Float, at: Any, total: Float, part: Float, one: Any, two: Any) -> None:
    """`target[at:at + 8] = total[:8] - part[one:one + 8] - part[two:two + 8]`."""
    a = int(at)
    target[a : a + LANES] = _outside(total, part, int(one), int(two))


def _plain_add_outside(target: Float, at: Any, total: Float, part: Float, one: Any, two: Any) -> None:
    """Like `outside_lanes`, added to the target."""
    a = int(at)
    target[a : a + LANES] += _outside(total, part, int(one), int(two))


def _plain_subtract_outside(target: Float, at: Any, total: Float, part: Float, one: Any, two: Any) -> None:
    """Like `outside_lanes`, subtracted from the target."""
    a = int(at)
    target[a : a + LANES] -= _outside(total, part, int(one), int(two))


def _outside(total: Float, part: Float, one: int, two: int) -> Float:
    result: Float = total[:LANES] - part[one : one + LANES] - part[two : two + LANES]
    return result


def _plain_gather_columns(
    target: Float, at: Any, source: Float, starts: U32, offset: Any, factor: Float
) -> None:
    """`target[at + 8 i + lane] = source[starts[lane] + offset + i] * factor[offset + i]` for i below 8."""
    a, b = int(at), int(offset)
    for lane in range(LANES):
        c = int(starts[lane]) + b
        target[a + lane : a + LANES * LANES : LANES] = source[c : c + LANES] * factor[b : b + LANES]


def _plain_scatter_columns(
    target: Float, starts: U32, offset: Any, source: Float, at: Any, factor: Float, scales: Float, count: Any
) -> None:
    """`target[starts[lane] + offset + i] = source[at + 8 i + lane] * factor[offset + i] * scales[lane]`.

    For i below 8 and lanes below `count`.
    """
    a, b = int(at), int(offset)
    for lane in range(int(count)):
        c = int(starts[lane]) + b
        column = source[a + lane : a + LANES * LANES : LANES]
        target[c : c + LANES] = column * factor[b : b + LANES] * scales[lane]


def _lanes(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> tuple[Any, int]:
    """Return a pointer to the eight numbers from `index` on, and their alignment."""
    struct = context.make_array(kind)(context, builder, array)
    element = context.get_data_type(kind.dtype)
    place = builder.gep(struct.data, [index], inbounds=True)
    return builder.bitcast(place, ir.VectorType(element, LANES).as_pointer()), kind.dtype.bitwidth // 8


def _load(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    pointer, align = _lanes(context, builder, kind, array, index)
    return builder.load(pointer, align=align)


def _store(context: Any, builder: Any, kind: Any, array: Any, index: Any, value: Any) -> None:
    pointer, align = _lanes(context, builder, kind, array, index)
    builder.store(value, pointer, align=align)


@intrinsic
def _compiled_add(typing: Any, target: Any, at: Any, source: Any, start: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        to, _, whence, _ = signature.args
        added = builder.fadd(
            _load(context, builder, to, args[0], args[1]), _load(context, builder, whence, args[2], args[3])
        )
        _store(context, builder, to, args[0], args[1], added)
        return context.get_dummy_value()

    return types.void(target, types.uint64, source, types.uint64), generate


@intrinsic
def _compiled_add_many(typing: Any, target: Any, source: Any, start: Any, count: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        to, whence, _, _ = signature.args
        zero = ir.Constant(ir.IntType(64), 0)
        alloca: Any = cgutils.alloca_once_value
        total = alloca(builder, _load(context, builder, to, args[0], zero))
        with cgutils.for_range(builder, args[3], intp=ir.IntType(64)) as loop:
            place = builder.add(args[2], builder.mul(loop.index, ir.Constant(ir.IntType(64), LANES)))
            added = builder.fadd(builder.load(total), _load(context, builder, whence, args[1], place))
            builder.store(added, total)
        _store(context, builder, to, args[0], zero, builder.load(total))
        return context.get_dummy_value()

    return types.void(target, source, types.uint64, types.uint64), generate


def _make_outside(combine: str | None) -> Any:
    """Compile `outside_lanes`, or its version that combines with what the target holds."""

    @intrinsic
    def compiled(typing: Any, target: Any, at: Any, total: Any, part: Any, one: Any, two: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            to, _, whole, parts, _, _ = signature.args
            zero = ir.Constant(ir.IntType(64), 0)
            left = builder.fsub(
                _load(context, builder, whole, args[2], zero),
                _load(context, builder, parts, args[3], args[4]),
            )
            left = builder.fsub(left, _load(context, builder, parts, args[3], args[5]))
            if combine is not None:
                left = getattr(builder, combine)(_load(context, builder, to, args[0], args[1]), left)
            _store(context, builder, to, args[0], args[1], left)
            return context.get_dummy_value()

        return types.void(target, types.uint64, total, part, types.uint64, types.uint64), generate

    return compiled


def _transpose(builder: Any, rows: list[Any]) -> list[Any]:
    """Return the columns of eight vectors: three riffles of the upper and the lower half."""
    masks = [[0, 8, 1, 9, 2, 10, 3, 11], [4, 12, 5, 13, 6, 14, 7, 15]]
    constants = [ir.Constant(ir.VectorType(ir.IntType(32), LANES), mask) for mask in masks]
    for _ in range(3):
        rows = [
            builder.shuffle_vector(rows[half], rows[half + LANES // 2], constant)
            for half in range(LANES // 2)
            for constant in constants
        ]
    return rows


def _index(context: Any, builder: Any, kind: Any, array: Any, lane: int) -> Any:
    """Return `array[lane]`, an unsigned number, as an index."""
    struct = context.make_array(kind)(context, builder, array)
    place = builder.gep(struct.data, [ir.Constant(ir.IntType(64), lane)], inbounds=True)
    return builder.zext(builder.load(place), ir.IntType(64))


@intrinsic
def _compiled_gather_columns(
    typing: Any, target: Any, at: Any, source: Any, starts: Any, offset: Any, factor: Any
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        to, _, whence, first, _, by = signature.args
        weight = _load(context, builder, by, args[5], args[4])
        columns = []
        for lane in range(LANES):
            start = builder.add(_index(context, builder, first, args[3], lane), args[4])
            columns.append(builder.fmul(_load(context, builder, whence, args[2], start), weight))
        for number, row in enumerate(_transpose(builder, columns)):
            place = builder.add(args[1], ir.Constant(ir.IntType(64), number * LANES))
            _store(context, builder, to, args[0], place, row)
        return context.get_dummy_value()

    return types.void(target, types.uint64, source, starts, types.uint64, factor), generate


@intrinsic
def _compiled_scatter_columns(
    typing: Any,
    target: Any,
    starts: Any,
    offset: Any,
    source: Any,
    at: Any,
    factor: Any,
    scales: Any,
    count: Any,
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        to, first, _, whence, _, by, sizes, _ = signature.args
        weight = _load(context, builder, by, args[5], args[2])
        rows = [
            _load(
                context,
                builder,
                whence,
                args[3],
                builder.add(args[4], ir.Constant(ir.IntType(64), number * LANES)),
            )
            for number in range(LANES)
        ]
        scale_data = context.make_array(sizes)(context, builder, args[6]).data
        for lane, column in enumerate(_transpose(builder, rows)):
            number = ir.Constant(ir.IntType(64), lane)
            with builder.if_then(builder.icmp_unsigned("<", number, args[7])):
                scale = builder.load(builder.gep(scale_data, [number], inbounds=True))
                spread = ir.Constant(weight.type, ir.Undefined)
                for place in range(LANES):
                    spread = builder.insert_element(spread, scale, ir.Constant(ir.IntType(32), place))
                start = builder.add(_index(context, builder, first, args[1], lane), args[2])
                value = builder.fmul(builder.fmul(column, weight), spread)
                _store(context, builder, to, args[0], start, value)
        return context.get_dummy_value()

    signature = types.void(target, starts, types.uint64, source, types.uint64, factor, scales, types.uint64)
    return signature, generate


_IS_COMPILED = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
add_lanes: Any = _compiled_add if _IS_COMPILED else _plain_add
add_many_lanes: Any = _compiled_add_many if _IS_COMPILED else _plain_add_many
outside_lanes: Any = _make_outside(None) if _IS_COMPILED else _plain_outside
add_outside_lanes: Any = _make_outside("fadd") if _IS_COMPILED else _plain_add_outside
subtract_outside_lanes: Any = _make_outside("fsub") if _IS_COMPILED else _plain_subtract_outside
gather_columns: Any = _compiled_gather_columns if _IS_COMPILED else _plain_gather_columns
scatter_columns: Any = _compiled_scatter_columns if _IS_COMPILED else _plain_scatter_columns
