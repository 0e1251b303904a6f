"""Boards that are searched: the hands that a board leaves, who wins how often, and how strong hands are.

`equity` adds up wins minus losses of every pair over all runouts, so that one product gives what all hands
win when both players check to the end, or are all-in. A hand's **place** is the share of the board's hands
that are weaker, equals counted half; before the river hands are compared by the mean of their places on all
rivers to come. Before the flop that is the equity against any two cards.

Verified: tests/poker/test_street_boards.py.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import combinations, permutations

import numpy as np

from sog.core.arrays import F32, F64, I32, Bools
from sog.core.jit import ONE, kernel
from sog.games.holdem.allin import count_wins, num_runouts
from sog.games.holdem.cards import HANDS, NUM_CARDS, NUM_HANDS, NUM_SUITS, Board, compatible_hands
from sog.games.holdem.flops import FLOP_CARDS, first_alike
from sog.games.holdem.isomorphism import rename_cards, rename_hands
from sog.games.holdem.strength import IMPOSSIBLE, RIVER_CARDS, strengths_of_boards

DEAD = -1.0  # the place of a hand that the board blocks
_FLOPS_KEPT = 1_755  # all of them
_PLAYED_KEPT = 4  # flops whose turns are known
_DIGITS = 9  # of means: sums in another order differ in the last digits


class StreetBoard:
    """A board with cards to come."""

    def __init__(self, board: Board) -> None:
        self.board, self.runouts = board, num_runouts(board)
        self.hands: I32 = np.flatnonzero(compatible_hands(board)).astype(np.int32)
        self.cards: I32 = HANDS[self.hands]  # [H, 2]

    @cached_property
    def equity(self) -> F32:
        """Wins minus losses over all runouts of each hand against each that it can meet: [H, H]."""
        counts: F32 = count_wins(self.board)[np.ix_(self.hands, self.hands)].astype(np.float32)
        return counts

    def check_down(self, reach: F32) -> F32:
        """Return wins minus losses of each hand against a reach, over all runouts; both [H, players, L]."""
        won: F32 = (self.equity @ reach.reshape(len(reach), -1)).reshape(reach.shape)
        return won

    @cached_property
    def places(self) -> F32:
        """Where hands stand, from 0 to 1, DEAD for those that the board blocks: [1326]."""
        return places_of(self.board)


def places_of(board: Board) -> F32:
    """Return where hands stand on a board, from 0 to 1, DEAD for those that it blocks: [1326]."""
    if len(board) == RIVER_CARDS:
        return _rank(strengths_of_boards([board])[0].astype(np.float64), compatible_hands(board))
    if not board:
        return _preflop_places()
    if len(board) == FLOP_CARDS:
        alike = first_alike(board)
        suits = _find_renaming(board, alike)
        return _flop_places(alike)[rename_hands(suits)]
    return _turn_places(tuple(sorted(board[:FLOP_CARDS])))[board[-1]]


@lru_cache(maxsize=1)
def _preflop_places() -> F32:
    return _rank(count_wins(()).sum(axis=1).astype(np.float64), compatible_hands(()))


@lru_cache(maxsize=_FLOPS_KEPT)
def _flop_places(flop: Board) -> F32:
    """Return the places on a flop: [1326]."""
    total, count = _mean_places(flop)
    return _rank(total.sum(axis=0) / np.maximum(count.sum(axis=0), 1), compatible_hands(flop))


@lru_cache(maxsize=_PLAYED_KEPT)
def _turn_places(flop: Board) -> dict[int, F32]:
    """Return the places on every turn after a flop, by its card."""
    total, count = _mean_places(flop)
    return {
        card: _rank(total[card] / np.maximum(count[card], 1), compatible_hands((*flop, card)))
        for card in range(NUM_CARDS)
        if card not in flop
    }


def _mean_places(flop: Board) -> tuple[F64, F64]:
    """Return the sum of places on all rivers that have a card besides a flop, and how many: [52, 1326]."""
    left = [card for card in range(NUM_CARDS) if card not in flop]
    pairs = np.array(list(combinations(left, RIVER_CARDS - FLOP_CARDS)))
    strengths = strengths_of_boards([(*flop, *pair) for pair in pairs.tolist()])
    places = find_places(strengths, 2)
    alive = strengths != IMPOSSIBLE
    total, count = np.zeros((NUM_CARDS, NUM_HANDS)), np.zeros((NUM_CARDS, NUM_HANDS))
    for card in left:
        rows = (pairs == card).any(axis=1)
        total[card], count[card] = places[rows].sum(axis=0), alive[rows].sum(axis=0)
    return total, count


def _rank(scores: F64, alive: Bools) -> F32:
    """Return the share of living hands with a lower score, equals counted half: [1326]."""
    own = np.round(scores[alive], _DIGITS)
    ordered = np.sort(own)
    below, upto = (np.searchsorted(ordered, own, side=side) for side in ("left", "right"))
    places = np.full(NUM_HANDS, DEAD, np.float32)
    places[alive] = (below + upto) / (2 * own.size)
    return places


def _find_renaming(board: Board, alike: Board) -> Sequence[int]:
    """Return the renaming of suits that makes a board the one that stands for it."""
    wanted = set(alike)
    for suits in permutations(range(NUM_SUITS)):
        if set(rename_cards(suits)[list(board)].tolist()) == wanted:
            return suits
    raise AssertionError("a board is like the one that stands for it")


def find_places(strengths: I32, rungs: int) -> F32:
    """Return the places of hands on a ladder, 0 to rungs - 1; 0 for impossible hands. Both: [B, 1326]."""
    order = np.argsort(strengths, axis=1, kind="stable").astype(np.int32)
    places = np.zeros(strengths.shape, np.float32)
    place_hands(strengths, order, np.float32(rungs - 1), places)
    return places


@kernel
def place_hands(strengths: I32, order: I32, top: np.float32, places: F32) -> None:
    """Write the place of every hand of boards; places [B, 1326] modified in place. order: by strength."""
    for board in range(np.uint64(strengths.shape[0])):
        mine, sorted_hands = strengths[board], order[board]
        blocked = np.uint64(0)
        while mine[np.uint64(sorted_hands[blocked])] == IMPOSSIBLE:
            blocked += ONE
        count = np.uint64(order.shape[1])
        left, start = np.float32(count - blocked), blocked
        while start < count:
            end, strength = start, mine[np.uint64(sorted_hands[start])]
            while end < count and mine[np.uint64(sorted_hands[end])] == strength:
                end += ONE
            middle = (np.float32(start - blocked) + np.float32(end - blocked)) * np.float32(0.5)
            for place in range(end - start):
                places[board, np.uint64(sorted_hands[start + place])] = top * (middle / left)
            start = end
