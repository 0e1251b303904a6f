"""The public view of a hold'em spot, written by hand: every infostate is a hand, every flow the identity.

Both players' infostates are the hands that the spot's first board leaves, all the way down: a hand that a
later card blocks stays as a row whose values are zero. Ranges and card removal enter at the leaves
(`sog.public.showdown`), as the weights with which chance deals hands.

Verified: tests/public/test_holdem.py.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from sog.games.base import CHANCE
from sog.games.holdem.betting import Betting, actor, apply, deal, legal_moves, pot_size
from sog.games.holdem.cards import NUM_CARDS, board_name, hand_name
from sog.games.holdem.spot import Spot
from sog.public.view import Child, Flow, Legal

FLOP_CARDS = 3


class HoldemState(NamedTuple):
    """A public state: the betting and the cards on the table."""

    betting: Betting
    board: tuple[int, ...]


class HoldemView:
    """Public states of a spot."""

    def __init__(self, spot: Spot) -> None:
        self.spot = spot
        self._hands = spot.hands
        self._keep = Flow(self._hands.size, 0, None, None)

    @property
    def name(self) -> str:
        """Everything that makes the spot."""
        return self.spot.name

    def root(self) -> HoldemState:
        """Return the start of the spot."""
        return HoldemState(self.spot.betting, self.spot.board)

    def actor(self, state: HoldemState) -> int:
        """Return who acts."""
        return actor(state.betting)

    def num_infostates(self, state: HoldemState) -> tuple[int, int]:
        """Return the number of hands, for both players the same."""
        return self._hands.size, self._hands.size

    def legal(self, state: HoldemState) -> Legal:
        """Return the moves, the same for all hands."""
        count = len(legal_moves(state.betting, self.spot.sizes))
        return Legal(count, np.full(self._hands.size, count, np.int32))

    def value_scale(self, state: HoldemState) -> float:
        """Return what evaluators' answers are divided by: the pot."""
        return float(pot_size(state.betting))

    def children(self, state: HoldemState) -> list[Child[HoldemState]]:
        """Return the outcomes of a move, or every next card (all flops, 22,100, before the flop)."""
        mover = actor(state.betting)
        if mover == CHANCE:
            after = deal(state.betting)
            left = [card for card in range(NUM_CARDS) if card not in state.board]
            return [
                Child(board_name(cards), HoldemState(after, (*state.board, *cards)), (self._keep, self._keep))
                for cards in combinations(left, 1 if state.board else FLOP_CARDS)
            ]
        children = []
        for ordinal, move in enumerate(legal_moves(state.betting, self.spot.sizes)):
            moved = Flow(self._hands.size, ordinal * self._hands.size, None, None)
            flows = (moved, self._keep) if mover == 0 else (self._keep, moved)
            children.append(Child(move.label, HoldemState(apply(state.betting, move), state.board), flows))
        return children

    def infostate_name(self, state: HoldemState, player: int, infostate: int) -> str:
        """Return the hand."""
        return hand_name(int(self._hands[infostate]))

    def action_names(self, state: HoldemState, infostate: int) -> list[str]:
        """Return the labels of the moves."""
        return [move.label for move in legal_moves(state.betting, self.spot.sizes)]
