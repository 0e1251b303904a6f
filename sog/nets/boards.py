"""Networks as evaluators of positions on a board.

With one infostate a player there is nothing to look up but the legal actions: planes are written by kernels
straight into the batch (kept for each position they would fill the memory), and the answer is one value,
which the mover's output and the opponent's agree upon, and a prior over the legal actions. Answers are kept
while weights stay the same: searches of one game after the other, and of games that begin alike, meet many
positions again.

Verified: tests/nets/test_boards.py.
"""

from typing import NamedTuple

import numpy as np
import torch

from sog.core.arrays import F32, I32, U32, Bools
from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.nets.cvpn import Cvpn
from sog.nets.folding import make_answering
from sog.public.evaluator import Batch
from sog.public.store import StateStore

_NO_PRIORS = 0xFFFFFFFF  # where they begin, of a node that was never asked about


class Answers(NamedTuple):
    """What was said about the nodes of a store; room for N nodes and S legal actions."""

    age: U32  # [N] of the weights that answered, counted from 1; 0 for none
    values: F32  # [N] player 0's
    start: U32  # [N] of the node's priors, which stay where they are when other weights answer
    priors: F32  # [S] by legal actions


class BoardEvaluator:
    """Answers queries about positions with a network's values and priors, as `refresh` last took them."""

    has_priors = True

    def __init__(self, network: Cvpn, name: str = "network") -> None:
        self.name, self._learning = name, network
        self._device = next(network.parameters()).device
        self._features = np.zeros((0, network.sizes.num_features), np.float32)
        self._ranges = torch.ones((0, network.sizes.num_values))
        self._store: StateStore | None = None  # whose nodes the answers are about
        self._answers, self._num_priors = _no_answers(), 0
        self._age = 0
        self.refresh()

    def refresh(self) -> None:
        """Take over the network's present weights."""
        self.answering = make_answering(self._learning)
        self.forget()

    def forget(self) -> None:
        """Drop all answers."""
        self._age += 1

    def snapshot(self) -> list[int]:
        """Drop all answers: batches, and so last bits, are then those of an evaluator that begins here."""
        self.forget()
        return []

    def restore(self, store: StateStore, nodes: list[int]) -> None:
        """Begin without answers."""
        self.forget()

    @torch.inference_mode()
    def evaluate(self, store: StateStore, batch: Batch) -> None:
        """Answer every query of a batch; its values and priors are modified in place."""
        if store is not self._store:
            self._store, self._answers, self._num_priors = store, _no_answers(), 0
        self._make_room(store.num_nodes, 0)
        nodes = np.zeros(batch.nodes.size, np.uint32)
        count = pick_unanswered(batch.nodes, self._answers, self._age, nodes)
        if count > 0:
            self._ask(store, nodes[:count])
        read_answers(self._answers, batch)

    def _ask(self, store: StateStore, nodes: U32) -> None:
        """Keep the network's answers about nodes."""
        count = nodes.size
        if count > len(self._features):
            self._features = np.zeros((2 * count, self._features.shape[1]), np.float32)
            self._ranges = torch.ones((2 * count, self._ranges.shape[1]), device=self._device)
        features = self._features[:count]
        store.planes.write_planes(store, nodes, features)
        counts, actions = store.planes.list_actions(store, nodes)
        self._make_room(0, self._num_priors + actions.size)
        values, logits = self.answering(torch.from_numpy(features).to(self._device), self._ranges[:count])
        is_second = store.arrays().nodes["actor"][nodes] == 1
        self._num_priors = keep_answers(
            nodes, counts, actions, is_second, values.cpu().numpy(), logits.cpu().numpy(), self._num_priors,
            self._answers,
        )  # fmt: skip

    def _make_room(self, num_nodes: int, num_priors: int) -> None:
        """Let there be room for answers about so many nodes and actions."""
        if num_nodes > self._answers.age.size or num_priors > self._answers.priors.size:
            age, values, start, priors = self._answers
            self._answers = Answers(
                _grow(age, num_nodes), _grow(values, num_nodes), _grow(start, num_nodes, _NO_PRIORS),
                _grow(priors, num_priors),
            )  # fmt: skip


def _no_answers() -> Answers:
    floats, numbers = np.zeros(0, np.float32), np.zeros(0, np.uint32)
    return Answers(age=numbers, values=floats, start=numbers, priors=floats)


def _grow(array: np.ndarray, size: int, fill: int = 0) -> np.ndarray:
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
def keep_answers(
    nodes: U32,
    counts: U32,
    actions: U32,
    is_second: Bools,
    values: F32,
    logits: F32,
    num_priors: int,
    answers: Answers,
) -> int:
    """Keep values [B, 2] and logits [B, C] of nodes; return how many priors are kept in all.

    counts and actions: legal ones, of one node after the other; is_second: [B] where player 1 is to move,
    whose value comes first then. answers modified in place.
    """
    first, free = ZERO, np.uint64(num_priors)
    for index in range(nodes.size):
        query = np.uint64(index)
        node, count = np.uint64(nodes[query]), np.uint64(counts[query])
        value = (values[query, 0] - values[query, 1]) / 2.0
        answers.values[node] = -value if is_second[query] else value
        if answers.start[node] == np.uint32(_NO_PRIORS):
            answers.start[node] = free
            free += count
        _keep_prior(actions, first, count, logits, query, answers.priors, np.uint64(answers.start[node]))
        first += count
    return int(free)


@inlined
def _keep_prior(
    actions: U32,
    first: np.uint64,
    count: np.uint64,
    logits: F32,
    query: np.uint64,
    priors: F32,
    start: np.uint64,
) -> None:
    """Keep a node's prior: a softmax over the legal actions."""
    highest, total = -np.inf, 0.0
    for action in range(count):
        highest = max(highest, logits[query, np.uint64(actions[first + action])])
    for action in range(count):
        total += np.exp(np.float64(logits[query, np.uint64(actions[first + action])]) - highest)
    for action in range(count):
        logit = np.float64(logits[query, np.uint64(actions[first + action])])
        priors[start + action] = np.exp(logit - highest) / total


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
