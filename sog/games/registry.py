"""Games by name: `load("liars_dice(dice=1,faces=6)")`.

A game's line below names its module and class; nothing is imported until the game is asked for. Parameters
are the class's keyword arguments, written as Python literals; a bare word is a string.
"""

import ast
import importlib
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

from sog.core.errors import InputError
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
    name, arguments = parse(text)
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


def parse(text: str) -> tuple[str, dict[str, Any]]:
    """Split `name(key=value,…)` into its name and its arguments.

    >>> parse("goofspiel(cards=4,order=ascending)")
    ('goofspiel', {'cards': 4, 'order': 'ascending'})
    """
    try:
        tree = ast.parse(text, mode="eval").body
        if isinstance(tree, ast.Name):
            return tree.id, {}
        if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)):
            raise ValueError
        if tree.args or any(keyword.arg is None for keyword in tree.keywords):
            raise ValueError
        return tree.func.id, {str(keyword.arg): _literal(keyword.value) for keyword in tree.keywords}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        message = f"cannot read the game {text!r}: write NAME or NAME(parameter=value,...)"
        raise InputError(message) from None


def _literal(node: ast.expr) -> Any:
    return node.id if isinstance(node, ast.Name) else ast.literal_eval(node)
