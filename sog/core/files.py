"""Files that are whole or not there, and archives of arrays that are read back whole or refused.

A file is written beside its place and then moved there, so that an interrupted write loses nothing.

Verified: tests/core/test_files.py.
"""

import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import numpy as np

from sog.core.errors import InputError


class DamagedError(InputError):
    """A file is not what was written."""


@contextmanager
def whole_file(path: Path, is_durable: bool = False) -> Iterator[IO[bytes]]:
    """Give a file to write to, which takes its place when all has been written.

    is_durable: on the disk before that, so that the file survives the machine too.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as file:
            yield file
            if is_durable:
                file.flush()
                os.fsync(file.fileno())
        temporary.replace(path)
        if is_durable:
            _flush(path.parent)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def write_file(path: Path, content: bytes) -> None:
    """Write a file, all or nothing."""
    with whole_file(path) as file:
        file.write(content)


def read_arrays(path: Path, kind: str) -> dict[str, Any]:
    """Return the arrays of a `.npz` archive by name; nothing in a file can run.

    kind: what it should be, with its article, for whoever gave another file.
    """
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
            return {key: file[key] for key in file.files}
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or f'not {kind}'}") from None
    except (
        TypeError,
        ValueError,
        zipfile.BadZipFile,
        KeyError,
        EOFError,
        NotImplementedError,
        zlib.error,
    ):
        raise DamagedError(f"{path} is damaged or not {kind}") from None


def _flush(folder: Path) -> None:
    """Have the folder itself written, where that can be asked for."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
