"""Solutions on disk: everything needed to go on with a solve, or to play it.

A file is a `.npz` archive with a format number, the game and algorithm it belongs to, and a fingerprint of
the tree its arrays lie on. A file that is damaged or belongs to something else is refused in one sentence.

Verified: tests/solvers/test_checkpoint.py.
"""

import hashlib
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F64
from sog.core.errors import InputError
from sog.core.files import map_arrays, read_arrays, whole_file, write_arrays
from sog.games.own_files import lasting_name, present_name, source_hash
from sog.public.layout import Layout

FORMAT = 1
_PLAIN_FIELDS = ("format", "game", "algorithm", "fingerprint", "iterations", "seconds", "trace")


class Checkpoint(NamedTuple):
    """A solve at one moment."""

    game: str
    algorithm: str
    fingerprint: str  # of the tree
    iterations: int
    seconds: float
    trace: F64  # [n, 3] iteration, seconds, exploitability
    arrays: dict[str, Any]
    description: str = ""  # of the game, where its name does not tell enough to make it again
    source: str = ""  # hash of the user's file that the game is in


def fingerprint(layout: Layout) -> str:
    """Return a short hash of a tree's shape."""
    digest = hashlib.sha256()
    for own in layout.players:
        for array in own:
            digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]


def save_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint, all or nothing."""
    plain = checkpoint._asdict() | {
        "game": lasting_name(checkpoint.game),
        "source": source_hash(checkpoint.game),
    }
    arrays = plain.pop("arrays")
    with whole_file(path) as file:
        named = {f"array_{key}": value for key, value in arrays.items()}
        write_arrays(file, {"format": FORMAT, **plain, **named})


def is_solution(path: Path) -> bool:
    """Return whether a file looks like a saved solve."""
    try:
        with zipfile.ZipFile(path) as archive:
            return "algorithm.npy" in archive.namelist()
    except (OSError, ValueError, zipfile.BadZipFile):
        return False


def load_checkpoint(path: Path, is_mapped: bool = False) -> Checkpoint:
    """Read a checkpoint and check that it is whole.

    is_mapped: read arrays only where they are looked at; then their checksums are not compared.
    """
    content = (map_arrays if is_mapped else read_arrays)(path, "a solution file")
    if any(key not in content for key in _PLAIN_FIELDS):
        raise InputError(f"{path} is not a solution file")
    version = content["format"]
    if version.shape != () or version != FORMAT:
        raise InputError(f"{path} has format {version}, this program reads format {FORMAT}")
    arrays = {key.removeprefix("array_"): value for key, value in content.items() if key.startswith("array_")}
    try:
        return Checkpoint(
            game=present_name(str(content["game"])),
            algorithm=str(content["algorithm"]),
            fingerprint=str(content["fingerprint"]),
            iterations=int(content["iterations"]),
            seconds=float(content["seconds"]),
            trace=content["trace"].astype(np.float64).reshape(-1, 3),
            arrays=arrays,
            description=str(content.get("description", "")),  # files of older solves have neither
            source=str(content.get("source", "")),
        )
    except (TypeError, ValueError):
        raise InputError(f"{path} is damaged") from None
