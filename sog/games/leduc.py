"""Leduc poker: six cards in two suits, two betting rounds, one public card.

Both players ante one chip. Raises are 2 chips in the first round and 4 in the second, at most two a round.
After the first round a public card is dealt; a pair with it beats any other hand, then the higher rank wins;
equal ranks split. Value for the first player: about −0.0856.

A world is `(cards, rounds)`: the cards dealt so far (player 0's, player 1's, the public one), and for each
round its actions. Cards are numbered `rank * 2 + suit`.
"""

from collections.abc import Hashable

import numpy as np

from sog.core.arrays import F32, I64
from sog.games.base import CHANCE, TERMINAL, Encoding, Game, GameInfo
from sog.games.picture import History, Picture, lines, you_or_opponent

FOLD, CALL, RAISE = 0, 1, 2
RANKS, SUITS = "JQK", "sh"
RAISE_SIZES = (2, 4)
MAX_RAISES = 2
NUM_CARDS = len(RANKS) * len(SUITS)
_NAMES = ("fold", "call", "raise")

LeducWorld = tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]


def card_name(card: int) -> str:
    """Return a card's name, such as `Ks`."""
    return RANKS[card // 2] + SUITS[card % 2]


class Leduc(Game[LeducWorld]):
    """Leduc poker as in the literature and in OpenSpiel, suits told apart."""

    encoding = Encoding(
        features=(2 + NUM_CARDS + 2 + 3 + 3,), private=(NUM_CARDS, NUM_CARDS), choices=3, row_features=5
    )

    def __init__(self) -> None:
        self.info = GameInfo(
            name="leduc",
            num_actions=NUM_CARDS,
            is_perfect_information=False,
            max_utility=13.0,
            max_length=11,
            unit="mbb/h",  # the papers count a chip as a big blind
            unit_size=0.001,
        )

    def initial_world(self) -> LeducWorld:
        """Return the world before the deal."""
        return (), ((),)

    def actor(self, world: LeducWorld) -> int:
        """Chance deals two private cards and, between the rounds, the public one."""
        cards, rounds = world
        if len(cards) < 2:
            return CHANCE
        actions = rounds[-1]
        if actions and actions[-1] == FOLD:
            return TERMINAL
        if len(actions) >= 2 and actions[-1] == CALL:
            return TERMINAL if len(rounds) == 2 else CHANCE
        return len(actions) % 2

    def legal_actions(self, world: LeducWorld) -> tuple[int, ...]:
        """Fold only when facing a raise, raise at most twice a round."""
        actions = world[1][-1]
        raises = actions.count(RAISE)
        facing_raise = bool(actions) and actions[-1] == RAISE
        return ((FOLD,) if facing_raise else ()) + (CALL,) + ((RAISE,) if raises < MAX_RAISES else ())

    def chance_outcomes(self, world: LeducWorld) -> tuple[tuple[int, float], ...]:
        """Any card not yet dealt, equally likely."""
        left = [card for card in range(NUM_CARDS) if card not in world[0]]
        return tuple((card, 1 / len(left)) for card in left)

    def apply(self, world: LeducWorld, action: int) -> LeducWorld:
        """Deal a card (the public one opens the second round) or add a bet."""
        cards, rounds = world
        if self.actor(world) == CHANCE:
            return (*cards, action), rounds if len(cards) < 2 else (*rounds, ())
        return cards, (*rounds[:-1], (*rounds[-1], action))

    def public_observation(self, before: LeducWorld, action: int, after: LeducWorld) -> Hashable:
        """Everybody sees that a private card was dealt, the public card, and every bet."""
        return "deal" if len(before[0]) < 2 else self.action_name(before, action)

    def private_observation(
        self, player: int, before: LeducWorld, action: int, after: LeducWorld
    ) -> Hashable:
        """A player sees the own card."""
        return card_name(action) if len(before[0]) == player else None

    def returns(self, world: LeducWorld) -> tuple[float, float]:
        """Return the loser's chips; equal hands split the pot."""
        cards, rounds = world
        chips = self._chips(rounds)
        if rounds[-1][-1] == FOLD:
            loser = (len(rounds[-1]) - 1) % 2
        else:
            strengths = [self._strength(cards[player], cards[2]) for player in (0, 1)]
            if strengths[0] == strengths[1]:
                return 0.0, 0.0
            loser = int(strengths[0] > strengths[1])
        utility = float(chips[1] if loser == 1 else -chips[0])
        return utility, -utility

    def action_name(self, world: LeducWorld, action: int) -> str:
        """Name a card or a bet."""
        return card_name(action) if self.actor(world) == CHANCE else _NAMES[action]

    def show(self, history: History, seat: int) -> Picture:
        """Tell the own card, the public card, the chips and the bets."""
        cards, rounds = history.world
        own, public = (
            card_name(cards[place]) if len(cards) > place else "not dealt yet" for place in (seat, 2)
        )
        chips = self._chips(rounds)
        told = [f"Your card: {own}   Public card: {public}"]
        told.append(f"Pot: {sum(chips)} (you {chips[seat]}, opponent {chips[1 - seat]})")
        for number, actions in enumerate(rounds, start=1):
            bets = [f"{you_or_opponent(turn % 2, seat)} {_NAMES[bet]}" for turn, bet in enumerate(actions)]
            told.append(f"Round {number}: {', '.join(bets) or 'no bets yet'}")
        return lines("\n".join(told))

    def value_scale(self, world: LeducWorld) -> float:
        """Return the pot."""
        return float(sum(self._chips(world[1])))

    def public_features(self, world: LeducWorld) -> list[float]:
        """Return the deal, the public card, both players' chips, who acts, and what may still be done."""
        cards, rounds = world
        actor, chips, raises = self.actor(world), self._chips(rounds), rounds[-1].count(RAISE)
        dealt = [float(len(cards) == count) for count in (0, 1)]
        public_card = [float(cards[2:3] == (card,)) for card in range(NUM_CARDS)]
        committed = [own / self.info.max_utility for own in chips]
        acting = [float(actor == who) for who in (0, 1, CHANCE)]
        left = [raises / MAX_RAISES, float(chips[0] != chips[1]), float(len(rounds[-1]) > 0)]
        return dealt + public_card + committed + acting + left

    def private_index(self, player: int, world: LeducWorld) -> int:
        """Return the card, 0 before it is dealt."""
        return world[0][player] if len(world[0]) > player else 0

    def describe_rows(self, features: F32, owners: I64, columns: I64) -> F32:
        """Return the card's rank, whether it pairs the public card, and whether it is higher or lower."""
        public_cards = features[owners, 2 : 2 + NUM_CARDS]
        is_known, public_rank = public_cards.any(axis=1), public_cards.argmax(axis=1) // 2
        rank = columns % NUM_CARDS // 2
        rows = np.zeros((columns.size, 5), np.float32)
        rows[np.arange(columns.size), rank] = 1
        rows[:, 3] = is_known & (rank == public_rank)
        rows[:, 4] = is_known * np.sign(rank - public_rank)
        return rows

    @staticmethod
    def _strength(card: int, public_card: int) -> int:
        rank = card // 2
        return rank + (len(RANKS) if rank == public_card // 2 else 0)

    @staticmethod
    def _chips(rounds: tuple[tuple[int, ...], ...]) -> list[int]:
        chips = [1, 1]
        for actions, size in zip(rounds, RAISE_SIZES, strict=False):
            for index, action in enumerate(actions):
                player = index % 2
                if action == CALL:
                    chips[player] = max(chips)
                elif action == RAISE:
                    chips[player] = max(chips) + size
        return chips
