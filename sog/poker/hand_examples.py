"""Solved states of any street as packed examples, and as batches.

An example has the kind of the state, the board, how deep the stacks are, the bet sizes, and of each of the
1,326 hands its place on the board, its share of both ranges, and what it wins for either player in pots,
beside the value of checking down. Values count as much as the mass of the opponent's range that a hand meets.
That is 13.3 kB.

Verified: tests/poker/test_hand_examples.py.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F32, F64, I64
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.cards import NUM_HANDS, Board
from sog.games.holdem.hand_records import NO_CARD, HandState
from sog.games.holdem.strength import RIVER_CARDS
from sog.poker.hand_network import NUM_FEATURES, depth_of, describe, find_beliefs, fractions_of, kind_of
from sog.poker.street_boards import DEAD
from sog.training.batches import TrainingBatch, make_value_batch
from sog.training.examples import EXAMPLE, PLAYED, Examples
from sog.training.run_status import DivergedError

_HEAD = 1 + RIVER_CARDS  # kind and board
_NUMBERS = _HEAD + NUM_HANDS
_BETTING = 4  # depth and bet sizes
_BOTH = NUM_PLAYERS * NUM_HANDS
_HALVES = _BETTING + 2 * _BOTH
_MOST_PLACES, _DEAD = 65_534, 65_535  # of sixteen bits
_LARGEST = 60_000.0  # that half precision can tell from infinity
EXAMPLE_BYTES = EXAMPLE.itemsize + 2 * (_NUMBERS + _HALVES)


class SolvedState(NamedTuple):
    """A state that was solved, or whose value is a mean over cards."""

    state: HandState
    places: F32  # [1326]
    ranges: F64  # [2, 1326]
    beside: F64  # [2, 1326] in pots, per unit of the opponent's range that is met, beside checking down

    @property
    def kind(self) -> int:
        """Which of `hand_network.KINDS`."""
        return kind_of(self.state)


def pack_states(solved: Sequence[SolvedState]) -> Examples:
    """Return solved states as examples."""
    count = len(solved)
    heads = np.zeros(count, EXAMPLE)
    heads["numbers"], heads["halves"] = _NUMBERS * np.arange(count), _HALVES * np.arange(count)
    heads["rows"], heads["origin"], heads["actor"] = NUM_HANDS, PLAYED, NUM_PLAYERS
    numbers = np.full((count, _NUMBERS), NO_CARD, np.uint16)
    floats = np.zeros((count, _HALVES), np.float32)
    for index, (state, places, ranges, beside) in enumerate(solved):
        alive = places >= 0
        numbers[index, 0] = kind_of(state)
        numbers[index, 1 : 1 + len(state.board)] = state.board
        numbers[index, _HEAD:] = np.where(alive, np.rint(_MOST_PLACES * places), _DEAD)
        shares = np.where(alive, ranges, 0.0)
        shares /= shares.sum(axis=1, keepdims=True)
        values = np.where(alive, beside, 0.0)
        if not (np.isfinite(values).all() and np.abs(values).max() < _LARGEST):
            raise DivergedError("training diverged: a state's values are no numbers")
        floats[index, :_BETTING] = min(depth_of(state), _LARGEST), *fractions_of(state)
        floats[index, _BETTING:] = np.concatenate(((NUM_HANDS * shares).ravel(), values.ravel()))
    halves = floats.astype(np.float16).view(np.uint16).ravel()
    return Examples(heads, numbers.ravel(), halves, np.zeros(0, np.uint8))


class StateBatchMaker:
    """Makes batches of solved states."""

    def kinds(self, examples: Examples) -> I64:
        """Return which of `hand_network.KINDS` each example is."""
        found: I64 = examples.numbers.reshape(examples.size, _NUMBERS)[:, 0].astype(np.int64)
        return found

    def make(self, examples: Examples, rng: np.random.Generator) -> TrainingBatch:
        """Return a batch; nothing is drawn, since features know no suits."""
        count = examples.size
        numbers = examples.numbers.reshape(count, _NUMBERS)
        floats = examples.halves.view(np.float16).astype(np.float32).reshape(count, _HALVES)
        places: F32 = np.divide(numbers[:, _HEAD:], _MOST_PLACES, dtype=np.float32)
        places[numbers[:, _HEAD:] == _DEAD] = DEAD
        ranges = np.ascontiguousarray(floats[:, _BETTING : _BETTING + _BOTH]).reshape(count, 2, NUM_HANDS)
        weights, beliefs = find_beliefs(ranges, places)
        weights /= np.maximum(
            weights.sum(axis=2, keepdims=True) / (places >= 0).sum(axis=1)[:, None, None], 1e-9
        )
        features = np.zeros((count, NUM_FEATURES), np.float32)
        for index, (kind, *cards) in enumerate(numbers[:, :_HEAD].tolist()):
            board: Board = tuple(card for card in cards if card != NO_CARD)
            depth, *fractions = floats[index, :_BETTING].tolist()
            features[index] = describe(kind, board, depth, (fractions[0], fractions[1], fractions[2]))
        return make_value_batch(
            features,
            beliefs.reshape(count, -1),
            np.ascontiguousarray(floats[:, _BETTING + _BOTH :]),
            weights.reshape(count, -1),
            np.tile(np.maximum(places, 0), (1, 2)),
        )
