"""Games by name: `load("liars_dice(dice=1,faces=6)")`.

A game's line below names its module and class; nothing is imported until the game is asked for. Parameters
are the class's keyword arguments, written as Python literals; a bare word is a string.
"""

import importlib
import inspect
from collections.abc import Callable
from typing import NamedTuple

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
    "tictactoe": Entry("sog.games.tictactoe", "TicTacToe", "three in a row, perfect information"),
}
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
    if name not in GAMES:
        raise InputError(f"unknown game {name!r}: choose from {', '.join(GAMES)}, or openspiel:NAME")
    make = factory_of(name)
    known = inspect.signature(make).parameters
    for key in arguments:
        if key not in known:
            choices = ", ".join(known) or "none"
            raise InputError(f"{name} has no parameter {key!r} (its parameters: {choices})")
    missing = [key for key, value in known.items() if value.default is value.empty and key not in arguments]
    if missing:
        raise InputError(f"{name} needs the parameter {missing[0]!r}")
    game = make(**arguments)
    return game


def factory_of(name: str) -> Callable[..., AnyGame]:
    """Return the callable that makes the game of that name."""
    entry = GAMES[name]
    factory: Callable[..., AnyGame] = getattr(importlib.import_module(entry.module), entry.factory)
    return factory
