"""Goofspiel: both players bid a card at once for each prize; the higher card wins it.

Hands and prizes are the cards 1 … n. Equal bids discard the prize; bid cards are never used again; the last
card of each hand is played by itself. The payoff is the difference of the points won. With hidden bids the
players learn only who won each prize, with shown bids also the cards.

The two bids of a round are two moves, the first of which says only "has bid". A world is
`(hand 0, hand 1, prizes to come, prize, bid, lead)`: hands and prizes as bit masks (card c is bit c − 1), the
prize bid for (0 while chance turns it up, and at the end), player 0's standing bid (0 for none), and player
0's points less player 1's.
"""

from collections.abc import Hashable

from sog.games.base import CHANCE, TERMINAL, Game, GameInfo
from sog.games.parameters import choice, whole_number
from sog.games.picture import History, Picture, lines, you_or_opponent

MAX_CARDS = 13
ORDERS = ("ascending", "descending", "random")
BIDS = ("hidden", "shown")
NONE = 0

GoofspielWorld = tuple[int, int, int, int, int, int]


class Goofspiel(Game[GoofspielWorld]):
    """Goofspiel with `cards` cards in each hand."""

    def __init__(self, cards: int = 5, order: str = "ascending", bids: str = "hidden") -> None:
        self.cards = whole_number("goofspiel", "cards", cards, 2, MAX_CARDS)
        self.order = choice("goofspiel", "order", order, ORDERS)
        self.shows_bids = choice("goofspiel", "bids", bids, BIDS) == "shown"
        rounds = cards - 1  # in which anybody decides
        self.info = GameInfo(
            name=f"goofspiel(cards={cards},order={order},bids={bids})",
            num_actions=cards,
            is_perfect_information=False,
            max_utility=float(cards * (cards + 1) // 2 - 2),  # all but the prize 1, lost with the card 1
            max_length=rounds * (3 if order == "random" else 2),
        )
        self._held = tuple(_bits(mask) for mask in range(1 << cards))

    def initial_world(self) -> GoofspielWorld:
        """Return the world with full hands and, unless chance turns it up, the first prize."""
        hand = (1 << self.cards) - 1
        return self._next_prize(hand, hand, hand, 0)

    def actor(self, world: GoofspielWorld) -> int:
        """Chance turns up the prize if the order is random; player 0 bids, then player 1."""
        if world[3]:
            return 1 if world[4] else 0
        return CHANCE if world[0] else TERMINAL

    def legal_actions(self, world: GoofspielWorld) -> tuple[int, ...]:
        """Any card still held."""
        return self._held[world[1] if world[4] else world[0]]

    def chance_outcomes(self, world: GoofspielWorld) -> tuple[tuple[int, float], ...]:
        """Any prize to come, equally likely."""
        prizes = self._held[world[2]]
        return tuple((prize, 1 / len(prizes)) for prize in prizes)

    def apply(self, world: GoofspielWorld, action: int) -> GoofspielWorld:
        """Turn up a prize, note the first bid, or settle the round."""
        hand0, hand1, prizes, prize, bid, lead = world
        if not prize:
            return hand0, hand1, prizes ^ 1 << action, action + 1, NONE, lead
        if not bid:
            return hand0, hand1, prizes, prize, action + 1, lead
        lead += _won(bid, action + 1, prize)
        return self._next_prize(hand0 ^ 1 << bid - 1, hand1 ^ 1 << action, prizes, lead)

    def public_observation(self, before: GoofspielWorld, action: int, after: GoofspielWorld) -> Hashable:
        """Everybody sees the prize, that player 0 has bid, who wins, and perhaps the cards."""
        hand0, hand1, prizes, prize, bid, _ = before
        if not prize:
            return f"prize {action + 1}"
        if not bid:
            return "has bid"
        seen = self._outcome(bid, action + 1, prize)
        if not after[0]:  # the last cards played themselves
            seen += "; " + self._outcome(
                _card(hand0 ^ 1 << bid - 1), _card(hand1 ^ 1 << action), _card(prizes)
            )
        return seen

    def private_observation(
        self, player: int, before: GoofspielWorld, action: int, after: GoofspielWorld
    ) -> Hashable:
        """Nothing is seen in private: a player knows the own bids."""
        return None

    def returns(self, world: GoofspielWorld) -> tuple[float, float]:
        """Return the difference of points."""
        return float(world[5]), float(-world[5])

    def action_name(self, world: GoofspielWorld, action: int) -> str:
        """Name a card."""
        return str(action + 1)

    def show(self, history: History, seat: int) -> Picture:
        """Tell the prize, the own cards, the score, and what every round has shown."""
        hand0, hand1, prizes, prize, bid, _ = history.world
        hands, points, rounds = (hand0, hand1), [0, 0], list[str]()
        for before, action, after in zip(history.worlds, history.actions, history.worlds[1:], strict=False):
            if before[4]:  # player 1's bid settles a round
                bids = before[4], action + 1
                rounds.append(self._tell_round(bids, before[3], seat, points))
                if not after[0]:  # the last cards played themselves
                    last = _card(before[0] ^ 1 << bids[0] - 1), _card(before[1] ^ 1 << bids[1] - 1)
                    rounds.append(self._tell_round(last, _card(before[2]), seat, points))
        told = [f"Prize: {prize or 'none'}   Prizes to come: {_cards(prizes)}"]
        told.append(f"Your cards: {_cards(hands[seat])}")
        if self.shows_bids:
            told.append(f"Opponent's cards: {_cards(hands[1 - seat])}")
        if bid:
            told.append(f"{'You have' if seat == 0 else 'The opponent has'} bid{f' {bid}' * (seat == 0)}.")
        told.append(f"Points: you {points[seat]}, opponent {points[1 - seat]}")
        return lines("\n".join([*told, *rounds]))

    def _tell_round(self, bids: tuple[int, int], prize: int, seat: int, points: list[int]) -> str:
        """Return what a seat sees of a round; points of both players modified in place."""
        won = _won(*bids, prize)
        if won:
            points[int(won < 0)] += prize
        result = f"{you_or_opponent(int(won < 0), seat)} won" if won else "discarded"
        theirs = f" against {bids[1 - seat]}" if self.shows_bids else ""
        return f"  {prize}: you bid {bids[seat]}{theirs}, {result}"

    def _next_prize(self, hand0: int, hand1: int, prizes: int, lead: int) -> GoofspielWorld:
        """Return the world at the start of a round, or at the end once the last cards have been played."""
        if not prizes & (prizes - 1):
            return 0, 0, 0, NONE, NONE, lead + _won(_card(hand0), _card(hand1), _card(prizes))
        if self.order == "random":
            return hand0, hand1, prizes, NONE, NONE, lead
        prize = _card(prizes & -prizes if self.order == "ascending" else prizes)
        return hand0, hand1, prizes ^ 1 << prize - 1, prize, NONE, lead

    def _outcome(self, bid0: int, bid1: int, prize: int) -> str:
        won = _won(bid0, bid1, prize)
        outcome = f"player {int(won < 0)} wins {prize}" if won else f"nobody wins {prize}"
        return f"{bid0} against {bid1}, {outcome}" if self.shows_bids else outcome


def _won(bid0: int, bid1: int, prize: int) -> int:
    """Return what a round adds to player 0's lead."""
    return prize * ((bid0 > bid1) - (bid0 < bid1))


def _card(mask: int) -> int:
    """Return the highest card in a mask."""
    return mask.bit_length()


def _cards(mask: int) -> str:
    """Return the cards of a mask in words."""
    return " ".join(str(bit + 1) for bit in _bits(mask)) or "none"


def _bits(mask: int) -> tuple[int, ...]:
    return tuple(bit for bit in range(mask.bit_length()) if mask >> bit & 1)
