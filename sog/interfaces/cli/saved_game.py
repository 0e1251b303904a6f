"""Games at the terminal as files: JSON that says which game, from which seat, and all its moves; and games
that a match has kept.

Verified: tests/interfaces/cli/test_play_command.py.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

from sog.core.errors import InputError
from sog.core.files import write_file
from sog.games.base import AnyGame
from sog.games.registry import load
from sog.matches.records import GAMES, read_match

FORMAT = 1
_LARGEST = 10_000_000  # bytes
_FIELDS = {"format": int, "game": str, "seat": int, "actions": list}


class SavedGame(NamedTuple):
    """A game as far as it was played."""

    game: AnyGame
    seat: int  # the person's
    actions: list[int]  # chance's and the opponent's hidden ones too


def save_game(path: Path, saved: SavedGame) -> None:
    """Write a game, with the names of its moves for people to read."""
    game, world, names = saved.game, saved.game.initial_world(), list[str]()
    for action in saved.actions:
        names.append(game.action_name(world, action))
        world = game.apply(world, action)
    content = {"format": FORMAT, "game": game.info.name, "seat": saved.seat, "actions": saved.actions}
    write_file(path, (json.dumps({**content, "moves": names}) + "\n").encode())


def read_game(path: Path, number: int = 1) -> SavedGame:
    """Read a game and check that it can be played; of a match's folder, the game of a number."""
    if path.is_dir() or path.name == GAMES:
        return _read_match(path if path.is_dir() else path.parent, number)
    if number != 1:
        raise InputError(f"--number is for games of a match, and {path} is one game")
    content = _read_json(path)
    if not isinstance(content, dict) or any(
        type(content.get(name)) is not kind for name, kind in _FIELDS.items()
    ):
        raise InputError(f"{path} is not a game that was saved")
    if content["format"] != FORMAT or content["seat"] not in (0, 1):
        raise InputError(f"{path} has another format, or a seat that is not 0 or 1")
    game = load(content["game"])
    world = game.initial_world()
    for place, action in enumerate(content["actions"]):
        if type(action) is not int or action not in game.moves(world):
            raise InputError(f"{path} is damaged: move {place + 1} is not possible")
        world = game.apply(world, action)
    return SavedGame(game, content["seat"], content["actions"])


def _read_json(path: Path) -> Any:
    try:
        with path.open("rb") as file:
            return json.loads(file.read(_LARGEST))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        return None


def _read_match(folder: Path, number: int) -> SavedGame:
    """Return a game of a match, as its first player saw it."""
    game_name, records = read_match(folder)
    if not 1 <= number <= len(records):
        raise InputError(f"{folder} has {len(records)} games: --number must be from 1 to {len(records)}")
    record = records[number - 1]
    game = load(game_name).notation.open(record.position)
    actions, world = list[int](), game.initial_world()
    for place, word in enumerate(record.moves.split(), 1):
        names = {game.action_name(world, move).replace(" ", "_"): move for move in game.moves(world)}
        if word not in names:
            raise InputError(f"{folder}: game {number} is damaged: move {place} is not possible")
        actions.append(names[word])
        world = game.apply(world, names[word])
    return SavedGame(game, 0, actions)
