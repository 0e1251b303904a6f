"""Which bets a player may choose from, on each street: the action abstraction as data.

The text form is `"flop:33,75;turn:75,allin;river:50,100,allin/2.5x,allin"`:

- a number is a percentage of the pot, `150c` is 150 chips put in during the round (a raise *to* 150), `2.5x`
  a raise to so many times the opponent's bet, `e` the share of the pot that, bet on every street left, is
  all-in on the river (`2e`: on two streets), `allin` the whole stack, `none` no bet at all;
- after a slash follow the sizes of raises, before it those of the round's first bet; without a slash they are
  the same. Before the flop the first raise over the blinds counts as the first bet;
- a part may be for one player: `oop turn:50`, `ip:75`. `donk turn:25` is for the first bet of the player out
  of position after the other one made the last bet of the street before;
- a part without a street's name holds for the streets that are not named: `"50,100,allin"`;
- streets that nothing is said about get the pot and all-in, `100,allin`;
- `cap:3` allows three bets and raises in a round; `threshold:67` makes a bet of 67 % or more of the player's
  chips all-in; `merge:10` leaves out a size when a larger one is close: X and Y percent of the pot are merged
  if (100 + X) / (100 + Y) is less than 1.1.

Besides the menus, single bets may be added where the betting has come to one point (`AddedBet`): what an
opponent did that the menu does not have. Single moves may be removed there too (`RemovedMove`).

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
_TIMES = re.compile(rf"({_NUMBER.pattern})x")
_GEOMETRIC = re.compile("([1-4]?)e")
_OWNERS = ("oop", "ip", "donk")
_LIMITS = {"cap": (1, 100), "threshold": (1, 100), "merge": (0, 100)}
MAX_TIMES = 100.0


class Menu(NamedTuple):
    """The sizes of one kind of bet."""

    percents: tuple[float, ...]  # of the pot, ascending, each once
    allin: bool
    chips: tuple[int, ...] = ()  # put in during the round, ascending, each once
    times: tuple[float, ...] = ()  # the opponent's bet
    geometric: tuple[int, ...] = ()  # so many streets to all-in; 0 for all that are left


class AddedBet(NamedTuple):
    """A bet or raise at one point of the betting, beside the menu."""

    state: tuple[object, ...]  # the `betting.Betting` in which it may be made
    total: int  # chips the player has committed in the hand after it
    label: str
    path: str  # the moves from the start of the spot that lead to the bet, and the bet: what a person writes


class RemovedMove(NamedTuple):
    """A move that is left out at one point of the betting."""

    state: tuple[object, ...]
    label: str
    path: str


class PlayerSizes(NamedTuple):
    """One player's sizes of a street."""

    first: Menu
    raises: Menu


class StreetSizes(NamedTuple):
    """The sizes of one street."""

    first: Menu  # the round's first bet
    raises: Menu  # every later one
    oop: PlayerSizes | None = None  # of one player, instead of these
    ip: PlayerSizes | None = None
    donk: Menu | None = None  # first bets into the one who bet last on the street before, instead of `first`
    added: tuple[AddedBet, ...] = ()  # a bet that follows another of these stands after it
    removed: tuple[RemovedMove, ...] = ()


class Limits(NamedTuple):
    """What holds for the bets of all streets."""

    cap: float = 0  # bets and raises in a round at most; 0 for any number
    threshold: float = 0  # a bet of so many percent of a player's chips is all-in; 0 for none
    merge: float = 0  # how close sizes are merged, in percent


class BetSizes(NamedTuple):
    """The sizes of all streets, a street's number being its index, and what holds for all of them."""

    preflop: StreetSizes
    flop: StreetSizes
    turn: StreetSizes
    river: StreetSizes
    limits: Limits = Limits()

    @property
    def streets(self) -> tuple[StreetSizes, ...]:
        """The sizes of each street."""
        return self.preflop, self.flop, self.turn, self.river

    @property
    def added_paths(self) -> list[str]:
        """The bets beside the menus, as a person writes them; each in an order in which they can be added."""
        return [bet.path for street in self.streets for bet in street.added]

    @property
    def removed_paths(self) -> list[str]:
        """The moves that are left out, as a person writes them."""
        return [move.path for street in self.streets for move in street.removed]


def replace_street(sizes: BetSizes, street: int, changed: StreetSizes) -> BetSizes:
    """Return the sizes with those of one street changed."""
    streets = [changed if number == street else own for number, own in enumerate(sizes.streets)]
    return BetSizes(streets[0], streets[1], streets[2], streets[3], sizes.limits)


DEFAULT_STREET = StreetSizes(Menu((100.0,), True), Menu((100.0,), True))


def parse_bet_sizes(text: str) -> BetSizes:
    """Return the sizes that a text names.

    >>> sizes = parse_bet_sizes("turn:75;river:50,100,allin/100,allin")
    >>> sizes.turn.raises.percents, sizes.river.first.percents, sizes.river.first.allin
    ((75.0,), (50.0, 100.0), True)
    >>> sizes.flop == DEFAULT_STREET
    True
    """
    named: dict[tuple[str, str], str] = {}  # owner and street
    limits: dict[str, float] = {}
    for part in text.split(";") if text.strip() else ():
        key, _, sizes = (piece.strip() for piece in part.rpartition(":"))
        words = key.lower().split()
        if len(words) == 1 and words[0] in _LIMITS:
            limits[words[0]] = _parse_limit(words[0], sizes)
            continue
        owner = words.pop(0) if words and words[0] in _OWNERS else ""
        street = " ".join(words)
        if street and street not in STREETS:
            raise InputError(f"bets: {shorten(street)} is not a street; the streets are {', '.join(STREETS)}")
        if (owner, street) in named:
            raise InputError(f"bets: {key or 'a part without a street'} is there twice")
        named[owner, street] = sizes
    preflop, flop, turn, river = (_read_street(named, street) for street in STREETS)
    return BetSizes(preflop, flop, turn, river, Limits(**limits))


def _parse_limit(name: str, text: str) -> float:
    low, high = _LIMITS[name]
    number = float(text.removesuffix("%")) if _NUMBER.fullmatch(text.removesuffix("%")) else -1.0
    if not low <= number <= high or (name == "cap" and number != int(number)):
        raise InputError(f"bets: {name}: a number from {low} to {high}, not {shorten(text)}")
    return number


def _read_street(named: dict[tuple[str, str], str], street: str) -> StreetSizes:
    """Return the sizes of a street; what names it goes before what does not."""
    found: dict[str, PlayerSizes] = {}
    for owner in ("", *_OWNERS):
        text = named.get((owner, street), named.get((owner, "")))
        if text is not None:
            found[owner] = _parse_street(text, street == STREETS[PREFLOP])
    both = found.get("", PlayerSizes(DEFAULT_STREET.first, DEFAULT_STREET.raises))
    donk = found.get("donk")
    return StreetSizes(*both, found.get("oop"), found.get("ip"), None if donk is None else donk.first)


def _parse_street(text: str, is_preflop: bool) -> PlayerSizes:
    menus = [_parse_menu(menu) for menu in text.split("/")]
    if len(menus) > 2:
        raise InputError(f"bets: {shorten(text)} has more than one slash: first bets / raises")
    if menus[0].times and not is_preflop:
        raise InputError(
            f"bets: {shorten(text)}: times the opponent's bet is a raise: write it after a slash"
        )
    return PlayerSizes(menus[0], menus[-1])


def _parse_menu(text: str) -> Menu:
    tokens = [token.strip().lower() for token in text.split(",")]
    if tokens == ["none"]:
        return Menu((), False)
    chips, times, geometric, percents = set(), set(), set(), set()
    for token in tokens:
        if _CHIPS.fullmatch(token):
            chips.add(_parse_chips(token))
        elif match := _TIMES.fullmatch(token):
            times.add(_parse_times(token, float(match[1])))
        elif match := _GEOMETRIC.fullmatch(token):
            geometric.add(int(match[1] or 0))
        elif token != "allin":
            percents.add(_parse_percent(token))
    return Menu(
        tuple(sorted(percents)),
        "allin" in tokens,
        tuple(sorted(chips)),
        tuple(sorted(times)),
        tuple(sorted(geometric)),
    )


def _parse_times(token: str, times: float) -> float:
    if not 1 < times <= MAX_TIMES:
        raise InputError(f"bets: {shorten(token)} is not a raise: more than 1x, up to {MAX_TIMES:.0f}x")
    return times


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
            f"{MAX_PERCENT:.0f}, or chips such as 150c, 2.5x for a raise, e, allin, or none alone"
        )
    return percent


def format_bet_sizes(sizes: BetSizes) -> str:
    """Return a text that `parse_bet_sizes` reads back exactly; added and removed moves are not in it.

    >>> format_bet_sizes(parse_bet_sizes("river:50/none;donk turn:25"))
    'preflop:100,allin;flop:100,allin;turn:100,allin;donk turn:25;river:50/none'
    """
    parts = []
    for name, street in zip(STREETS, sizes.streets, strict=True):
        parts.append(f"{name}:{_format_menus(street.first, street.raises)}")
        for owner, own in (("oop", street.oop), ("ip", street.ip)):
            parts += [] if own is None else [f"{owner} {name}:{_format_menus(*own)}"]
        parts += [] if street.donk is None else [f"donk {name}:{_format_menu(street.donk)}"]
    parts += [f"{name}:{format_percent(limit)}" for name, limit in sizes.limits._asdict().items() if limit]
    return ";".join(parts)


def _format_menus(first: Menu, raises: Menu) -> str:
    return _format_menu(first) if first == raises else f"{_format_menu(first)}/{_format_menu(raises)}"


def _format_menu(menu: Menu) -> str:
    words = [format_percent(percent) for percent in menu.percents]
    words += [f"{chips}c" for chips in menu.chips]
    words += [format_times(times) for times in menu.times]
    words += [format_geometric(streets) for streets in menu.geometric]
    return ",".join(words + ["allin"] * menu.allin) or "none"


def format_times(times: float) -> str:
    """Return how a multiple of the opponent's bet is written: 2.5x."""
    return f"{format_percent(times)}x"


def format_geometric(streets: int) -> str:
    """Return how a geometric size is written: e, or 2e for two streets."""
    return f"{streets or ''}e"


def format_percent(percent: float) -> str:
    """Return a percentage without needless digits: 75, 33.3."""
    return str(int(percent)) if percent == int(percent) else repr(percent)
