"""Codes of a store's public states in flat arrays, made once a state, for kernels that fill batches.

Codes are kept, since to ask a game's rules in Python for one takes longer than everything else about a query;
positions on a board, whose codes are made by kernels, are told anew each time. What infostates are like is
many numbers each, and is not kept: who reads it keeps what he makes of it.

Verified: tests/public/test_codes.py.
"""

from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F32, I32, I64, U32, Growable, Records, num_bytes
from sog.core.jit import ONE, ZERO, kernel
from sog.games.base import NUM_PLAYERS
from sog.games.view import Encoded, Store
from sog.public.store_arrays import StoreArrays

CODE = np.dtype(
    [
        ("first_columns", "u4"),  # where player 0's columns begin
        ("second_columns", "u4"),
        ("choices", "u4"),  # where the acting player's choices begin, slot by slot
        ("actor", "u4"),
        ("features", "u4"),  # where the features other than zero begin
        ("features_end", "u4"),
    ]
)


class CodeTables(NamedTuple):
    """Codes of N public states, for kernels."""

    codes: Records  # [N] CODE
    columns: I32  # numbers among all values V
    choices: I32
    feature: U32  # those other than zero; none where there are planes
    value: F32


class CodeBook:
    """The codes of one store's states, as far as they have been asked for."""

    def __init__(self, view: Encoded, is_kept: bool) -> None:
        """is_kept: False where codes are made anew each time."""
        self._view, self._is_kept = view, is_kept
        self._numbers = Growable(np.int32)  # [nodes] of the store, -1 for none
        self._codes: Growable[Any] = Growable(CODE)
        self._columns, self._choices = Growable(np.int32), Growable(np.int32)
        self._feature, self._value = Growable(np.uint32), Growable(np.float32)
        self._tables: CodeTables | None = None

    def look_up(self, store: Store, arrays: StoreArrays, nodes: U32) -> tuple[CodeTables, I32]:
        """Return tables, and which of their codes [B] are those of nodes."""
        if not self._is_kept:
            return self._make(store, arrays, nodes), np.arange(nodes.size, dtype=np.int32)
        self._make_room(arrays.nodes.size)
        numbers = self._numbers.values[nodes]
        if numbers.size and numbers.min() < 0:
            new = np.unique(nodes[numbers < 0])
            self._numbers.values[new] = self._append(self._make(store, arrays, new))
            numbers = self._numbers.values[nodes]
        if self._tables is None:
            fields: Any = (part.values for part in self._parts)
            self._tables = CodeTables(*fields)
        return self._tables, numbers

    def known(self) -> U32:
        """Return the nodes whose codes are kept."""
        return np.flatnonzero(self._numbers.values >= 0).astype(np.uint32)

    def num_bytes(self, num_nodes: int) -> int:
        """Return what codes take where there are so many nodes."""
        if self._is_kept:
            self._make_room(num_nodes)
        return num_bytes((self._numbers, self._parts))

    @property
    def _parts(self) -> tuple[Any, ...]:
        return self._codes, self._columns, self._choices, self._feature, self._value

    def _make_room(self, num_nodes: int) -> None:
        """Let all nodes have a number, of no code at first."""
        if num_nodes > len(self._numbers):
            self._numbers.extend(np.full(num_nodes - len(self._numbers), -1, np.int32))

    def _make(self, store: Store, arrays: StoreArrays, nodes: U32) -> CodeTables:
        """Return the tables of B nodes alone."""
        codes, facts = self._view.encode(store, nodes), arrays.nodes[nodes]
        first, second = (arrays.places[player]["rows"][nodes] for player in range(NUM_PLAYERS))
        actors = facts["actor"]
        slots = facts["num_actions"] * np.where(actors == 1, second, first)
        records = np.zeros(actors.size, CODE)
        records["actor"] = actors
        records["first_columns"] = _starts(first)
        records["second_columns"] = codes.columns[0].size + _starts(second)
        records["choices"] = _starts(np.where(actors < NUM_PLAYERS, slots, 0))
        feature, value = np.zeros(0, np.uint32), np.zeros(0, np.float32)
        if codes.features is not None:
            bounds, feature, value = codes.features
            records["features"], records["features_end"] = bounds[:-1], bounds[1:]
        return CodeTables(records, np.concatenate(codes.columns), codes.choices, feature, value)

    def _append(self, tables: CodeTables) -> I32:
        """Keep codes; return their numbers."""
        codes, columns = tables.codes, self._columns.extend(tables.columns)
        choices, features = self._choices.extend(tables.choices), self._feature.extend(tables.feature)
        self._value.extend(tables.value)
        for field, start in zip(
            CODE.names or (), (columns, columns, choices, 0, features, features), strict=True
        ):
            codes[field] += start
        first = self._codes.extend(codes)
        self._tables = None
        return np.arange(first, first + codes.size, dtype=np.int32)


@kernel
def spread_features(tables: CodeTables, numbers: I32, features: F32) -> None:
    """Write the features of B codes, zeros included; features [B, F] modified in place."""
    features[:] = 0
    for query in range(np.uint64(numbers.size)):
        record = tables.codes[np.uint64(numbers[query])]
        first = np.uint64(record["features"])
        for place in range(np.uint64(record["features_end"]) - first):
            features[query, np.uint64(tables.feature[first + place])] = tables.value[first + place]


@kernel
def list_rows(tables: CodeTables, numbers: I32, sizes: U32, owners: I64, columns: I64) -> None:
    """Write the infostates of B codes, player 0's first; owners [M] and columns [M] modified in place.

    sizes: [P, B] infostates. owners: which of the B codes.
    """
    at = ZERO
    for query in range(np.uint64(numbers.size)):
        record = tables.codes[np.uint64(numbers[query])]
        for player in range(NUM_PLAYERS):
            first = np.uint64(record["second_columns"] if player == 1 else record["first_columns"])
            for row in range(np.uint64(sizes[player, query])):
                owners[at] = query
                columns[at] = tables.columns[first + row]
                at += ONE


def _starts(sizes: Any) -> Any:
    """Return where parts of these sizes begin."""
    return np.cumsum(sizes) - sizes
