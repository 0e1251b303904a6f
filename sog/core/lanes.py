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
from numba.core import types
from numba.extending import intrinsic

from sog.core.arrays import Float

LANES = 8


def _plain_add(target: Float, at: np.uint64, source: Float, start: np.uint64) -> None:
    """`target[at:at + 8] += source[start:start + 8]`."""
    a, b = int(at), int(start)
    target[a : a + LANES] += source[b : b + LANES]


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


_IS_COMPILED = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
add_lanes: Any = _compiled_add if _IS_COMPILED else _plain_add
outside_lanes: Any = _make_outside(None) if _IS_COMPILED else _plain_outside
add_outside_lanes: Any = _make_outside("fadd") if _IS_COMPILED else _plain_add_outside
subtract_outside_lanes: Any = _make_outside("fsub") if _IS_COMPILED else _plain_subtract_outside
