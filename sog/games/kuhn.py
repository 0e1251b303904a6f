"""Kuhn poker: three cards, one chip, one bet. Value for the first player: −1/18.

A world is `(cards, bets)`: the cards dealt so far, player 0's first, and the betting so far. Both players
ante one chip; "bet" puts in, or matches, one more; "pass" checks or folds.
"""

from collections.abc import Hashable

from sog.games.base import CHANCE, TERMINAL, Encoding, Game, GameInfo
from sog.games.picture import History, Picture, lines, you_or_opponent

PASS, BET = 0, 1
CARDS = "JQK"
_SHOWDOWN_STAKES = {(PASS, PASS): 1, (BET, BET): 2, (PASS, BET, BET): 2}
_FOLD_WINNERS = {(BET, PASS): 0, (PASS, BET, PASS): 1}

KuhnWorld = tuple[tuple[int, ...], tuple[int, ...]]


class Kuhn(Game[KuhnWorld]):
    """Kuhn poker with jack, queen and king."""

    encoding = Encoding(features=(6,), private=(len(CARDS), len(CARDS)), choices=2)

    def __init__(self) -> None:
        self.info = GameInfo(
            name="kuhn", num_actions=3, is_perfect_information=False, max_utility=2.0, max_length=5
        )

    def initial_world(self) -> KuhnWorld:
        """Return the world before the deal."""
        return (), ()

    def actor(self, world: KuhnWorld) -> int:
        """Chance deals two cards, then the players alternate."""
        cards, bets = world
        if len(cards) < 2:
            return CHANCE
        if bets in _SHOWDOWN_STAKES or bets in _FOLD_WINNERS:
            return TERMINAL
        return len(bets) % 2

    def legal_actions(self, world: KuhnWorld) -> tuple[int, ...]:
        """Pass and bet are always legal."""
        return (PASS, BET)

    def chance_outcomes(self, world: KuhnWorld) -> tuple[tuple[int, float], ...]:
        """Any card not yet dealt, equally likely."""
        left = [card for card in range(len(CARDS)) if card not in world[0]]
        return tuple((card, 1 / len(left)) for card in left)

    def apply(self, world: KuhnWorld, action: int) -> KuhnWorld:
        """Deal a card or add a bet."""
        cards, bets = world
        return ((*cards, action), bets) if len(cards) < 2 else (cards, (*bets, action))

    def public_observation(self, before: KuhnWorld, action: int, after: KuhnWorld) -> Hashable:
        """Everybody sees that a card was dealt, and every bet."""
        return "deal" if len(before[0]) < 2 else self.action_name(before, action)

    def private_observation(self, player: int, before: KuhnWorld, action: int, after: KuhnWorld) -> Hashable:
        """A player sees the own card."""
        return CARDS[action] if len(before[0]) == player else None

    def returns(self, world: KuhnWorld) -> tuple[float, float]:
        """The higher card wins the stake; a fold loses the ante."""
        cards, bets = world
        if bets in _FOLD_WINNERS:
            winner, stake = _FOLD_WINNERS[bets], 1
        else:
            winner, stake = int(cards[1] > cards[0]), _SHOWDOWN_STAKES[bets]
        utility = float(stake if winner == 0 else -stake)
        return utility, -utility

    def action_name(self, world: KuhnWorld, action: int) -> str:
        """Name a card or a bet."""
        return CARDS[action] if len(world[0]) < 2 else ("pass", "bet")[action]

    def show(self, history: History, seat: int) -> Picture:
        """Tell the own card, the pot and the bets."""
        cards, bets = history.world
        own = CARDS[cards[seat]] if len(cards) > seat else "not dealt yet"
        told = [f"{you_or_opponent(turn % 2, seat)} {('pass', 'bet')[bet]}" for turn, bet in enumerate(bets)]
        return lines(f"Your card: {own}   Pot: {2 + bets.count(BET)}\nBets: {', '.join(told) or 'none yet'}")

    def value_scale(self, world: KuhnWorld) -> float:
        """Return the pot."""
        return 2.0 + world[1].count(BET)

    def public_features(self, world: KuhnWorld) -> list[float]:
        """Return how many cards are dealt, and each of the first two bets."""
        cards, bets = world
        dealt = [float(len(cards) == count) for count in (1, 2)]
        return dealt + [float(bets[turn : turn + 1] == (move,)) for turn in (0, 1) for move in (PASS, BET)]

    def private_index(self, player: int, world: KuhnWorld) -> int:
        """Return the card, 0 before it is dealt."""
        return world[0][player] if len(world[0]) > player else 0
