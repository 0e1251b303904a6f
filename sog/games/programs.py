"""Programs that play one kind of game only, by name: `pimbot:1000` plays Scotland Yard.

A program's line names its module and the function that opens it for a game; nothing is imported until it is
asked for.
"""

import importlib
from typing import Any, Protocol

from sog.core.arrays import I64
from sog.games.base import AnyGame
from sog.games.registry import Entry

PROGRAMS: dict[str, Entry] = {
    "pimbot": Entry(
        "sog.games.scotland_yard.pimbot", "open_pimbot", "Scotland Yard: Monte-Carlo tree search"
    ),
}


USUAL = {"scotland_yard": "pimbot:1000"}  # whom people play if no agent is shipped, by kind of game


class Program(Protocol):
    """Plays any seat, from the public state and the seat's own infostate."""

    def visit_moves(self, record: Any, row: int, seed: int, simulations: int | None) -> I64:
        """Return how often each legal move was visited, the one to play most; record: of the game's view.

        simulations: instead of the program's own, if it is not None.
        """


def open_program(name: str, settings: str, game: AnyGame) -> Program:
    """Return a program for a game; one that cannot play it is refused."""
    entry = PROGRAMS[name]
    program: Program = getattr(importlib.import_module(entry.module), entry.factory)(settings, game)
    return program
