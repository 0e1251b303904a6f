"""A network that is asked about any street: what each hand wins, at the start of a street or before a card.

Hands are all 1,326, those that the board blocks have no reach and the place DEAD. Values are in pots, beside
those of checking down, per unit of the opponent's reach that a hand meets, and cancel under the beliefs. A
network of kind `ladder` pools beliefs by the hands' places and reads values between rungs; of kind `mlp`, the
papers' own, it has an input and an output for every hand.

Verified: tests/poker/test_hand_network.py (against torch, and pair by pair).
"""

from collections.abc import Mapping, Sequence

import numpy as np

from sog.core.arrays import F32, F64, I32
from sog.core.errors import InputError
from sog.core.jit import ONE, kernel
from sog.games.base import CHANCE, NUM_PLAYERS
from sog.games.holdem.bet_sizes import STREETS
from sog.games.holdem.betting import actor, pot_size
from sog.games.holdem.cards import HANDS, NUM_CARDS, NUM_HANDS, NUM_RANKS, NUM_SUITS
from sog.games.holdem.hand_records import HandState
from sog.nets.ladder_forward import LadderForward
from sog.nets.perceptron import Head, HiddenLayers
from sog.nets.spec import NetworkSpec, Sizes
from sog.poker.river_values import describe_betting

KINDS = (*(f"{street} start" for street in STREETS), *(f"before the {street}" for street in STREETS[1:]))
NUM_KINDS = len(KINDS)
_BETTING = 5
NUM_FEATURES = NUM_KINDS + _BETTING + NUM_RANKS + NUM_SUITS
SIZES = Sizes((NUM_FEATURES,), (NUM_HANDS, NUM_HANDS), 1, row_features=1)
KNOWN = "ladder", "mlp"  # kinds of networks
LEAST_REACH = 1e-6  # of a hand, as a share of a uniform one: a network has never seen nobody come
_NOTHING = np.float32(1e-30)


def kind_of(state: HandState) -> int:
    """Return which of KINDS a state is."""
    street = state.betting.street
    return len(STREETS) + street if actor(state.betting) == CHANCE else street


def depth_of(state: HandState) -> float:
    """Return the chips behind for each chip in the pot."""
    betting = state.betting
    return (betting.stack - max(betting.committed)) / pot_size(betting)


def fractions_of(state: HandState) -> tuple[float, float, float]:
    """Return the smallest and largest first bet and the smallest raise, as shares of the pot; 0 for none.

    They are those of the street, before a card those of the next one.
    """
    street = state.betting.street + (kind_of(state) >= len(STREETS))
    menus = state.sizes.streets[street]
    first, later = menus.first.percents or (0.0,), menus.raises.percents or (0.0,)
    return first[0] / 100, first[-1] / 100, later[0] / 100


def describe(kind: int, board: Sequence[int], depth: float, fractions: tuple[float, float, float]) -> F32:
    """Return features that the names of suits do not change: [NUM_FEATURES]."""
    features = np.zeros(NUM_FEATURES, np.float32)
    features[kind] = 1
    features[NUM_KINDS : NUM_KINDS + _BETTING] = describe_betting(depth, fractions)
    suits = [0] * NUM_SUITS
    for card in board:
        features[NUM_KINDS + _BETTING + card // NUM_SUITS] += 1
        suits[card % NUM_SUITS] += 1
    features[-NUM_SUITS:] = sorted(suits, reverse=True)
    return features


def describe_state(state: HandState) -> F32:
    """Return a state's features."""
    return describe(kind_of(state), state.board, depth_of(state), fractions_of(state))


class HandNetwork:
    """A network's answers about B states."""

    def __init__(self, spec: NetworkSpec, weights: Mapping[str, F32]) -> None:
        """weights: by the names of `sog.nets.ladder.Ladder` or of `sog.nets.cvpn.Cvpn`."""
        check_spec(spec)
        self._rungs = spec.row_units if spec.kind == "ladder" else 0
        if self._rungs:
            self._ladder = LadderForward(spec, NUM_FEATURES, weights)
        else:
            self._hidden = HiddenLayers(spec, weights, "trunk.layers", 0, 1.0)
            self._head = Head(weights, ("value",))
        self.queries = 0

    def __call__(self, features: F32, reach: F32, places: F32) -> tuple[F32, F32]:
        """Return what hands win, and the reach that they meet: both [B, 2, 1326].

        features: [B, F]; reach: [B, 2, 1326]; places: [B, 1326].
        """
        count = len(features)
        self.queries += count
        (met, beliefs), values = find_beliefs(reach, places), np.zeros_like(reach)
        if not self._rungs:
            inputs = np.concatenate((features, NUM_HANDS * beliefs.reshape(count, -1)), axis=1)
            found = self._head(self._hidden.dense(inputs))[:, : 2 * NUM_HANDS].reshape(reach.shape)
            shift = (found * beliefs).sum(axis=(1, 2), keepdims=True) / 2
            np.multiply(found - shift, places[:, None] >= 0, out=values)
            return values, met
        inputs = np.zeros((count, NUM_FEATURES + 2 * self._rungs), np.float32)
        inputs[:, :NUM_FEATURES] = features
        pooled = inputs[:, NUM_FEATURES:].reshape(count, NUM_PLAYERS, self._rungs)
        pool_places(beliefs, places, np.float32(self._rungs), pooled)
        inputs[:, NUM_FEATURES:] = pooled.reshape(count, -1)
        rungs = self._ladder(inputs)[:, : 2 * self._rungs].reshape(pooled.shape)
        shift = (rungs * pooled).sum(axis=(1, 2), keepdims=True) / (2 * self._rungs)
        read_places(np.ascontiguousarray(rungs - shift), places, values)
        return values, met


def find_beliefs(reach: F32, places: F32) -> tuple[F32, F32]:
    """Return the opponent's reach that hands meet, and beliefs, one in all for each player: [B, 2, 1326]."""
    met, beliefs = np.zeros_like(reach), np.zeros_like(reach)
    meet_all(reach, places, HANDS, np.zeros(NUM_CARDS), met, beliefs)
    return met, beliefs


def check_spec(spec: NetworkSpec) -> None:
    """Refuse a network of another kind."""
    if spec.kind not in KNOWN:
        raise InputError(f"hunl: network.kind must be {' or '.join(KNOWN)}, not {spec.kind}")
    if spec.kind == "ladder" and spec.row_units < 2:
        raise InputError("hunl: network.row_units must be at least 2 rungs")


@kernel
def meet_all(reach: F32, places: F32, cards: I32, space: F64, met: F32, beliefs: F32) -> None:
    """Write the opponent's reach that hands meet, and beliefs, one in all for each player; both modified.

    reach, met, beliefs: [B, 2, 1326]; places: [B, 1326]; cards: [1326, 2]; space: [52].
    """
    hands = np.uint64(reach.shape[2])
    for query in range(np.uint64(reach.shape[0])):
        for player in range(np.uint64(2)):
            theirs, mine, out = reach[query, ONE - player], reach[query, player], met[query, player]
            total, joint = 0.0, 0.0
            for card in range(np.uint64(space.size)):
                space[card] = 0.0
            for hand in range(hands):
                weight = np.float64(theirs[hand])
                total += weight
                space[np.uint64(cards[hand, 0])] += weight
                space[np.uint64(cards[hand, 1])] += weight
            for hand in range(hands):
                if places[query, hand] >= 0:
                    one, two = np.uint64(cards[hand, 0]), np.uint64(cards[hand, 1])
                    seen = max(total - space[one] - space[two] + np.float64(theirs[hand]), 0.0)
                    out[hand] = np.float32(seen)
                    joint += seen * np.float64(mine[hand])
            for hand in range(hands):
                belief = np.float64(out[hand]) * np.float64(mine[hand])
                beliefs[query, player, hand] = np.float32(belief / max(joint, 1e-300))


@kernel
def pool_places(beliefs: F32, places: F32, scale: np.float32, pooled: F32) -> None:
    """Add up beliefs times `scale` on rungs; pooled [B, 2, K], zeros, modified in place."""
    one, top = np.float32(1), np.float32(pooled.shape[2] - 1)
    last = np.uint64(pooled.shape[2]) - np.uint64(2)
    for query in range(np.uint64(beliefs.shape[0])):
        for hand in range(np.uint64(beliefs.shape[2])):
            place = places[query, hand] * top
            if place >= 0:
                rung = min(np.uint64(place), last)
                up = place - np.float32(rung)
                for player in range(np.uint64(2)):
                    belief = scale * beliefs[query, player, hand]
                    pooled[query, player, rung] += (one - up) * belief
                    pooled[query, player, rung + ONE] += up * belief


@kernel
def read_places(rungs: F32, places: F32, values: F32) -> None:
    """Read values between rungs [B, 2, K]; values [B, 2, 1326], zeros for dead hands, modified in place."""
    one, top = np.float32(1), np.float32(rungs.shape[2] - 1)
    last = np.uint64(rungs.shape[2]) - np.uint64(2)
    for query in range(np.uint64(rungs.shape[0])):
        for hand in range(np.uint64(values.shape[2])):
            place = places[query, hand] * top
            if place >= 0:
                rung = min(np.uint64(place), last)
                up = place - np.float32(rung)
                for player in range(np.uint64(2)):
                    low, high = rungs[query, player, rung], rungs[query, player, rung + ONE]
                    values[query, player, hand] = (one - up) * low + up * high
