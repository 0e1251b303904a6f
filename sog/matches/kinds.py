"""What differs between games in a match: how openings are written, how long games last, why they ended.

Verified: tests/matches/test_openings.py, tests/matches/test_play.py.
"""

import re
from typing import Protocol

from sog.core.errors import InputError
from sog.games.base import TERMINAL, AnyGame
from sog.games.chess.board import PLY
from sog.games.chess.fen import START, read_fen, write_fen
from sog.games.chess.game import STARTPOS, Chess
from sog.games.chess.notation import read_san, read_uci, write_uci
from sog.games.go.game import Go
from sog.games.go.vertices import parse_vertex
from sog.games.parameters import shorten
from sog.matches.play import Opening, Play

_UCI_MOVE = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?")
_MOVE_NUMBER = re.compile(r"\d+\.+")


class Kind(Protocol):
    """A game as matches know it."""

    @property
    def game(self) -> AnyGame:
        """The game, from its usual start."""

    def open(self, opening: Opening) -> AnyGame:
        """Return the game that starts from an opening's position."""

    def find(self, play: Play, word: str) -> int | None:
        """Return the legal action that a word of an opening names, if it names one."""

    def split(self, line: str) -> tuple[str, list[str]]:
        """Return a line of openings as a position, if it has one, and words that are moves."""

    def reason(self, play: Play) -> str:
        """Return why a game that is over is over."""


def find_kind(game: AnyGame, max_moves: int | None = None) -> Kind:
    """Return what a match needs to know of a game, in which games are over after so many moves."""
    if not game.info.is_perfect_information:
        raise InputError(
            f"{game.info.name} hides something: matches are for games in which nothing is hidden"
        )
    if isinstance(game, Chess):
        return ChessKind(game, max_moves)
    if isinstance(game, Go):
        return GoKind(game, max_moves)
    if max_moves is not None:
        raise InputError(f"--max-moves is for chess and Go: {game.info.name} ends by itself")
    return BoardKind(game)


def read_opening(kind: Kind, line: str) -> Opening:
    """Return the opening that a line describes."""
    position, words = kind.split(line)
    opening = Opening(position)
    play = Play(kind.open(opening), opening)
    for word in words:
        action = None if play.turn == TERMINAL else kind.find(play, word)
        if action is None:
            after = f"after {' '.join(play.names)}" if play.names else "at the start"
            raise InputError(f"{shorten(word)} is no legal move {after}")
        play.add(action)
    if play.turn == TERMINAL:
        raise InputError("the game is over before anybody has chosen a move")
    return Opening(position, tuple(play.actions))


class BoardKind:
    """Any board game: moves by their names."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def open(self, opening: Opening) -> AnyGame:
        """Return the game: it has one start."""
        return self.game

    def find(self, play: Play, word: str) -> int | None:
        """Return the action of a name."""
        return play.find(word)

    def split(self, line: str) -> tuple[str, list[str]]:
        """Return the moves of a line."""
        return "", line.split()

    def reason(self, play: Play) -> str:
        """Return what everybody sees."""
        return "the end of the game"


class ChessKind:
    """Chess: lines are FEN, EPD, or moves in algebraic notation or UCI's."""

    def __init__(self, game: Chess, max_moves: int | None) -> None:
        self._max_moves = max_moves or game.info.max_length
        self._start = "" if write_fen(game.initial_world().position) == START else str(game.initial_world())
        self.game = self.open(Opening())

    def open(self, opening: Opening) -> Chess:
        """Return chess from a FEN."""
        return Chess(opening.position or self._start or STARTPOS, self._max_moves)

    def find(self, play: Play, word: str) -> int | None:
        """Return the action of a move, however it is written."""
        position = play.world.position
        try:
            move = (read_uci if _UCI_MOVE.fullmatch(word) else read_san)(position, word)
        except InputError:
            return None
        return play.find(write_uci(move, int(position[PLY]) % 2))

    def split(self, line: str) -> tuple[str, list[str]]:
        """Return the position of FEN or EPD, or the moves of a line without their numbers."""
        fields = line.split()
        if fields and fields[0].count("/") == 7:
            length = 6 if len(fields) >= 6 and fields[4].isdigit() and fields[5].isdigit() else 4
            return write_fen(read_fen(" ".join(fields[:length]))), []
        return "", [word for word in _MOVE_NUMBER.sub(" ", line).split() if word != "*"]

    def reason(self, play: Play) -> str:
        """Return mate, or what kind of draw it is."""
        assert isinstance(play.game, Chess)
        return play.game.outcome_name(play.world)


class GoKind:
    """Go: lines are vertices."""

    def __init__(self, game: Go, max_moves: int | None) -> None:
        self.game: Go = game if max_moves is None else Go(game.size, game.komi, max_moves)

    def open(self, opening: Opening) -> Go:
        """Return the game: it has one start."""
        return self.game

    def find(self, play: Play, word: str) -> int | None:
        """Return the action of a vertex."""
        try:
            action = parse_vertex(self.game.size, word)
        except InputError:
            return None
        return action if action in self.game.legal_actions(play.world) else None

    def split(self, line: str) -> tuple[str, list[str]]:
        """Return the vertices of a line."""
        return "", line.split()

    def reason(self, play: Play) -> str:
        """Return the score, as records of games write it."""
        points = self.game.score(play.world)
        return "0" if points == 0 else f"{'B' if points > 0 else 'W'}+{abs(points):g}"
