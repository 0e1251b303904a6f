"""What the learner sees of examples, in arrays of one size for all: what tests compare with."""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import F32, U8
from sog.core.rng import make_rng
from sog.games.base import AnyGame
from sog.nets.spec import sizes_of
from sog.public.opening import encoding_of
from sog.training.batches import ILLEGAL, BatchMaker, TrainingBatch
from sog.training.examples import Examples


class Dense(NamedTuple):
    """N examples. F features, V values, R rows and C choices of a policy."""

    features: F32  # [N, F]
    ranges: F32  # [N, V]
    beliefs: F32  # [N, V]
    values: F32  # [N, V]
    value_weights: F32  # [N, V]
    policies: F32  # [N, R, C] ILLEGAL for what is not a legal choice
    policy_weights: F32  # [N, R]
    origins: U8  # [N]

    @property
    def size(self) -> int:
        """N."""
        return len(self.features)


def batch_of(game: AnyGame, examples: Examples, seed: int = 3) -> TrainingBatch:
    """Return what the learner sees of examples."""
    return BatchMaker(sizes_of(encoding_of(game)), game.symmetries).make(examples, make_rng(seed))


def dense(game: AnyGame, examples: Examples, seed: int = 3) -> Dense:
    """Return the same in dense arrays; rows of the policy without a choice have no weight."""
    sizes, batch = sizes_of(encoding_of(game)), batch_of(game, examples, seed)
    assert isinstance(sizes.choices, int)
    shape = examples.size, max(sizes.private), sizes.choices
    policies, weights = np.full(shape, ILLEGAL, np.float32), np.zeros(shape[:2], np.float32)
    for line, example in enumerate(batch.lines.tolist()):
        legal = batch.policies[line] != ILLEGAL
        rows, choices = np.divmod(batch.logits[line, legal], sizes.choices)
        policies[example, rows, choices] = batch.policies[line, legal]
        weights[example, rows[:1]] = batch.policy_weights[line]
    return Dense(*batch[:5], policies, weights, examples.heads["origin"])
