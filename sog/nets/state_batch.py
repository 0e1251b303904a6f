"""The public states that a network is asked about."""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import F32, I32, I64, U32
from sog.games.base import NUM_PLAYERS
from sog.public.codes import CodeTables, list_rows, spread_features
from sog.public.store import StateStore


class Rows(NamedTuple):
    """M infostates of some public states, state by state, player 0's first."""

    owners: I64  # [M] which of the states
    columns: I64  # [M] number among both players'
    described: F32  # [M, d] what each is like


class StateBatch(NamedTuple):
    """B public states, by nodes of a store and by their codes."""

    store: StateStore
    nodes: U32  # [B]
    tables: CodeTables
    numbers: I32  # [B] codes in the tables
    wanted: I64  # [W] those whose logits are asked for

    def sizes(self) -> U32:
        """Return how many infostates [P, B] there are."""
        places = self.store.arrays().places
        return np.stack([places[player]["rows"][self.nodes] for player in range(NUM_PLAYERS)])

    def rows(self, queries: I64) -> Rows:
        """Return the infostates of some of the public states, and what they are like."""
        numbers, sizes = self.numbers[queries], self.sizes()[:, queries]
        owners, columns = np.zeros((2, int(sizes.sum())), np.int64)
        list_rows(self.tables, numbers, sizes, owners, columns)
        shape = int(np.prod(self.store.encoded.encoding.features))
        features = np.zeros((numbers.size, shape), np.float32)
        spread_features(self.tables, numbers, features)
        return Rows(owners, columns, self.store.described.describe_rows(features, owners, columns))
