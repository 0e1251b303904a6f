"""Finished games, and the folder that keeps them.

A folder has `match.json`, what was played for, and `games.jsonl`, a line for every finished game in the order
in which they ended. A line is appended whole or not at all, and reaches the disk before the next game is
counted: whatever ends the program, finished games stay; a line that was cut off is removed by the next run,
one that the disk has no room for at once. Games are known by who played whom in which round, so that the same
match can go on with more games or players.

Verified: tests/matches/test_records.py.
"""

import errno
import fcntl
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from sog.core.errors import InputError
from sog.core.files import write_file
from sog.games.notation import GameRecord, Key

FACTS, GAMES = "match.json", "games.jsonl"
_FORMAT = 1


class Ledger:
    """The games of a match; without a folder, those of this run alone."""

    def __init__(self, folder: Path | None, facts: dict[str, Any]) -> None:
        """Open a folder, new or of the same match; facts are what must not differ between runs."""
        self.records: list[GameRecord] = []
        self._file: IO[bytes] | None = None
        if folder is not None:
            self._open(folder, facts)

    @property
    def keys(self) -> set[Key]:
        """The games that need not be played again."""
        return {record.key for record in self.records}

    def add(self, record: GameRecord) -> None:
        """Keep a game."""
        if self._file is not None:
            line = (json.dumps(record._asdict(), ensure_ascii=False) + "\n").encode()
            end = self._file.seek(0, os.SEEK_END)
            try:
                if self._file.write(line) < len(line):  # as much as there was room for
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                os.fsync(self._file.fileno())
            except OSError as error:
                with suppress(OSError):
                    self._file.truncate(end)
                raise InputError(f"cannot keep the game: {error.strerror or error}") from None
        self.records.append(record)

    def close(self) -> None:
        """Let others have the folder."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self, folder: Path, facts: dict[str, Any]) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = (folder / GAMES).open("ab+", buffering=0)
        except OSError as error:
            raise InputError(f"cannot write in {folder}: {error.strerror or error}") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            raise InputError(f"another match is being played in {folder}") from None
        try:
            _check_facts(folder / FACTS, facts)
            self.records = _read_games(folder / GAMES, self._file)
        except InputError:
            self.close()
            raise


def read_match(folder: Path) -> tuple[str, list[GameRecord]]:
    """Return the text that loads a match's game, and its games in the order in which they ended."""
    try:
        name = json.loads((folder / FACTS).read_text())["game"]
        content = (folder / GAMES).read_bytes()
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise InputError(f"{folder} holds no match that sog match --out has kept") from None
    return str(name), _parse_games(folder / GAMES, content[: content.rfind(b"\n") + 1])


def _check_facts(path: Path, facts: dict[str, Any]) -> None:
    """Refuse to go on with another match; players may be added."""
    wanted: dict[str, Any] = json.loads(json.dumps({"format": _FORMAT, **facts}))
    try:
        kept = json.loads(path.read_text())
    except FileNotFoundError:
        kept = {}
    except (OSError, ValueError, RecursionError):
        raise InputError(f"{path} is damaged or not of a match") from None
    if not isinstance(kept, dict):
        raise InputError(f"{path} is damaged or not of a match")
    players = kept.get("players", {})
    for name, value in {**wanted, "players": {}}.items():
        if name != "players" and kept and kept.get(name) != value:
            raise InputError(
                f"{path.parent} holds a match with {name} {str(kept.get(name))[:60]}, not {str(value)[:60]}:"
                " take another folder"
            )
    for name, value in wanted["players"].items():
        if name in players and players[name] != value:
            raise InputError(f"{path.parent} holds games of another {name}: take another folder or name")
    text = json.dumps({**wanted, "players": players | wanted["players"]}, indent=1)
    write_file(path, f"{text}\n".encode())


def _read_games(path: Path, file: IO[bytes]) -> list[GameRecord]:
    """Return the games of a file, and cut off what a crash has left half written."""
    file.seek(0)
    content = file.read()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        file.truncate(len(whole))
    return _parse_games(path, whole)


def _parse_games(path: Path, whole: bytes) -> list[GameRecord]:
    """Return the games of whole lines, each once."""
    records: dict[Key, GameRecord] = {}
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            read = json.loads(line)
            record = GameRecord(**{**read, "seconds": tuple(read["seconds"])})
        except (ValueError, TypeError, KeyError, RecursionError):
            raise InputError(f"{path} is damaged: line {number} is no game") from None
        records.setdefault(record.key, record)
    return list(records.values())
