"""The queries of searches that run side by side, noted batch by batch and picked from when all are done.

Verified: tests/search/test_gtcfr.py.
"""

from collections.abc import Sequence

import numpy as np

from sog.core.arrays import F64, I32, I64, U64, Bools
from sog.core.rng import draw_uniforms
from sog.games.base import NUM_PLAYERS
from sog.public.evaluator import Batch
from sog.search.result import Queries


class QueryLog:
    """Every query that was asked, with the lane that asked it."""

    def __init__(self) -> None:
        self._lanes: list[I32] = []
        self._nodes: list[I32] = []
        self._starts: tuple[list[I64], list[I64]] = ([], [])
        self._ranges: tuple[list[F64], list[F64]] = ([], [])

    def add(self, batch: Batch, lanes: I32) -> None:
        """Note the queries of a batch and who asked them [B]."""
        self._lanes.append(lanes.copy())
        self._nodes.append(batch.nodes.copy())
        for player in range(NUM_PLAYERS):
            self._starts[player].append(batch.start[player].copy())
            self._ranges[player].append(batch.ranges[player].copy())

    def pick(self, seeds: Sequence[int], count: float) -> list[Queries]:
        """Return some of each lane's queries, `count` on average, in the order in which they were asked.

        What a lane keeps depends on its own queries and its own seed [L] alone.
        """
        lanes = np.concatenate([np.zeros(0, np.int32), *self._lanes])
        order = np.argsort(lanes, kind="stable")
        order = order[_is_kept(lanes[order], np.array(seeds, np.uint64), count)]
        bounds = np.searchsorted(lanes[order], np.arange(len(seeds) + 1))
        nodes = np.concatenate([np.zeros(0, np.int32), *self._nodes])[order]
        players = [self._gather(player, order) for player in range(NUM_PLAYERS)]
        kept = []
        for first, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            starts, ranges = [], []
            for start, weights in players:
                starts.append(start[first : end + 1] - start[first])
                ranges.append(weights[start[first] : start[end]])
            kept.append(Queries(nodes[first:end], (starts[0], starts[1]), (ranges[0], ranges[1])))
        return kept

    def _gather(self, player: int, queries: I64) -> tuple[I64, F64]:
        """Return where the ranges of some queries start [Q + 1], and the ranges, side by side."""
        ends = np.cumsum([0, *(start[-1] for start in self._starts[player])])
        firsts = [start[:-1] + end for start, end in zip(self._starts[player], ends, strict=False)]
        sizes = [np.diff(start) for start in self._starts[player]]
        first = np.concatenate([np.zeros(0, np.int64), *firsts])[queries]
        size = np.concatenate([np.zeros(0, np.int64), *sizes])[queries]
        start = np.concatenate(([0], np.cumsum(size)))
        places = np.repeat(first - start[:-1], size) + np.arange(start[-1])
        return start, np.concatenate([np.zeros(0), *self._ranges[player]])[places]


def _is_kept(lanes: I32, seeds: U64, count: float) -> Bools:
    """Return which of the queries [Q], sorted by lane, are kept."""
    numbers = np.bincount(lanes, minlength=seeds.size)
    ordinals = np.arange(lanes.size) - np.repeat(np.cumsum(numbers) - numbers, numbers)
    uniforms = draw_uniforms(seeds[lanes], ordinals.astype(np.uint64))
    kept: Bools = uniforms * numbers[lanes] < count
    return kept
