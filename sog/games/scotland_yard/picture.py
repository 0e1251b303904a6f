"""Scotland Yard as a seat sees it: pawns, tickets, Mr. X's log, when he is shown, and where he may be.

Verified: tests/games/test_pictures.py.
"""

from typing import TYPE_CHECKING, NamedTuple

from sog.games.picture import History, Picture, lines

if TYPE_CHECKING:
    from sog.games.scotland_yard.game import ScotlandYard, ScotlandYardWorld

_HIDER = 0
_BLACK = 3  # the kind of ticket that detectives have not
_WIDTH = 96  # characters of a list of stations


def draw(game: "ScotlandYard", history: History, seat: int) -> Picture:
    """Tell everything that the detectives know, and to Mr. X also where he is."""
    world, setup = history.world, game.setup
    told = [_tell_round(game, world)]
    told.append(f"Log: {_log(game, history) or 'no moves yet'}")
    for number, station in enumerate(world.detectives, start=1):
        turn = " <- to move" if world.turn == number else ""
        tickets = _tickets(game.ticket_names[:_BLACK], world.detective_tickets[number - 1])
        told.append(f"Detective {number} at {station}: {tickets}{turn}")
    doubles = f", {world.doubles} double moves" if setup.doubles else ""
    turn = " <- to move" if world.turn == 0 else ""
    told.append(f"Mr. X: {_tickets(game.ticket_names, world.hider_tickets)}{doubles}{turn}")
    if seat == _HIDER and world.hider:
        told.append(f"You are at {world.hider}.")
    stations = sorted(possible_stations(game, history))
    if stations:
        told += _wrapped(f"Possible stations of Mr. X ({len(stations)}):", stations)
    return lines("\n".join(told))


def possible_stations(game: "ScotlandYard", history: History) -> set[int]:
    """Return where Mr. X may be, by what the detectives have seen; empty before he hides."""
    return set(likely_stations(game, history))


def likely_stations(game: "ScotlandYard", history: History) -> dict[int, float]:
    """Return how likely Mr. X is to be where he may be, if he chose among all his moves at random.

    It is what the detectives have seen that counts, and nothing else; empty before he hides.
    """
    likely = dict[int, float]()
    first = history.worlds[0]
    if first.turn >= 0:  # no pawn's start was drawn
        likely = dict.fromkeys(game.possible_starts(first.detectives), 1.0)
    for before, action, after in zip(history.worlds, history.actions, history.worlds[1:], strict=False):
        if before.turn < 0:
            starts = game.possible_starts(after.detectives) if after.turn >= 0 else set()
            likely = dict.fromkeys(starts, 1.0)
        elif before.turn == _HIDER:
            likely = _moved(game, likely, before, action, after)
        if after.turn >= 0:
            stuck = {own for own in likely if after.turn == _HIDER and not _can_move(game, after, own)}
            likely = {own: share for own, share in likely.items() if own not in {*after.detectives, *stuck}}
        elif after.hider in after.detectives:
            likely = {after.hider: 1.0}  # he is caught, and all see where
    total = sum(likely.values())
    return {own: share / total for own, share in likely.items()}


def _moved(
    game: "ScotlandYard",
    likely: dict[int, float],
    before: "ScotlandYardWorld",
    action: int,
    after: "ScotlandYardWorld",
) -> dict[int, float]:
    """Return where Mr. X may be after a move of his, as the detectives see it."""
    moved = dict[int, float]()
    for start, share in likely.items():
        actions = game.legal_actions(before._replace(hider=start))
        if game.is_double(action):
            moved[start] = share / len(actions)
            continue
        kind, end = divmod(action, game.num_stations)
        for own in actions:
            if game.is_double(own) or own // game.num_stations != kind:
                continue
            if after.moves not in game.setup.reveals or own % game.num_stations == end:
                place = own % game.num_stations + 1
                moved[place] = moved.get(place, 0.0) + share / len(actions)
    return moved


def _can_move(game: "ScotlandYard", world: "ScotlandYardWorld", station: int) -> bool:
    """Return whether Mr. X, whose turn it is, has a move at a station."""
    return bool(game.legal_actions(world._replace(hider=station, doubles=0)))


class Entry(NamedTuple):
    """A line of Mr. X's log, as the detectives see it."""

    ticket: str
    station: int | None  # where he was shown
    is_double: bool  # the first half of a double move


def log_entries(game: "ScotlandYard", history: History) -> list[Entry]:
    """Return Mr. X's log."""
    entries, is_double = list[Entry](), False
    for before, action, after in zip(history.worlds, history.actions, history.worlds[1:], strict=False):
        if before.turn == _HIDER and game.is_double(action):
            is_double = True
        elif before.turn == _HIDER:
            kind, station = divmod(action, game.num_stations)
            is_shown = after.moves in game.setup.reveals
            entries.append(Entry(game.ticket_names[kind], station + 1 if is_shown else None, is_double))
            is_double = False
    return entries


def _tell_round(game: "ScotlandYard", world: "ScotlandYardWorld") -> str:
    setup = game.setup
    coming = [move for move in setup.reveals if move > world.moves]
    shown = f"Mr. X is shown after move {coming[0]}" if coming else "Mr. X is not shown again"
    return f"Mr. X has made {world.moves} of {setup.rounds} moves.   {shown}."


def _log(game: "ScotlandYard", history: History) -> str:
    """Return Mr. X's tickets, and his station where he was shown."""
    told = [
        f"{'double:  ' if entry.is_double else ''}{number} {entry.ticket}"
        + (f" {entry.station}" if entry.station else "")
        for number, entry in enumerate(log_entries(game, history), 1)
    ]
    is_declared = history.last is not None and game.is_double(history.last)
    return "  ".join([*told, "double:"] if is_declared else told)


def _tickets(names: tuple[str, ...], counts: tuple[int, ...]) -> str:
    """Return tickets of the kinds that the map has."""
    return ", ".join(f"{count} {name}" for name, count in zip(names, counts, strict=False))


def _wrapped(title: str, stations: list[int]) -> list[str]:
    rows = [title]
    for station in stations:
        if len(rows[-1]) + len(str(station)) >= _WIDTH:
            rows.append(" ")
        rows[-1] += f" {station}"
    return rows
