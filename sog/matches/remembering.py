"""An evaluator with a memory: searches of one game after the other meet many positions again.

Verified: tests/matches/test_thinking.py.
"""

import numpy as np

from sog.core.arrays import F64, I64
from sog.public.atlas import Atlas
from sog.public.evaluator import Batch, Evaluator


class RememberingEvaluator:
    """Asks another evaluator about each node of an atlas once."""

    has_priors = True

    def __init__(self, evaluator: Evaluator) -> None:
        self.name, self._evaluator = evaluator.name, evaluator
        self._answers: dict[int, tuple[float, F64]] = {}  # player 0's value and the prior, by nodes

    def evaluate(self, atlas: Atlas, batch: Batch) -> None:
        """Answer every query of a batch; its values and priors are modified in place."""
        nodes = batch.nodes.tolist()
        new = [query for query, node in enumerate(nodes) if node not in self._answers]
        if new:
            asked = _part(batch, new)
            self._evaluator.evaluate(atlas, asked)
            for place, query in enumerate(new):
                prior = asked.priors[asked.prior_start[place] : asked.prior_start[place + 1]]
                self._answers[nodes[query]] = float(asked.values[0][place]), prior
        for query, node in enumerate(nodes):
            value, prior = self._answers[node]
            batch.values[0][query], batch.values[1][query] = value, -value
            batch.priors[batch.prior_start[query] : batch.prior_start[query + 1]] = prior


def _part(batch: Batch, queries: list[int]) -> Batch:
    """Return some of the queries of a batch about positions, which have one infostate each."""
    sizes = np.diff(batch.prior_start)[queries]
    starts: I64 = np.arange(len(queries) + 1)
    return Batch(
        nodes=batch.nodes[queries],
        start=(starts, starts),
        ranges=(np.ones(len(queries)), np.ones(len(queries))),
        values=(np.zeros(len(queries)), np.zeros(len(queries))),
        prior_start=np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))),
        priors=np.repeat(1.0 / sizes, sizes),
    )
