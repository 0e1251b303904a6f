"""What a solve keeps of a street: regrets and averages, as floats or in sixteen bits.

Blocks of boards follow each other, each as long as the player's rows there ask for. The first D of a street's
slots are its starts', which have nothing to keep: blocks overlap by their rows, which are neither read nor
written.

`Sums` are used where they stand. `ShortSums` keep a whole number of steps of the largest number in each
decision's block (its *scale*), and are unpacked into work space for a visit: half the memory, for sums that
are right to one part in 32,767 (regrets) or 65,535 (averages) of the largest one beside them.

Verified: tests/poker/test_regret_storage.py.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba.extending import overload

from sog.core.arrays import U16, U32, Float
from sog.core.jit import ONE, OVERLOAD_FLAGS, ZERO, inlined
from sog.core.simd import largest
from sog.public.layout import Layout, PlayerLayout
from sog.solvers.cfr import PlayerState

I16 = npt.NDArray[np.int16]
REGRET_STEPS, AVERAGE_STEPS = np.float32(32767), np.float32(65535)
_HALF = np.float32(0.5)


class Sums(NamedTuple):
    """One player's sums on a street. S slots, D of them of the starts; R rows, M on one board at most."""

    regret: Float  # [D * M + (S - D) * R]
    average: Float  # [D * M + (S - D) * R]
    gain: Float  # the same, or [0] where the variant is not optimistic


class ShortSums(NamedTuple):
    """The same in sixteen bits. B boards, K steps."""

    regret: I16  # [D * M + (S - D) * R]
    average: U16  # [D * M + (S - D) * R]
    regret_scale: Float  # [B * K] largest regret of each step, in size
    average_scale: Float  # [B * K] largest average of each step


AnySums = Sums | ShortSums


def make_sums(layout: Layout, player: int, first_row: U32, is_optimistic: bool, dtype: Any) -> Sums:
    """Return sums of zero for boards with these rows (`HandLists.first_row`)."""
    size = _size(layout, player, first_row)
    return Sums(np.zeros(size, dtype), np.zeros(size, dtype), np.zeros(size if is_optimistic else 0, dtype))


def make_short_sums(layout: Layout, player: int, first_row: U32) -> ShortSums:
    """Return sums of zero for boards with these rows, in sixteen bits."""
    size = _size(layout, player, first_row)
    steps = (first_row.size - 1) * layout.players[player].steps.size
    scales = np.zeros(steps, np.float32), np.zeros(steps, np.float32)
    return ShortSums(np.zeros(size, np.int16), np.zeros(size, np.uint16), *scales)


def _size(layout: Layout, player: int, first_row: U32) -> int:
    starts = int(layout.players[player].steps[0]["rows"])
    most, all_rows = int(np.diff(first_row).max()), int(first_row[-1])
    return starts * most + (layout.num_slots[player] - starts) * all_rows


@inlined
def count_slots(own: PlayerLayout) -> np.uint64:
    """Return how many slots a layout has: its last step's are the last."""
    last = own.steps[np.uint64(own.steps.size - 1)]
    return np.uint64(last["output"]) + max(ONE, np.uint64(last["num_actions"])) * np.uint64(last["rows"])


@inlined
def find_block(
    board: np.uint64, unit: PlayerLayout, first_row: U32, size: int
) -> tuple[np.uint64, np.uint64]:
    """Return where slot 0 of a board is among `size` sums, and how many slots there are."""
    slots, starts = count_slots(unit), np.uint64(unit.steps[ZERO]["rows"])
    last, row = np.uint64(first_row[np.uint64(first_row.size - 1)]), np.uint64(first_row[board])
    rows = np.uint64(first_row[board + ONE]) - row
    return np.uint64(size) - (slots - starts) * (last - row) - starts * rows, slots * rows


class Need(NamedTuple):
    """What a visit needs of a player's sums: regrets, averages."""

    regret: bool
    average: bool


def open_sums(
    board: np.uint64,
    need: Need,
    unit: PlayerLayout,
    own: PlayerLayout,
    first_row: U32,
    sums: Any,
    work: PlayerState,
) -> PlayerState:
    """Return a player's state with the sums of one board in it; the work space may be modified.

    unit: the layout for one hand; own: the same for the board's rows.
    """
    opening = _open_plain if isinstance(sums, Sums) else _open_short
    return opening(board, need, unit, own, first_row, sums, work)


def close_sums(
    board: np.uint64, unit: PlayerLayout, own: PlayerLayout, first_row: U32, sums: Any, mine: PlayerState
) -> None:
    """Put the sums of a state back where they are kept, after learning; `sums` modified in place."""
    closing = _close_plain if isinstance(sums, Sums) else _close_short
    closing(board, unit, own, first_row, sums, mine)


@inlined
def _open_plain(
    board: np.uint64,
    need: Need,
    unit: PlayerLayout,
    own: PlayerLayout,
    first_row: U32,
    sums: Sums,
    work: PlayerState,
) -> PlayerState:
    start, slots = find_block(board, unit, first_row, sums.regret.size)
    end = start + slots
    gain = sums.gain[start:end] if sums.gain.size > 0 else sums.gain[ZERO:ZERO]
    return PlayerState(
        sums.regret[start:end],
        sums.average[start:end],
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
    board: np.uint64, unit: PlayerLayout, own: PlayerLayout, first_row: U32, sums: Sums, mine: PlayerState
) -> None:
    pass  # the state's sums are the kept ones themselves


@inlined
def _open_short(
    board: np.uint64,
    need: Need,
    unit: PlayerLayout,
    own: PlayerLayout,
    first_row: U32,
    sums: ShortSums,
    work: PlayerState,
) -> PlayerState:
    first, _ = find_block(board, unit, first_row, sums.regret.size)
    for number in range(own.steps.size):
        step = own.steps[number]
        place = board * np.uint64(own.steps.size) + np.uint64(number)
        slot, size = np.uint64(step["output"]), np.uint64(step["num_actions"]) * np.uint64(step["rows"])
        if need.average:
            unit_size = sums.average_scale[place] / AVERAGE_STEPS
            for index in range(size):
                work.average[slot + index] = unit_size * np.float32(sums.average[first + slot + index])
        if need.regret:
            unit_size = sums.regret_scale[place] / REGRET_STEPS
            for index in range(size):
                work.regret[slot + index] = unit_size * np.float32(sums.regret[first + slot + index])
    return work


@inlined
def _close_short(
    board: np.uint64,
    unit: PlayerLayout,
    own: PlayerLayout,
    first_row: U32,
    sums: ShortSums,
    mine: PlayerState,
) -> None:
    first, _ = find_block(board, unit, first_row, sums.regret.size)
    for number in range(own.steps.size):
        step = own.steps[number]
        place = board * np.uint64(own.steps.size) + np.uint64(number)
        slot, size = np.uint64(step["output"]), np.uint64(step["num_actions"]) * np.uint64(step["rows"])
        most = largest(mine.regret, slot, size)
        sums.regret_scale[place] = most
        per_unit = REGRET_STEPS / most if most > 0 else np.float32(0)
        for index in range(size):
            scaled = mine.regret[slot + index] * per_unit
            half = _HALF if scaled > 0 else -_HALF
            sums.regret[first + slot + index] = np.int16(np.int32(scaled + half))
        most = largest(mine.average, slot, size)
        sums.average_scale[place] = most
        per_unit = AVERAGE_STEPS / most if most > 0 else np.float32(0)
        for index in range(size):
            scaled = mine.average[slot + index] * per_unit
            sums.average[first + slot + index] = np.uint16(np.int32(scaled + _HALF))


@overload(open_sums, jit_options=OVERLOAD_FLAGS, inline="never")
def _compile_open_sums(
    board: Any, need: Any, unit: Any, own: Any, first_row: Any, sums: Any, work: Any
) -> Any:
    opening = _open_plain if sums.instance_class is Sums else _open_short

    def call(board: Any, need: Any, unit: Any, own: Any, first_row: Any, sums: Any, work: Any) -> Any:
        return opening(board, need, unit, own, first_row, sums, work)

    return call


@overload(close_sums, jit_options=OVERLOAD_FLAGS, inline="never")
def _compile_close_sums(board: Any, unit: Any, own: Any, first_row: Any, sums: Any, mine: Any) -> Any:
    closing = _close_plain if sums.instance_class is Sums else _close_short

    def call(board: Any, unit: Any, own: Any, first_row: Any, sums: Any, mine: Any) -> Any:
        closing(board, unit, own, first_row, sums, mine)

    return call
