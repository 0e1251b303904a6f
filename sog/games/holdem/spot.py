"""A spot: a street, a board, a pot, stacks, bet sizes and two ranges, together a subgame to solve."""

import hashlib
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, I32
from sog.core.errors import InputError
from sog.games.holdem.bet_sizes import BetSizes, format_bet_sizes
from sog.games.holdem.betting import BIG_BLIND, Betting, pot_size, start_street
from sog.games.holdem.cards import HANDS, board_name, compatible_hands
from sog.games.holdem.ranges import restrict_range
from sog.games.holdem.strength import RIVER_CARDS, order_by_strength

_STREETS = {3: 1, 4: 2, 5: 3}  # cards on the board → street


class Spot(NamedTuple):
    """A subgame of heads-up no-limit hold'em from the flop on. Player 0 is out of position."""

    board: tuple[int, ...]
    betting: Betting  # at the start
    sizes: BetSizes
    ranges: F64  # [2, 1326] weights, none on hands that the board blocks

    @property
    def name(self) -> str:
        """Everything that makes the spot, in one line; the ranges by their hash."""
        pot, stack = pot_size(self.betting), self.betting.stack - self.betting.committed[0]
        digest = hashlib.sha256(np.ascontiguousarray(self.ranges).tobytes()).hexdigest()[:12]
        return (
            f"holdem(board={board_name(self.board)},pot={pot},stack={stack},big_blind={self.betting.big_blind},"
            f"bets={format_bet_sizes(self.sizes)!r},ranges={digest})"
        )

    @property
    def hands(self) -> I32:
        """[H] the hands that the board leaves, the infostates of both players; on the river by strength."""
        hands = np.flatnonzero(compatible_hands(self.board)).astype(np.int32)
        if len(self.board) < RIVER_CARDS:
            return hands
        return order_by_strength(self.board, hands)


def make_spot(
    board: tuple[int, ...],
    pot: int,
    stack: int,
    sizes: BetSizes,
    ranges: F64,
    big_blind: int | None = None,
) -> Spot:
    """Return a spot, its ranges restricted to the board; refuse one in which no two hands can meet."""
    if len(board) not in _STREETS:
        raise InputError(f"a spot starts on the flop, turn or river: {len(board)} cards are no such board")
    blind = min(BIG_BLIND, pot // 2) if big_blind is None else big_blind
    betting = start_street(_STREETS[len(board)], pot, stack, blind)
    spot = Spot(board, betting, sizes, np.array([restrict_range(weights, board) for weights in ranges]))
    if count_deals(spot) == 0:
        raise InputError(f"no hand of one range can meet a hand of the other on {board_name(board)}")
    return spot


def count_deals(spot: Spot) -> float:
    """Return the total weight of all pairs of hands that share no card."""
    first, second = spot.ranges
    by_card = np.zeros(52)
    for place in range(2):
        np.add.at(by_card, HANDS[:, place], second)
    met = second.sum() - by_card[HANDS[:, 0]] - by_card[HANDS[:, 1]] + second
    return float(first @ met)
