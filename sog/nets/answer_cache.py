"""Answers that are kept while a network's weights stay the same, about states with one infostate a player.

With nothing hidden a public state has one answer, whoever asks: searches of one game after the other, and of
games that begin alike, meet many positions again.

Verified: tests/nets/test_boards.py.
"""

from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F32, I32, U32, num_bytes
from sog.core.jit import ONE, kernel
from sog.public.evaluator import Batch
from sog.public.store import StateStore

_NO_PRIORS = 0xFFFFFFFF  # where they begin, of a node that was never asked about


class Answers(NamedTuple):
    """What was said about the nodes of a store; room for N nodes and S legal actions."""

    age: U32  # [N] of the weights that answered, counted from 1; 0 for none
    values: F32  # [N] player 0's
    start: U32  # [N] of the node's priors, which stay where they are when other weights answer
    priors: F32  # [S] by legal actions


class AnswerCache:
    """The answers of one network about one store's nodes."""

    def __init__(self, store: StateStore) -> None:
        self.store = store
        floats, numbers = np.zeros(0, np.float32), np.zeros(0, np.uint32)
        self._answers = Answers(age=numbers, values=floats, start=numbers, priors=floats)
        self._age, self._num_priors = 1, 0

    @property
    def num_bytes(self) -> int:
        """What answers take."""
        return num_bytes(self._answers)

    def forget(self) -> None:
        """Drop all answers."""
        self._age += 1

    def pick(self, nodes: I32) -> U32:
        """Return the nodes that have no answer yet, each once; they must be answered next."""
        self._make_room(self.store.num_nodes, 0)
        unknown = np.zeros(nodes.size, np.uint32)
        return unknown[: pick_unanswered(nodes, self._answers, self._age, unknown)]

    def keep(self, batch: Batch) -> None:
        """Take over the answers of a batch of nodes that were picked."""
        self._make_room(0, self._num_priors + batch.priors.size)
        self._num_priors = keep_answers(batch, self._num_priors, self._answers)

    def read(self, batch: Batch) -> None:
        """Fill a batch whose nodes have all been answered; its values and priors are modified in place."""
        read_answers(self._answers, batch)

    def _make_room(self, num_nodes: int, num_priors: int) -> None:
        """Let there be room for answers about so many nodes and actions."""
        if num_nodes > self._answers.age.size or num_priors > self._answers.priors.size:
            age, values, start, priors = self._answers
            self._answers = Answers(
                _grow(age, num_nodes), _grow(values, num_nodes), _grow(start, num_nodes, _NO_PRIORS),
                _grow(priors, num_priors),
            )  # fmt: skip


def most_bytes(store: StateStore) -> int:
    """Return what answers about all nodes of a store take at most."""
    actions = int(store.arrays().nodes["num_actions"].sum())
    return 2 * (12 * store.num_nodes + 4 * actions)  # there is twice the room that was needed


def make_batch(store: StateStore, nodes: U32) -> Batch:
    """Return a batch of queries about states with one infostate a player."""
    counts = store.arrays().nodes["num_actions"][nodes]
    prior_start = np.zeros(nodes.size + 1, np.int64)
    np.cumsum(counts, out=prior_start[1:])
    start = np.arange(nodes.size + 1)
    ones = np.ones(nodes.size)
    return Batch(
        nodes=nodes.view(np.int32),
        start=(start, start),
        ranges=(ones, ones),
        values=(np.zeros(nodes.size), np.zeros(nodes.size)),
        prior_start=prior_start,
        priors=np.repeat(1.0 / np.maximum(counts, 1), counts),
    )


def _grow(array: Any, size: int, fill: int = 0) -> Any:
    """Return an array with twice the room that is needed, or the same if there is enough."""
    if size <= array.size:
        return array
    larger = np.full(2 * size, fill, array.dtype)
    larger[: array.size] = array
    return larger


@kernel
def pick_unanswered(asked: I32, answers: Answers, age: int, nodes: U32) -> int:
    """Write the nodes without an answer of this age, each once; return how many there are.

    They count as answered from now on. answers and nodes [at least as many as asked] modified in place.
    """
    count = 0
    for index in range(asked.size):
        node = np.uint64(asked[index])
        if answers.age[node] != np.uint32(age):
            answers.age[node] = age
            nodes[np.uint64(count)] = node
            count += 1
    return count


@kernel
def keep_answers(batch: Batch, num_priors: int, answers: Answers) -> int:
    """Keep the answers of a batch; return how many priors are kept in all. answers modified in place."""
    free = np.uint64(num_priors)
    for index in range(batch.nodes.size):
        query = np.uint64(index)
        node, first = np.uint64(batch.nodes[query]), np.uint64(batch.prior_start[query])
        count = np.uint64(batch.prior_start[query + ONE]) - first
        answers.values[node] = batch.values[0][query]
        if answers.start[node] == np.uint32(_NO_PRIORS):
            answers.start[node] = free
            free += count
        start = np.uint64(answers.start[node])
        for action in range(count):
            answers.priors[start + action] = batch.priors[first + action]
    return int(free)


@kernel
def read_answers(answers: Answers, batch: Batch) -> None:
    """Fill a batch whose nodes have all been answered; its values and priors are modified in place."""
    for index in range(batch.nodes.size):
        query = np.uint64(index)
        node = np.uint64(batch.nodes[query])
        value = np.float64(answers.values[node])
        batch.values[0][query], batch.values[1][query] = value, -value
        first, begin = np.uint64(answers.start[node]), np.uint64(batch.prior_start[query])
        for action in range(np.uint64(batch.prior_start[query + ONE]) - begin):
            batch.priors[begin + action] = answers.priors[first + action]
