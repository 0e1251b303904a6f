"""Games in users' own files and modules: `coin.py:Coin`, `coin.py:Coin(stakes=2)`, `package.module:Class`.

A game's name is the text that loads it. While the program runs, a file is named as seen from the current
folder; what is written to disk (`lasting_name`) names it in full, so that a run can be resumed from anywhere.
A file that is no longer where it was is looked for in the current folder. What was learned of a game carries
the hash of its file, so that a change of the rules is noticed.

Verified: tests/games/test_own_files.py.
"""

import hashlib
import importlib
import importlib.util
import inspect
import os
import re
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from sog.core.errors import InputError, InputWarning
from sog.core.spec import parse_spec
from sog.games.base import AnyGame, Game
from sog.games.parameters import check_arguments

_SOURCE = re.compile(r"(?P<place>.+?\.py|\w+(?:\.\w+)*):(?P<call>\s*[A-Za-z_].*)", re.DOTALL)
_FILE = re.compile(r".+\.py")


class GameSource(NamedTuple):
    """Where a game of a user's own is."""

    place: str  # a file's path or a module's name
    call: str  # the class or function, with its arguments

    @property
    def is_file(self) -> bool:
        """Whether it is a file, not a module."""
        return self.place.endswith(".py")

    @property
    def name(self) -> str:
        """The text that loads it."""
        return f"{self.place}:{self.call}"


def find_source(text: str) -> GameSource | None:
    """Return where a text says that a game is; None if it is no name of a file or module.

    >>> find_source("games.coins:Coin(stakes=2)")
    GameSource(place='games.coins', call='Coin(stakes=2)')
    >>> find_source("kuhn")
    """
    text = text.strip()
    match = _SOURCE.fullmatch(text)
    if match is not None:
        return GameSource(match["place"], match["call"].strip())
    return GameSource(text, "") if _FILE.fullmatch(text) else None


def load_own(source: GameSource) -> AnyGame:
    """Return the game, its name the text that loads it from here."""
    module = _open_file(_find_file(source.place)) if source.is_file else _open_module(source.place)
    name, arguments = parse_spec(source.call or _only_game(module, source.place), "game")
    make = getattr(module, name, None)
    if not callable(make):
        raise InputError(f"{source.place} has no game {name!r}{_list(_games_of(module))}")
    label = format_call(name, arguments)
    game = make_game(f"{source.place}:{name}", make, arguments)
    place = _seen_from_here(_find_file(source.place)) if source.is_file else source.place
    return rename(game, f"{place}:{label}")


def make_game(name: str, make: Callable[..., Any], arguments: dict[str, Any]) -> AnyGame:
    """Return the game that a class or function makes; refuse what does not fit it."""
    check_arguments(name, make, arguments)
    game = make(**arguments)
    if not isinstance(game, Game) or not hasattr(game, "info"):
        lack = "does not set self.info" if isinstance(game, Game) else "is not a subclass of sog.Game"
        raise InputError(f"{name} {lack}")
    return game


def rename(game: AnyGame, name: str) -> AnyGame:
    """Return the game with the name that loads it."""
    game.info = game.info._replace(name=name)
    return game


def format_call(name: str, arguments: dict[str, Any]) -> str:
    """Write a call so that it can be read again.

    >>> format_call("Coin", {"stakes": 2, "rule": "a b"})
    "Coin(stakes=2,rule='a b')"
    """
    written = ",".join(f"{key}={value!r}".replace(", ", ",") for key, value in arguments.items())
    return f"{name}({written})" if arguments else name


def lasting_name(name: str) -> str:
    """Return the name under which a game can be found from every folder."""
    source = find_source(name)
    if source is None or not source.is_file:
        return name
    path = _find_file(source.place)
    return GameSource(str(path), source.call or _only_game(_open_file(path), source.place)).name


def present_name(name: str) -> str:
    """Return the name that a game of a lasting name has from here; also if its file is gone."""
    source = find_source(name)
    if source is None or not source.is_file:
        return name
    try:
        return source._replace(place=_seen_from_here(_find_file(source.place))).name
    except InputError:
        return name


def source_hash(name: str) -> str:
    """Return the hash of the file that a game is in; empty for games that come with the package."""
    source = find_source(name)
    if source is None:
        return ""
    path = _find_file(source.place) if source.is_file else Path(str(_open_module(source.place).__file__))
    return _hash(path.read_bytes())


def warn_if_changed(known: str, name: str, what: str) -> None:
    """Warn if a game's file is another than when something was made of it.

    known: its hash then, empty if it was not kept. Games that were not loaded from a file are left alone.
    """
    if known and known != (source_hash(name) or known):
        message = f"{name} has changed since {what} was made: what it learned may be of another game"
        warnings.warn(message, InputWarning, stacklevel=2)


def _find_file(place: str) -> Path:
    """Return the full path of a file: where it is said to be, or else of that name in this folder."""
    try:
        for path in (Path(place), Path(Path(place).name)):
            if path.is_file():
                return path.resolve()
    except (OSError, ValueError):  # a text that can be no path
        pass
    raise InputError(f"there is no file {place[:80]!r}")


def _seen_from_here(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def _open_file(path: Path) -> ModuleType:
    """Return the module in a file, run again if the file has changed; its folder is where it imports from."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    name = f"sog_game_{path.stem}_{_hash(str(path).encode() + content)[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    _allow_imports(str(path.parent))
    sys.modules[name] = module  # dataclasses and pickle look there
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise InputError(f"{path}: {_describe(error, str(path))}") from error
    return module


def _open_module(name: str) -> ModuleType:
    _allow_imports(os.getcwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise InputError(f"there is no module {error.name!r}, wanted for the game in {name!r}") from None
    except Exception as error:
        raise InputError(f"{name}: {_describe(error, '')}") from error


def _allow_imports(folder: str) -> None:
    if folder not in sys.path:
        sys.path.append(folder)


def _describe(error: Exception, path: str) -> str:
    """Return what went wrong in a file, and in which line of it."""
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: {error.msg}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    where = f"line {lines[-1]}: " if lines else ""
    return where + traceback.format_exception_only(error)[-1].strip()


def _games_of(module: ModuleType) -> list[str]:
    """Return the names of the games that a module itself defines."""
    return [
        name
        for name, value in vars(module).items()
        if inspect.isclass(value)
        and issubclass(value, Game)
        and value.__module__ == module.__name__
        and not inspect.isabstract(value)
    ]


def _only_game(module: ModuleType, place: str) -> str:
    games = _games_of(module)
    if len(games) != 1:
        raise InputError(f"which game? {place}:NAME{_list(games)}")
    return games[0]


def _list(names: list[str]) -> str:
    return f" (it has {', '.join(names)})" if names else " (it has no subclass of sog.Game)"


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
