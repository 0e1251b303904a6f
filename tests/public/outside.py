"""Two games as a researcher might write them: as public views alone, without worlds and without kernels.

In `CardView` each player holds one of four cards. Player 0 checks or bets; the holder of card 0 cannot bet
and waits. Then chance turns one of the two cards that are left, and after a bet player 1 folds or calls. The
higher card plus the open one, modulo four, wins one, or three after a call.

In `WideView` chance draws one of very many open numbers, then both players choose at once.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from sog.core.arrays import U32, U64, Records
from sog.games.base import CHANCE, TERMINAL
from sog.games.matrices import ONES, MatrixBook
from sog.games.view import Flows, Store, Successors, ViewFacts

CARDS = np.arange(4)
DEAL, BET, TURN, CALL, END = range(5)
ACTORS = np.array([CHANCE, 0, CHANCE, 1, TERMINAL], np.uint32)
NO_ENTRIES = np.zeros(0, np.uint32)


def contiguous(starts: list[int]) -> Flows:
    return Flows(np.array(starts, np.uint32), np.zeros(len(starts) + 1, np.uint32), NO_ENTRIES, NO_ENTRIES)


class CardView:
    """A record is a stage, whether player 0 has bet, the open card, and whether player 1 has called."""

    facts = ViewFacts("cards", max_utility=3.0, hides_nothing=False)
    dtype = np.dtype([("stage", "u1"), ("bet", "u1"), ("card", "u1"), ("call", "u1")])

    def __init__(self) -> None:
        self._book = MatrixBook()
        dealt = (1 - np.eye(4)) / 12
        self._joint: dict[tuple[int, int | None], tuple[int, float]] = {}
        self._wins: dict[tuple[int, int], tuple[int, float]] = {}
        for bet in (0, 1):
            joint = dealt * (CARDS[:, None] >= bet)  # card 0 never bets: its row is dead
            self._joint[bet, None] = self._book.add(joint)
            for card in range(4):
                left = joint * (CARDS[:, None] != card) * (CARDS[None, :] != card) / 2
                strength = (CARDS + card) % 4
                self._joint[bet, card] = self._book.add(left)
                self._wins[bet, card] = self._book.add(left * np.sign(strength[:, None] - strength[None, :]))

    def roots(self, rng: np.random.Generator) -> Records:
        return np.zeros(1, self.dtype)

    def open(self, records: Records) -> Successors:
        plain = contiguous([0] * len(records))
        return self._describe(np.ones(len(records), np.uint32), records, (plain, plain))

    def successors(self, store: Store, nodes: U32) -> Successors:
        states, counts, starts, deals = [], [], ([0][:0], [0][:0]), []
        for node in nodes:
            stage, bet, card, _ = store.records[node].tolist()
            children = {
                DEAL: [(BET, 0, 0, 0)],
                BET: [(TURN, 0, 0, 0), (TURN, 1, 0, 0)],
                TURN: [(CALL if bet else END, bet, turned, 0) for turned in range(4)],
                CALL: [(END, bet, card, 0), (END, bet, card, 1)],
            }[stage]
            counts.append(len(children))
            for ordinal, child in enumerate(children):
                states.append(child)
                deals.append(stage == DEAL)
                starts[0].append(4 * ordinal if stage == BET else 0)
                starts[1].append(4 * ordinal if stage == CALL else 0)
        bounds = np.cumsum([0, *(4 * is_deal for is_deal in deals)], dtype=np.uint32)
        source, target = np.zeros(bounds[-1], np.uint32), np.tile(CARDS, sum(deals)).astype(np.uint32)
        first, second = (Flows(np.array(own, np.uint32), bounds, source, target) for own in starts)
        return self._describe(np.array(counts, np.uint32), np.array(states, self.dtype), (first, second))

    def matrices(self, dtype: npt.DTypeLike) -> Any:
        return self._book.tables(dtype)

    def _describe(self, counts: U32, records: Records, flows: tuple[Flows, Flows]) -> Successors:
        actor, joint, payoff, legal = ACTORS[records["stage"]], [], [], []
        for stage, bet, card, call in records.tolist():
            joint.append((ONES, 1.0) if stage == DEAL else self._joint[bet, card if stage > TURN else None])
            legal += {BET: [0, 2, 2, 2], CALL: [2, 2, 2, 2]}.get(stage, [])
            payoff.append((ONES, 0.0))
            if stage == END:
                number, scale = self._wins[bet, card] if call or not bet else self._joint[bet, card]
                payoff[-1] = number, scale * (3.0 if call else 1.0)
        rows = np.where(records["stage"] == DEAL, 1, 4).astype(np.uint32)
        (joints, joint_scales), (payoffs, payoff_scales) = (
            (np.array([pair[0] for pair in pairs], np.uint32), np.array([pair[1] for pair in pairs]))
            for pairs in (joint, payoff)
        )
        return Successors(
            counts, records, actor, np.where(actor < 2, 2, 0).astype(np.uint32), (rows, rows),
            np.array(legal, np.uint32), flows, joints, payoffs, joint_scales, payoff_scales,
            np.ones(len(records)),
        )  # fmt: skip


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
