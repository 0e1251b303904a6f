"""Buffers of bounded size: examples to learn from, and queries to solve.

An example may be used in so many gradient updates on average and no more: the replay keeps an account of
draws, to which every new example adds and every batch takes from. The queue of queries drops the oldest
when it is full; recursive ones may never take more than half of it, lest the solver talk to itself alone.

Examples stand in **shards**, which are written to the disk once, when they are full, and dropped when all of
their examples are too old (`sog.training.shards`).

Verified: tests/training/test_replay.py.
"""

from collections import deque
from collections.abc import Iterable
from typing import Any

import numpy as np

from sog.core.arrays import Growable
from sog.training.examples import EXAMPLE, RECURSIVE, Examples, join_examples, take_examples
from sog.training.records import Query
from sog.training.shards import Shard, ShardFolder

SHARD_BYTES = 2**24  # of a shard that is full


class Replay:
    """A sliding window of examples."""

    def __init__(self, capacity: int, updates_per_example: float) -> None:
        self._capacity, self._updates = capacity, updates_per_example
        self.added = 0
        self.draws_left = 0.0
        self._oldest = 0  # example that may be drawn, counted from the first that ever came
        self._shards: list[Shard] = []  # that are full
        self._open()

    def _open(self) -> None:
        """Begin a shard."""
        self._newest: tuple[Growable[Any], ...] = (
            Growable(EXAMPLE), Growable(np.uint16), Growable(np.uint16), Growable(np.uint8)
        )  # fmt: skip

    @property
    def size(self) -> int:
        """How many examples are there to draw from."""
        return self.added - self._oldest

    @property
    def num_bytes(self) -> int:
        """What the examples take in memory."""
        return self._last().num_bytes + sum(shard.examples.num_bytes for shard in self._shards)

    def add(self, examples: Examples) -> None:
        """Put examples in; the oldest ones fall out if it is full."""
        starts = [len(pool) for pool in self._newest]
        new: Any
        for pool, new in zip(self._newest, examples, strict=True):
            pool.extend(new)
        heads: Any = self._newest[0].values[starts[0] :]
        for name, start in zip(("numbers", "halves", "bytes"), starts[1:], strict=True):
            heads[name] += np.uint64(start)
        self.added += examples.size
        self._oldest = max(self._oldest, self.added - self._capacity)
        self.draws_left += self._updates * examples.size
        if (last := self._last()).num_bytes >= SHARD_BYTES:
            copies: Any = (pool.copy() for pool in last)
            self._shards.append(Shard(self.added - last.size, Examples(*copies)))
            self._open()
        while self._shards and self._shards[0].end <= self._oldest:
            self._shards.pop(0)

    def can_draw(self, batch: int) -> bool:
        """Return whether a batch may be drawn without using examples too often."""
        return self.size > 0 and self.draws_left >= batch

    def draw(self, batch: int, rng: np.random.Generator) -> Examples:
        """Return a batch of examples, each equally likely."""
        self.draws_left -= batch
        return self._take(self._oldest + rng.integers(self.size, size=batch))

    def all(self) -> Examples:
        """Return every example, the oldest first."""
        return self._take(np.arange(self._oldest, self.added))

    def origins(self) -> dict[int, int]:
        """Return how many examples come from where."""
        numbers, counts = np.unique(self.all().heads["origin"], return_counts=True)
        return dict(zip(numbers.tolist(), counts.tolist(), strict=True))

    def save(self, folder: ShardFolder) -> dict[str, Any]:
        """Write the shards that are not on the disk yet; return the rest, for a checkpoint."""
        return {
            "account": [self.added, self._oldest, self.draws_left],
            "shards": [folder.write(shard) for shard in self._shards],
            "newest": list(self._last()),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Take over what a checkpoint holds, its shards read back (`read_shards`)."""
        self._shards, newest = state["shards"], Examples(*state["newest"])
        self._open()
        self.added = state["account"][0] - newest.size
        first = self._shards[0].first if self._shards else self.added
        self._oldest = max(first, state["account"][1])
        self.add(newest)
        self.draws_left = state["account"][2]

    def _last(self) -> Examples:
        """Return the newest shard."""
        return Examples(*(pool.values for pool in self._newest))

    def _take(self, places: Any) -> Examples:
        """Return examples by their numbers, counted from the first that ever came; by shards."""
        last = self._last()
        parts = []
        for shard in (*self._shards, Shard(self.added - last.size, last)):
            mine = places[(places >= shard.first) & (places < shard.end)]
            if mine.size:
                parts.append(take_examples(shard.examples, mine - shard.first))
        return join_examples(parts)


class QueryQueue:
    """Queries that wait to be solved, those of self-play first."""

    def __init__(self, capacity: int) -> None:
        self._played: deque[Query] = deque(maxlen=capacity)
        self._recursive: deque[Query] = deque(maxlen=max(1, capacity // 2))

    def __len__(self) -> int:
        return len(self._played) + len(self._recursive)

    def extend(self, queries: Iterable[Query]) -> None:
        """Add queries; the oldest of their kind fall out if there is no room."""
        for query in queries:
            (self._recursive if query.origin == RECURSIVE else self._played).append(query)

    def pop(self, count: int) -> list[Query]:
        """Take queries out, oldest first, of either kind as many as there are of it."""
        total = len(self)
        count = min(count, total)
        recursive = round(count * len(self._recursive) / total) if total else 0
        taken = [self._recursive.popleft() for _ in range(recursive)]
        return taken + [self._played.popleft() for _ in range(min(count - recursive, len(self._played)))]

    def waiting(self) -> list[Query]:
        """Return all queries, for a checkpoint."""
        return [*self._recursive, *self._played]
