"""Full shards of the replay on the disk: written once, read back whole or refused.

`replay/0000012345-9f86d081884c.npz` in the run's folder holds the examples from number 12,345 on; the rest of
its name is part of the hash of what is in it. Checkpoints name the shards that they need,
and write only the examples of the newest, which is not full.

Verified: tests/training/test_replay.py.
"""

import hashlib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sog.core.errors import InputError
from sog.core.files import DamagedError, read_arrays, whole_file
from sog.training.examples import Examples

FOLDER = "replay"
_KIND = "a shard of examples"


class Shard(NamedTuple):
    """Examples that came one after the other."""

    first: int  # number of the first one, counted from the first that ever came
    examples: Examples

    @property
    def end(self) -> int:
        """Number of the example after the last."""
        return self.first + self.examples.size


class ShardFolder:
    """The shards of a run; those that no checkpoint needs are removed."""

    def __init__(self, run: Path, checkpoints: int) -> None:
        """checkpoints: how many of them are kept."""
        self._folder, self._checkpoints = run / FOLDER, checkpoints
        self._names: dict[int, str] = {}  # of shards that are known to be on the disk, by their first example
        self._oldest: list[int] = []  # the oldest example that each checkpoint needs

    def write(self, shard: Shard) -> str:
        """Write a shard, unless that was done before; return its file's name."""
        name = self._names.get(shard.first)
        if name is None:
            name = f"{shard.first:010d}-{_hash(shard.examples)}.npz"
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(f"cannot write {self._folder}: {error.strerror or error}") from None
            path = self._folder / name
            if not path.exists():
                with whole_file(path, is_durable=True) as file:
                    np.savez(file, allow_pickle=False, **shard.examples._asdict())
            self._names[shard.first] = name
        return name

    def clean(self, oldest: int) -> None:
        """Take note that the last checkpoint needs nothing older; remove what none of those kept needs."""
        self._oldest = [*self._oldest, oldest][-self._checkpoints :]
        if len(self._oldest) == self._checkpoints:
            paths = sorted(self._folder.glob("*-*.npz"))
            for path, after in pairwise(paths):
                if _first_of(after) <= self._oldest[0]:
                    path.unlink(missing_ok=True)


def read_shards(run: Path, names: list[str], warn: Callable[[str], None]) -> list[Shard]:
    """Read a checkpoint's shards back; one that is damaged is left out with all that are older."""
    shards: list[Shard] = []
    for name in names:
        try:
            shards.append(_read_shard(run / FOLDER / name))
        except InputError as error:
            warn(f"{error}: its examples and all before them are left out")
            shards = []
    return shards


def _read_shard(path: Path) -> Shard:
    """Read a shard and check that it is the one that was written."""
    content = read_arrays(path, _KIND)
    if content.keys() == set(Examples._fields):
        examples = Examples(**content)
        if path.stem == f"{_first_of(path):010d}-{_hash(examples)}":
            return Shard(_first_of(path), examples)
    raise DamagedError(f"{path} is damaged or not {_KIND}")


def _first_of(path: Path) -> int:
    """Return the number of the first example of the shard in a file."""
    number = path.stem.partition("-")[0]
    return int(number) if number.isdigit() else 0


def _hash(examples: Examples) -> str:
    digest = hashlib.sha256()
    for name, array in examples._asdict().items():
        digest.update(f"{name} {array.dtype.descr} {array.shape}".encode() + array.tobytes())
    return digest.hexdigest()[:12]
