"""Heads-up no-limit hold'em from the first card, as Student of Games and Player of Games play it.

Blinds of 50 and 100; a player may fold, call, or bet and raise one share of the pot. All-in is possible
besides. In training each hand has a stack and a share of its own, as in Player of Games (appendix B.7): the
share between half the pot and all of it, also where agents are measured. The papers do not say which stacks
were drawn: here they are from 50 to 200 big blinds.

Verified: tests/games/holdem/test_hunl.py.
"""

from collections.abc import Sequence

import numpy as np

from sog.core.errors import InputError
from sog.games.holdem.bet_sizes import (
    MAX_CHIPS,
    MAX_PERCENT,
    MIN_PERCENT,
    BetSizes,
    Limits,
    Menu,
    StreetSizes,
)
from sog.games.holdem.betting import BIG_BLIND, STACK, start_hand
from sog.games.holdem.hand_records import HandState
from sog.games.holdem.spot import Spot, make_preflop_spot
from sog.games.parameters import shorten, whole_number

DRAWN_STACKS = 50 * BIG_BLIND, 200 * BIG_BLIND
DRAWN_SHARES = 50.0, 100.0  # percent of the pot
USUAL_SHARE = 75.0
_DIGITS = 2  # of a drawn percentage
_CAP = 6  # bets in a round at most; larger trees are rare, and a hundred times as large


def one_size(percent: float, cap: int = _CAP) -> BetSizes:
    """Return the menu of one share of the pot, and all-in, on every street."""
    menu = Menu((percent,), True)
    street = StreetSizes(menu, menu)
    return BetSizes(street, street, street, street, Limits(cap=cap))


def draw_hand(rng: np.random.Generator) -> HandState:
    """Return the start of a hand, its stack and bet size drawn."""
    stack = int(rng.integers(DRAWN_STACKS[0], DRAWN_STACKS[1], endpoint=True))
    percent = round(float(rng.uniform(*DRAWN_SHARES)), _DIGITS)
    return HandState(start_hand(stack), (), one_size(percent))


def make_hunl(
    stack: int | None = None,
    percent: float | None = None,
    *,
    history: str = "",
    added_bets: Sequence[str] = (),
    removed: Sequence[str] = (),
) -> Spot:
    """Return the whole game as a spot before the flop.

    >>> make_hunl(stack=500).betting.committed
    (100, 50)
    """
    chips = STACK if stack is None else whole_number("hunl", "stack", stack, BIG_BLIND + 1, MAX_CHIPS)
    share = USUAL_SHARE if percent is None else percent
    if (
        isinstance(share, bool)
        or not isinstance(share, (int, float))
        or not MIN_PERCENT <= share <= MAX_PERCENT
    ):
        raise InputError(
            f"hunl: percent is a share of the pot from {MIN_PERCENT:g} to {MAX_PERCENT:g},"
            f" not {shorten(share)}"
        )
    return make_preflop_spot(
        one_size(float(share)), stack=chips, history=history, added_bets=added_bets, removed=removed
    )
