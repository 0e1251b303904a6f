"""Networks of kind `rows` without torch: rows are computed once a public state, and pooled by kernels.

A search asks about the same states again and again, the next one about others. So rows are kept until there
are too many, and then all are forgotten.

Verified: tests/nets/test_rows.py.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F32, I32, I64, U32
from sog.core.jit import ONE, inlined, kernel
from sog.nets.perceptron import Head, HiddenLayers
from sog.nets.spec import Logits, NetworkSpec, Sizes
from sog.nets.state_batch import StateBatch
from sog.public.codes import CodeTables
from sog.public.store import StateStore

_MOST_ROWS = 1 << 18  # that are kept
_NOWHERE = -1  # where the rows of a code are that was not asked about
_TWO = np.uint64(2)


class Near(NamedTuple):
    """Which infostates are next to each."""

    is_read: bool  # by the network
    start: U32  # [V + 1]
    column: U32


class RowsForward:
    """A network with the rows of a store's codes that were asked about last."""

    def __init__(self, spec: NetworkSpec, sizes: Sizes, weights: Mapping[str, F32]) -> None:
        """weights: by the names of `sog.nets.rows.Rows`."""
        self._sizes, self._units = sizes, spec.row_units
        self._is_gelu = spec.activation == "gelu"
        self._described = np.ascontiguousarray(weights["described.weight"].T)
        self._embedding = np.tile(weights["described.bias"], (sizes.num_values, 1))
        if spec.row_embeds:
            self._embedding += weights["embedding.weight"]
        self._policy = np.ascontiguousarray(weights["policy.weight"].T)
        self._hidden = HiddenLayers(spec, _spread(weights, sizes), "layers", sizes.num_features, 1.0)
        self._head = Head(weights, ("query", "shift", "gate", "prior"))
        self._near, self._is_odds = _list_near(spec, sizes), spec.row_odds
        self._store: StateStore | None = None
        self._starts = np.zeros(0, np.int64)  # [codes] of their rows
        self._rows = np.zeros((0, self._units), np.float32)  # both players', player 0's first
        self._num_rows = 0

    def __call__(self, asked: StateBatch, ranges: F32) -> tuple[F32, F32]:
        """Return values [B, V] and logits [W, L] of whoever acts."""
        tables, count, rows = asked.tables, len(ranges), asked.sizes()
        starts = self._place_rows(asked, rows)
        pooled = np.zeros((count, 2 * self._units), np.float32)
        pool_ranges(tables, asked.numbers, rows, starts, self._rows, ranges, pooled)
        outputs = self._head(self._hidden(asked, pooled))
        values = np.zeros((count, self._sizes.num_values), np.float32)
        logits = np.zeros((asked.wanted.size, self._sizes.num_logits), np.float32)
        lines = np.full(count, -1)
        lines[asked.wanted] = np.arange(asked.wanted.size)
        read_out(
            tables, asked.numbers, rows, starts, self._rows, ranges, self._near, self._is_odds, outputs,
            self._policy, self._sizes.logits, values, lines, logits,
        )  # fmt: skip
        return values, logits

    def _place_rows(self, asked: StateBatch, sizes: U32) -> I64:
        """Return where the rows of each query begin; those of new codes are computed. sizes: [P, B]."""
        if asked.store is not self._store or self._num_rows > _MOST_ROWS:
            self._store, self._num_rows = asked.store, 0
            self._starts[:] = _NOWHERE
        codes = asked.tables.codes.size
        if codes > self._starts.size:
            grown = np.full(2 * codes, _NOWHERE, np.int64)
            grown[: self._starts.size] = self._starts
            self._starts = grown
        new, before = np.zeros(asked.numbers.size, np.int64), self._num_rows
        count, self._num_rows = find_new(asked.numbers, sizes, self._starts, self._num_rows, new)
        if self._num_rows > len(self._rows):
            larger = np.zeros((2 * self._num_rows, self._units), np.float32)
            larger[:before] = self._rows[:before]
            self._rows = larger
        if count > 0:
            told, rows = asked.rows(new[:count]), self._rows[before : self._num_rows]
            make_rows(told.columns, told.described, self._described, self._embedding, self._is_gelu, rows)
        return self._starts[asked.numbers]


def _list_near(spec: NetworkSpec, sizes: Sizes) -> Near:
    """Return what is next to each infostate; nothing if the network does not read it."""
    near = sizes.near if spec.row_near else ((),) * sizes.num_values
    listed = [column for beside in near for column in beside]
    start = np.cumsum([0, *map(len, near)]).astype(np.uint32)
    return Near(spec.row_near, start, np.array(listed, np.uint32))


def _spread(weights: Mapping[str, F32], sizes: Sizes) -> Mapping[str, F32]:
    """Return the weights with a first layer of all features, zeros where it leaves them out."""
    name, kept = "layers.0.weight", sizes.beside_rows
    first = weights[name]
    spread = np.zeros((len(first), sizes.num_features + first.shape[1] - len(kept)), np.float32)
    spread[:, kept] = first[:, : len(kept)]
    spread[:, sizes.num_features :] = first[:, len(kept) :]
    return {**weights, name: spread}


@kernel
def find_new(numbers: I32, sizes: U32, starts: I64, num_rows: int, new: I64) -> tuple[int, int]:
    """List the queries [B] about codes without rows, and give those a place; starts, new modified in place.

    Returns how many there are, and how many rows there will be.
    """
    count = 0
    for query in range(np.uint64(numbers.size)):
        number = np.uint64(numbers[query])
        if starts[number] == _NOWHERE:
            starts[number] = num_rows
            num_rows += int(sizes[0, query]) + int(sizes[1, query])
            new[np.uint64(count)] = query
            count += 1
    return count, num_rows


@kernel
def make_rows(columns: I64, described: F32, weight: F32, embedding: F32, is_gelu: bool, rows: F32) -> None:
    """Write the units of infostates; rows [M, K] modified in place.

    columns: [M]; described: [M, d]; weight: [d, K]; embedding: [V, K], with the bias.
    """
    for index in range(np.uint64(columns.size)):
        own = embedding[np.uint64(columns[index])]
        _make_row(described[index], weight, own, is_gelu, rows[index])


@inlined
def _make_row(described: F32, weight: F32, own: F32, is_gelu: bool, row: F32) -> None:
    """Write the units [K] of one row."""
    half, units = np.float32(0.5), np.uint64(weight.shape[1])
    for unit in range(units):
        row[unit] = own[unit]
    for index in range(np.uint64(weight.shape[0])):
        value = described[index]
        if value != 0:
            for unit in range(units):
                row[unit] += value * weight[index, unit]
    for unit in range(units):
        if is_gelu:
            row[unit] *= half * np.float32(1.0 + math.erf(row[unit] * math.sqrt(0.5)))
        else:
            row[unit] = max(row[unit], np.float32(0))


@kernel
def pool_ranges(
    tables: CodeTables, numbers: I32, sizes: U32, starts: I64, rows: F32, ranges: F32, pooled: F32
) -> None:
    """Add rows by their share of ranges [B, V]; pooled [B, 2 K], zeros, modified in place.

    sizes: [P, B] infostates; starts: [B] of rows.
    """
    units = np.uint64(rows.shape[1])
    for query in range(np.uint64(numbers.size)):
        code, at = tables.codes[np.uint64(numbers[query])], np.uint64(starts[query])
        for player in range(2):
            start = np.uint64(code["second_columns"] if player == 1 else code["first_columns"])
            target = pooled[query, np.uint64(player) * units :]
            for index in range(np.uint64(sizes[player, query])):
                share = ranges[query, np.uint64(tables.columns[start + index])]
                row = rows[at + index]
                if share != 0:
                    for unit in range(units):
                        target[unit] += share * row[unit]
            at += np.uint64(sizes[player, query])


@kernel
def read_out(
    tables: CodeTables,
    numbers: I32,
    sizes: U32,
    starts: I64,
    rows: F32,
    ranges: F32,
    near: Near,
    is_odds: bool,
    outputs: F32,
    policy: F32,
    where: Logits,
    values: F32,
    lines: I64,
    logits: F32,
) -> None:
    """Read values [B, V] and the actor's logits [W, L] from rows; both, zeros, modified in place.

    sizes: [P, B] infostates; starts: [B] of rows; lines: [B] of logits, -1 where none are asked for.

    ranges: [B, V]; outputs: [B, 2 S K of queries, 2 S of shifts, K of gates, C of priors] with a row in S
    parts; policy: [K, C].
    """
    units, parts = np.uint64(rows.shape[1]), _TWO + np.uint64(near.is_read)
    shift = _TWO * parts * units
    gate = shift + _TWO * parts
    prior = gate + units
    for query in range(np.uint64(numbers.size)):
        code, output = tables.codes[np.uint64(numbers[query])], outputs[query]
        at = np.uint64(starts[query])
        for player in range(2):
            start = np.uint64(code["second_columns"] if player == 1 else code["first_columns"])
            asked = output[np.uint64(player) * parts * units :]
            shifts = output[shift + np.uint64(player) * parts :]
            reads_policy, wanted = lines[query] >= 0 and code["actor"] == np.uint32(player), lines[query]
            for index in range(np.uint64(sizes[player, query])):
                column, row = np.int64(tables.columns[start + index]), rows[at + index]
                root = np.float32(np.sqrt(ranges[query, np.uint64(column)]))
                total = shifts[0] + root * shifts[1]
                for unit in range(units):
                    total += row[unit] * (asked[unit] + root * asked[units + unit])
                if near.is_read:
                    beside = np.sqrt(_sum_near(near, ranges[query], np.uint64(column)))
                    total += beside * shifts[2]
                    for unit in range(units):
                        total += beside * row[unit] * asked[_TWO * units + unit]
                values[query, np.uint64(column)] = math.tanh(total / 2) if is_odds else total
                if reads_policy:
                    own = column - where.num_first if player == 1 else column
                    line = np.uint64(where.start[player] + own * where.width[player])
                    for choice in range(np.uint64(where.width[player])):
                        logits[wanted, line + choice] = output[prior + choice]
                    for unit in range(units):
                        share = row[unit] * output[gate + unit]
                        for choice in range(np.uint64(where.width[player])):
                            logits[wanted, line + choice] += share * policy[unit, choice]
            at += np.uint64(sizes[player, query])


@inlined
def _sum_near(near: Near, own: F32, column: np.uint64) -> np.float32:
    """Return the share of a range [V] next to an infostate."""
    total = np.float32(0)
    for place in range(np.uint64(near.start[column]), np.uint64(near.start[column + ONE])):
        total += own[np.uint64(near.column[place])]
    return total
