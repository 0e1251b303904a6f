"""Eight numbers as one value in kernels: loaded, added, multiplied and stored by vector instructions.

For loops whose places in memory are read from tables, where the compiler cannot know that what it writes is
not what it reads next, and so takes one number at a time. Without compilation (`NUMBA_DISABLE_JIT=1`) eights
are arrays of eight.

Verified: tests/core/test_eights.py.
"""

import operator
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, models, overload, register_model

from sog.core.arrays import Float
from sog.core.jit import OVERLOAD_FLAGS
from sog.core.simd import LANES, load_lanes, store_lanes

EIGHT = np.uint64(LANES)


def _plain_load(array: Float, at: Any) -> Any:
    """Return the eight numbers from `at` on, of an array of one dimension."""
    return array[int(at) : int(at) + LANES].copy()


def _plain_store(array: Float, at: Any, eight: Any) -> None:
    """Write an eight from `at` on; array modified in place."""
    array[int(at) : int(at) + LANES] = eight


def _plain_spread(number: Any) -> Any:
    """Return an eight of one number."""
    return np.full(LANES, number)


class _Eight(types.Type):
    """Numba's type of eight numbers."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(name=f"Eight({dtype})")


@register_model(_Eight)
class _Model(models.PrimitiveModel):
    def __init__(self, models_of: Any, kind: Any) -> None:
        element = models_of.lookup(kind.dtype).get_value_type()
        super().__init__(models_of, kind, ir.VectorType(element, LANES))  # type: ignore[no-untyped-call]


@intrinsic
def _compiled_load(typing: Any, array: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return load_lanes(context, builder, signature.args[0], *args)

    return _Eight(array.dtype)(array, types.uint64), generate


@intrinsic
def _compiled_store(typing: Any, array: Any, at: Any, eight: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        store_lanes(context, builder, signature.args[0], *args)
        return context.get_dummy_value()

    return types.void(array, types.uint64, eight), generate


@intrinsic
def _compiled_spread(typing: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        eight = ir.Constant(ir.VectorType(args[0].type, LANES), ir.Undefined)
        for lane in range(LANES):
            eight = builder.insert_element(eight, args[0], ir.Constant(ir.IntType(32), lane))
        return eight

    return _Eight(number)(number), generate


def _overload(function: Any, instruction: str) -> None:
    """Have an operator join two eights."""

    def compiled(typing: Any, one: Any, two: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return getattr(builder, instruction)(*args)

        return one(one, two), generate

    join: Any = intrinsic(compiled)

    def choose(one: Any, two: Any) -> Any:
        if isinstance(one, _Eight) and one == two:

            def joined(one: Any, two: Any) -> Any:
                return join(one, two)

            return joined
        return None

    overload(function, jit_options=OVERLOAD_FLAGS)(choose)


for _operator, _instruction in ((operator.add, "fadd"), (operator.sub, "fsub"), (operator.mul, "fmul")):
    _overload(_operator, _instruction)

_IS_COMPILED = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
load_eight: Any = _compiled_load if _IS_COMPILED else _plain_load
store_eight: Any = _compiled_store if _IS_COMPILED else _plain_store
spread: Any = _compiled_spread if _IS_COMPILED else _plain_spread
