"""A game as a public view alone: no worlds, no kernels. For games too large to list their worlds.

Each player holds one of four cards. Player 0 checks or bets; the holder of card 0 cannot bet and waits. Then
chance turns one of the two cards that are left, and after a bet player 1 folds or calls. The higher card plus
the open one, modulo four, wins one, or three after a call.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

import sog
from sog.core.arrays import U32, Records
from sog.games.base import CHANCE, TERMINAL
from sog.games.matrices import ONES, MatrixBook
from sog.games.view import Flows, Store, Successors, ViewFacts

CARDS = np.arange(4)
DEAL, BET, TURN, CALL, END = range(5)
ACTORS = np.array([CHANCE, 0, CHANCE, 1, TERMINAL], np.uint32)
NO_ENTRIES = np.zeros(0, np.uint32)


def contiguous(starts: list[int]) -> Flows:
    """Return flows in which a child's infostates are a range of its parent's slots."""
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
        """Return the record of the start."""
        return np.zeros(1, self.dtype)

    def open(self, records: Records) -> Successors:
        """Return what records are as roots."""
        plain = contiguous([0] * len(records))
        return self._describe(np.ones(len(records), np.uint32), records, (plain, plain))

    def successors(self, store: Store, nodes: U32) -> Successors:
        """Return the children of many states, one state's after the other's."""
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
        """Return joint weights and payoffs, by number."""
        return self._book.tables(dtype)

    def observation(self, store: Store, node: int) -> str:
        """Return what both players saw of the last move."""
        stage, bet, card, call = store.records[node].tolist()
        if stage == END and bet:
            return "call" if call else "fold"
        return {DEAL: "", BET: "deal", TURN: "bet" if bet else "check"}.get(stage, f"card {card}")

    def infostate_name(self, store: Store, node: int, player: int, row: int) -> str:
        """Return what a player knows: the own card, and everything public."""
        seen = [self.observation(store, node)]
        while (node := int(store.parents[node])) < len(store.parents):
            seen.append(self.observation(store, node))
        return f"{row} | {' '.join(reversed(seen)).strip()}"

    def action_names(self, store: Store, node: int, row: int) -> list[str]:
        """Return the names of an infostate's moves."""
        is_bet = store.records[node]["stage"] == BET
        return (["wait"] if row == 0 else ["check", "bet"]) if is_bet else ["fold", "call"]

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


if __name__ == "__main__":
    print(sog.solve(CardView()))
    print(sog.search(CardView(), ["bet", "card 3"], search="200,1"))
