"""Liar's Dice: both players roll in secret, then raise a bid about all the dice until one says "liar".

A bid `2x3` claims that at least two of all the dice show a three; the highest face is wild and counts as
any face. Bids rise by quantity, then by face. After "liar" the claim is checked: true, the bidder wins 1;
false, the caller does. Values for the first player (one die): 1/9 with 3 faces, 1/16 with 4.

A roll is one chance event whose outcomes are the sorted rolls. A world is
`(actor, roll of player 0, roll of player 1, highest bid, who made it)`; rolls and bids are numbers, −1 for
none, and before any bid player 1 stands in as its maker.
"""

from collections.abc import Hashable
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np

from sog.core.arrays import F32, I64
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL, Encoding, Game, GameInfo
from sog.games.parameters import whole_number
from sog.games.picture import History, Picture, lines, you_or_opponent

NONE = -1
MAX_DICE, MAX_FACES = 5, 9

LiarsDiceWorld = tuple[int, int, int, int, int]


class LiarsDice(Game[LiarsDiceWorld]):
    """Liar's Dice for two players with `dice` dice each, highest face wild."""

    def __init__(self, dice: int = 1, faces: int = 6) -> None:
        dice = whole_number("liars_dice", "dice", dice, 1, MAX_DICE)
        faces = whole_number("liars_dice", "faces", faces, 2, MAX_FACES)
        self._faces = faces
        self.rolls = tuple(combinations_with_replacement(range(1, faces + 1), dice))
        self.bids = tuple((count, face) for count in range(1, 2 * dice + 1) for face in range(1, faces + 1))
        self.liar = len(self.bids)
        self.info = GameInfo(
            name=f"liars_dice(dice={dice},faces={faces})",
            num_actions=max(self.liar + 1, len(self.rolls)),
            is_perfect_information=False,
            max_utility=1.0,
            max_length=2 + len(self.bids) + 1,
            is_won_or_lost=True,
        )
        self.encoding = Encoding(
            features=(len(self.bids) + NUM_PLAYERS + 2,),
            private=(len(self.rolls), len(self.rolls)),
            choices=self.liar + 1,
            row_features=faces + 2,
        )
        self._roll_names = tuple("".join(map(str, roll)) for roll in self.rolls)
        self._bid_names = (*(f"{count}x{face}" for count, face in self.bids), "liar")
        self._chance = tuple((index, _orders(roll) / faces**dice) for index, roll in enumerate(self.rolls))
        first = tuple(range(self.liar))
        self._legal = (*(tuple(range(bid + 1, self.liar + 1)) for bid in first), first)  # [-1]: no bid yet
        self._matches = tuple(
            tuple(sum(die in (face, faces) for die in roll) for _, face in self.bids) for roll in self.rolls
        )

    def initial_world(self) -> LiarsDiceWorld:
        """Return the world before the rolls."""
        return CHANCE, NONE, NONE, NONE, 1

    def actor(self, world: LiarsDiceWorld) -> int:
        """Chance rolls twice, then the players alternate."""
        return world[0]

    def legal_actions(self, world: LiarsDiceWorld) -> tuple[int, ...]:
        """Any higher bid, and "liar" once there is a bid."""
        return self._legal[world[3]]

    def chance_outcomes(self, world: LiarsDiceWorld) -> tuple[tuple[int, float], ...]:
        """Sorted rolls, each as likely as its orders are many."""
        return self._chance

    def apply(self, world: LiarsDiceWorld, action: int) -> LiarsDiceWorld:
        """Roll, bid, or call the bidder a liar."""
        actor, roll0, roll1, bid, bidder = world
        if actor == CHANCE:
            return (CHANCE, action, NONE, NONE, 1) if roll0 == NONE else (0, roll0, action, NONE, 1)
        if action == self.liar:
            return TERMINAL, roll0, roll1, bid, bidder
        return bidder, roll0, roll1, action, actor

    def public_observation(self, before: LiarsDiceWorld, action: int, after: LiarsDiceWorld) -> Hashable:
        """Everybody sees that dice were rolled, and every bid."""
        return "roll" if before[0] == CHANCE else self._bid_names[action]

    def private_observation(
        self, player: int, before: LiarsDiceWorld, action: int, after: LiarsDiceWorld
    ) -> Hashable:
        """A player sees the own roll."""
        if before[0] == CHANCE and (before[1] != NONE) == player:
            return self._roll_names[action]
        return None

    def returns(self, world: LiarsDiceWorld) -> tuple[float, float]:
        """Whoever was right about the bid wins 1."""
        _, roll0, roll1, bid, bidder = world
        is_true = self._matches[roll0][bid] + self._matches[roll1][bid] >= self.bids[bid][0]
        return (1.0, -1.0) if is_true == (bidder == 0) else (-1.0, 1.0)

    def action_name(self, world: LiarsDiceWorld, action: int) -> str:
        """Name a roll, a bid or the call."""
        return self._roll_names[action] if world[0] == CHANCE else self._bid_names[action]

    def show(self, history: History, seat: int) -> Picture:
        """Tell the own dice and all bids."""
        roll = history.world[1 + seat]
        dice = "not rolled yet" if roll == NONE else " ".join(map(str, self.rolls[roll]))
        bids = [
            f"{you_or_opponent(world[0], seat)} {self._bid_names[action]}"
            for world, action in zip(history.worlds, history.actions, strict=False)
            if world[0] != CHANCE
        ]
        wild = f"{self._faces} is wild, {2 * len(self.rolls[0])} dice in all"
        return lines(f"Your dice: {dice}   ({wild})\nBids: {', '.join(bids) or 'none yet'}")

    def public_features(self, world: LiarsDiceWorld) -> list[float]:
        """Return the highest bid, who acts, and which dice have been rolled."""
        actor, roll0, roll1, bid, _ = world
        bids = [float(bid == number) for number in range(self.liar)]
        return [*bids, float(actor == 0), float(actor == 1), float(roll0 != NONE), float(roll1 != NONE)]

    def private_index(self, player: int, world: LiarsDiceWorld) -> int:
        """Return the roll, 0 before it is known."""
        return max(world[1 + player], 0)

    def describe_rows(self, features: F32, owners: I64, columns: I64) -> F32:
        """Return how often each face was rolled, how many dice match the highest bid, and how many lack."""
        bids = features[owners, : self.liar]
        has_bid, bid = bids.any(axis=1), bids.argmax(axis=1)
        rolls, dice = columns % len(self.rolls), len(self.rolls[0])
        counts = np.array([[roll.count(face) for face in range(1, self._faces + 1)] for roll in self.rolls])
        matches = np.array(self._matches)[rolls, bid] * has_bid
        asked = np.array([count for count, _ in self.bids])[bid] * has_bid
        rows = np.column_stack([counts[rolls], matches, asked - matches]) / dice
        return rows.astype(np.float32)


def _orders(roll: tuple[int, ...]) -> int:
    """Return in how many orders the dice of a sorted roll can fall."""
    return factorial(len(roll)) // prod(factorial(roll.count(face)) for face in set(roll))
