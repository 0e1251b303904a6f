"""A spot: a board, a pot, stacks, moves played since the street began, bet sizes and two ranges.

Together they are a subgame to solve. It starts on any street, before the flop too, and at any point of the
street's betting. Player 0 is out of position.

Verified: tests/games/holdem/test_spot.py.
"""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, I32
from sog.core.errors import InputError
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.bet_sizes import MAX_CHIPS, PREFLOP, BetSizes, format_bet_sizes
from sog.games.holdem.betting import (
    BIG_BLIND,
    IP,
    OOP,
    SMALL_BLIND,
    SMALLEST_BET,
    STACK,
    Betting,
    Rake,
    pot_size,
    start_hand,
    start_street,
)
from sog.games.holdem.cards import BOARD_SIZES, NUM_HANDS, board_name, compatible_hands
from sog.games.holdem.move_paths import add_bet, play_history, remove_move
from sog.games.holdem.ranges import count_deals, restrict_range
from sog.games.holdem.strength import RIVER_CARDS, order_by_strength
from sog.games.holdem.view import SpotView

MAX_RAKE = 50  # percent
_NO_RAKE = Rake()


class Spot(NamedTuple):
    """A subgame of heads-up no-limit hold'em."""

    board: tuple[int, ...]
    betting: Betting  # where the spot starts
    sizes: BetSizes
    ranges: F64  # [2, 1326] weights, none on hands that the board blocks
    street_start: Betting  # where the street of the start began
    history: tuple[str, ...]  # labels of the moves from there to the start of the spot
    rake: Rake = Rake()

    @property
    def name(self) -> str:
        """Everything that makes the spot, in one line; the ranges by their hash."""
        digest = hashlib.sha256(np.ascontiguousarray(self.ranges).tobytes()).hexdigest()[:12]
        start = ",".join(f"{key}={value}" for key, value in start_figures(self).items())
        history = f",history={','.join(self.history)!r}" if self.history else ""
        more = f",added={';'.join(self.sizes.added_paths)!r}" if self.sizes.added_paths else ""
        more += f",removed={';'.join(self.sizes.removed_paths)!r}" if self.sizes.removed_paths else ""
        more += f",rake={self.rake.percent:g},rake_cap={self.rake.cap:g}" if self.rake.percent else ""
        return f"holdem({start}{history},bets={format_bet_sizes(self.sizes)!r}{more},ranges={digest})"

    @property
    def hands(self) -> I32:
        """[H] the hands that the board leaves, the infostates of both players; on the river by strength."""
        hands = np.flatnonzero(compatible_hands(self.board)).astype(np.int32)
        if len(self.board) < RIVER_CARDS:
            return hands
        return order_by_strength(self.board, hands)

    def own_view(self, world: None = None) -> SpotView:
        """Return the public view, as games do; a spot has no worlds to begin with."""
        if self.rake.percent:
            raise InputError("rake makes a game that is not zero-sum: it is for sog solve holdem alone")
        return SpotView(self)


def make_spot(
    board: tuple[int, ...],
    pot: int,
    stack: int,
    sizes: BetSizes,
    ranges: F64,
    big_blind: int = SMALLEST_BET,
    *,
    history: str = "",
    added_bets: Sequence[str] = (),
    removed: Sequence[str] = (),
    rake: Rake = _NO_RAKE,
) -> Spot:
    """Return a spot from the flop on, its ranges restricted to the board.

    pot, stack: chips in the pot, and left to each player, at the start of the street.
    big_blind: the smallest bet.
    history: moves on the street before the spot starts, such as `check,bet75`.
    added_bets: paths from the start to bets beside the menu, such as `check,bet60`.
    removed: paths from the start to moves that are left out.
    """
    if len(board) not in BOARD_SIZES[PREFLOP + 1 :]:
        raise InputError(f"a board of the flop, turn or river has 3, 4 or 5 cards, not {len(board)} cards")
    start = start_street(BOARD_SIZES.index(len(board)), pot, stack, big_blind)
    spot = _start(board, start, sizes, ranges, history, added_bets, removed)
    return spot._replace(rake=_check_rake(rake))


def make_preflop_spot(
    sizes: BetSizes,
    ranges: F64 | None = None,
    stack: int = STACK,
    small_blind: int = SMALL_BLIND,
    big_blind: int = BIG_BLIND,
    *,
    ante: int = 0,
    history: str = "",
    added_bets: Sequence[str] = (),
    removed: Sequence[str] = (),
) -> Spot:
    """Return a spot before the flop: the whole game, or what is left of it after some moves.

    stack: chips of each player before the blinds are posted. Without ranges every hand is dealt.

    >>> from sog.games.holdem.bet_sizes import parse_bet_sizes
    >>> make_preflop_spot(parse_bet_sizes(""), history="raise100").betting.committed
    (100, 300)
    """
    weights = np.ones((NUM_PLAYERS, NUM_HANDS)) if ranges is None else ranges
    start = start_hand(stack, small_blind, big_blind, ante)
    return _start((), start, sizes, weights, history, added_bets, removed)


def _check_rake(rake: Rake) -> Rake:
    if not 0 <= rake.percent <= MAX_RAKE or not 0 <= rake.cap <= MAX_CHIPS:
        raise InputError(
            f"rake: from 0 to {MAX_RAKE} percent of the pot, and a cap in chips, not {rake.percent:g} percent"
            f" and {rake.cap:g}"
        )
    return rake


def _start(
    board: tuple[int, ...],
    street_start: Betting,
    sizes: BetSizes,
    ranges: F64,
    history: str,
    added_bets: Sequence[str],
    removed: Sequence[str],
) -> Spot:
    """Return a spot; refuse one in which no two hands can meet."""
    try:
        betting, labels = play_history(street_start, history)
    except InputError as error:
        raise InputError(f"history: {error}") from None
    try:
        for path in added_bets:
            sizes = add_bet(sizes, betting, path)
    except InputError as error:
        raise InputError(f"added bet: {error}") from None
    try:
        for path in removed:
            sizes = remove_move(sizes, betting, path)
    except InputError as error:
        raise InputError(f"removed move: {error}") from None
    weights = np.array([_restrict(player, ranges[player], board) for player in range(NUM_PLAYERS)])
    if count_deals(weights) == 0:
        where = f" on {board_name(board)}" if board else ""
        raise InputError(f"no hand of one range can meet a hand of the other{where}")
    return Spot(board, betting, sizes, weights, street_start, labels)


def _restrict(player: int, weights: F64, board: tuple[int, ...]) -> F64:
    """Return a player's range without the hands that the board blocks: [1326]."""
    try:
        return restrict_range(weights, board)
    except InputError as error:
        raise InputError(f"player {'out of' if player == OOP else 'in'} position: {error}") from None


def start_figures(spot: Spot) -> dict[str, str | int]:
    """Return board, chips and blinds at the start of the spot's street, as they are written.

    Before the flop the stack is that of the start of the hand, and there is no pot but the blinds.
    """
    start = spot.street_start
    if start.street == PREFLOP:
        ante = {"ante": start.dead // 2} if start.dead else {}
        blinds = {"small_blind": start.committed[IP], "big_blind": start.big_blind}
        return {"stack": start.stack + start.dead // 2, **blinds, **ante}
    stack = start.stack - start.committed[OOP]
    return {
        "board": board_name(spot.board),
        "pot": pot_size(start),
        "stack": stack,
        "big_blind": start.big_blind,
    }
