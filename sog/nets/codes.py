"""Codes of a store's public states in flat arrays, written once a state, for kernels that fill batches.

Verified: tests/nets/test_codes.py.
"""

from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F32, I32, Growable, Records, doubled
from sog.public.store import StateStore

CODE = np.dtype(
    [
        ("first_rows", "u4"),  # where player 0's row numbers begin
        ("second_rows", "u4"),
        ("choices", "u4"),  # where the acting player's choices begin, slot by slot
        ("actor", "u4"),
        ("joint", "u4"),  # matrix of joint weights
    ]
)


BLOCK = 64  # codes whose features are computed with together


class CodeTables(NamedTuple):
    """Everything coded, for kernels."""

    codes: Records  # [N] CODE
    rows: I32  # numbers among all values V
    choices: I32


class Codes:
    """The codes of one store, as far as they have been asked for."""

    def __init__(self, store: StateStore) -> None:
        self.store, self._view = store, store.encoded
        self.nodes: list[int] = []  # [N] of the store, in the order in which they were coded
        self._numbers = np.zeros(0, np.int32)  # [nodes] of the store, -1 for none
        self._codes: Growable[Any] = Growable(CODE)
        self._rows = Growable(np.int32)
        self._choices = Growable(np.int32)
        self._features = np.zeros((BLOCK, int(np.prod(self._view.encoding.features))), np.float32)
        self._tables: CodeTables | None = None

    def numbers(self, nodes: I32) -> I32:
        """Return the codes [B] of nodes, making those that are not there yet."""
        if self._numbers.size < self.store.num_nodes:
            grown = np.full(2 * self.store.num_nodes, -1, np.int32)
            grown[: self._numbers.size] = self._numbers
            self._numbers = grown
        numbers = self._numbers[nodes]
        if numbers.size and numbers.min() < 0:
            for node in np.unique(nodes[numbers < 0]).tolist():
                self._numbers[node] = self._append(node)
            numbers = self._numbers[nodes]
        return numbers

    @property
    def size(self) -> int:
        """N, how many codes there are."""
        return len(self._codes)

    @property
    def features(self) -> F32:
        """[N, F] of every code."""
        return self._features[: len(self._codes)]

    def block(self, number: int) -> F32:
        """Return the features [BLOCK, F] of a block of codes, zero where there are none yet."""
        return self._features[number * BLOCK : (number + 1) * BLOCK]

    def tables(self) -> CodeTables:
        """Return everything coded so far."""
        if self._tables is None:
            self._tables = CodeTables(self._codes.values, self._rows.values, self._choices.values)
        return self._tables

    def _append(self, node: int) -> int:
        code = self._view.encode(self.store, node)
        number = len(self._codes)
        if number == len(self._features):
            self._features = doubled(self._features)
        self._features[number] = code.features
        starts = [self._rows.extend(columns) for columns in code.columns]
        choices = self._choices.extend(code.choices.ravel())
        joint = int(self.store.arrays().nodes[node]["joint"])
        self._codes.append((*starts, choices, self.store.actor(node), joint))
        self.nodes.append(node)
        self._tables = None
        return number
