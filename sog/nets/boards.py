"""Networks as evaluators of positions on a board.

With one infostate a player there is nothing to look up but the legal actions: planes are written by kernels
straight into the batch (kept for each position they would fill the memory), and the answer is one value,
which the two players' outputs agree upon, and a prior over the legal actions.

Verified: tests/nets/test_boards.py.
"""

import numpy as np
import torch

from sog.core.arrays import F32, I32
from sog.core.jit import inlined, kernel
from sog.nets.cvpn import Cvpn
from sog.nets.folding import fold_norms
from sog.public.atlas import Atlas
from sog.public.boards import ActionLists
from sog.public.evaluator import Batch


class BoardEvaluator:
    """Answers queries about positions with a network's values and priors, as `refresh` last took them."""

    has_priors = True

    def __init__(self, network: Cvpn, name: str = "network") -> None:
        self.name, self._learning = name, network
        self.network = fold_norms(network)
        self._device = next(network.parameters()).device
        self._features = np.zeros((0, network.sizes.num_features), np.float32)
        self._ranges = torch.ones((0, network.sizes.num_values))

    def refresh(self) -> None:
        """Take over the network's present weights."""
        self.network = fold_norms(self._learning)

    @torch.inference_mode()
    def evaluate(self, atlas: Atlas, batch: Batch) -> None:
        """Answer every query of a batch; its values and priors are modified in place."""
        count = batch.nodes.size
        if count > len(self._features):
            self._features = np.zeros((2 * count, self._features.shape[1]), np.float32)
            self._ranges = torch.ones((2 * count, self._ranges.shape[1]), device=self._device)
        features = self._features[:count]
        atlas.board.write_features(batch.nodes, features)
        values, logits = self.network(torch.from_numpy(features).to(self._device), self._ranges[:count])
        read_answers(
            atlas.board.lists(), batch.nodes, values.cpu().numpy(), logits.flatten(1).cpu().numpy(), batch
        )


@kernel
def read_answers(lists: ActionLists, nodes: I32, values: F32, logits: F32, batch: Batch) -> None:
    """Fill a batch from values [B, 2] and logits [B, C]; its values and priors are modified in place."""
    for index in range(nodes.size):
        query = np.uint64(index)
        value = (values[query, 0] - values[query, 1]) / 2.0
        batch.values[0][query], batch.values[1][query] = value, -value
        _read_prior(lists, np.uint64(nodes[query]), logits, query, batch)


@inlined
def _read_prior(lists: ActionLists, node: np.uint64, logits: F32, query: np.uint64, batch: Batch) -> None:
    """Fill one query's prior: a softmax over the legal actions."""
    first, count = np.uint64(lists.start[node]), np.uint64(lists.counts[node])
    start, highest, total = np.uint64(batch.prior_start[query]), -np.inf, 0.0
    for action in range(count):
        highest = max(highest, logits[query, np.uint64(lists.actions[first + action])])
    for action in range(count):
        choice = np.uint64(lists.actions[first + action])
        prior = np.exp(np.float64(logits[query, choice]) - highest)
        batch.priors[start + action] = prior
        total += prior
    for action in range(count):
        batch.priors[start + action] /= total
