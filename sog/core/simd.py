"""Eight numbers at a time: vector instructions that the compiler does not find by itself.

Loops that add to an array at computed places are not vectorised, since the places might be the same. Where
eight sums run side by side (`LANES` neighbours in memory) they cannot be, and these functions say so. Without
compilation (`NUMBA_DISABLE_JIT=1`) they are the slices that their docstrings show.

Verified: tests/core/test_simd.py.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from sog.core.arrays import U16, U32, Float

LANES = 8
_CHAINS = 4  # comparisons that do not wait for each other


def _plain_add_pairs(
    total: Float, part: Float, ones: U16, twos: U16, places: U16, base: Any, source: Float, *run: Any
) -> None:
    """Add eights of `source` to the total and to two of its parts each. run: start, count.

    For k from `start` on, `count` of them: the eight at `places[base + k]` are added to `total[:8]`, to those
    of `part` at `ones[base + k]`, and to those at `twos[base + k]`, which are others.
    """
    for k in _run(base, *run):
        eight = source[places[k] : places[k] + LANES]
        total[:LANES] += eight
        for place in (ones[k], twos[k]):
            part[place : place + LANES] += eight


def _plain_outside_pairs(
    total: Float, part: Float, ones: U16, twos: U16, places: U16, base: Any, target: Float, *run: Any
) -> None:
    """Write the total without two of its parts to the eight at `places[base + k]`, k as in `add_pairs`."""
    for k in _run(base, *run):
        left = total[:LANES] - part[ones[k] : ones[k] + LANES] - part[twos[k] : twos[k] + LANES]
        target[places[k] : places[k] + LANES] = left


def _plain_add_outside_pairs(
    total: Float, part: Float, ones: U16, twos: U16, places: U16, base: Any, target: Float, *run: Any
) -> None:
    """Add what `outside_pairs` writes."""
    for k in _run(base, *run):
        left = total[:LANES] - part[ones[k] : ones[k] + LANES] - part[twos[k] : twos[k] + LANES]
        target[places[k] : places[k] + LANES] += left


def _plain_take_outside_pairs(
    total: Float, part: Float, ones: U16, twos: U16, places: U16, base: Any, target: Float, *run: Any
) -> None:
    """Take away what `outside_pairs` writes."""
    for k in _run(base, *run):
        left = total[:LANES] - part[ones[k] : ones[k] + LANES] - part[twos[k] : twos[k] + LANES]
        target[places[k] : places[k] + LANES] -= left


def _run(base: Any, start: Any, count: Any) -> range:
    first = int(base) + int(start)
    return range(first, first + int(count))


def _plain_add_eights(target: Float, places: U16, source: Float, origins: U16, base: Any, count: Any) -> None:
    """Add the eight of `source` at `origins[base + k]` to those at `places[base + k]`, `count` times."""
    for k in _run(base, 0, count):
        target[places[k] : places[k] + LANES] += source[origins[k] : origins[k] + LANES]


def _plain_largest(array: Float, start: Any, count: Any) -> Any:
    """Return the largest size of `count` numbers from `start` on; `count` is a multiple of eight."""
    block = array[int(start) : int(start) + int(count)]
    return np.abs(block).max(initial=0)


def _plain_gather_columns(
    target: Float, at: Any, source: Float, starts: U32, offset: Any, factor: Float, base: Any
) -> None:
    """`target[at + 8 i + lane] = source[starts[lane] + offset + i] * factor[base + offset + i]`.

    For i below 8.
    """
    a, b = int(at), int(offset)
    by = factor[int(base) + b : int(base) + b + LANES]
    for lane in range(LANES):
        c = int(starts[lane]) + b
        target[a + lane : a + LANES * LANES : LANES] = source[c : c + LANES] * by


def _plain_scatter_columns(
    target: Float,
    starts: U32,
    offset: Any,
    source: Float,
    at: Any,
    factor: Float,
    base: Any,
    scales: Float,
    count: Any,
) -> None:
    """`target[starts[lane] + offset + i] = source[at + 8 i + lane] * factor[base + offset + i] * scale`.

    For i below 8 and lanes below `count`, with `scale = scales[lane]`.
    """
    a, b = int(at), int(offset)
    by = factor[int(base) + b : int(base) + b + LANES]
    for lane in range(int(count)):
        c = int(starts[lane]) + b
        column = source[a + lane : a + LANES * LANES : LANES]
        target[c : c + LANES] = column * by * scales[lane]


def _lanes(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> tuple[Any, int]:
    """Return a pointer to the eight numbers from `index` on, and their alignment."""
    struct = context.make_array(kind)(context, builder, array)
    element = context.get_data_type(kind.dtype)
    place = builder.gep(struct.data, [index], inbounds=True)
    return builder.bitcast(place, ir.VectorType(element, LANES).as_pointer()), kind.dtype.bitwidth // 8


def load_lanes(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    """Make instructions that load the eight numbers of an array from `index` on."""
    pointer, align = _lanes(context, builder, kind, array, index)
    return builder.load(pointer, align=align)


def store_lanes(context: Any, builder: Any, kind: Any, array: Any, index: Any, value: Any) -> None:
    """Make instructions that store eight numbers from `index` on."""
    pointer, align = _lanes(context, builder, kind, array, index)
    builder.store(value, pointer, align=align)


def _table(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    """Return `array[index]`, an unsigned number, as an index."""
    struct = context.make_array(kind)(context, builder, array)
    place = builder.gep(struct.data, [index], inbounds=True)
    return builder.zext(builder.load(place), ir.IntType(64))


def _make_pairs(
    generate_one: Callable[[Any, Any, Any, Any, Any, list[Any], Any], None],
) -> Any:
    """Compile a loop over pairs of parts; `generate_one` makes its body and may change the running total."""

    @intrinsic
    def compiled(
        typing: Any,
        total: Any,
        part: Any,
        ones: Any,
        twos: Any,
        places: Any,
        base: Any,
        lanes: Any,
        start: Any,
        count: Any,
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kinds, zero = signature.args, ir.Constant(ir.IntType(64), 0)
            alloca: Any = cgutils.alloca_once_value
            running = alloca(builder, load_lanes(context, builder, kinds[0], args[0], zero))
            first = builder.add(args[5], args[7])
            with cgutils.for_range(builder, args[8], intp=ir.IntType(64)) as loop:
                k = builder.add(first, loop.index)
                *pair, at = (_table(context, builder, kinds[n], args[n], k) for n in (2, 3, 4))
                generate_one(context, builder, kinds, args, running, pair, at)
            store_lanes(context, builder, kinds[0], args[0], zero, builder.load(running))
            return context.get_dummy_value()

        size = types.uint64
        return types.void(total, part, ones, twos, places, size, lanes, size, size), generate

    return compiled


def _add_pair(
    context: Any, builder: Any, kinds: Any, args: Any, running: Any, pair: list[Any], at: Any
) -> None:
    lanes = load_lanes(context, builder, kinds[6], args[6], at)
    # Both parts are read before either is written: they are never the same.
    sums = [builder.fadd(load_lanes(context, builder, kinds[1], args[1], place), lanes) for place in pair]
    for place, added in zip(pair, sums, strict=True):
        store_lanes(context, builder, kinds[1], args[1], place, added)
    builder.store(builder.fadd(builder.load(running), lanes), running)


def _leave_pair_out(
    context: Any,
    builder: Any,
    kinds: Any,
    args: Any,
    running: Any,
    pair: list[Any],
    at: Any,
    join: str | None = None,
) -> None:
    left = builder.load(running)
    for place in pair:
        left = builder.fsub(left, load_lanes(context, builder, kinds[1], args[1], place))
    if join is not None:
        left = getattr(builder, join)(load_lanes(context, builder, kinds[6], args[6], at), left)
    store_lanes(context, builder, kinds[6], args[6], at, left)


@intrinsic
def _compiled_add_eights(
    typing: Any, target: Any, places: Any, source: Any, origins: Any, base: Any, count: Any
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        to, where, whence, origin, _, _ = signature.args
        with cgutils.for_range(builder, args[5], intp=ir.IntType(64)) as loop:
            k = builder.add(args[4], loop.index)
            place = _table(context, builder, where, args[1], k)
            added = load_lanes(
                context, builder, whence, args[2], _table(context, builder, origin, args[3], k)
            )
            before = load_lanes(context, builder, to, args[0], place)
            store_lanes(context, builder, to, args[0], place, builder.fadd(before, added))
        return context.get_dummy_value()

    return types.void(target, places, source, origins, types.uint64, types.uint64), generate


@intrinsic
def _compiled_largest(typing: Any, array: Any, start: Any, count: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind, lanes = signature.args[0], ir.VectorType(context.get_data_type(signature.args[0].dtype), LANES)
        alloca: Any = cgutils.alloca_once_value
        # Of each chain the largest and the smallest number, beginning with zeros.
        running = [alloca(builder, ir.Constant(lanes, [0.0] * LANES)) for _ in range(2 * _CHAINS)]

        def join(chain: int, at: Any) -> None:
            found = load_lanes(context, builder, kind, args[0], at)
            most, least = running[2 * chain : 2 * chain + 2]
            builder.store(_choose(builder, ">", found, builder.load(most)), most)
            builder.store(_choose(builder, "<", found, builder.load(least)), least)

        each, eight = ir.Constant(ir.IntType(64), _CHAINS * LANES), ir.Constant(ir.IntType(64), LANES)
        whole = builder.udiv(args[2], each)
        with cgutils.for_range(builder, whole, intp=ir.IntType(64)) as loop:
            first = builder.add(args[1], builder.mul(loop.index, each))
            for chain in range(_CHAINS):
                join(chain, builder.add(first, ir.Constant(ir.IntType(64), chain * LANES)))
        done = builder.mul(whole, each)
        rest = builder.udiv(builder.sub(args[2], done), eight)
        with cgutils.for_range(builder, rest, intp=ir.IntType(64)) as loop:
            join(0, builder.add(builder.add(args[1], done), builder.mul(loop.index, eight)))
        best = builder.load(running[0])
        for number, chain in enumerate(running[1:], 1):
            found = builder.load(chain)
            best = _choose(builder, ">", builder.fneg(found) if number % 2 else found, best)
        lane = [builder.extract_element(best, ir.Constant(ir.IntType(32), number)) for number in range(LANES)]
        largest = lane[0]
        for other in lane[1:]:
            largest = _choose(builder, ">", other, largest)
        return largest

    return array.dtype(array, types.uint64, types.uint64), generate


def _choose(builder: Any, relation: str, one: Any, other: Any) -> Any:
    return builder.select(builder.fcmp_ordered(relation, one, other), one, other)


def _transpose(builder: Any, rows: list[Any]) -> list[Any]:
    """Return the columns of eight vectors.

    Three rounds of shuffles that stay within half a vector or swap whole halves: one instruction each.
    """

    def shuffle(one: int, two: int, mask: list[int]) -> Any:
        return builder.shuffle_vector(
            rows[one], rows[two], ir.Constant(ir.VectorType(ir.IntType(32), LANES), mask)
        )

    singles = [0, 8, 1, 9, 4, 12, 5, 13], [2, 10, 3, 11, 6, 14, 7, 15]
    doubles = [0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15]
    halves = [0, 1, 2, 3, 8, 9, 10, 11], [4, 5, 6, 7, 12, 13, 14, 15]
    rows = [shuffle(row, row + 1, mask) for row in (0, 2, 4, 6) for mask in singles]
    rows = [shuffle(row, row + 2, mask) for row in (0, 1, 4, 5) for mask in doubles]
    return [shuffle(row, row + 4, mask) for mask in halves for row in range(4)]


@intrinsic
def _compiled_gather_columns(
    typing: Any, target: Any, at: Any, source: Any, starts: Any, offset: Any, factor: Any, base: Any
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        to, _, whence, first, _, by, _ = signature.args
        weight = load_lanes(context, builder, by, args[5], builder.add(args[6], args[4]))
        columns = []
        for lane in range(LANES):
            start = builder.add(
                _table(context, builder, first, args[3], ir.Constant(ir.IntType(64), lane)), args[4]
            )
            columns.append(builder.fmul(load_lanes(context, builder, whence, args[2], start), weight))
        for number, row in enumerate(_transpose(builder, columns)):
            place = builder.add(args[1], ir.Constant(ir.IntType(64), number * LANES))
            store_lanes(context, builder, to, args[0], place, row)
        return context.get_dummy_value()

    return types.void(target, types.uint64, source, starts, types.uint64, factor, types.uint64), generate


@intrinsic
def _compiled_scatter_columns(
    typing: Any,
    target: Any,
    starts: Any,
    offset: Any,
    source: Any,
    at: Any,
    factor: Any,
    base: Any,
    scales: Any,
    count: Any,
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        to, first, _, whence, _, by, _, sizes, _ = signature.args
        weight = load_lanes(context, builder, by, args[5], builder.add(args[6], args[2]))
        rows = [
            load_lanes(
                context,
                builder,
                whence,
                args[3],
                builder.add(args[4], ir.Constant(ir.IntType(64), number * LANES)),
            )
            for number in range(LANES)
        ]
        scale_data = context.make_array(sizes)(context, builder, args[7]).data
        for lane, column in enumerate(_transpose(builder, rows)):
            number = ir.Constant(ir.IntType(64), lane)
            with builder.if_then(builder.icmp_unsigned("<", number, args[8])):
                scale = builder.load(builder.gep(scale_data, [number], inbounds=True))
                spread = ir.Constant(weight.type, ir.Undefined)
                for place in range(LANES):
                    spread = builder.insert_element(spread, scale, ir.Constant(ir.IntType(32), place))
                start = builder.add(_table(context, builder, first, args[1], number), args[2])
                value = builder.fmul(builder.fmul(column, weight), spread)
                store_lanes(context, builder, to, args[0], start, value)
        return context.get_dummy_value()

    size = types.uint64
    signature = types.void(target, starts, size, source, size, factor, size, scales, size)
    return signature, generate


_IS_COMPILED = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
add_pairs: Any = _make_pairs(_add_pair) if _IS_COMPILED else _plain_add_pairs
outside_pairs: Any = _make_pairs(_leave_pair_out) if _IS_COMPILED else _plain_outside_pairs
add_outside_pairs: Any = (
    _make_pairs(partial(_leave_pair_out, join="fadd")) if _IS_COMPILED else _plain_add_outside_pairs
)
take_outside_pairs: Any = (
    _make_pairs(partial(_leave_pair_out, join="fsub")) if _IS_COMPILED else _plain_take_outside_pairs
)
add_eights: Any = _compiled_add_eights if _IS_COMPILED else _plain_add_eights
largest: Any = _compiled_largest if _IS_COMPILED else _plain_largest
gather_columns: Any = _compiled_gather_columns if _IS_COMPILED else _plain_gather_columns
scatter_columns: Any = _compiled_scatter_columns if _IS_COMPILED else _plain_scatter_columns
