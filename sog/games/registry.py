"""Games by name: `load("liars_dice(dice=1,faces=6)")`.

A game's line below names its module and class; nothing is imported until the game is asked for. Parameters
are the class's keyword arguments, written as Python literals; a bare word is a string. Other packages add
games by an entry point of the group `sog.games`, users by naming a file (`sog.games.own_files`).

Verified: tests/games/test_registry.py.
"""

import importlib
import inspect
from collections.abc import Callable, Iterable
from contextlib import suppress
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import NamedTuple

from sog.core.errors import InputError
from sog.core.spec import parse_spec
from sog.games.base import AnyGame
from sog.games.own_files import find_source, format_call, load_own, make_game, rename


class Entry(NamedTuple):
    """Where a game lives, and one sentence about it."""

    module: str
    factory: str
    summary: str
    queries: str = ""  # module and object that train on it (`sog.training.queries`), where no view can


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
    "teh": Entry(
        "sog.games.holdem.teh",
        "make_teh",
        "turn endgame hold'em of the ReBeL paper",
        queries="sog.poker.teh_agent:TRAINING",
    ),
    "hunl": Entry(
        "sog.games.holdem.hunl",
        "make_hunl",
        "heads-up no-limit hold'em from the first card",
        queries="sog.poker.hunl_agent:TRAINING",
    ),
}
"""Hold'em has too many worlds to be enumerated: it is solved spot by spot, by commands that know spots."""
OPENSPIEL_PREFIX = "openspiel:"


ENTRY_POINTS = "sog.games"  # the group under which other packages register games of theirs


def load(text: str) -> AnyGame:
    """Return the game that `text` names: ours, another package's, OpenSpiel's, or one in a user's file.

    >>> load("kuhn").info.num_actions
    3
    """
    text = text.strip()
    if text.startswith(OPENSPIEL_PREFIX):
        factory = importlib.import_module("sog.games.openspiel").OpenSpielGame
        game: AnyGame = factory(text.removeprefix(OPENSPIEL_PREFIX))
        return game
    source = find_source(text)
    if source is not None:
        return load_own(source)
    name, arguments = parse_spec(text, "game")
    if name in SPOTS:
        raise InputError(
            f"{name} is played in spots: only sog solve, compare and show-strategy know them"
            + (", and sog train and evaluate" if SPOTS[name].queries else "")
        )
    if name in GAMES:
        return make_game(name, factory_of(name), arguments)
    registered = registered_games()
    if name in registered:
        made = make_game(name, registered[name].load(), arguments)
        return rename(made, format_call(name, arguments))
    raise InputError(f"unknown game {name!r}: {_hint(name, registered)}")


def name_of_object(game: AnyGame) -> str:
    """Return the name that loads a game again; of an object made otherwise, its file and class."""
    kind = type(game)
    for name in (game.info.name, f"{inspect.getsourcefile(kind)}:{kind.__qualname__}"):
        with suppress(InputError):
            again = load(name)
            if again.info._replace(name="") == game.info._replace(name=""):
                return again.info.name
    raise InputError(
        f"{game.info.name} cannot be made again by its name or class, as other processes must:"
        " make it by sog.load('FILE.py:CLASS(key=value)')"
    )


def registered_games() -> dict[str, EntryPoint]:
    """Return the games that other packages register, by name."""
    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def factory_of(name: str) -> Callable[..., AnyGame]:
    """Return the callable that makes the game of that name."""
    entry = GAMES[name]
    factory: Callable[..., AnyGame] = getattr(importlib.import_module(entry.module), entry.factory)
    return factory


def _hint(name: str, registered: Iterable[str]) -> str:
    names = [*GAMES, *SPOTS, *registered]
    close = get_close_matches(name.lower(), names, 1)
    if close:
        return f"did you mean {close[0]}?"
    return f"choose from {', '.join(names)}, or openspiel:NAME, or FILE.py:CLASS"
