"""Scotland Yard as a seat sees it: pawns, tickets, Mr. X's log, when he is shown, and where he may be.

Verified: tests/games/test_pictures.py.
"""

from typing import TYPE_CHECKING

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
    stations = set[int]()
    first = history.worlds[0]
    if first.turn >= 0:  # no pawn's start was drawn
        stations = game.possible_starts(first.detectives)
    for before, action, after in zip(history.worlds, history.actions, history.worlds[1:], strict=False):
        if before.turn < 0:
            stations = game.possible_starts(after.detectives) if after.turn >= 0 else set()
        elif before.turn == _HIDER and not game.is_double(action):
            kind, station = divmod(action, game.num_stations)
            stations = {
                end
                for start in stations
                for route, used, end in game.routes(start)
                if used == kind and end not in before.detectives
            }
            if after.moves in game.setup.reveals:
                stations = {station + 1}
        if after.turn >= 0:
            stations -= set(after.detectives)
        elif after.hider in after.detectives:
            stations = {after.hider}  # he is caught, and all see where
    return stations


def _tell_round(game: "ScotlandYard", world: "ScotlandYardWorld") -> str:
    setup = game.setup
    coming = [move for move in setup.reveals if move > world.moves]
    shown = f"Mr. X is shown after move {coming[0]}" if coming else "Mr. X is not shown again"
    return f"Mr. X has made {world.moves} of {setup.rounds} moves.   {shown}."


def _log(game: "ScotlandYard", history: History) -> str:
    """Return Mr. X's tickets, and his station where he was shown."""
    entries = list[str]()
    for before, action, after in zip(history.worlds, history.actions, history.worlds[1:], strict=False):
        if before.turn == _HIDER:
            is_seen = game.is_double(action) or after.moves in game.setup.reveals
            name = game.action_name(before, action)
            entries.append(
                "double:"
                if game.is_double(action)
                else f"{after.moves} {name if is_seen else name.split()[0]}"
            )
    return "  ".join(entries)


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
