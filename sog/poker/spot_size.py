"""How large a hold'em spot's public tree is, and what solving it takes, before any of it is built.

The betting does not depend on the cards, so the tree is counted without them: what follows a card stands
there once for every card that can come.

Verified: tests/interfaces/cli/test_holdem_command.py (against trees that were built).
"""

import os
from math import comb
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sog.core.errors import InputError
from sog.games.base import CHANCE, TERMINAL
from sog.games.holdem.betting import OOP, Betting, actor, apply, deal, is_showdown, legal_moves
from sog.games.holdem.cards import BOARD_SIZES, NUM_CARDS
from sog.games.holdem.spot import Spot
from sog.poker.streets import count_rows

MAX_BETTING_STATES = 100_000  # more of them, cards aside, are no tree that could be solved
BASE_BYTES = 140_000_000  # the program itself
ROW_BYTES = 40  # tables of a hand on a board
_MEMORY = Path("/proc/meminfo")


class SpotSize(NamedTuple):
    """What a spot's public tree has."""

    decisions: int
    chance: int  # nodes where a card comes
    showdowns: int
    folds: int
    moves: int  # of all decisions together

    @property
    def public_nodes(self) -> int:
        """All nodes."""
        return self.decisions + self.chance + self.showdowns + self.folds


def measure_spot(spot: Spot) -> SpotSize:
    """Count a spot's public tree.

    >>> from sog.games.holdem.bet_sizes import parse_bet_sizes
    >>> from sog.games.holdem.cards import parse_board
    >>> from sog.games.holdem.spot import make_spot
    >>> spot = make_spot(parse_board("9s7c5s4h3c"), 200, 19_900, parse_bet_sizes(""), np.ones((2, 1326)))
    >>> size = measure_spot(spot)
    >>> size.public_nodes, size.decisions, size.showdowns, size.folds
    (57, 20, 19, 18)
    """
    try:
        return _measure(spot.betting, spot, {})
    except RecursionError:
        raise InputError("the bets are so small for the stack that raising goes on for too long") from None


def _measure(state: Betting, spot: Spot, known: dict[Betting, SpotSize]) -> SpotSize:
    """Count what stands below a state of the betting; `known` keeps what has been counted."""
    if state in known:
        return known[state]
    if len(known) >= MAX_BETTING_STATES:
        raise InputError(f"the bets allow more than {MAX_BETTING_STATES:,} ways to bet: give fewer sizes")
    who = actor(state)
    if who == TERMINAL:
        size = SpotSize(0, 0, 1, 0, 0) if is_showdown(state) else SpotSize(0, 0, 0, 1, 0)
    elif who == CHANCE:
        known_cards, after = BOARD_SIZES[state.street : state.street + 2]
        cards = comb(NUM_CARDS - known_cards, after - known_cards)
        below = _measure(deal(state), spot, known)
        size = SpotSize(*(cards * count for count in below))._replace(chance=1 + cards * below.chance)
    else:
        moves = legal_moves(state, spot.sizes)
        parts = [SpotSize(1, 0, 0, 0, len(moves))]
        parts += [_measure(apply(state, move), spot, known) for move in moves]
        size = SpotSize(*(sum(counts) for counts in zip(*parts, strict=True)))
    known[state] = size
    return size


Moves = tuple[int, int]  # of all decisions of each player


def count_moves(spot: Spot) -> list[Moves]:
    """Return the moves of both players on each street from the spot's on, cards aside."""
    moves = _count_moves(spot.betting, spot, {})
    return moves[spot.betting.street :]


def _count_moves(state: Betting, spot: Spot, known: dict[Betting, list[Moves]]) -> list[Moves]:
    """Return the moves on each street below a state of the betting; `known` keeps what has been counted."""
    if state not in known:
        counts = [(0, 0)] * len(BOARD_SIZES)
        parts = []
        if actor(state) == CHANCE:
            parts = [_count_moves(deal(state), spot, known)]
        elif actor(state) != TERMINAL:
            moves = legal_moves(state, spot.sizes)
            own = len(moves)
            counts[state.street] = (own, 0) if state.to_act == OOP else (0, own)
            parts = [_count_moves(apply(state, move), spot, known) for move in moves]
        known[state] = [
            (sum(own for own, _ in street), sum(own for _, own in street))
            for street in zip(counts, *parts, strict=True)
        ]
    return known[state]


def estimate_bytes(spot: Spot, dtype: str, is_optimistic: bool = False) -> int:
    """Return about how many bytes a solve takes: a regret and an average for each move and hand."""
    moves = count_moves(spot)
    rows = [(first, second) for _, first, second in count_rows(spot, len(moves))]
    return bytes_of(moves, rows, dtype, kept=3 if is_optimistic else 2)


def bytes_of(moves: list[Moves], rows: list[tuple[int, int]], dtype: str, kept: int = 2) -> int:
    """Return the bytes of so many numbers for each move and hand of both players on each street."""
    numbers = sum(
        own_moves * own_rows
        for both_moves, both_rows in zip(moves, rows, strict=True)
        for own_moves, own_rows in zip(both_moves, both_rows, strict=True)
    )
    tables = ROW_BYTES * sum(first + second for first, second in rows)
    return BASE_BYTES + np.dtype(dtype).itemsize * kept * numbers + tables


def available_bytes() -> int:
    """Return how much memory the machine can still give."""
    if _MEMORY.exists():
        for line in _MEMORY.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def format_bytes(number: int) -> str:
    """Return a number of bytes as people say it.

    >>> format_bytes(3_400_000), format_bytes(1_250_000_000)
    ('3 MB', '1.2 GB')
    """
    return f"{number / 1e9:,.1f} GB" if number >= 1e9 else f"{number / 1e6:,.0f} MB"
