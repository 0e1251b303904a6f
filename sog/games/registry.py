"""Games by name: `load("liars_dice(dice=1,faces=6)")`.

A game's line below names its module and class; nothing is imported until the game is asked for. Parameters
are the class's keyword arguments, written as Python literals; a bare word is a string.
"""

import importlib
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

from sog.core.errors import InputError
from sog.core.spec import parse_spec
from sog.games.base import AnyGame


class Entry(NamedTuple):
    """Where a game lives, and one sentence about it."""

    module: str
    factory: str
    summary: str


GAMES: dict[str, Entry] = {
    "kuhn": Entry("sog.games.kuhn", "Kuhn", "three cards, one bet"),
    "leduc": Entry("sog.games.leduc", "Leduc", "six cards, two betting rounds, one public card"),
    "liars_dice": Entry("sog.games.liars_dice", "LiarsDice", "secret rolls, rising bids, highest face wild"),
    "goofspiel": Entry("sog.games.goofspiel", "Goofspiel", "bid a card at once for each prize"),
    "matrix": Entry("sog.games.matrix", "matrix", "one simultaneous choice, payoffs by a table"),
    "rps": Entry("sog.games.matrix", "rps", "rock-paper-scissors where scissors count double"),
    "scotland_yard": Entry("sog.games.scotland_yard.game", "ScotlandYard", "detectives hunt a hidden Mr. X"),
    "chess": Entry("sog.games.chess.game", "Chess", "full rules from any position, perfect information"),
    "go": Entry("sog.games.go.game", "Go", "surround more than the other; boards of 2 to 19 lines"),
    "breakthrough": Entry("sog.games.breakthrough", "Breakthrough", "bring a pawn to the other side"),
    "connect_four": Entry("sog.games.connect_four", "ConnectFour", "drop discs, four in a row"),
    "tictactoe": Entry("sog.games.tictactoe", "TicTacToe", "three in a row, perfect information"),
}
SPOTS: dict[str, Entry] = {
    "holdem": Entry("sog.games.holdem.spot", "make_spot", "heads-up no-limit Texas hold'em from any spot on"),
    "teh": Entry("sog.games.holdem.teh", "make_teh", "turn endgame hold'em of the ReBeL paper"),
}
"""Hold'em has too many worlds to be enumerated: it is solved spot by spot, by commands that know spots."""
OPENSPIEL_PREFIX = "openspiel:"


def load(text: str) -> AnyGame:
    """Return the game that `text` names.

    >>> load("kuhn").info.num_actions
    3
    """
    text = text.strip()
    if text.startswith(OPENSPIEL_PREFIX):
        factory = importlib.import_module("sog.games.openspiel").OpenSpielGame
        game: AnyGame = factory(text.removeprefix(OPENSPIEL_PREFIX))
        return game
    name, arguments = parse_spec(text, "game")
    if name in SPOTS:
        raise InputError(f"{name} is played in spots: only sog solve, compare and show-strategy know them")
    if name not in GAMES:
        choices = ", ".join([*GAMES, *SPOTS])
        raise InputError(f"unknown game {name!r}: choose from {choices}, or openspiel:NAME")
    make = factory_of(name)
    check_arguments(name, make, arguments)
    game = make(**arguments)
    return game


def check_arguments(name: str, make: Callable[..., object], arguments: dict[str, Any]) -> None:
    """Refuse parameters that a game's factory has not, and a lack of those that it needs."""
    known = {key: value for key, value in inspect.signature(make).parameters.items() if not _is_aside(value)}
    for key in arguments:
        if key not in known:
            choices = ", ".join(known) or "none"
            raise InputError(f"{name} has no parameter {key!r} (its parameters: {choices})")
    missing = [key for key, value in known.items() if value.default is value.empty and key not in arguments]
    if missing:
        raise InputError(f"{name} needs the parameter {missing[0]!r}")


def _is_aside(parameter: inspect.Parameter) -> bool:
    """Whether a parameter is no part of the game itself: it can be given by keyword alone."""
    return parameter.kind is parameter.KEYWORD_ONLY


def factory_of(name: str) -> Callable[..., AnyGame]:
    """Return the callable that makes the game of that name."""
    entry = GAMES[name]
    factory: Callable[..., AnyGame] = getattr(importlib.import_module(entry.module), entry.factory)
    return factory
