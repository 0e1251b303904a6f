"""Suits that are alike: chance cards whose subgames are the same but for the names of suits.

A renaming of the suits that leaves the board and both ranges as they are maps the game onto itself, so two
next cards that it maps onto each other open equal subgames, hands renamed. Only one card of each such orbit
needs to be solved; its values count for the others through a permutation of the hands.

In a tree of several streets the renamings of a later street are those of the root that leave each card dealt
since then in its place (`fix_card`). Asking `find_symmetries` for the longer board instead would be wrong: on
7s5c2d7h spades and hearts are alike, but not if the betting on the flop 7s5c2d came first.

Renamings are rows of four suits: suit `s` becomes `row[s]`. Equality of weights is exact.

Verified: tests/games/holdem/test_isomorphism.py (by brute force over names, and over all runouts of flops).
"""

from collections.abc import Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, I32, U32
from sog.core.errors import InputError
from sog.games.holdem.cards import (
    HAND_INDEX,
    HANDS,
    NUM_CARDS,
    NUM_HANDS,
    NUM_SUITS,
    check_board,
    compatible_hands,
)

NO_ORBIT = -1


class CardOrbits(NamedTuple):
    """The next chance card, cards with equal subgames taken together."""

    representatives: I32  # [R] the lowest card of each orbit, ascending
    sizes: I32  # [R] how many cards each orbit has
    orbit_of: I32  # [52] the orbit of each card, NO_ORBIT for a card of the board
    hand_maps: U32  # [52, 1326] hand h after card c is worth what hand_maps[c, h] is after its representative


def find_symmetries(board: Sequence[int], ranges: F64) -> I32:
    """Return the renamings of suits that leave the board and all ranges as they are: [G, 4], identity first.

    ranges: [P, 1326]; weights of hands that hold a card of the board do not matter.

    >>> from sog.games.holdem.cards import parse_board
    >>> len(find_symmetries(parse_board("9s7s5s"), np.ones((2, NUM_HANDS))))
    6
    """
    cards = sorted(check_board(board))
    if ranges.ndim != 2 or ranges.shape[1] != NUM_HANDS:
        raise InputError(f"ranges have the shape [players, {NUM_HANDS}], not {list(ranges.shape)}")
    weights = np.where(compatible_hands(board), ranges, 0.0)
    rows = [
        suits
        for suits in permutations(range(NUM_SUITS))
        if sorted(rename_cards(suits)[cards]) == cards
        and np.array_equal(weights[:, rename_hands(suits)], weights)
    ]
    return np.array(rows, np.int32)


def rename_cards(suits: Sequence[int]) -> I32:
    """Return what each card becomes when suits are renamed: [52]."""
    cards = np.arange(NUM_CARDS)
    renamed: I32 = (cards // NUM_SUITS * NUM_SUITS + np.asarray(suits)[cards % NUM_SUITS]).astype(np.int32)
    return renamed


def rename_hands(suits: Sequence[int]) -> U32:
    """Return what each hand becomes when suits are renamed: [1326]."""
    cards = rename_cards(suits)
    return HAND_INDEX[cards[HANDS[:, 0]], cards[HANDS[:, 1]]].astype(np.uint32)


def fix_card(symmetries: I32, card: int) -> I32:
    """Return the renamings that leave a card in its place. symmetries: [G, 4]; result: [at most G, 4]."""
    suit = card % NUM_SUITS
    fixing: I32 = symmetries[symmetries[:, suit] == suit]
    return fixing


def find_card_orbits(symmetries: I32, board: Sequence[int]) -> CardOrbits:
    """Return the orbits of the cards that may come next on a flop or turn.

    symmetries: [G, 4], renamings that form a group and leave the board as it is.

    >>> from sog.games.holdem.cards import board_name, parse_board
    >>> flop = parse_board("9s7s5s")
    >>> orbits = find_card_orbits(find_symmetries(flop, np.ones((2, NUM_HANDS))), flop)
    >>> board_name(orbits.representatives), int(orbits.sizes.sum())
    ('2s2h3s3h4s4h5h6s6h7h8s8h9hTsThJsJhQsQhKsKhAsAh', 49)
    """
    representatives: list[int] = []
    orbit_of = np.full(NUM_CARDS, NO_ORBIT, np.int32)
    hand_maps = np.tile(np.arange(NUM_HANDS, dtype=np.uint32), (NUM_CARDS, 1))
    renamings = [(rename_cards(suits), rename_hands(suits)) for suits in symmetries.tolist()]
    for card in sorted(set(range(NUM_CARDS)) - set(board)):
        images = [int(cards[card]) for cards, _ in renamings]
        lowest = min(images)
        if lowest == card:
            orbit_of[card] = len(representatives)
            representatives.append(card)
        else:
            orbit_of[card] = orbit_of[lowest]
            hand_maps[card] = renamings[images.index(lowest)][1]
    return CardOrbits(
        representatives=np.array(representatives, np.int32),
        sizes=np.bincount(orbit_of[orbit_of != NO_ORBIT], minlength=len(representatives)).astype(np.int32),
        orbit_of=orbit_of,
        hand_maps=hand_maps,
    )
