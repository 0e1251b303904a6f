"""The players of a match: bots with names.

`NAME=` before a bot, written as `sog.agents.specs` says, gives it a shorter name in tables and records.

Verified: tests/matches/test_players.py.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sog.agents.specs import Spec, check_bot, engine_game, game_of, parse_bot
from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.registry import load

_NAMED = re.compile(r"([^:@?=/()]+)=(.+)", re.DOTALL)
_LONGEST_NAME = 80


@dataclass(frozen=True)
class Player:
    """A bot that takes part in a match."""

    name: str
    spelling: str  # without the name
    spec: Spec


def parse_players(texts: Sequence[str]) -> list[Player]:
    """Return all players of a match, by different names."""
    players = [parse_player(text) for text in texts]
    names = [player.name for player in players]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two players are called {name!r}: give one a name, as in NAME={name}")
    if len(players) < 2:
        raise InputError("a match needs two players or more")
    return players


def parse_player(text: str) -> Player:
    """Read one player.

    >>> parse_player("weak=untrained@mcts:10").name
    'weak'
    """
    named = _NAMED.fullmatch(text)
    name, spelling = (named[1].strip(), named[2]) if named else (_shorten(text.strip()), text)
    spelling = spelling.strip()
    if not name or not spelling or not name.isprintable() or len(name) > _LONGEST_NAME:
        raise InputError(
            f"cannot use {text[:40]!r} as a player: its name must be 1 to {_LONGEST_NAME} letters"
        )
    return Player(name, spelling, parse_bot(spelling))


def _shorten(spelling: str) -> str:
    """Return what a player without a name of its own is called: its spelling, or the end of a long one."""
    return spelling if len(spelling) <= _LONGEST_NAME else f"…{spelling[1 - _LONGEST_NAME :]}"


def find_game(players: Sequence[Player]) -> AnyGame:
    """Return the game that players say they play, if any of them does."""
    for find in (game_of, engine_game):
        for player in players:
            if (name := find(player.spec)) is not None:
                return load(name)
    raise InputError("which game? Name it: --game chess, --game 'go(size=9)', --game leduc")


def check_player(player: Player, game: AnyGame) -> str:
    """Refuse a player that cannot play the game; return what tells a trained one from others of its name."""
    try:
        return check_bot(player.spec, game)
    except InputError as error:
        raise InputError(f"{player.name}: {error}") from None
