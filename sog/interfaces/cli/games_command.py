"""`sog games`: the games, their parameters and sizes.

Verified: tests/interfaces/cli/test_games_command.py.
"""

import inspect
from typing import Any, NamedTuple

from sog.games.base import AnyGame
from sog.games.registry import GAMES, OPENSPIEL_PREFIX, SPOTS, factory_of, registered_games
from sog.interfaces.output import columns, print_json

_HEADER = ("name", "parameters", "information", "actions", "length", "utility", "what it is")
_OPENSPIEL = "any two-player zero-sum game of OpenSpiel, if it is installed"


class Options(NamedTuple):
    """The options of `sog games`."""

    json: bool


def run(options: Options) -> int:
    """Print every registered game as its parameters' defaults make it."""
    games = [_figures(name, factory_of(name)()) for name in GAMES]
    if options.json:
        spots = {name: entry.summary for name, entry in SPOTS.items()}
        registered = {name: point.value for name, point in registered_games().items()}
        openspiel = f"{OPENSPIEL_PREFIX}NAME: {_OPENSPIEL}"
        print_json({"games": games, "spots": spots, "registered": registered, "openspiel": openspiel})
        return 0
    rows = [_HEADER, *(_row(game) for game in games)]
    print("\n".join(columns(rows)))
    print("\nPoker spots, for sog solve and sog compare:")
    print("\n".join(columns([(f"  {name}", entry.summary) for name, entry in SPOTS.items()])))
    if registered_games():
        print("\nGames of other packages:")
        print("\n".join(columns([(f"  {name}", point.value) for name, point in registered_games().items()])))
    print("\nFILE.py:CLASS, or package.module:CLASS, is a game of your own (docs/own_game.md).")
    print(f"{OPENSPIEL_PREFIX}NAME(parameter=value,...) is {_OPENSPIEL}.")
    print("Length counts chance's moves; utility is the most that a play can win. Sizes are the defaults'.")
    return 0


def information(game: AnyGame) -> str:
    """Return whether a game hides anything, in a word."""
    return "perfect" if game.info.is_perfect_information else "imperfect"


def _figures(name: str, game: AnyGame) -> dict[str, Any]:
    info = game.info
    known = inspect.signature(factory_of(name)).parameters.values()
    return {
        "name": name,
        "parameters": {parameter.name: parameter.default for parameter in known},
        "information": information(game),
        "num_actions": info.num_actions,
        "max_length": info.max_length,
        "max_utility": info.max_utility,
        "summary": GAMES[name].summary,
    }


def _row(game: dict[str, Any]) -> list[str]:
    return [
        game["name"],
        " ".join(f"{key}={_default(value)}" for key, value in game["parameters"].items()) or "-",
        game["information"],
        str(game["num_actions"]),
        str(game["max_length"]),
        f"{game['max_utility']:g}",
        game["summary"],
    ]


def _default(value: Any) -> str:
    if value is None:
        return "…"  # another parameter decides
    if isinstance(value, tuple):
        return str([list(row) for row in value]).replace(" ", "")
    return str(value)
