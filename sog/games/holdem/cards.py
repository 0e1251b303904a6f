"""Cards, boards and the 1,326 two-card hands, each with its number.

A card is `rank * 4 + suit`: ranks ascend from the deuce (0) to the ace (12), suits are numbered in the order
s, h, d, c. So 2s = 0, 2h = 1, …, Ac = 51.

A hand is two cards, the lower number first; hands are numbered in lexicographic order: 2s2h, 2s2d, 2s2c,
2s3s, …, AdAc. That is the order of the Libratus files, which therefore need no conversion. Names put the
higher rank first and equal ranks in suit order: `AhKh`, `AsAd`.

Verified: tests/games/holdem/test_cards.py.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from sog.core.arrays import I32
from sog.core.errors import InputError
from sog.games.parameters import shorten

RANKS = "23456789TJQKA"
SUITS = "shdc"
NUM_RANKS, NUM_SUITS = 13, 4
NUM_CARDS = 52
NUM_HANDS = 1326
NO_HAND = -1  # in `HAND_INDEX`: a card paired with itself
BOARD_SIZES = (0, 3, 4, 5)  # before the flop, flop, turn, river

Board = tuple[int, ...]
Mask = npt.NDArray[np.bool_]

HANDS: I32 = np.stack(np.triu_indices(NUM_CARDS, 1), axis=1).astype(np.int32)
"""[1326, 2]: the two cards of each hand, the lower number first."""

HAND_INDEX: I32 = np.full((NUM_CARDS, NUM_CARDS), NO_HAND, np.int32)
"""[52, 52]: the number of the hand of two cards, in either order; `NO_HAND` on the diagonal."""
HAND_INDEX[HANDS[:, 0], HANDS[:, 1]] = np.arange(NUM_HANDS)
HAND_INDEX[HANDS[:, 1], HANDS[:, 0]] = np.arange(NUM_HANDS)


def make_card(rank: int, suit: int) -> int:
    """Return the number of a card."""
    return rank * NUM_SUITS + suit


def rank_of(card: int) -> int:
    """Return a card's rank, 0 (deuce) to 12 (ace)."""
    return card // NUM_SUITS


def suit_of(card: int) -> int:
    """Return a card's suit, an index into `SUITS`."""
    return card % NUM_SUITS


def card_name(card: int) -> str:
    """Return a card's name.

    >>> [card_name(card) for card in (0, 1, 30, 51)]
    ['2s', '2h', '9d', 'Ac']
    """
    return RANKS[rank_of(card)] + SUITS[suit_of(card)]


def parse_card(name: str) -> int:
    """Return the card of a name, upper and lower case alike.

    >>> parse_card("9d"), parse_card("aC")
    (30, 51)
    """
    rank, suit = RANKS.find(name[:1].upper()), SUITS.find(name[1:].lower())
    if len(name) != 2 or rank < 0 or suit < 0:
        raise InputError(
            f"{shorten(name)} is not a card: a rank of {RANKS} and a suit of {SUITS}, such as 9s or Th"
        )
    return make_card(rank, suit)


def hand_index(first: int, second: int) -> int:
    """Return the number of the hand of two different cards, in either order.

    >>> hand_index(1, 0), hand_index(50, 51)
    (0, 1325)
    """
    return int(HAND_INDEX[first, second])


def hand_name(hand: int) -> str:
    """Return a hand's name, the higher rank first.

    >>> [hand_name(hand) for hand in (0, 3, 1325)]
    ['2s2h', '3s2s', 'AdAc']
    """
    low, high = (int(card) for card in HANDS[hand])
    if rank_of(low) == rank_of(high):
        return card_name(low) + card_name(high)
    return card_name(high) + card_name(low)


def parse_hand(name: str) -> int:
    """Return the number of a hand written as two cards.

    >>> parse_hand("AhKh") == parse_hand("KhAh") == hand_index(parse_card("Ah"), parse_card("Kh"))
    True
    """
    if len(name) != 4:
        raise InputError(f"{shorten(name)} is not a hand of two cards, such as AhKh")
    first, second = parse_card(name[:2]), parse_card(name[2:])
    if first == second:
        raise InputError(f"{shorten(name)} holds the same card twice")
    return hand_index(first, second)


def parse_board(text: str) -> Board:
    """Return the cards of a board in the order written; spaces and commas may part them.

    >>> board_name(parse_board("9s7c5s 4h 3c"))
    '9s7c5s4h3c'
    """
    names = "".join(text.replace(",", " ").split())
    cards: list[int] = []
    for start in range(0, len(names), 2):
        try:
            card = parse_card(names[start : start + 2])
        except InputError as error:
            raise InputError(f"board {shorten(text)}: {error}") from None
        if card in cards:
            raise InputError(f"board {shorten(text)}: {card_name(card)} is there twice")
        cards.append(card)
    if len(cards) not in BOARD_SIZES:
        raise InputError(f"board {shorten(text)}: a board has 0, 3, 4 or 5 cards, not {len(cards)}")
    return tuple(cards)


def check_board(board: Sequence[int]) -> Board:
    """Return the cards as a board if they are 0, 3, 4 or 5 different cards."""
    if len(board) not in BOARD_SIZES:
        raise InputError(f"a board has 0, 3, 4 or 5 cards, not {len(board)}")
    for place, card in enumerate(board):
        if not 0 <= card < NUM_CARDS:
            raise InputError(f"a card is a number from 0 to 51, not {card}")
        if card in board[:place]:
            raise InputError(f"{card_name(card)} is on the board twice")
    return tuple(int(card) for card in board)


def board_name(board: Iterable[int]) -> str:
    """Return the names of the cards in a row."""
    return "".join(card_name(card) for card in board)


def compatible_hands(board: Sequence[int]) -> Mask:
    """Return which hands hold no card of the board: [1326] of bool.

    >>> int(compatible_hands(parse_board("9s7c5s4h3c")).sum())
    1081
    """
    is_free = np.ones(NUM_CARDS, np.bool_)
    is_free[list(board)] = False
    compatible: Mask = is_free[HANDS[:, 0]] & is_free[HANDS[:, 1]]
    return compatible
