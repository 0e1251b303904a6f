"""Sets of up to 64 things as the bits of one number: the machine instructions that numba has no names for.

Without compilation (`NUMBA_DISABLE_JIT=1`) they are the plain functions of the same name.

Verified: tests/core/test_bits.py.
"""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic


def _plain_count_bits(bits: np.uint64) -> np.uint64:
    """Return how many bits are set."""
    return np.uint64(int(bits).bit_count())


def _plain_lowest_index(bits: np.uint64) -> np.uint64:
    """Return the index of the lowest bit of a non-empty set."""
    return np.uint64((int(bits) & -int(bits)).bit_length() - 1)


def _plain_highest_bit(bits: np.uint64) -> np.uint64:
    """Return the highest bit of a non-empty set, as a set of one."""
    return np.uint64(1 << (int(bits).bit_length() - 1))


def _plain_swap_bytes(bits: np.uint64) -> np.uint64:
    """Return the number with its eight bytes in reverse order."""
    return np.uint64(int.from_bytes(int(bits).to_bytes(8, "little"), "big"))


def _make(build: Callable[[Any, Any], Any]) -> Any:
    """Compile a function of one 64-bit set."""

    @intrinsic
    def compiled(typing: Any, bits: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return build(builder, args[0])

        return types.uint64(types.uint64), generate

    return compiled


def _build_highest_bit(builder: Any, bits: Any) -> Any:
    top = ir.Constant(ir.IntType(64), 1 << 63)
    return builder.lshr(top, builder.ctlz(bits, ir.Constant(ir.IntType(1), 1)))


count_bits = _plain_count_bits
lowest_index = _plain_lowest_index
highest_bit = _plain_highest_bit
swap_bytes = _plain_swap_bytes
if not numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # set by numba at run time
    count_bits = _make(lambda builder, bits: builder.ctpop(bits))
    lowest_index = _make(lambda builder, bits: builder.cttz(bits, ir.Constant(ir.IntType(1), 1)))
    highest_bit = _make(_build_highest_bit)
    swap_bytes = _make(lambda builder, bits: builder.bswap(bits))
