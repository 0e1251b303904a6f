"""Compiled kernels: the only place where numba's flags are set.

Numba caches a kernel by its own file alone and misses an edit in a callee of another file, so the cache
directory is keyed by a hash over every source file that holds kernels. `NUMBA_DISABLE_JIT=1` turns every
kernel back into plain Python; the tests use that to step through small cases.

Verified: tests/core/test_jit.py.
"""

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba import config

_Function = TypeVar("_Function", bound=Callable[..., Any])
_PACKAGE = Path(__file__).resolve().parent.parent
_KEPT_CACHES = 4


def source_hash() -> str:
    """Return a short hash of every source file of the package that defines kernels."""
    digest = hashlib.sha256(f"{numba.__version__}".encode())
    for path in sorted(_PACKAGE.rglob("*.py")):
        text = path.read_bytes()
        if b"kernel" in text:
            digest.update(text)
    return digest.hexdigest()[:16]


def _choose_cache() -> None:
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sog" / "kernels"
    directory = home / source_hash()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        directory.touch()
        stale = sorted(home.iterdir(), key=lambda path: path.stat().st_mtime)[:-_KEPT_CACHES]
        for path in stale:
            shutil.rmtree(path, ignore_errors=True)
    except OSError:
        return  # a home that cannot be written to: numba falls back to its own choice
    config.CACHE_DIR = str(directory)


_choose_cache()


def kernel(function: _Function) -> _Function:
    """Compile `function` ahead of its first use, cached on disk, releasing the GIL."""
    return cast(_Function, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def parallel_kernel(function: _Function) -> _Function:
    """Like `kernel`, with `prange` loops spread over the cores."""
    return cast(_Function, numba.njit(cache=True, nogil=True, error_model="numpy", parallel=True)(function))


prange = numba.prange
