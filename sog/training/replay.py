"""Buffers of bounded size: examples to learn from, and queries to solve.

An example may be used in so many gradient updates on average and no more: the replay keeps an account of
draws, to which every new example adds and every batch takes from. The queue of queries drops the oldest
when it is full; recursive ones may never take more than half of it, lest the solver talk to itself alone.

Verified: tests/training/test_replay.py.
"""

from collections import deque
from collections.abc import Iterable
from typing import Any

import numpy as np

from sog.nets.spec import Sizes
from sog.training.formats import AnyExamples, allocate
from sog.training.records import RECURSIVE, Query


class Replay:
    """A sliding window of examples."""

    def __init__(
        self, sizes: Sizes, capacity: int, updates_per_example: float, is_board: bool = False
    ) -> None:
        self._room = allocate(sizes, capacity, is_board)
        self._capacity, self._updates = capacity, updates_per_example
        self.added = 0
        self.draws_left = 0.0

    @property
    def size(self) -> int:
        """How many examples are there to draw from."""
        return min(self.added, self._capacity)

    def add(self, examples: AnyExamples) -> None:
        """Put examples in, over the oldest ones if it is full."""
        count = examples.size
        places = (self.added + np.arange(count)) % self._capacity
        room: Any
        for room, new in zip(self._room, examples, strict=True):
            room[places] = new
        self.added += count
        self.draws_left += self._updates * count

    def can_draw(self, batch: int) -> bool:
        """Return whether a batch may be drawn without using examples too often."""
        return self.size > 0 and self.draws_left >= batch

    def draw(self, batch: int, rng: np.random.Generator) -> AnyExamples:
        """Return a batch of examples, each equally likely."""
        self.draws_left -= batch
        places = rng.integers(self.size, size=batch)
        return _each(self._room, places)

    def all(self) -> AnyExamples:
        """Return every example, the oldest place first."""
        return _each(self._room, slice(self.size))

    def origins(self) -> dict[int, int]:
        """Return how many examples come from where."""
        numbers, counts = np.unique(self._room.origins[: self.size], return_counts=True)
        return dict(zip(numbers.tolist(), counts.tolist(), strict=True))

    def arrays(self) -> dict[str, Any]:
        """Return everything, for a checkpoint."""
        kept = {name: array[: self.size] for name, array in self._room._asdict().items()}
        return {**kept, "account": np.array([self.added, self.draws_left])}

    def restore(self, arrays: dict[str, Any]) -> None:
        """Take over what a checkpoint holds."""
        self.added, self.draws_left = int(arrays["account"][0]), float(arrays["account"][1])
        for name, room in self._room._asdict().items():
            room[: self.size] = arrays[name]


def _each(examples: AnyExamples, places: Any) -> AnyExamples:
    """Return the examples at some places."""
    arrays: Any = (array[places] for array in examples)
    return type(examples)(*arrays)


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
