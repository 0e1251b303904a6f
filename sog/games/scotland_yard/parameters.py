"""A map's setup with other numbers: what the game's parameters change, checked, and how it is written.

Verified: tests/games/scotland_yard/test_parameters.py.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from sog.core.errors import InputError
from sog.games.parameters import choice, shorten, whole_number
from sog.games.scotland_yard.board import load_board
from sog.games.scotland_yard.setup import SETUPS, Setup

MAX_ROUNDS = 100
MAX_TICKETS = 20  # of a kind, of each pawn: all of them may come to Mr. X, who counts to 255
MAX_DOUBLES = 10
_GAME = "scotland_yard"


class Changes(NamedTuple):
    """What is to differ from the map's own setup; None for nothing."""

    detectives: int | None = None
    rounds: int | None = None
    reveals: Sequence[int] | None = None
    starts: Sequence[int] | None = None  # of the detectives, in their order
    hider_starts: Sequence[int] | None = None  # that chance draws Mr. X's from
    tickets: Sequence[int] | None = None  # of each detective: taxi, bus, underground
    hider_tickets: Sequence[int] | None = None  # taxi, bus, underground, black
    doubles: int | None = None


def customise(map_name: object, changes: Changes) -> Setup:
    """Return a map's setup with changes; one that cannot be played is refused."""
    setup = SETUPS[choice(_GAME, "map", map_name, tuple(SETUPS))]
    setup = _place_pawns(setup, changes)
    if changes.tickets is not None:
        setup = replace(setup, detective_tickets=_tickets("tickets", changes.tickets, 3))
    if changes.hider_tickets is not None:
        setup = replace(setup, hider_tickets=_tickets("hider_tickets", changes.hider_tickets, 4))
        if not any(setup.hider_tickets):
            raise InputError(f"{_GAME}: hider_tickets must have a ticket for Mr. X's first move")
    if changes.doubles is not None:
        setup = replace(setup, doubles=whole_number(_GAME, "doubles", changes.doubles, 0, MAX_DOUBLES))
    if changes.rounds is not None:
        rounds = whole_number(_GAME, "rounds", changes.rounds, 1, MAX_ROUNDS)
        setup = replace(setup, rounds=rounds, reveals=tuple(move for move in setup.reveals if move <= rounds))
    if changes.reveals is not None:
        moves = _numbers("reveals", "moves", changes.reveals, 1, setup.rounds)
        setup = replace(setup, reveals=tuple(sorted(set(moves))))
    return setup


def _place_pawns(setup: Setup, changes: Changes) -> Setup:
    """Return a setup with other pawns; each must have a station to begin at, whatever chance draws."""
    size = load_board(setup.board).num_stations
    if changes.starts is not None:
        most = len(setup.detective_starts)
        starts = _numbers("starts", "stations", changes.starts, 1, size)
        if not 1 <= len(starts) <= most or len(set(starts)) < len(starts):
            raise InputError(f"{_GAME}: starts must be 1 to {most} different stations, not {list(starts)}")
        setup = replace(setup, detective_starts=tuple((station,) for station in starts))
    if changes.detectives is not None:
        count = whole_number(_GAME, "detectives", changes.detectives, 1, len(setup.detective_starts))
        setup = replace(setup, detective_starts=setup.detective_starts[:count])
    if changes.hider_starts is not None:
        stations = _numbers("hider_starts", "stations", changes.hider_starts, 1, size)
        setup = replace(setup, hider_starts=tuple(sorted(set(stations))))
    fixed = {pool[0] for pool in setup.detective_starts if len(pool) == 1}
    free = set(setup.hider_starts) - fixed
    drawn = sum(len(pool) > 1 and not free.isdisjoint(pool) for pool in setup.detective_starts)
    if len(free) <= drawn:
        raise InputError(f"{_GAME}: detectives may take every start of Mr. X: give him other hider_starts")
    return setup


def _tickets(name: str, given: object, kinds: int) -> tuple[int, ...]:
    counts = _numbers(name, "numbers", given, 0, MAX_TICKETS)
    if len(counts) != kinds:
        names = ", ".join(("taxi", "bus", "underground", "black")[:kinds])
        raise InputError(f"{_GAME}: {name} must be {kinds} numbers ({names}), not {len(counts)}")
    return counts


def _numbers(name: str, what: str, given: object, low: int, high: int) -> tuple[int, ...]:
    if not isinstance(given, list | tuple):
        raise InputError(f"{_GAME}: {name} must be a list of {what}, not {shorten(given)}")
    return tuple(whole_number(_GAME, f"each of {name}", number, low, high) for number in given)


def name_setup(map_name: str, setup: Setup) -> str:
    """Return the string that loads a setup: only what differs from the map's own is written."""
    own = SETUPS[map_name]
    parts = [f"map={map_name}"]
    if setup.detective_starts != own.detective_starts[: len(setup.detective_starts)]:
        parts.append(f"starts={_list(pool[0] for pool in setup.detective_starts)}")
    elif len(setup.detective_starts) != len(own.detective_starts):
        parts.append(f"detectives={len(setup.detective_starts)}")
    if setup.rounds != own.rounds:
        parts.append(f"rounds={setup.rounds}")
    for name, numbers, usual in (
        ("reveals", setup.reveals, tuple(move for move in own.reveals if move <= setup.rounds)),
        ("hider_starts", setup.hider_starts, own.hider_starts),
        ("tickets", setup.detective_tickets, own.detective_tickets),
        ("hider_tickets", setup.hider_tickets, own.hider_tickets),
    ):
        if numbers != usual:
            parts.append(f"{name}={_list(numbers)}")
    if setup.doubles != own.doubles:
        parts.append(f"doubles={setup.doubles}")
    return f"{_GAME}({','.join(parts)})"


def _list(numbers: Iterable[int]) -> str:
    return f"[{','.join(map(str, numbers))}]"
