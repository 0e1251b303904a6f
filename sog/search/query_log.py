"""The queries of searches that run side by side, noted batch by batch and picked from when all are done.

Verified: tests/search/test_gtcfr.py.
"""

import numpy as np

from sog.core.arrays import F64, I32, I64
from sog.core.rng import make_rng
from sog.games.base import NUM_PLAYERS
from sog.public.evaluator import Batch
from sog.search.result import Queries


class QueryLog:
    """Every query that was asked, with the lane that asked it."""

    def __init__(self) -> None:
        self._lanes: list[I32] = []
        self._nodes: list[I32] = []
        self._starts: tuple[list[I64], list[I64]] = ([], [])
        self._sizes: tuple[list[I64], list[I64]] = ([], [])
        self._ranges: tuple[list[F64], list[F64]] = ([], [])
        self._ends = [0, 0]
        self._joined: tuple[I32, I32, list[tuple[I64, I64, F64]]] | None = None

    def add(self, batch: Batch, lanes: I32) -> None:
        """Note the queries of a batch and who asked them [B]."""
        self._lanes.append(lanes.copy())
        self._nodes.append(batch.nodes.copy())
        for player in range(NUM_PLAYERS):
            start = batch.start[player]
            self._starts[player].append(start[:-1] + self._ends[player])
            self._sizes[player].append(np.diff(start))
            self._ranges[player].append(batch.ranges[player].copy())
            self._ends[player] += int(start[-1])

    def pick(self, lane: int, count: float, seed: int) -> Queries:
        """Return some of a lane's queries, `count` on average, in the order in which they were asked."""
        lanes, nodes, players = self._join()
        mine = np.flatnonzero(lanes == lane)
        if count < mine.size:
            mine = mine[make_rng(seed).random(mine.size) < count / mine.size]
        offsets, parts = [], []
        for start, size, ranges in players:
            offsets.append(np.concatenate(([0], np.cumsum(size[mine]))))
            rows = [ranges[start[query] : start[query] + size[query]] for query in mine.tolist()]
            parts.append(np.concatenate(rows) if rows else np.zeros(0))
        return Queries(nodes[mine], (offsets[0], offsets[1]), (parts[0], parts[1]))

    def _join(self) -> tuple[I32, I32, list[tuple[I64, I64, F64]]]:
        if self._joined is None:
            none, empty = np.zeros(0, np.int32), np.zeros(0, np.int64)
            players = [
                (
                    np.concatenate([empty, *self._starts[player]]),
                    np.concatenate([empty, *self._sizes[player]]),
                    np.concatenate([np.zeros(0), *self._ranges[player]]),
                )
                for player in range(NUM_PLAYERS)
            ]
            self._joined = np.concatenate([none, *self._lanes]), np.concatenate([none, *self._nodes]), players
        return self._joined
