"""All-in with cards to come, exactly: how often each hand wins against each other, over every runout.

The counts of a board are wins minus losses of a row's hand against a column's, over all boards of five cards
that begin so and leave both hands: 44 on the turn, 990 on the flop, 1,712,304 before the flop. Turn and flop
are gone through when they are asked for. The counts before the flop are data, made by
`scripts/preflop_allins.py`: of 1,326 x 1,326 pairs of hands 47,008 differ by more than the names of suits and
the order of the players.

Verified: tests/games/holdem/test_allin.py.
"""

from functools import cache
from importlib.resources import files
from itertools import combinations, permutations
from math import comb

import numpy as np

from sog.core.arrays import I16, I32, I64
from sog.core.jit import ONE, kernel
from sog.games.holdem.cards import HANDS, NUM_CARDS, NUM_HANDS, NUM_SUITS, Board, compatible_hands
from sog.games.holdem.isomorphism import rename_hands
from sog.games.holdem.showdown import NUM_UNSEEN
from sog.games.holdem.strength import IMPOSSIBLE, RIVER_CARDS, strengths_of_boards

PREFLOP_FILE = "preflop_allins.npy"
NUM_PAIRS = 47_008
_BLOCK = np.uint64(16)  # rows that stay in the cache while runouts go by


def num_runouts(board: Board) -> int:
    """Return how many boards of five cards two hands leave after a board.

    >>> [num_runouts(tuple(range(size))) for size in (5, 4, 3, 0)]
    [1, 44, 990, 1712304]
    """
    return comb(NUM_UNSEEN - len(board), RIVER_CARDS - len(board))


def count_wins(board: Board) -> I32:
    """Return wins minus losses over all runouts: [1326, 1326], 0 for hands that cannot meet."""
    if not board:
        return expand_pairs(_read_preflop())
    hands = np.flatnonzero(compatible_hands(board))
    counts = np.zeros((NUM_HANDS, NUM_HANDS), np.int32)
    counts[np.ix_(hands, hands)] = _count_runouts(board, hands)
    return counts


def _count_runouts(board: Board, hands: I64) -> I32:
    """Return the same for the hands [H] that a board leaves: [H, H]."""
    left = [card for card in range(NUM_CARDS) if card not in board]
    runouts = [(*board, *cards) for cards in combinations(left, RIVER_CARDS - len(board))]
    strengths = np.ascontiguousarray(strengths_of_boards(runouts)[:, hands])
    counts = np.zeros((hands.size, hands.size), np.int32)
    add_runouts(strengths, np.ones(len(runouts), np.int32), counts)
    return mirror(counts, HANDS[hands])


def mirror(counts: I32, cards: I32) -> I32:
    """Return antisymmetric counts [H, H] from those above the diagonal; 0 where hands share a card.

    cards: [H, 2].
    """
    whole = np.triu(counts, 1)
    whole -= whole.T
    for one in range(2):
        for two in range(2):
            whole[cards[:, None, one] == cards[None, :, two]] = 0
    return whole


@kernel
def add_runouts(strengths: I32, weights: I32, counts: I32) -> None:
    """Add weighted wins minus losses above the diagonal; counts [H, H] modified in place.

    strengths: [R, H], IMPOSSIBLE where a runout blocks a hand; weights: [R].
    """
    hands = np.uint64(strengths.shape[1])
    for block in range((hands + _BLOCK - ONE) // _BLOCK):
        first = block * _BLOCK
        for runout in range(np.uint64(strengths.shape[0])):
            strength, weight = strengths[runout], weights[runout]
            for place in range(min(_BLOCK, hands - first)):
                hand = first + place
                own = strength[hand]
                if own != IMPOSSIBLE:
                    row = counts[hand]
                    for after in range(hands - hand):
                        other = hand + after
                        theirs = strength[other]
                        won = np.int32(own > theirs) - np.int32(own < theirs)
                        row[other] += weight * won if theirs != IMPOSSIBLE else np.int32(0)


@cache
def pair_numbers() -> tuple[I32, I16]:
    """Return which of the different pairs each pair of hands is, and its sign: both [1326, 1326].

    The sign is -1 where the stored counts are the other player's. Pairs are numbered by the first place
    among `1326 * hand + other`, both orders, where one of their kind stands; hands that share a card have
    no sign.
    """
    place = np.arange(NUM_HANDS * NUM_HANDS, dtype=np.int32).reshape(NUM_HANDS, NUM_HANDS)
    first, mine = place.copy(), np.ones(place.shape, np.bool_)
    for suits in permutations(range(NUM_SUITS)):
        hands = rename_hands(suits).astype(np.int32)
        for own, other, is_mine in ((hands[:, None], hands, True), (hands, hands[:, None], False)):
            renamed = NUM_HANDS * own + other
            mine = np.where(renamed < first, is_mine, mine)
            np.minimum(first, renamed, out=first)
    shared = np.zeros(place.shape, np.bool_)
    for one in range(2):
        for two in range(2):
            shared |= HANDS[:, None, one] == HANDS[None, :, two]
    _, numbers = np.unique(np.where(shared, -1, first), return_inverse=True)
    signs = np.where(shared, 0, np.where(mine, 1, -1)).astype(np.int16)
    return numbers.reshape(place.shape).astype(np.int32) - 1, signs


def expand_pairs(counts: I32) -> I32:
    """Return the counts of all pairs of hands [1326, 1326] from those that differ [47008]."""
    numbers, signs = pair_numbers()
    whole: I32 = signs * counts[np.maximum(numbers, 0)]
    return whole


@cache
def _read_preflop() -> I32:
    with files("sog.games").joinpath("data", PREFLOP_FILE).open("rb") as file:
        counts: I32 = np.load(file)
    return counts
