"""`sog play GAME`: a person at the terminal against a bot.

Verified: tests/interfaces/cli/test_play_command.py.
"""

import io
import sys
from pathlib import Path
from random import Random
from typing import NamedTuple

from sog.agents.engine_process import EngineError
from sog.agents.table import Play
from sog.core.errors import InputError
from sog.games.base import TERMINAL
from sog.games.registry import load
from sog.interfaces.cli.opponents import InterruptedSolveError, choose_opponent, make_opponent
from sog.interfaces.cli.play_session import PlaySession, QuitError
from sog.interfaces.cli.saved_game import SavedGame, read_game
from sog.interfaces.cli.terminal import has_colours
from sog.interfaces.plots.play_pictures import PictureFiles

_MAX_SEED = 2**63 - 1


class Options(NamedTuple):
    """The options of `sog play`."""

    game: str | None
    seat: int | None
    opponent: str | None
    agent: str | None
    search: str | None
    seconds: float | None
    replay: Path | None
    number: int
    picture: Path | None
    seed: int | None
    max_states: int


def run(options: Options) -> int:
    """Play one game."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # bytes that are no text are no move
    saved = _open(options)
    pictures = None
    if options.picture is not None:
        pictures = PictureFiles(saved.game, options.picture, options.replay is not None)
    if _is_over(saved) and options.opponent is None:
        options = options._replace(opponent="uniform", agent=None, search=None, seconds=None)
    chosen = choose_opponent(saved.game, options.opponent, options.agent, options.search, options.seconds)
    try:
        opponent = make_opponent(saved.game, chosen, options.max_states)
        seat = saved.game.notation.seats[saved.seat]
        if _is_over(saved):
            print(f"{saved.game.info.name}: a game that is over, as {seat} saw it.")
        else:
            print(f"{saved.game.info.name}: you are {seat}. Your opponent is {opponent.name}.")
            easier = " (--opponent uniform is easier.)" if options.opponent is None else ""
            print(f"It {opponent.words}.{easier}")
        seed = Random(options.seed).randint(0, _MAX_SEED)
        keep = None if pictures is None else pictures.keep
        session = PlaySession(saved, opponent, seed, has_colours(sys.stdout), keep_picture=keep)
        try:
            if options.replay is not None:
                is_series = pictures is not None and pictures.is_series
                session.replay(steps=sys.stdin.isatty() and not is_series)
            session.play()
        finally:
            session.close()
        if opponent.hint:
            print(opponent.hint)
    except (EOFError, KeyboardInterrupt, QuitError, InterruptedSolveError):
        print("\nYou leave the table. Goodbye.")
    except EngineError as error:
        raise InputError(f"your opponent failed: {error}") from None
    return 0


def _open(options: Options) -> SavedGame:
    """Return the game to play, or to go on with."""
    if options.replay is None:
        if options.game is None:
            raise InputError("which game? sog games lists them; or name a saved one: --replay FILE")
        return SavedGame(load(options.game), options.seat or 0, [])
    saved = read_game(options.replay, options.number)
    if options.game is not None and load(options.game).info.name != saved.game.info.name:
        raise InputError(f"{options.replay} is a game of {saved.game.info.name}, not of {options.game}")
    return saved if options.seat is None else saved._replace(seat=options.seat)


def _is_over(saved: SavedGame) -> bool:
    return Play(saved.game, saved.actions).turn == TERMINAL
