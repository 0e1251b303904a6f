"""Compiled kernels: the only place where numba's flags are set.

Numba caches a kernel by its own file alone and misses an edit in a callee of another file, so the cache
directory is keyed by a hash over every source file that holds kernels. `NUMBA_DISABLE_JIT=1` turns every
kernel back into plain Python; the tests use that to step through small cases.

Indices in kernels are unsigned. A signed index makes numba ask at every access whether it counts from the
end: two to three times slower in a plain loop. So index arrays are uint32, scalars taken from them are
`np.uint64`, literals that meet them are `ZERO` and `ONE`, and loops count from zero, since a `range` that
starts at an unsigned number slows short loops down again.

Verified: tests/core/test_jit.py.
"""

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

_Function = TypeVar("_Function", bound=Callable[..., Any])
_PACKAGE = Path(__file__).resolve().parent.parent
_KEPT_CACHES = 4

ZERO = np.uint64(0)
ONE = np.uint64(1)


def source_hash() -> str:
    """Return a short hash of every source file of the package that defines kernels or parts of them."""
    digest = hashlib.sha256(f"{numba.__version__}".encode())
    for path in sorted(_PACKAGE.rglob("*.py")):
        text = path.read_bytes()
        if b"kernel" in text or b"core.jit" in text:
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
    numba.config.CACHE_DIR = str(directory)  # type: ignore[attr-defined]  # set by numba at run time


_choose_cache()


# No reference counts (`_nrt`): kernels allocate nothing, so nothing needs counting, and the atomic counters
# that numba cannot always prune cost more than the work around them. Allocating in a kernel fails to compile.
_FLAGS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}


class _PartLibrary(JITCodeLibrary):
    """Code that only kernels contain: it is linked, and left to the kernel to optimise and to emit."""

    def finalize(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, name: str, env: Any) -> None:
        """Leave out the address of what only Python code needs: there is no code yet to know it."""


class _PartCompiler(Compiler):
    def __init__(self, typing_context: Any, target_context: Any, library: Any, *rest: Any) -> None:
        super().__init__(typing_context, target_context, _PartLibrary(target_context.codegen(), "part"), *rest)


_PART_FLAGS: dict[str, Any] = {
    **_FLAGS,
    "cache": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": _PartCompiler,
}

OVERLOAD_FLAGS: Any = {"error_model": "numpy", "_nrt": False, "pipeline_class": _PartCompiler}  # for `numba.extending.overload`


def kernel(function: _Function) -> _Function:
    """Compile `function` on first use, cached on disk, releasing the GIL."""
    return cast(_Function, numba.njit(**_FLAGS)(function))


def inner(function: _Function) -> _Function:
    """Like `kernel`, for functions that only kernels call.

    A call from Python takes every array of every struct apart, and the code for that takes longer to compile
    than most kernels do.
    """
    return cast(_Function, numba.njit(**_PART_FLAGS)(function))


def inlined(function: _Function) -> _Function:
    """Like `inner`, always inlined by the compiler.

    For the body of a kernel's loop: structs of arrays are passed by value, and copying a hundred words a call
    costs more than the work done there.
    """
    return cast(_Function, numba.njit(**_PART_FLAGS, forceinline=True)(function))


def parallel_kernel(function: _Function) -> _Function:
    """Like `kernel`, with its `prange` loops spread over the cores."""
    return cast(_Function, numba.njit(**_FLAGS, parallel=True)(function))


prange = numba.prange
