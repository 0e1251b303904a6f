"""What a solve keeps of a street: regrets and averages, as floats or in sixteen bits.

Blocks of boards follow each other. The first D of a street's slots are its starts', which have nothing to
keep: blocks overlap by D slots, which are neither read nor written.

`Sums` are used where they stand. `ShortSums` keep a whole number of steps of the largest number in each
decision's block (its *scale*), and are unpacked into work space for a visit: half the memory, for sums that
are right to one part in 32,767 (regrets) or 65,535 (averages) of the largest one beside them.

Verified: tests/poker/test_regret_storage.py.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba.extending import overload

from sog.core.arrays import Float
from sog.core.jit import OVERLOAD_FLAGS, ZERO, inlined
from sog.public.layout import Layout, PlayerLayout
from sog.solvers.cfr import PlayerState

I16 = npt.NDArray[np.int16]
U16 = npt.NDArray[np.uint16]
REGRET_STEPS, AVERAGE_STEPS = np.float32(32767), np.float32(65535)
_HALF = np.float32(0.5)


class Sums(NamedTuple):
    """One player's sums on a street. B boards, S slots, D of them of the starts."""

    regret: Float  # [D + B * (S - D)]
    average: Float  # [D + B * (S - D)]
    gain: Float  # the same, or [0] where the variant is not optimistic


class ShortSums(NamedTuple):
    """The same in sixteen bits. K steps."""

    regret: I16  # [D + B * (S - D)]
    average: U16  # [D + B * (S - D)]
    regret_scale: Float  # [B * K] largest regret of each step, in size
    average_scale: Float  # [B * K] largest average of each step


AnySums = Sums | ShortSums


def make_sums(layout: Layout, player: int, boards: int, is_optimistic: bool, dtype: Any) -> Sums:
    """Return sums of zero for so many boards."""
    size = _size(layout, player, boards)
    return Sums(np.zeros(size, dtype), np.zeros(size, dtype), np.zeros(size if is_optimistic else 0, dtype))


def make_short_sums(layout: Layout, player: int, boards: int) -> ShortSums:
    """Return sums of zero for so many boards, in sixteen bits."""
    size, steps = _size(layout, player, boards), boards * layout.players[player].steps.size
    scales = np.zeros(steps, np.float32), np.zeros(steps, np.float32)
    return ShortSums(np.zeros(size, np.int16), np.zeros(size, np.uint16), *scales)


def _size(layout: Layout, player: int, boards: int) -> int:
    starts = int(layout.players[player].steps[0]["rows"])
    return starts + boards * (layout.num_slots[player] - starts)


def open_sums(
    board: np.uint64, is_learning: bool, own: PlayerLayout, sums: Any, work: PlayerState
) -> PlayerState:
    """Return a player's state with the sums of one board in it; the work space may be modified."""
    opening = _open_plain if isinstance(sums, Sums) else _open_short
    return opening(board, is_learning, own, sums, work)


def close_sums(board: np.uint64, is_learning: bool, own: PlayerLayout, sums: Any, mine: PlayerState) -> None:
    """Put the sums of a state back where they are kept, after learning; `sums` modified in place."""
    closing = _close_plain if isinstance(sums, Sums) else _close_short
    closing(board, is_learning, own, sums, mine)


@inlined
def _open_plain(
    board: np.uint64, is_learning: bool, own: PlayerLayout, sums: Sums, work: PlayerState
) -> PlayerState:
    slots = np.uint64(work.policy.size)
    start = board * (slots - np.uint64(own.steps[0]["rows"]))
    gain = sums.gain[start : start + slots] if sums.gain.size > 0 else sums.gain[ZERO:ZERO]
    return PlayerState(
        sums.regret[start : start + slots],
        sums.average[start : start + slots],
        work.policy,
        work.reach,
        gain,
        work.values,
        work.rows,
        work.leaves,
        work.faced,
    )


@inlined
def _close_plain(
    board: np.uint64, is_learning: bool, own: PlayerLayout, sums: Sums, mine: PlayerState
) -> None:
    pass  # the state's sums are the kept ones themselves


@inlined
def _open_short(
    board: np.uint64, is_learning: bool, own: PlayerLayout, sums: ShortSums, work: PlayerState
) -> PlayerState:
    first = board * (np.uint64(work.policy.size) - np.uint64(own.steps[0]["rows"]))
    for number in range(own.steps.size):
        step = own.steps[number]
        place = board * np.uint64(own.steps.size) + np.uint64(number)
        unit = sums.average_scale[place] / AVERAGE_STEPS
        regret_unit = sums.regret_scale[place] / REGRET_STEPS
        slot = np.uint64(step["output"])
        for index in range(np.uint64(step["num_actions"]) * np.uint64(step["rows"])):
            work.average[slot + index] = unit * np.float32(sums.average[first + slot + index])
        if is_learning:
            for index in range(np.uint64(step["num_actions"]) * np.uint64(step["rows"])):
                work.regret[slot + index] = regret_unit * np.float32(sums.regret[first + slot + index])
    return work


@inlined
def _close_short(
    board: np.uint64, is_learning: bool, own: PlayerLayout, sums: ShortSums, mine: PlayerState
) -> None:
    if is_learning:
        first = board * (np.uint64(mine.policy.size) - np.uint64(own.steps[0]["rows"]))
        for number in range(own.steps.size):
            step = own.steps[number]
            place = board * np.uint64(own.steps.size) + np.uint64(number)
            slot, size = np.uint64(step["output"]), np.uint64(step["num_actions"]) * np.uint64(step["rows"])
            largest = np.float32(0)
            for index in range(size):
                largest = max(largest, abs(mine.regret[slot + index]))
            sums.regret_scale[place] = largest
            per_unit = REGRET_STEPS / largest if largest > 0 else np.float32(0)
            for index in range(size):
                scaled = mine.regret[slot + index] * per_unit
                half = _HALF if scaled > 0 else -_HALF
                sums.regret[first + slot + index] = np.int16(np.int32(scaled + half))
            largest = np.float32(0)
            for index in range(size):
                largest = max(largest, mine.average[slot + index])
            sums.average_scale[place] = largest
            per_unit = AVERAGE_STEPS / largest if largest > 0 else np.float32(0)
            for index in range(size):
                scaled = mine.average[slot + index] * per_unit
                sums.average[first + slot + index] = np.uint16(np.int32(scaled + _HALF))


@overload(open_sums, jit_options=OVERLOAD_FLAGS, inline="never")
def _compile_open_sums(board: Any, is_learning: Any, own: Any, sums: Any, work: Any) -> Any:
    opening = _open_plain if sums.instance_class is Sums else _open_short

    def call(board: Any, is_learning: Any, own: Any, sums: Any, work: Any) -> Any:
        return opening(board, is_learning, own, sums, work)

    return call


@overload(close_sums, jit_options=OVERLOAD_FLAGS, inline="never")
def _compile_close_sums(board: Any, is_learning: Any, own: Any, sums: Any, mine: Any) -> Any:
    closing = _close_plain if sums.instance_class is Sums else _close_short

    def call(board: Any, is_learning: Any, own: Any, sums: Any, mine: Any) -> Any:
        closing(board, is_learning, own, sums, mine)

    return call
