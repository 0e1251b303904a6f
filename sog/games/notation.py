"""How people and other programs write a game down: openings, moves, ends, and what engines are told.

A game that is written otherwise than by the names of its moves has a notation of its own (`Game.notation`).

Verified: tests/matches/test_openings.py, tests/matches/test_export.py, tests/agents/test_engines.py.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sog.core.errors import InputError

if TYPE_CHECKING:
    from sog.games.base import AnyGame

RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}  # by the first player's points
FILES = {"pgn": "chess", "sgf": "Go"}  # kinds of files, and the game that each is for


Key = tuple[str, str, int]


class GameRecord(NamedTuple):
    """One finished game."""

    first: str  # name of player 0: White in chess, Black in Go
    second: str
    round: int  # from 0; both games of a pair in a round have the same opening
    position: str  # that it started from, nothing for the usual start
    opening: int  # moves that neither player has chosen
    moves: str  # names of all moves, separated by spaces
    score: float  # of the first player
    reason: str
    forfeit: int | None  # the player who failed to play on
    seconds: tuple[float, float]  # that each of them has thought
    finished: str  # date and time
    utility: float | None = None  # of the first player; records of older matches have none

    @property
    def key(self) -> Key:
        """What tells the game from others of its match."""
        return self.first, self.second, self.round


def export_moves(records: Sequence[GameRecord]) -> str:
    """Return a line for each game: players, result, why, and the moves."""
    return "".join(
        f"{record.round + 1}. {record.first} - {record.second} {RESULTS[record.score]} ({record.reason}):"
        f" {record.moves}\n"
        for record in records
    )


class Notation:
    """Any game: moves by their names."""

    engines = ""  # the protocol of programs that play the game: uci or gtp
    openspiel = ""  # what OpenSpiel calls a game with the same rules
    seats = ("player 0", "player 1")  # what the players are called
    no_reason = "the end of the game"

    def __init__(self, game: "AnyGame") -> None:
        self.game = game

    def open(self, position: str = "", max_moves: int | None = None) -> "AnyGame":
        """Return the game from a position, over after so many moves."""
        if max_moves is not None:
            raise InputError(f"--max-moves is for chess and Go: {self.game.info.name} ends by itself")
        return self.game

    def split(self, line: str) -> tuple[str, list[str]]:
        """Return a line of openings as a position, if it has one, and words that are moves."""
        return "", line.split()

    def name(self, world: Any, action: int) -> str:
        """Return a move as people write it."""
        return self.game.action_name(world, action)

    def find(self, world: Any, word: str) -> int | None:
        """Return the legal action that a word names, if it names one."""
        for action in self.game.legal_actions(world):
            if self.game.action_name(world, action) == word:
                return action
        return None

    def is_pass(self, world: Any, action: int) -> bool:
        """Return whether an action only hands over the turn."""
        return False

    def reason(self, world: Any) -> str:
        """Return why a game that is over is over."""
        return self.no_reason

    def engine_setup(self) -> tuple[str, ...]:
        """Return what an engine is told before a game: GTP's commands, or UCI's words for the position."""
        return ()

    def openspiel_action(self, state: Any, world: Any, action: int) -> int:
        """Return OpenSpiel's number of an action in its own state."""
        return action

    def write_games(self, kind: str, start: str, games: Sequence[GameRecord]) -> str:
        """Return games as a kind of file; those without a position began from `start`, or as usual."""
        raise InputError(f"--{kind} is for {FILES[kind]}, not for {self.game.info.name}")
