"""Giving back memory that a long computation does not need.

Verified: tests/core/test_resident.py.
"""

import ctypes
import re
import sys
from pathlib import Path

_MAPPINGS = Path("/proc/self/smaps")
_COMPILER = "libllvmlite"
_MADV_DONTNEED = 4  # of a file's pages that were never written: they are read again when they are needed
_HEAD = re.compile(r"([0-9a-f]+)-([0-9a-f]+) \S+ \S+ \S+ \S+ *(.*)")


def give_back() -> None:
    """Return to the system what this process has freed; where that cannot be asked for, do nothing."""
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
        trim(ctypes.c_size_t(0))


def release_compiler() -> None:
    """Take the compiler out of memory, 60 MB, and give freed memory back to the system.

    Numba keeps LLVM mapped after it has loaded the kernels. On other systems than Linux nothing happens.
    """
    if not sys.platform.startswith("linux") or not _MAPPINGS.exists():
        return
    give_back()
    library = ctypes.CDLL(None)
    for start, end in _find_unwritten(_MAPPINGS.read_text(encoding="utf-8", errors="replace")):
        library.madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), _MADV_DONTNEED)


def _find_unwritten(mappings: str) -> list[tuple[int, int]]:
    """Return where the compiler is mapped just as it is in its file.

    >>> _find_unwritten("7f00-7f20 r-xp 0 fe:00 1 /a/libllvmlite.so\\nAnonymous:   0 kB\\n")
    [(32512, 32544)]
    """
    found, place = [], None
    for line in mappings.splitlines():
        if head := _HEAD.match(line):
            start, end, path = head.groups()
            place = (int(start, 16), int(end, 16)) if _COMPILER in path else None
        elif place is not None and line.startswith("Anonymous:") and line.split()[1] == "0":
            found.append(place)
    return found
