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
from sog.core.jit import inlined, kernel
from sog.nets.cvpn import Cvpn
from sog.nets.folding import make_answering
from sog.public.boards import ActionLists
from sog.public.evaluator import Batch
from sog.public.store import StateStore


class Answers(NamedTuple):
    """What was said about the nodes of a store; room for N nodes and S legal actions."""

    age: U32  # [N] of the weights that answered, counted from 1; 0 for none
    values: F32  # [N] player 0's
    priors: F32  # [S] where the store lists the node's actions


class BoardEvaluator:
    """Answers queries about positions with a network's values and priors, as `refresh` last took them."""

    has_priors = True

    def __init__(self, network: Cvpn, name: str = "network") -> None:
        self.name, self._learning = name, network
        self._device = next(network.parameters()).device
        self._features = np.zeros((0, network.sizes.num_features), np.float32)
        self._ranges = torch.ones((0, network.sizes.num_values))
        self._store: StateStore | None = None  # whose nodes the answers are about
        self._answers = _no_answers()
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
            self._store, self._answers = store, _no_answers()
        self._make_room(store)
        nodes = np.zeros_like(batch.nodes)
        count = pick_unanswered(batch.nodes, self._answers, self._age, nodes)
        if count > 0:
            self._ask(store, nodes[:count])
        read_answers(store.board.lists(), self._answers, batch)

    def _ask(self, store: StateStore, nodes: I32) -> None:
        """Keep the network's answers about nodes."""
        count = nodes.size
        if count > len(self._features):
            self._features = np.zeros((2 * count, self._features.shape[1]), np.float32)
            self._ranges = torch.ones((2 * count, self._ranges.shape[1]), device=self._device)
        features = self._features[:count]
        store.board.write_features(nodes, features)
        self._make_room(store)  # the actions of positions that nobody had looked at are listed now
        values, logits = self.answering(torch.from_numpy(features).to(self._device), self._ranges[:count])
        is_second = store.arrays().nodes["actor"][nodes] == 1
        keep_answers(
            store.board.lists(), nodes, is_second, values.cpu().numpy(), logits.cpu().numpy(),
            self._answers,
        )  # fmt: skip

    def _make_room(self, store: StateStore) -> None:
        """Let there be room for answers about all nodes and actions."""
        lists = store.board.lists()
        num_nodes, num_actions = lists.counts.size, lists.actions.size
        if num_nodes > self._answers.age.size or num_actions > self._answers.priors.size:
            self._answers = Answers(
                _grow(self._answers.age, num_nodes),
                _grow(self._answers.values, num_nodes),
                _grow(self._answers.priors, num_actions),
            )


def _no_answers() -> Answers:
    return Answers(np.zeros(0, np.uint32), np.zeros(0, np.float32), np.zeros(0, np.float32))


def _grow(array: np.ndarray, size: int) -> np.ndarray:
    """Return an array with twice the room that is needed, or the same if there is enough."""
    if size <= array.size:
        return array
    larger = np.zeros(2 * size, array.dtype)
    larger[: array.size] = array
    return larger


@kernel
def pick_unanswered(asked: I32, answers: Answers, age: int, nodes: I32) -> int:
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
    lists: ActionLists, nodes: I32, is_second: Bools, values: F32, logits: F32, answers: Answers
) -> None:
    """Keep values [B, 2] and logits [B, C] of nodes; answers modified in place.

    is_second: [B] where player 1 is to move, whose value comes first then.
    """
    for index in range(nodes.size):
        query = np.uint64(index)
        node = np.uint64(nodes[query])
        value = (values[query, 0] - values[query, 1]) / 2.0
        answers.values[node] = -value if is_second[query] else value
        _keep_prior(lists, node, logits, query, answers.priors)


@inlined
def _keep_prior(lists: ActionLists, node: np.uint64, logits: F32, query: np.uint64, priors: F32) -> None:
    """Keep a node's prior: a softmax over the legal actions."""
    first, count = np.uint64(lists.start[node]), np.uint64(lists.counts[node])
    highest, total = -np.inf, 0.0
    for action in range(count):
        highest = max(highest, logits[query, np.uint64(lists.actions[first + action])])
    for action in range(count):
        choice = np.uint64(lists.actions[first + action])
        total += np.exp(np.float64(logits[query, choice]) - highest)
    for action in range(count):
        choice = np.uint64(lists.actions[first + action])
        priors[first + action] = np.exp(np.float64(logits[query, choice]) - highest) / total


@kernel
def read_answers(lists: ActionLists, answers: Answers, batch: Batch) -> None:
    """Fill a batch whose nodes have all been answered; its values and priors are modified in place."""
    for index in range(batch.nodes.size):
        query = np.uint64(index)
        node = np.uint64(batch.nodes[query])
        value = np.float64(answers.values[node])
        batch.values[0][query], batch.values[1][query] = value, -value
        first, start = np.uint64(lists.start[node]), np.uint64(batch.prior_start[query])
        for action in range(np.uint64(lists.counts[node])):
            batch.priors[start + action] = answers.priors[first + action]
