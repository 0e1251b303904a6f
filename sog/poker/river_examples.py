"""Solved rivers as packed examples, and as batches for a network of kind `ladder`.

An example has the board, how deep the stacks are, the bet sizes, and of each of the 1,081 hands that the
board leaves its place on the ladder, its share of both ranges, and what it wins for either player in pots,
beside the value of checking down: the network learns what betting adds. Values count as much as the mass of
the opponent's range that a hand meets. That is about 11 kB.

Verified: tests/poker/test_river_examples.py.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F32, F64, I32
from sog.core.jit import ONE, inlined, kernel
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.cards import HANDS, NUM_CARDS, Board, compatible_hands
from sog.games.holdem.strength import RIVER_CARDS, strengths_of_boards
from sog.nets.spec import Sizes
from sog.poker.river_queries import HANDS_LEFT
from sog.poker.river_values import NUM_FEATURES, describe_betting, describe_board
from sog.poker.street_boards import find_places
from sog.training.batches import TrainingBatch, make_value_batch
from sog.training.examples import EXAMPLE, PLAYED, Examples
from sog.training.run_status import DivergedError

_NUMBERS = RIVER_CARDS + HANDS_LEFT
_BETTING = 4  # depth and bet sizes
_HALVES = _BETTING + 2 * NUM_PLAYERS * HANDS_LEFT
_MOST_PLACES = 65_535  # of sixteen bits
_LARGEST = 60_000.0  # that half precision can tell from infinity

SIZES = Sizes((NUM_FEATURES,), (HANDS_LEFT, HANDS_LEFT), 1, row_features=1)


class SolvedRiver(NamedTuple):
    """A river that was solved."""

    board: Board
    depth: float  # chips behind for each in the pot
    fractions: tuple[float, float, float]  # bet sizes, see `river_values.bet_fractions`
    ranges: F64  # [2, 1326]
    values: F64  # [2, 1326] in pots


def win_showdowns(strengths: I32, hands: I32, ranges: F64) -> F64:
    """Return what hands win in pots per hand met if both check, against either range: [2, hands].

    strengths: [1326] on the board; ranges: [2, 1326], none on blocked hands.
    """
    order = hands[np.argsort(strengths[hands], kind="stable")]
    found = np.zeros((NUM_PLAYERS, hands.size))
    for player in range(NUM_PLAYERS):
        won = np.zeros(strengths.size)
        compare_all(strengths, order, HANDS, ranges[1 - player], np.zeros((2, NUM_CARDS)), won)
        found[player] = won[hands] / 2
    return found


@kernel
def compare_all(strengths: I32, order: I32, cards: I32, weights: F64, space: F64, won: F64) -> None:
    """Write wins minus losses for each hand, per weight that it meets; won [1326] modified in place.

    order: hands by increasing strength; space: [2, 52] of zeros.
    """
    count, by_card, weaker = np.uint64(order.size), space[0], space[1]
    total, below = 0.0, 0.0
    for index in range(count):
        hand = np.uint64(order[index])
        total += weights[hand]
        for side in range(2):
            by_card[cards[hand, side]] += weights[hand]
    start = np.uint64(0)
    while start < count:
        end, strength = start, strengths[np.uint64(order[start])]
        while end < count and strengths[np.uint64(order[end])] == strength:
            end += ONE
        for turn in range(2):  # before equals are added, and after
            for index in range(end - start):
                hand = np.uint64(order[start + index])
                one, two = cards[hand, 0], cards[hand, 1]
                won[hand] += below - weaker[one] - weaker[two]
            if turn == 0:
                for index in range(end - start):
                    hand = np.uint64(order[start + index])
                    below += weights[hand]
                    for side in range(2):
                        weaker[cards[hand, side]] += weights[hand]
        start = end
    for index in range(count):
        hand = np.uint64(order[index])
        one, two = cards[hand, 0], cards[hand, 1]
        outside = total - by_card[one] - by_card[two]
        met = outside + weights[hand]
        won[hand] = (won[hand] - outside) / met if met > 0 else 0.0  # a hand's own weight cancels


def pack_rivers(rivers: Sequence[SolvedRiver]) -> Examples:
    """Return solved rivers as examples."""
    count = len(rivers)
    heads = np.zeros(count, EXAMPLE)
    heads["numbers"], heads["halves"] = _NUMBERS * np.arange(count), _HALVES * np.arange(count)
    heads["rows"], heads["origin"], heads["actor"] = HANDS_LEFT, PLAYED, NUM_PLAYERS
    numbers = np.zeros((count, _NUMBERS), np.uint16)
    floats = np.zeros((count, _HALVES), np.float32)
    strengths = strengths_of_boards([river.board for river in rivers])
    places = find_places(strengths, 2)  # from 0 to 1
    for index, river in enumerate(rivers):
        hands = np.flatnonzero(compatible_hands(river.board)).astype(np.int32)
        numbers[index, :RIVER_CARDS] = river.board
        numbers[index, RIVER_CARDS:] = np.rint(_MOST_PLACES * places[index, hands])
        ranges = np.where(compatible_hands(river.board), river.ranges, 0.0)
        shares = ranges[:, hands] / ranges[:, hands].sum(axis=1, keepdims=True)
        beside = river.values[:, hands] - win_showdowns(strengths[index], hands, ranges)
        if not (np.isfinite(beside).all() and np.abs(beside).max() < _LARGEST):
            raise DivergedError("training diverged: a river's values are no numbers")
        floats[index, :_BETTING] = river.depth, *river.fractions
        floats[index, _BETTING:] = np.concatenate(((HANDS_LEFT * shares).ravel(), beside.ravel()))
    halves = floats.astype(np.float16).view(np.uint16).ravel()
    return Examples(heads, numbers.ravel(), halves, np.zeros(0, np.uint8))


class RiverBatchMaker:
    """Makes batches of solved rivers."""

    def make(self, examples: Examples, rng: np.random.Generator) -> TrainingBatch:
        """Return a batch; nothing is drawn, since features know no suits."""
        count = examples.size
        numbers = examples.numbers.reshape(count, _NUMBERS)
        floats = examples.halves.view(np.float16).astype(np.float32).reshape(count, _HALVES)
        shape = (count, NUM_PLAYERS * HANDS_LEFT)
        beliefs, weights = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        ranges = floats[:, _BETTING : _BETTING + NUM_PLAYERS * HANDS_LEFT]
        weigh_beliefs(
            numbers[:, :RIVER_CARDS].astype(np.int32),
            HANDS,
            ranges,
            np.zeros((2, NUM_CARDS + 1)),
            beliefs,
            weights,
        )
        places = numbers[:, RIVER_CARDS:].astype(np.float32) / _MOST_PLACES
        boards = [describe_board(tuple(board)) for board in numbers[:, :RIVER_CARDS].tolist()]
        bettings = [describe_betting(line[0], tuple(line[1:])) for line in floats[:, :_BETTING].tolist()]
        return make_value_batch(
            np.concatenate((np.array(bettings), np.array(boards)), axis=1, dtype=np.float32),
            beliefs,
            np.ascontiguousarray(floats[:, _BETTING + NUM_PLAYERS * HANDS_LEFT :]),
            weights,
            np.concatenate((places, places), axis=1),
        )


@kernel
def weigh_beliefs(boards: I32, cards: I32, ranges: F32, space: F64, beliefs: F32, weights: F32) -> None:
    """Write beliefs and the mass that hands meet, its mean one; both [N, 2 x 1081] modified in place.

    boards: [N, 5]; cards: [1326, 2]; ranges: [N, 2 x 1081]; space: [2, 53].
    """
    hands, all_cards = np.uint64(ranges.shape[1]) // np.uint64(2), np.uint64(NUM_CARDS)
    for example in range(np.uint64(ranges.shape[0])):
        board, own, joint = boards[example], ranges[example], 0.0
        space[:] = 0.0
        for phase in range(2):
            row = np.uint64(0)
            for hand in range(np.uint64(cards.shape[0])):
                one, two = cards[hand, 0], cards[hand, 1]
                if not _is_blocked(board, one, two):
                    for player in range(np.uint64(2)):
                        mine, other = player * hands + row, ONE - player
                        if phase == 0:
                            space[player, all_cards] += own[mine]
                            space[player, one] += own[mine]
                            space[player, two] += own[mine]
                        else:
                            met = space[other, all_cards] - space[other, one] - space[other, two]
                            met = max(met + own[other * hands + row], 0.0)
                            weights[example, mine] = met
                            beliefs[example, mine] = met * own[mine]
                            joint += met * own[mine] / 2
                    row += ONE
        for player in range(np.uint64(2)):
            mass = 0.0
            for index in range(hands):
                mass += weights[example, player * hands + index]
            for index in range(hands):
                beliefs[example, player * hands + index] /= joint
                weights[example, player * hands + index] *= hands / mass


@inlined
def _is_blocked(board: I32, one: int, two: int) -> bool:
    """Tell whether a board has one of two cards."""
    found = False
    for place in range(np.uint64(board.size)):
        found = found or board[place] == one or board[place] == two
    return found
