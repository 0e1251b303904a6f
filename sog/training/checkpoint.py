"""Checkpoints of a training run: `checkpoints/step-00001200.npz` in the run's folder.

A checkpoint is on the disk before it has its name, so that whatever happens to the program or the machine, a
file that has its name is whole. The archive's own checksums tell if it was damaged later on; then the one
before it is used. What a process that was killed left half written is removed by the next one.

Verified: tests/training/test_checkpoint.py.
"""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from sog.core.errors import InputError
from sog.core.files import DamagedError, read_arrays, remove_leftovers, whole_file
from sog.nets.agents import SNAPSHOTS
from sog.training.plain import pack, unpack
from sog.training.shards import FOLDER as SHARDS
from sog.training.shards import read_shards

if sys.platform != "win32":
    import fcntl

FOLDER = "checkpoints"
FORMAT = 4
KEPT = 3
_LOCK = ".lock"
_NAME = re.compile(r"step-(\d{8,})\.npz")


def save_checkpoint(run: Path, steps: int, data: dict[str, Any]) -> Path:
    """Write a checkpoint, all or nothing, and remove all but the newest few."""
    folder = run / FOLDER
    path = folder / f"step-{steps:08d}.npz"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with whole_file(path, is_durable=True) as file:
            np.savez(file, allow_pickle=False, format=np.array(FORMAT), **pack(data))
        for old in find_checkpoints(run)[:-KEPT]:
            old.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None
    return path


def load_newest(run: Path, warn: Callable[[str], None]) -> dict[str, Any]:
    """Return the newest checkpoint that is whole; damaged ones are put aside with a warning.

    One that is whole but of another version of this program, or cannot be read, is left alone.
    """
    paths = find_checkpoints(run)
    if not paths:
        raise InputError(f"{run} has no checkpoints: there is no training to go on with")
    for path in reversed(paths):
        try:
            data = load_checkpoint(path)
            if "replay" in data:
                data["replay"]["shards"] = read_shards(run, data["replay"]["shards"], warn)
            return data
        except DamagedError as error:
            warn(str(error))
            with suppress(OSError):  # where nothing can be written it stays, and is passed over again
                path.replace(path.with_suffix(".damaged"))
    raise InputError(f"{run} has no checkpoint that is whole")


def load_checkpoint(path: Path) -> dict[str, Any]:
    """Read a checkpoint and check that it is whole."""
    content = read_arrays(path, "a checkpoint")
    try:
        version = int(content.pop("format"))
        data = unpack(content) if version == FORMAT else None
    except (TypeError, ValueError, KeyError):
        raise DamagedError(f"{path} is damaged or not a checkpoint") from None
    if version != FORMAT:
        raise InputError(
            f"{path} has format {version}, this program goes on with format {FORMAT}: train anew; the run's"
            " agent.npz can still be played and evaluated"
        )
    if not isinstance(data, dict):
        raise DamagedError(f"{path} is damaged or not a checkpoint")
    return data


def find_checkpoints(run: Path) -> list[Path]:
    """Return a run's checkpoints, the newest last."""
    try:
        found = [path for path in (run / FOLDER).iterdir() if _NAME.fullmatch(path.name)]
    except OSError:
        return []
    return sorted(found, key=lambda path: (len(path.name), path.name))


@contextmanager
def sole_use(run: Path) -> Iterator[None]:
    """Refuse to train where another process trains; the lock goes with whoever held it, however it ended.

    What it left half written is removed.
    """
    try:
        run.mkdir(parents=True, exist_ok=True)
        file = (run / _LOCK).open("w")
    except OSError as error:
        raise InputError(f"cannot write to {run}: {error.strerror or error}") from None
    with file:
        if sys.platform != "win32":
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise InputError(f"another process is training in {run}") from None
        for folder in (run, run / FOLDER, run / SNAPSHOTS, run / SHARDS):
            remove_leftovers(folder)
        yield
