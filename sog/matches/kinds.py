"""A game as matches know it: where games start, and how openings are written.

Verified: tests/matches/test_openings.py, tests/matches/test_play.py.
"""

from sog.core.errors import InputError
from sog.games.base import TERMINAL, AnyGame
from sog.games.parameters import shorten
from sog.matches.play import Opening, Play


def open_game(game: AnyGame, max_moves: int | None = None) -> AnyGame:
    """Return a game of matches from its usual start, over after so many moves."""
    if not game.info.is_perfect_information:
        raise InputError(
            f"{game.info.name} hides something: matches are for games in which nothing is hidden"
        )
    return game.notation.open("", max_moves)


def begin_play(game: AnyGame, opening: Opening) -> Play:
    """Return a play that stands where an opening ends."""
    return Play(game.notation.open(opening.position), opening)


def read_opening(game: AnyGame, line: str) -> Opening:
    """Return the opening that a line describes."""
    position, words = game.notation.split(line)
    play = begin_play(game, Opening(position))
    for word in words:
        action = None if play.turn == TERMINAL else play.game.notation.find(play.world, word)
        if action is None:
            after = f"after {' '.join(play.names)}" if play.names else "at the start"
            raise InputError(f"{shorten(word)} is no legal move {after}")
        play.add(action)
    if play.turn == TERMINAL:
        raise InputError("the game is over before anybody has chosen a move")
    return Opening(position, tuple(play.actions))
