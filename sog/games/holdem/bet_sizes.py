"""Which bets a player may choose from, on each street: the action abstraction as data.

The text form is `"flop:33,75;turn:75,allin;river:50,100,allin/100,allin"`:

- a number is a percentage of the pot, `150c` is 150 chips put in during the round (a raise *to* 150), `allin`
  the whole stack, `none` no bet at all;
- after a slash follow the sizes of raises, before it those of the round's first bet; without a slash they are
  the same. Before the flop the first raise over the blinds counts as the first bet;
- a part without a street's name holds for the streets that are not named: `"50,100,allin"`;
- streets that nothing is said about get the pot and all-in, `100,allin`.

Besides the menus, single bets may be added where the betting has come to one point (`AddedBet`): what an
opponent did that the menu does not have.

What a size comes to in chips is decided in `betting`.

Verified: tests/games/holdem/test_bet_sizes.py.
"""

import re
from typing import NamedTuple

from sog.core.errors import InputError
from sog.games.parameters import shorten

PREFLOP, FLOP, TURN, RIVER = range(4)
STREETS = ("preflop", "flop", "turn", "river")
MIN_PERCENT, MAX_PERCENT = 1.0, 10_000.0  # who writes 0.5 means half the pot, not half a percent of it
MAX_CHIPS = 10**9

_NUMBER = re.compile(r"[0-9]+\.?[0-9]*|\.[0-9]+")
_CHIPS = re.compile(r"[0-9]{1,10}c")


class Menu(NamedTuple):
    """The sizes of one kind of bet."""

    percents: tuple[float, ...]  # of the pot, ascending, each once
    allin: bool
    chips: tuple[int, ...] = ()  # put in during the round, ascending, each once


class AddedBet(NamedTuple):
    """A bet or raise at one point of the betting, beside the menu."""

    state: tuple[object, ...]  # the `betting.Betting` in which it may be made
    total: int  # chips the player has committed in the hand after it
    label: str
    path: str  # the moves from the start of the spot that lead to the bet, and the bet: what a person writes


class StreetSizes(NamedTuple):
    """The sizes of one street."""

    first: Menu  # the round's first bet
    raises: Menu  # every later one
    added: tuple[AddedBet, ...] = ()  # a bet that follows another of these stands after it


class BetSizes(NamedTuple):
    """The sizes of all streets; a street's number is its index."""

    preflop: StreetSizes
    flop: StreetSizes
    turn: StreetSizes
    river: StreetSizes

    @property
    def added_paths(self) -> list[str]:
        """The bets beside the menus, as a person writes them; each in an order in which they can be added."""
        return [bet.path for street in self for bet in street.added]


DEFAULT_STREET = StreetSizes(Menu((100.0,), True), Menu((100.0,), True))


def parse_bet_sizes(text: str) -> BetSizes:
    """Return the sizes that a text names.

    >>> sizes = parse_bet_sizes("turn:75;river:50,100,allin/100,allin")
    >>> sizes.turn.raises, sizes.river.first
    (Menu(percents=(75.0,), allin=False, chips=()), Menu(percents=(50.0, 100.0), allin=True, chips=()))
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
            raise InputError(f"bets: {street or 'a part without a street'} is there twice")
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
    chips = {token: _parse_chips(token) for token in tokens if _CHIPS.fullmatch(token)}
    percents = {_parse_percent(token) for token in tokens if token != "allin" and token not in chips}
    return Menu(tuple(sorted(percents)), "allin" in tokens, tuple(sorted(set(chips.values()))))


def _parse_chips(token: str) -> int:
    chips = int(token.removesuffix("c"))
    if not 1 <= chips <= MAX_CHIPS:
        raise InputError(f"bets: {shorten(token)} is not a number of chips from 1c to {MAX_CHIPS}c")
    return chips


def _parse_percent(token: str) -> float:
    number = token.removesuffix("%").strip()
    percent = float(number) if _NUMBER.fullmatch(number) else 0.0
    if 0 < percent < MIN_PERCENT:
        raise InputError(f"bets: {shorten(token)} is less than 1 % of the pot; half the pot is 50")
    street = next((street for street in STREETS if token.startswith(street)), None)
    if street is not None:
        raise InputError(
            f"bets: {shorten(token)}: a colon and sizes follow a street, as in {street}:50,allin"
        )
    if not 0 < percent <= MAX_PERCENT:
        raise InputError(
            f"bets: {shorten(token)} is not a size: write a percentage of the pot, from 1 to "
            f"{MAX_PERCENT:.0f}, or chips such as 150c, or allin, or none alone"
        )
    return percent


def format_bet_sizes(sizes: BetSizes) -> str:
    """Return a text that `parse_bet_sizes` reads back exactly; added bets are not in it.

    >>> format_bet_sizes(parse_bet_sizes("river:50/none"))
    'preflop:100,allin;flop:100,allin;turn:100,allin;river:50/none'
    """
    return ";".join(f"{name}:{_format_street(street)}" for name, street in zip(STREETS, sizes, strict=True))


def _format_street(street: StreetSizes) -> str:
    first, raises = _format_menu(street.first), _format_menu(street.raises)
    return first if first == raises else f"{first}/{raises}"


def _format_menu(menu: Menu) -> str:
    words = [format_percent(percent) for percent in menu.percents]
    words += [f"{chips}c" for chips in menu.chips] + ["allin"] * menu.allin
    return ",".join(words) or "none"


def format_percent(percent: float) -> str:
    """Return a percentage without needless digits: 75, 33.3."""
    return str(int(percent)) if percent == int(percent) else repr(percent)
