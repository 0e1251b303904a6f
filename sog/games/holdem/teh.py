"""Turn endgame hold'em (TEH), as the ReBeL paper (Brown, Bakhtin, Lerer and Gong, 2020) has it in C.2.

Hold'em with blinds of 50 and 100 in which both players call through the first two rounds, so that every hand
comes to the turn, with 1,000 from each player in the pot. The first bet of a round is 0.5 or 1 pot or all-in,
later ones are 0.75 pot or all-in. The paper measures exploitability on 3s7hTdKs with stacks of 20,000, and
trains on random boards, on stacks from 5,000 to 50,000, and on sizes moved by up to 0.1 pot.

A stack is what a player starts the hand with, as in no-limit hold'em elsewhere in the paper: of 20,000 there
are 19,000 left on the turn. The paper does not say so in as many words.

Verified: tests/games/holdem/test_teh.py.
"""

from collections.abc import Sequence

import numpy as np

from sog.core.errors import InputError
from sog.core.rng import make_rng
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.bet_sizes import MAX_CHIPS, TURN, BetSizes, Menu, StreetSizes
from sog.games.holdem.betting import BIG_BLIND, STACK
from sog.games.holdem.cards import BOARD_SIZES, NUM_CARDS, NUM_HANDS, parse_board
from sog.games.holdem.spot import Spot, make_spot
from sog.games.parameters import whole_number

TEST_BOARD = "3s7hTdKs"
EACH_IN_POT = 1_000
FIRST_BETS, LATER_BETS = (50.0, 100.0), (75.0,)  # percentages of the pot; all-in is there besides
DRAWN_STACKS = (5_000, 50_000)
MOST_MOVED = 10.0  # by how many percent of the pot a drawn size differs at most
_DIGITS = 2  # of a drawn percentage, which names the bet: bet47.38
_MAX_SEED = 2**63 - 1


def make_teh(
    board: str | None = None,
    stack: int | None = None,
    seed: int | None = None,
    *,
    history: str = "",
    added_bets: Sequence[str] = (),
    removed: Sequence[str] = (),
) -> Spot:
    """Return the game on which the paper measures, or, with a seed, one like those on which it trains.

    A board or a stack that is given is taken instead of the paper's or of a drawn one.

    >>> make_teh().name.partition(",bets")[0]
    'holdem(board=3s7hTdKs,pot=2000,stack=19000,big_blind=100'
    """
    sizes = _bet_sizes(FIRST_BETS, LATER_BETS)
    cards: tuple[int, ...] = parse_board(TEST_BOARD)
    chips = STACK
    if seed is not None:
        rng = make_rng(whole_number("teh", "seed", seed, 0, _MAX_SEED))
        cards = tuple(rng.permutation(NUM_CARDS)[: BOARD_SIZES[TURN]].tolist())
        chips = int(rng.integers(DRAWN_STACKS[0], DRAWN_STACKS[1], endpoint=True))
        sizes = _bet_sizes(_move(FIRST_BETS, rng), _move(LATER_BETS, rng))
    if board is not None:
        cards = _parse_turn(board)
    if stack is not None:
        chips = whole_number("teh", "stack", stack, EACH_IN_POT + 1, MAX_CHIPS)
    return make_spot(
        cards,
        NUM_PLAYERS * EACH_IN_POT,
        chips - EACH_IN_POT,
        sizes,
        np.ones((NUM_PLAYERS, NUM_HANDS)),
        BIG_BLIND,
        history=history,
        added_bets=added_bets,
        removed=removed,
    )


def _bet_sizes(first: tuple[float, ...], later: tuple[float, ...]) -> BetSizes:
    """Return the same sizes for all streets; only the turn and the river are played."""
    street = StreetSizes(Menu(first, True), Menu(later, True))
    return BetSizes(street, street, street, street)


def _move(percents: tuple[float, ...], rng: np.random.Generator) -> tuple[float, ...]:
    """Return percentages, each moved at random."""
    return tuple(round(percent + rng.uniform(-MOST_MOVED, MOST_MOVED), _DIGITS) for percent in percents)


def _parse_turn(text: object) -> tuple[int, ...]:
    if not isinstance(text, str):
        raise InputError(f"teh: board must be four cards in quotes, such as '{TEST_BOARD}', not {text}")
    cards = parse_board(text)
    if len(cards) != BOARD_SIZES[TURN]:
        raise InputError(f"teh starts on the turn: a board of four cards, not {len(cards)}")
    return cards
