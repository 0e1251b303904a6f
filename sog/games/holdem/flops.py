"""Flops that differ by more than the names of suits, and small sets of them that stand for all.

There are 22,100 flops and 1,755 classes of them. A subset has a weight for each of its flops: how many of the
22,100 it stands for. The subsets of 25 and 85 are data, made by `scripts/flop_subsets.py`, which says how.

Verified: tests/games/holdem/test_flops.py.
"""

import csv
from collections import Counter
from functools import cache
from importlib.resources import files
from itertools import combinations, permutations
from typing import NamedTuple

from sog.core.errors import InputError
from sog.games.holdem.cards import NUM_CARDS, NUM_SUITS, Board, board_name, parse_board
from sog.games.parameters import shorten

SUBSETS = (25, 85)
ALL = "all"
FLOP_CARDS = 3
NUM_FLOPS = 22_100


class Flop(NamedTuple):
    """A flop and how many of all flops it stands for."""

    board: Board
    weight: float

    @property
    def name(self) -> str:
        """Its cards."""
        return board_name(self.board)


def first_alike(board: Board) -> Board:
    """Return the flop that stands for all that differ by the names of suits: highest rank and suit first.

    >>> board_name(first_alike(parse_board("2hQcJc")))
    'QsJs2h'
    """
    alike = (
        tuple(sorted((card // NUM_SUITS * NUM_SUITS + suits[card % NUM_SUITS] for card in board), key=_order))
        for suits in permutations(range(NUM_SUITS))
    )
    return min(alike, key=lambda cards: [_order(card) for card in cards])


def _order(card: int) -> tuple[int, int]:
    return -(card // NUM_SUITS), card % NUM_SUITS


@cache
def all_flops() -> tuple[Flop, ...]:
    """Return the 1,755 flops with how many each stands for, high cards first."""
    counts = Counter(first_alike(board) for board in combinations(range(NUM_CARDS), FLOP_CARDS))
    ordered = sorted(counts, key=lambda own: [_order(card) for card in own])
    return tuple(Flop(board, counts[board]) for board in ordered)


def read_flops(text: str) -> list[Flop]:
    """Return the flops that a text asks for: a subset by its size, `all`, or flops by name.

    >>> len(read_flops("25")), [flop.name for flop in read_flops("QsJh2h, AhAd7c:2")]
    (25, ['QsJh2h', 'AhAd7c'])
    """
    if is_subset(text):
        return list(all_flops()) if text.strip().lower() == ALL else _read_subset(int(text))
    flops = [_read_flop(part) for part in text.replace(";", ",").split(",") if part.strip()]
    names = Counter(flop.name for flop in flops)
    for name, count in names.items():
        if count > 1:
            raise InputError(f"flops: {name} is there twice")
    if not flops:
        raise InputError("flops: give 25, 85, all, or flops such as QsJh2h,AhAd7c")
    return flops


def is_subset(text: str) -> bool:
    """Whether a text asks for flops that stand for all suits, not for flops by name."""
    return text.strip().lower() == ALL or text.strip().isdigit()


def _read_subset(size: int) -> list[Flop]:
    if size not in SUBSETS:
        raise InputError(
            f"flops: there are subsets of {', '.join(map(str, SUBSETS))} and {ALL}, not of {size}"
        )
    text = files("sog.games").joinpath("data", f"flops_{size}.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return [Flop(parse_board(row["flop"]), float(row["weight"])) for row in rows]


def _read_flop(text: str) -> Flop:
    cards, _, weight = text.strip().partition(":")
    board = parse_board(cards)
    if len(board) != FLOP_CARDS:
        raise InputError(f"flops: {shorten(cards)} has {len(board)} cards, a flop has {FLOP_CARDS}")
    try:
        number = float(weight or 1)
    except ValueError:
        number = 0.0
    if not 0 < number <= NUM_FLOPS:
        raise InputError(f"flops: {shorten(text)}: a weight is a positive number, at most {NUM_FLOPS}")
    return Flop(board, number)
