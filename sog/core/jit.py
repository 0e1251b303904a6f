"""Compiled kernels: the only place where numba's flags are set.

Numba caches a kernel by its own file alone and misses an edit in a callee of another file, so the cache
directory is keyed by a hash over every source file of the package that holds kernels. What a user's kernels
were made of is part of their own key, and of the key of every kernel that is compiled for a user's class of
tables. `NUMBA_DISABLE_JIT=1` turns every kernel back into plain Python; the tests use that to step through
small cases.

Numba optimises and emits each function on its own, and again in every function that calls it. Here only
kernels are: their parts (`inner`, `inlined`) are linked into them as they are. That halves the time to
compile, and lets the compiler see a kernel as a whole.

Processes that start together on an empty cache want the same kernels. They take turns: one compiles, the
others wait and load what it made. Numba itself lets all compile, and two that save different signatures of a
function at once may write the same file.

Indices in kernels are unsigned. A signed index makes numba ask at every access whether it counts from the
end: two to three times slower in a plain loop. So index arrays are uint32, scalars taken from them are
`np.uint64`, literals that meet them are `ZERO` and `ONE`, and loops count from zero, since a `range` that
starts at an unsigned number slows short loops down again.

Verified: tests/core/test_jit.py.
"""

import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

try:
    import fcntl
except ImportError:  # not everywhere
    fcntl = None  # type: ignore[assignment]

_Function = TypeVar("_Function", bound=Callable[..., Any])
_PACKAGE = Path(__file__).resolve().parent.parent
_KEPT_CACHES = 4
_SECONDS_TO_WAIT = 60.0  # for another process that compiles the same function

ZERO = np.uint64(0)
ONE = np.uint64(1)


def source_hash() -> str:
    """Return a short hash of every source file that defines kernels or parts of them."""
    digest = hashlib.sha256(f"{numba.__version__}".encode())
    for path in sorted(_PACKAGE.rglob("*.py")):
        text = path.read_bytes()
        if any(word in text for word in (b"kernel", b"core.jit", b"numba")):
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


_foreign_files: set[str] = set()  # that hold kernels or parts of them, outside the package


@cache
def _file_hash(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes() if os.path.isfile(path) else path.encode()).hexdigest()


def note_source(function: Callable[..., Any]) -> None:
    """Have the file of a function that kernels may contain enter the key of the cache."""
    path = getattr(function, "py_func", function).__code__.co_filename
    if not Path(path).resolve().is_relative_to(_PACKAGE):
        _foreign_files.add(path)


def _is_foreign(kind: Any) -> bool:
    """Return whether a type of numba's is, or holds, a NamedTuple that a user has defined."""
    own = getattr(kind, "instance_class", None)
    return (own is not None and own.__module__.split(".")[0] != __name__.split(".")[0]) or any(
        map(_is_foreign, getattr(kind, "types", ()))
    )


class _Turn:
    """The right to compile a function, held by one process at a time; where that cannot be had, by all."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def take(self) -> None:
        """Wait for it: not for ever, since who holds it may have been stopped."""
        if self._file is not None or fcntl is None:
            return  # a compilation that failed has not given it back
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self._path, os.O_CREAT | os.O_RDWR, 0o666)
        except OSError:
            return
        end = time.monotonic() + _SECONDS_TO_WAIT
        while time.monotonic() < end:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except OSError:
                time.sleep(0.02)

    def give_back(self) -> None:
        """Let the next process have it."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


class _Cache(FunctionCache):
    """Numba's cache on disk, with the sources of a user's kernels in the key, and one compiler at a time."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        impl: Any = self._impl
        self._turn = _Turn(Path(self.cache_path) / f"{impl.filename_base}.lock")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load a signature; where it is not there, wait until no other process compiles the function."""
        found = self._load(sig, target_context)
        if found is None:
            self._turn.take()
            found = self._load(sig, target_context)
            if found is not None:
                self._turn.give_back()
        return found

    def _load(self, sig: Any, target_context: Any) -> Any:
        """Load a signature without what numba knows of all functions, which only a compiler asks for."""
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save a signature that was compiled."""
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        finally:
            self._turn.give_back()

    def _index_key(self, kinds: Iterable[Any], codegen: Any) -> tuple[Any, ...]:
        key: tuple[Any, ...] = super()._index_key(kinds, codegen)  # type: ignore[no-untyped-call]
        is_own = Path(self._py_func.__code__.co_filename).resolve().is_relative_to(_PACKAGE)
        if is_own and not any(map(_is_foreign, kinds)):
            return key
        return (*key, *sorted(map(_file_hash, _foreign_files)))


class _PartLibrary(JITCodeLibrary):
    """Code that kernels contain: it is linked, and left to the kernel to optimise and to emit."""

    def finalize(self) -> None:
        """Link what the code calls."""
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True

    @property
    def codegen(self) -> "_PartLibrary":
        """What is told the address of Python's environment: there is no code yet to know it."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Do without."""


class _PartCompiler(Compiler):
    """Numba's compiler, up to the point where code is optimised."""

    def __init__(self, typing: Any, target: Any, _: Any, *rest: Any) -> None:
        library: Any = _PartLibrary(target.codegen(), "part")  # type: ignore[no-untyped-call]
        super().__init__(typing, target, library, *rest)  # type: ignore[no-untyped-call]


# No reference counts (`_nrt`): kernels allocate nothing, so nothing needs counting, and the atomic counters
# that numba cannot always prune cost more than the work around them. Allocating in a kernel fails to compile.
_FLAGS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
_PART_FLAGS: dict[str, Any] = {
    **_FLAGS,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": _PartCompiler,
}

OVERLOAD_FLAGS: Any = {  # for `numba.extending.overload`
    "error_model": "numpy",
    "_nrt": False,
    "pipeline_class": _PartCompiler,
}


def _compile(function: _Function, flags: dict[str, Any]) -> _Function:
    note_source(function)
    return cast(_Function, numba.njit(**flags)(function))


def _compile_cached(function: _Function, flags: dict[str, Any]) -> _Function:
    compiled = _compile(function, flags)
    if compiled is not function:  # with NUMBA_DISABLE_JIT it is
        cast(Any, compiled)._cache = cast(Any, _Cache)(function)  # as numba's `cache=True` does
    return compiled


def kernel(function: _Function) -> _Function:
    """Compile `function` on first use, cached on disk, releasing the GIL."""
    return _compile_cached(function, _FLAGS)


def inner(function: _Function) -> _Function:
    """Like `kernel`, for functions that only kernels call.

    A call from Python takes every array of every struct apart, and the code for that takes longer to compile
    than most kernels do.
    """
    return _compile(function, _PART_FLAGS)


def inlined(function: _Function) -> _Function:
    """Like `inner`, always inlined by the compiler.

    For the body of a kernel's loop: structs of arrays are passed by value, and copying a hundred words a call
    costs more than the work done there.
    """
    return _compile(function, {**_PART_FLAGS, "forceinline": True})


def parallel_kernel(function: _Function) -> _Function:
    """Like `kernel`, with its `prange` loops spread over the cores."""
    return _compile_cached(function, {**_FLAGS, "parallel": True})


prange = numba.prange
