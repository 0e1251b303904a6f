"""What would make a solve fit into memory that does not: sixteen bits, fewer sizes, suits that are alike.

Verified: tests/interfaces/cli/test_holdem_command.py.
"""

from collections.abc import Iterator

import numpy as np

from sog.core.errors import InputError
from sog.games.holdem.bet_sizes import BetSizes, Limits, Menu, PlayerSizes, replace_street
from sog.games.holdem.isomorphism import find_symmetries, rename_hands
from sog.games.holdem.spot import Spot
from sog.poker import spot_size
from sog.poker.spot_size import estimate_bytes, format_bytes

_SHORT = "int16"
_FEW_RAISES = 2


def check_memory(spot: Spot, dtype: str, needed: int) -> None:
    """Refuse a solve for which the machine has not enough memory left; say what would take less."""
    available = spot_size.available_bytes()
    if needed > available:
        ways = "; ".join(f"{words} {format_bytes(size)}" for words, size in ways_to_fit(spot, dtype))
        raise InputError(
            f"the solve needs about {format_bytes(needed)} of memory, and {format_bytes(available)} are"
            f" available. What takes less: {ways}"
        )


def ways_to_fit(spot: Spot, dtype: str) -> Iterator[tuple[str, int]]:
    """Go through changes that make a solve smaller, in words, and about how many bytes they leave."""
    if dtype != _SHORT:
        yield "--dtype int16", estimate_bytes(spot, _SHORT)
    capped = spot._replace(sizes=spot.sizes._replace(limits=_cap(spot.sizes.limits)))
    few = spot._replace(sizes=one_size(spot.sizes))
    for words, other in ((f"--bets with cap:{_FEW_RAISES}", capped), ("one size for each bet", few)):
        if other.sizes != spot.sizes:
            yield words, estimate_bytes(other, dtype)
    alike = find_symmetries(spot.board, np.ones_like(spot.ranges))
    if len(alike) > len(find_symmetries(spot.board, spot.ranges)):
        ranges = np.max([spot.ranges[:, rename_hands(suits.tolist())] for suits in alike], axis=0)
        yield "ranges that treat suits alike", estimate_bytes(spot._replace(ranges=ranges, locks=()), dtype)
    if few.sizes != spot.sizes and dtype != _SHORT:
        yield "one size in int16", estimate_bytes(few, _SHORT)


def _cap(limits: Limits) -> Limits:
    return limits._replace(cap=min(limits.cap or _FEW_RAISES, _FEW_RAISES))


def one_size(sizes: BetSizes) -> BetSizes:
    """Return sizes of which each menu keeps one: the smallest percentage, or else what it has first.

    >>> from sog.games.holdem.bet_sizes import format_bet_sizes, parse_bet_sizes
    >>> format_bet_sizes(one_size(parse_bet_sizes("33,75,allin/2x,allin")))[:13]
    'preflop:33/2x'
    """
    for number, street in enumerate(sizes.streets):
        kept = street._replace(
            first=_first(street.first),
            raises=_first(street.raises),
            oop=None if street.oop is None else PlayerSizes(*map(_first, street.oop)),
            ip=None if street.ip is None else PlayerSizes(*map(_first, street.ip)),
            donk=None if street.donk is None else _first(street.donk),
            added=(),
        )
        sizes = replace_street(sizes, number, kept)
    return sizes


def _first(menu: Menu) -> Menu:
    """Return a menu with one of its sizes."""
    for name in ("percents", "times", "geometric", "chips"):
        if getattr(menu, name):
            return Menu((), False)._replace(**{name: getattr(menu, name)[:1]})
    return menu
