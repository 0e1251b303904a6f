"""A game as a public view alone: chance draws one of very many open numbers, then both players choose.

`examples/own_view.py` has another view from outside the package.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from examples.own_view import contiguous
from sog.core.arrays import U32, U64, Records
from sog.games.base import CHANCE, TERMINAL
from sog.games.matrices import MatrixBook
from sog.games.view import Store, Successors, ViewFacts


class WideView:
    """A record is a stage and the open number. The k-th choice is the k-th infostate of the one who chose."""

    dtype = np.dtype([("stage", "u1"), ("number", "u4")])
    payoffs = np.array([[3.0, -1.0], [-1.0, 1.0]])  # times the stake; worth a third to player 0

    def __init__(self, size: int) -> None:
        self.facts = ViewFacts("wide", max_utility=6.0, hides_nothing=False)
        self.chances = (1.0 + np.arange(size) % 7) / (1.0 + np.arange(size) % 7).sum()
        self.stakes = 2.0 * np.sin(np.arange(size)) ** 2
        self._book = MatrixBook()
        self._payoff, self._scale = self._book.add(self.payoffs)

    def roots(self, rng: np.random.Generator) -> Records:
        return np.zeros(1, self.dtype)

    def open(self, records: Records) -> Successors:
        return self._describe(records, [0] * len(records))

    def num_outcomes(self, store: Store, nodes: U32) -> U64:
        return np.full(nodes.size, self.chances.size, np.uint64)

    def outcomes(self, store: Store, nodes: U32, numbers: U64) -> Successors:
        records = np.zeros(nodes.size, self.dtype)
        records["stage"], records["number"] = 1, numbers
        return self._describe(records, [0] * nodes.size)

    def draw(self, store: Store, node: int, rows: tuple[int, int], rng: np.random.Generator) -> int:
        return int(rng.choice(self.chances.size, p=self.chances))

    def successors(self, store: Store, nodes: U32) -> Successors:
        records = store.records[nodes].copy()
        records["stage"] += 1
        return self._describe(records, [0] * nodes.size)

    def matrices(self, dtype: npt.DTypeLike) -> Any:
        return self._book.tables(dtype)

    def _describe(self, records: Records, starts: list[int]) -> Successors:
        stage, number, count = records["stage"], records["number"], len(records)
        chance = np.where(stage > 0, self.chances[number], 1.0)
        rows = (1 + (stage > 1)).astype(np.uint32), (1 + (stage > 2)).astype(np.uint32)
        actor = np.array([CHANCE, 0, 1, TERMINAL], np.uint32)[stage]
        flows, ones = contiguous(starts), np.zeros(count, np.uint32)
        payoff_scale = np.where(stage == 3, self._scale * chance * self.stakes[number], 0.0)
        return Successors(
            np.ones(count, np.uint32), records, actor, np.where(actor < 2, 2, 0).astype(np.uint32), rows,
            None, (flows, flows), ones, np.where(stage == 3, self._payoff, ones).astype(np.uint32), chance,
            payoff_scale, np.ones(count),
        )  # fmt: skip
