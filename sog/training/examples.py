"""Examples, packed: what passes from generators to the learner, by the hundred thousand.

An example is a public belief state with what a search or a play said about it, in a network's coordinates. It
has as many numbers as its state uses: features other than zero (of a board: a bit a square, and a number a
plane), and of each infostate its column, its share of the range and its value in half precision, and the mass
of the opponent's range that is compatible with it as a byte. Policies have a byte for each legal choice, on a
scale of square roots, so that small probabilities keep their size. Values that are not to be learned are NaN.

Verified: tests/training/test_records.py, tests/training/test_replay.py.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sog.core.arrays import F32, F64, I32, I64, U8, U64, Records
from sog.core.errors import InputError
from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.games.products import Index
from sog.games.view import UNUSED
from sog.nets.spec import Sizes
from sog.public.beliefs import Pair
from sog.public.codes import CodeTables

U16 = npt.NDArray[np.uint16]

OUTCOME, PLAYED, RECURSIVE = 0, 1, 2  # an example's origin: TD(1), a query of self-play or of the solver
BYTE = 255.0  # the largest
MOST = 2**16  # features, infostates and choices that a number of an example can tell apart

_POOLS = "numbers", "halves", "bytes"

EXAMPLE = np.dtype(
    [
        ("numbers", "u8"),  # where the example begins in each array
        ("halves", "u8"),
        ("bytes", "u8"),
        ("legal", "u4"),  # choices of all infostates of the actor
        ("features", "u2"),
        ("rows", "u2", (2,)),  # infostates of each player
        ("origin", "u1"),
        ("actor", "u1"),
        ("in_order", "u1", (2,)),  # each player's columns follow one another: the first one is there alone
        ("is_alike", "u1"),  # all infostates of the actor have the same choices: they are there once
    ]
)


class Examples(NamedTuple):
    """N examples, one after the other in each of three arrays."""

    heads: Records  # [N] EXAMPLE
    numbers: U16  # features (not of a board), columns of both players; of the actor's rows: counts, choices;
    # less where columns are in order or choices are alike
    halves: U16  # half-precision bits: features, ranges of both players, values of both players
    bytes: U8  # a board's squares, masses of both players, policy

    @property
    def size(self) -> int:
        """N."""
        return len(self.heads)

    @property
    def num_bytes(self) -> int:
        """What they take in memory, and on the disk."""
        return sum(array.nbytes for array in self)


class Contents(NamedTuple):
    """Everything that N examples hold, not packed yet; infostates and slots by example."""

    start: tuple[I64, I64]  # [P][N + 1] first infostate
    ranges: Pair  # [P][infostates]
    values: Pair  # [P][infostates] as shares of the state's scale, no number where there is nothing to learn
    masses: Pair  # [P][infostates]
    policy_start: I64  # [N + 1] first slot
    policies: F64  # [slots] action by action
    plane_values: F32  # [N, planes] of a board
    plane_bits: U8  # [N, bytes]


def no_examples() -> Examples:
    """Return nothing."""
    return Examples(
        np.zeros(0, EXAMPLE), np.zeros(0, np.uint16), np.zeros(0, np.uint16), np.zeros(0, np.uint8)
    )


def check_sizes(sizes: Sizes, game: str) -> None:
    """Refuse a game with more features, infostates or choices than examples can number."""
    choices = (sizes.choices,) if isinstance(sizes.choices, int) else sizes.choices
    if max(sizes.num_features, sizes.num_values, *choices) > MOST:
        raise InputError(f"{game}: cannot be learned, it has more than {MOST:,} features or choices")


def join_examples(parts: list[Examples]) -> Examples:
    """Return all examples of several packs."""
    if not parts:
        return no_examples()
    heads, first = np.concatenate([part.heads for part in parts]), 0
    starts = np.cumsum([[0, 0, 0]] + [[pool.size for pool in part[1:]] for part in parts], axis=0)
    for part, start in zip(parts, starts, strict=False):
        for name, offset in zip(_POOLS, start.tolist(), strict=True):
            heads[name][first : first + part.size] += np.uint64(offset)
        first += part.size
    numbers, halves, octets = (
        np.concatenate(pools) for pools in zip(*(part[1:] for part in parts), strict=True)
    )
    return Examples(heads, numbers, halves, octets)


def take_examples(examples: Examples, places: I64) -> Examples:
    """Return the examples at some places."""
    heads, pools = examples.heads[places], []
    is_last, after = places + 1 == examples.size, np.minimum(places + 1, examples.size - 1)
    pool: Any
    for name, pool in zip(_POOLS, examples[1:], strict=True):
        starts = heads[name].copy()
        sizes = np.where(is_last, np.uint64(pool.size), examples.heads[name][after]) - starts
        heads[name] = np.cumsum(sizes) - sizes
        taken: Any = np.empty(int(sizes.sum()), pool.dtype)
        copy_parts(pool, starts, sizes, taken)
        pools.append(taken)
    return Examples(heads, *pools)


@kernel
def copy_parts(source: U16 | U8, starts: U64, sizes: U64, target: U16 | U8) -> None:
    """Copy parts of an array to another, one after the other; target modified in place."""
    at = ZERO
    for part in range(starts.size):
        start = starts[part]
        for index in range(sizes[part]):
            target[at + index] = source[start + index]
        at += sizes[part]


def pack_examples(contents: Contents, tables: CodeTables, codes: I32, origins: list[int]) -> Examples:
    """Return examples of public states with these codes."""
    heads = np.zeros(codes.size, EXAMPLE)
    heads["origin"] = origins
    sizes = np.zeros(3, np.uint64)
    measure(contents, tables, codes, heads, sizes)
    numbers, floats = np.zeros(int(sizes[0]), np.uint16), np.zeros(int(sizes[1]), np.float32)
    octets = np.zeros(int(sizes[2]), np.uint8)
    fill(contents, tables, codes, heads, numbers, floats, octets)
    with np.errstate(over="ignore"):  # what is too large is seen to be no number, and ends the run
        return Examples(heads, numbers, floats.astype(np.float16).view(np.uint16), octets)


@kernel
def measure(contents: Contents, tables: CodeTables, codes: I32, heads: Records, sizes: U64) -> None:
    """Write where examples begin, and the sizes of the arrays [3] in all; heads, sizes modified in place."""
    planes, bits = np.uint64(contents.plane_values.shape[1]), np.uint64(contents.plane_bits.shape[1])
    for index in range(np.uint64(codes.size)):
        head, code = heads[index], tables.codes[np.uint64(codes[index])]
        first = np.uint64(contents.start[0][index + ONE] - contents.start[0][index])
        second = np.uint64(contents.start[1][index + ONE] - contents.start[1][index])
        listed = np.uint64(code["features_end"]) - np.uint64(code["features"])
        own = ZERO if code["actor"] > 1 else (second if code["actor"] == 1 else first)
        head["in_order"][0] = _is_in_order(tables, np.uint64(code["first_columns"]), first)
        head["in_order"][1] = _is_in_order(tables, np.uint64(code["second_columns"]), second)
        columns = (ONE if head["in_order"][0] else first) + (ONE if head["in_order"][1] else second)
        start = np.uint64(contents.policy_start[index])
        slots = np.uint64(contents.policy_start[index + ONE]) - start
        legal = ZERO
        for slot in range(slots):
            legal += np.uint64(tables.choices[np.uint64(code["choices"]) + slot] != UNUSED)
        head["numbers"], head["halves"], head["bytes"] = sizes[0], sizes[1], sizes[2]
        head["legal"], head["features"], head["actor"] = legal, planes + listed, code["actor"]
        head["rows"][0], head["rows"][1] = first, second
        head["is_alike"] = own > ZERO and legal == slots and _is_alike(tables, code, own, slots)
        sizes[0] += listed + columns + (ONE + slots // own if head["is_alike"] else own + legal)
        sizes[1] += planes + listed + np.uint64(2) * (first + second)
        sizes[2] += bits + first + second + legal


@kernel
def fill(
    contents: Contents, tables: CodeTables, codes: I32, heads: Records, numbers: U16, floats: F32, octets: U8
) -> None:
    """Write examples into their arrays, which are modified in place."""
    for example in range(codes.size):
        index = np.uint64(example)
        head, code = heads[index], tables.codes[np.uint64(codes[index])]
        number, half, octet = np.uint64(head["numbers"]), np.uint64(head["halves"]), np.uint64(head["bytes"])
        for plane in range(np.uint64(contents.plane_values.shape[1])):
            floats[half] = contents.plane_values[index, plane]
            half += ONE
        for bit in range(np.uint64(contents.plane_bits.shape[1])):
            octets[octet] = contents.plane_bits[index, bit]
            octet += ONE
        first = np.uint64(code["features"])
        for place in range(np.uint64(code["features_end"]) - first):
            numbers[number], floats[half] = tables.feature[first + place], tables.value[first + place]
            number += ONE
            half += ONE
        for player in range(2):
            start = np.uint64(contents.start[player][index])
            column = np.uint64(code["second_columns"] if player == 1 else code["first_columns"])
            largest = 0.0
            for row in range(np.uint64(head["rows"][player])):
                largest = max(largest, contents.masses[player][start + row])
            for row in range(np.uint64(head["rows"][player])):
                if row == ZERO or not head["in_order"][player]:
                    numbers[number] = tables.columns[column + row]
                    number += ONE
                octets[octet] = _as_byte(contents.masses[player][start + row], largest)
                octet += ONE
        for player in range(2):
            half = _copy_rows(contents.start[player], index, contents.ranges[player], floats, half)
        for player in range(2):
            half = _copy_rows(contents.start[player], index, contents.values[player], floats, half)
        if head["actor"] <= 1:
            _fill_policy(contents, tables, code, head, index, numbers[number:], octets[octet:])


@inlined
def _is_in_order(tables: CodeTables, start: np.uint64, rows: np.uint64) -> bool:
    """Return whether the columns of infostates follow one another."""
    for row in range(rows):
        if np.int64(tables.columns[start + row]) != np.int64(tables.columns[start]) + np.int64(row):
            return False
    return bool(rows > ZERO)


@inlined
def _is_alike(tables: CodeTables, code: Any, rows: np.uint64, slots: np.uint64) -> bool:
    """Return whether the choices of all slots are those of the first infostate, action by action."""
    start = np.uint64(code["choices"])
    for slot in range(slots):
        if tables.choices[start + slot] != tables.choices[start + slot - slot % rows]:
            return False
    return True


@inlined
def column_at(head: Any, numbers: U16, first: np.uint64, player: Index, row: np.uint64) -> np.int64:
    """Return the column of a player's infostate; first: of the player's columns."""
    if head["in_order"][player]:
        return np.int64(numbers[first]) + np.int64(row)
    return np.int64(numbers[first + row])


@inlined
def _as_byte(mass: float, largest: float) -> np.uint8:
    """Return a mass as a share of the largest; none but zero becomes zero."""
    if mass <= 0:
        return np.uint8(0)
    return np.uint8(max(1.0, np.rint(BYTE * mass / largest)))


@inlined
def _copy_rows(start: I64, index: np.uint64, rows: F64, floats: F32, half: np.uint64) -> np.uint64:
    """Copy one example's rows; return where the next begin."""
    first = np.uint64(start[index])
    count = np.uint64(start[index + ONE]) - first
    for row in range(count):
        floats[half + row] = rows[first + row]
    return half + count


@inlined
def _fill_policy(
    contents: Contents, tables: CodeTables, code: Any, head: Any, index: np.uint64, numbers: U16, octets: U8
) -> None:
    """Write the actor's counts and choices, and the policy, row by row."""
    rows, at = np.uint64(head["rows"][np.uint64(head["actor"])]), ZERO
    start = np.uint64(contents.policy_start[index])
    actions = (np.uint64(contents.policy_start[index + ONE]) - start) // rows
    lines = ONE if head["is_alike"] else rows
    for row in range(rows):
        before = at
        for action in range(actions):
            slot = action * rows + row
            choice = tables.choices[np.uint64(code["choices"]) + slot]
            if choice != UNUSED:
                if row < lines:
                    numbers[lines + at] = choice
                octets[at] = np.uint8(np.rint(BYTE * np.sqrt(contents.policies[start + slot])))
                at += ONE
        if row < lines:
            numbers[row] = at - before
