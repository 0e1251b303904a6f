"""Which bets a player may choose from, on each street: the action abstraction as data.

The text form is `"flop:33,75;turn:75,allin;river:50,100,allin/100,allin"`:

- a number is a percentage of the pot, `allin` the whole stack, `none` no bet at all;
- after a slash follow the sizes of raises, before it those of the round's first bet; without a slash they are
  the same. Before the flop the first raise over the blinds counts as the first bet;
- a part without a street's name holds for the streets that are not named: `"50,100,allin"`;
- streets that nothing is said about get the pot and all-in, `100,allin`.

What a size comes to in chips is decided in `betting`.

Verified: tests/games/holdem/test_bet_sizes.py.
"""

import re
from typing import NamedTuple

from sog.core.errors import InputError
from sog.games.parameters import shorten

PREFLOP, FLOP, TURN, RIVER = range(4)
STREETS = ("preflop", "flop", "turn", "river")
MAX_PERCENT = 10_000.0

_NUMBER = re.compile(r"[0-9]+\.?[0-9]*|\.[0-9]+")


class Menu(NamedTuple):
    """The sizes of one kind of bet."""

    percents: tuple[float, ...]  # of the pot, ascending, each once
    allin: bool


class StreetSizes(NamedTuple):
    """The sizes of one street."""

    first: Menu  # the round's first bet
    raises: Menu  # every later one


class BetSizes(NamedTuple):
    """The sizes of all streets; a street's number is its index."""

    preflop: StreetSizes
    flop: StreetSizes
    turn: StreetSizes
    river: StreetSizes


DEFAULT_STREET = StreetSizes(Menu((100.0,), True), Menu((100.0,), True))


def parse_bet_sizes(text: str) -> BetSizes:
    """Return the sizes that a text names.

    >>> sizes = parse_bet_sizes("turn:75;river:50,100,allin/100,allin")
    >>> sizes.turn.raises, sizes.river.first
    (Menu(percents=(75.0,), allin=False), Menu(percents=(50.0, 100.0), allin=True))
    >>> sizes.flop == DEFAULT_STREET
    True
    """
    named: dict[str, StreetSizes] = {}
    for part in text.split(";") if text.strip() else ():
        street, colon, sizes = (piece.strip() for piece in part.rpartition(":"))
        street = street.lower()
        if colon and street not in STREETS:
            raise InputError(f"bets: {shorten(street)} is not a street; the streets are {', '.join(STREETS)}")
        if street in named:
            raise InputError(f"bets: {street or 'the sizes of the streets not named'} is there twice")
        named[street] = _parse_street(sizes)
    rest = named.get("", DEFAULT_STREET)
    return BetSizes(*(named.get(street, rest) for street in STREETS))


def _parse_street(text: str) -> StreetSizes:
    menus = [_parse_menu(menu) for menu in text.split("/")]
    if len(menus) > 2:
        raise InputError(f"bets: {shorten(text)} has more than one slash: first bets / raises")
    return StreetSizes(menus[0], menus[-1])


def _parse_menu(text: str) -> Menu:
    tokens = [token.strip().lower() for token in text.split(",")]
    if tokens == ["none"]:
        return Menu((), False)
    percents = {_parse_percent(token) for token in tokens if token != "allin"}
    return Menu(tuple(sorted(percents)), "allin" in tokens)


def _parse_percent(token: str) -> float:
    number = token.removesuffix("%").strip()
    percent = float(number) if _NUMBER.fullmatch(number) else 0.0
    if not 0 < percent <= MAX_PERCENT:
        raise InputError(
            f"bets: {shorten(token)} is not a size: write a percentage of the pot, above 0 and at most "
            f"{MAX_PERCENT:.0f}, or allin, or none alone"
        )
    return percent


def format_bet_sizes(sizes: BetSizes) -> str:
    """Return a text that `parse_bet_sizes` reads back exactly.

    >>> format_bet_sizes(parse_bet_sizes("river:50/none"))
    'preflop:100,allin;flop:100,allin;turn:100,allin;river:50/none'
    """
    return ";".join(f"{name}:{_format_street(street)}" for name, street in zip(STREETS, sizes, strict=True))


def _format_street(street: StreetSizes) -> str:
    first, raises = _format_menu(street.first), _format_menu(street.raises)
    return first if first == raises else f"{first}/{raises}"


def _format_menu(menu: Menu) -> str:
    words = [format_percent(percent) for percent in menu.percents] + ["allin"] * menu.allin
    return ",".join(words) or "none"


def format_percent(percent: float) -> str:
    """Return a percentage without needless digits: 75, 33.3."""
    return str(int(percent)) if percent == int(percent) else repr(percent)
