"""Files that are whole or not there, and archives of arrays that are read back whole or refused.

A file is written beside its place and then moved there, so that an interrupted write loses nothing. Members
of an archive are read to their ends, where their checksums stand: a reader that stops before, as `np.load`
does where a header tells less than there is, never looks at them.

Verified: tests/core/test_files.py.
"""

import errno
import io
import mmap
import os
import struct
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import prod
from pathlib import Path
from typing import IO, Any

from sog.core.errors import InputError

_ARRAY = ".npy"  # how names of members end
_LONGEST_NAME = 120  # of a file, in letters, that is taken over into others
_END_SIZE, _END_COUNT = 22, 10  # bytes of an archive's last record, and where it counts its members
_LOCAL_HEADER, _LARGE_EXTRA = 30, 20  # bytes before a member's name, and of the sizes of large members
_PADDING_ID = 0xD935  # of an extra field that aligns what follows
_ALIGNMENT, _LONGEST_HEAD = 64, 4096


class DamagedError(InputError):
    """A file is not what was written."""


@contextmanager
def whole_file(path: Path, is_durable: bool = False) -> Iterator[IO[bytes]]:
    """Give a file to write to, which takes its place when all has been written.

    is_durable: on the disk before that, so that the file survives the machine too.
    """
    temporary = _temporary(path)
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


def probe_file(path: Path) -> None:
    """Refuse a file that could not be written, by writing one beside it; leftovers there are removed."""
    try:
        remove_leftovers(path.parent)
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a directory")
        if not path.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, f"there is no directory {_short(path.parent)!r}")
        temporary = _temporary(path)
        with suppress(FileExistsError), temporary.open("xb"):
            pass
        temporary.unlink(missing_ok=True)
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write {_short(path)}: {_reason(error)}") from None


def probe_folder(path: Path) -> None:
    """Refuse a folder that could not be made or written to; nothing is left there."""
    try:
        found = path
        while not found.exists():
            found = found.parent
        if not found.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, f"{found} is not a folder")
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write to {_short(path)}: {_reason(error)}") from None
    probe_file(found / "probe")


def _temporary(path: Path) -> Path:
    """Return the name beside a file under which it is written."""
    return path.with_name(f".{path.name[:_LONGEST_NAME]}.{os.getpid()}.part")


def _short(path: Path) -> str:
    text = str(path)
    return text if len(text) <= _LONGEST_NAME else text[:_LONGEST_NAME] + "…"


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def write_file(path: Path, content: bytes) -> None:
    """Write a file, all or nothing."""
    with whole_file(path) as file:
        file.write(content)


def write_arrays(file: IO[bytes], arrays: dict[str, Any]) -> None:
    """Write a `.npz` archive whose arrays begin at multiples of 64 bytes, so that they can be mapped."""
    import numpy as np  # slow to import

    with zipfile.ZipFile(file, "w") as archive:
        for name, value in arrays.items():
            info = zipfile.ZipInfo(name + _ARRAY)  # of 1980: the same content gives the same bytes
            start = file.tell() + _LOCAL_HEADER + len(info.filename.encode()) + _LARGE_EXTRA + 4
            padding = -start % _ALIGNMENT
            info.extra = struct.pack("<HH", _PADDING_ID, padding) + bytes(padding)
            with archive.open(info, "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asanyarray(value), allow_pickle=False)


def map_arrays(path: Path, kind: str) -> dict[str, Any]:
    """Return the arrays of a `.npz` archive by name, read where they are looked at; writing changes no file.

    What is not aligned, or compressed, is read at once.
    """
    try:
        with path.open("rb") as stream, zipfile.ZipFile(stream) as archive:
            memory = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_COPY)
            infos = archive.infolist()
            return {info.filename.removesuffix(_ARRAY): _map_array(archive, info, memory) for info in infos}
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or f'not {kind}'}") from None
    except Exception:  # as above
        raise DamagedError(f"{path} is damaged or not {kind}") from None


def _map_array(archive: zipfile.ZipFile, info: zipfile.ZipInfo, memory: mmap.mmap) -> Any:
    import numpy as np  # slow to import

    if info.compress_type != zipfile.ZIP_STORED:
        return _read_array(archive, info, len(memory))
    name, extra = struct.unpack_from("<HH", memory, info.header_offset + _LOCAL_HEADER - 4)
    start = info.header_offset + _LOCAL_HEADER + name + extra
    head = io.BytesIO(memory[start : start + _LONGEST_HEAD])
    if np.lib.format.read_magic(head) != (1, 0):
        return _read_array(archive, info, len(memory))
    shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(head)
    first, size = start + head.tell(), prod(shape)
    if is_fortran or first % _ALIGNMENT or size * dtype.itemsize != info.file_size - head.tell():
        return _read_array(archive, info, len(memory))
    return np.frombuffer(memory, dtype, size, first).reshape(shape)


def read_arrays(path: Path, kind: str) -> dict[str, Any]:
    """Return the arrays of a `.npz` archive by name, each as its checksum tells; nothing in a file can run.

    kind: what it should be, with its article, for whoever gave another file.
    """
    try:
        stream = path.open("rb")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise InputError(f"cannot read {_short(path)}: {reason or f'not {kind}'}") from None
    with stream:
        try:
            with zipfile.ZipFile(stream) as archive:
                size = stream.seek(-_END_SIZE, os.SEEK_END) + _END_SIZE
                (count,) = struct.unpack_from("<H", stream.read(), _END_COUNT)
                arrays = {info.filename: _read_array(archive, info, size) for info in archive.infolist()}
                is_whole = len(arrays) == len(archive.infolist()) == count
        except MemoryError:  # what is read has been checked, so this is no damage
            raise InputError(f"cannot read {path}: not enough memory") from None
        except Exception:  # headers that lie make zipfile and numpy raise nearly anything
            is_whole = False
    if not is_whole:
        raise DamagedError(f"{path} is damaged or not {kind}")
    return {name.removesuffix(_ARRAY): array for name, array in arrays.items()}


def _read_array(archive: zipfile.ZipFile, info: zipfile.ZipInfo, size: int) -> Any:
    """Read a member to its end, where its checksum is compared, before believing a word of it."""
    if not info.filename.endswith(_ARRAY) or info.compress_size > size:
        raise ValueError
    import numpy as np  # slow to import, and not needed to write

    content = io.BytesIO(archive.read(info))
    array = np.lib.format.read_array(content, allow_pickle=False)
    if content.read(1):
        raise ValueError
    return array


def remove_leftovers(folder: Path) -> None:
    """Remove what processes that were killed have left half written in a folder."""
    for path in folder.glob(".*.part") if os.name == "posix" else ():
        number = path.suffixes[-2][1:] if len(path.suffixes) > 1 else ""
        if number.isdecimal() and (int(number) == os.getpid() or not _is_running(int(number))):
            with suppress(OSError):
                path.unlink()


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def _flush(folder: Path) -> None:
    """Have the folder itself written, where that can be asked for."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
