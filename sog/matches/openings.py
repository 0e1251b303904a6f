"""What games of a match start from: lines of a file, or a few random moves.

Every opening is played twice by each pair, with colours swapped, so that one that favours a side favours
both players. Random openings come from a seed one after the other: more games mean the same ones and more.

Verified: tests/matches/test_openings.py.
"""

import hashlib
from pathlib import Path
from random import Random
from typing import NamedTuple

from sog.agents.table import Play
from sog.core.errors import InputError
from sog.games.base import CHANCE, TERMINAL, AnyGame
from sog.games.parameters import shorten

_MOST_OPENINGS = 100_000
_USUAL_MOVES = 4
_TRIES = 100  # to find an opening that was not there before


class Opening(NamedTuple):
    """Where a game starts: a position, and moves from there that neither player has chosen."""

    position: str = ""  # as the game writes it (FEN); nothing for the game's own start
    actions: tuple[int, ...] = ()


def begin_play(game: AnyGame, opening: Opening) -> Play:
    """Return a play that stands where an opening ends."""
    return Play(game.notation.open(opening.position), opening.actions)


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


def read_openings(game: AnyGame, path: Path) -> list[Opening]:
    """Return the openings of a file, one a line; empty lines and those after `#` do not count."""
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise InputError(f"cannot read the openings {path}: {reason}") from None
    openings = []
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if text:
            try:
                openings.append(read_opening(game, text))
            except InputError as error:
                raise InputError(f"{path}, line {number}: {error}") from None
    if not 0 < len(openings) <= _MOST_OPENINGS:
        raise InputError(f"{path} has {len(openings):,} openings: 1 to {_MOST_OPENINGS:,} are needed")
    return openings


def draw_openings(game: AnyGame, count: int, num_moves: int, seed: int) -> list[Opening]:
    """Return openings of so many random moves, different ones as long as there are any."""
    random, openings = Random(seed), list[Opening]()
    known: set[Opening] = set()
    for _ in range(count):
        opening = _draw(game, num_moves, random)
        for _ in range(_TRIES):
            if opening not in known:
                break
            opening = _draw(game, num_moves, random)
        known.add(opening)
        openings.append(opening)
    return openings


def usual_opening_moves(game: AnyGame) -> int:
    """Return how many moves are drawn before players choose: none where chance makes games differ."""
    is_dealt = not game.info.is_perfect_information or game.actor(game.initial_world()) == CHANCE
    return 0 if is_dealt else _USUAL_MOVES


def digest_openings(openings: list[Opening]) -> str:
    """Return a short text that is another one for other openings."""
    return hashlib.sha256(repr(openings).encode()).hexdigest()[:16]


def _draw(game: AnyGame, num_moves: int, random: Random) -> Opening:
    for _ in range(_TRIES):
        play = begin_play(game, Opening())
        while play.turn != TERMINAL and len(play.actions) < num_moves:
            world, is_pass = play.world, play.game.notation.is_pass
            if play.turn == CHANCE:
                outcomes, weights = zip(*play.game.chance_outcomes(world), strict=True)
                play.add(random.choices(outcomes, weights)[0])
                continue
            actions = [action for action in play.game.legal_actions(world) if not is_pass(world, action)]
            if not actions:
                break
            play.add(random.choice(actions))
        if play.turn != TERMINAL and len(play.actions) == num_moves:
            return Opening("", tuple(play.actions))
    raise InputError(f"{game.info.name} seldom lasts longer than {num_moves} random moves: draw fewer")
