"""A game as matches know it: where games start, how openings are written, why games ended.

Verified: tests/matches/test_openings.py, tests/matches/test_play.py.
"""

from sog.core.errors import InputError
from sog.games.base import TERMINAL, AnyGame
from sog.games.parameters import shorten
from sog.matches.play import Opening, Play


class Kind:
    """A game in which nothing is hidden, from its usual start."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def open(self, opening: Opening) -> AnyGame:
        """Return the game that starts from an opening's position."""
        return self.game.notation.open(opening.position)

    def reason(self, play: Play) -> str:
        """Return why a game that is over is over."""
        return play.game.notation.reason(play.world)


def find_kind(game: AnyGame, max_moves: int | None = None) -> Kind:
    """Return what a match needs to know of a game, in which games are over after so many moves."""
    if not game.info.is_perfect_information:
        raise InputError(
            f"{game.info.name} hides something: matches are for games in which nothing is hidden"
        )
    return Kind(game.notation.open("", max_moves))


def read_opening(kind: Kind, line: str) -> Opening:
    """Return the opening that a line describes."""
    position, words = kind.game.notation.split(line)
    opening = Opening(position)
    play = Play(kind.open(opening), opening)
    for word in words:
        action = None if play.turn == TERMINAL else play.game.notation.find(play.world, word)
        if action is None:
            after = f"after {' '.join(play.names)}" if play.names else "at the start"
            raise InputError(f"{shorten(word)} is no legal move {after}")
        play.add(action)
    if play.turn == TERMINAL:
        raise InputError("the game is over before anybody has chosen a move")
    return Opening(position, tuple(play.actions))
