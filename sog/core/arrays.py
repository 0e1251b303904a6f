"""Names for the array types that signatures use, and a growable array."""

import mmap
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

I8 = npt.NDArray[np.int8]
I16 = npt.NDArray[np.int16]
I32 = npt.NDArray[np.int32]
U8 = npt.NDArray[np.uint8]
U16 = npt.NDArray[np.uint16]
U32 = npt.NDArray[np.uint32]
I64 = npt.NDArray[np.int64]
U64 = npt.NDArray[np.uint64]
F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Records = npt.NDArray[np.void]  # a structured array: one record per thing, fields by name
Float = npt.NDArray[np.floating[Any]]

_Scalar = TypeVar("_Scalar", bound=np.generic)


_CACHE_LINE = 64  # bytes
MB = 2**20


class Growable(Generic[_Scalar]):
    """A one-dimensional array that is appended to in amortised constant time.

    >>> array = Growable(np.int32)
    >>> array.extend([1, 2, 3])
    0
    >>> array.values.tolist()
    [1, 2, 3]
    """

    __slots__ = ("_length", "_storage")

    def __init__(self, dtype: type[_Scalar] | np.dtype[_Scalar], capacity: int = 16) -> None:
        self._storage: npt.NDArray[_Scalar] = np.zeros(capacity, dtype)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> Any:
        if not -self._length <= index < self._length:
            raise IndexError(index)
        return self._storage[index if index >= 0 else self._length + index]

    def __setitem__(self, index: int, value: Any) -> None:
        if not 0 <= index < self._length:
            raise IndexError(index)
        self._storage[index] = value

    def append(self, value: Any) -> int:
        """Add one value and return its index."""
        index = self._length
        self._reserve(index + 1)
        self._storage[index] = value
        self._length = index + 1
        return index

    def extend(self, values: npt.ArrayLike) -> int:
        """Add several values and return the index of the first."""
        added = np.asarray(values, self._storage.dtype)
        start = self._length
        self._reserve(start + added.size)
        self._storage[start : start + added.size] = added
        self._length = start + added.size
        return start

    @property
    def values(self) -> npt.NDArray[_Scalar]:
        """The filled part, a view that the next growth may leave behind."""
        return self._storage[: self._length]

    def _reserve(self, length: int) -> None:
        size = self._storage.size
        while size < length:  # by doubling alone: what it takes depends on how much there is, not on the way
            size = 2 * size or 1
        if size > self._storage.size:
            grown = np.zeros(size, self._storage.dtype)
            grown[: self._length] = self._storage[: self._length]
            self._storage = grown


def num_bytes(arrays: Any) -> int:
    """Return what arrays take, growable ones with their room to spare, in tuples of any depth.

    >>> num_bytes((np.zeros(3), (Growable(np.int32, capacity=4), None)))
    40
    """
    if isinstance(arrays, tuple):
        return sum(map(num_bytes, arrays))
    if isinstance(arrays, Growable):
        return arrays._storage.nbytes
    return arrays.nbytes if isinstance(arrays, np.ndarray) else 0


def doubled(array: npt.NDArray[_Scalar]) -> npt.NDArray[_Scalar]:
    """Return an array with twice the rows, zeros at the end: memory that is not used yet is not touched.

    >>> doubled(np.array([[1, 2]])).tolist()
    [[1, 2], [0, 0]]
    """
    larger = np.zeros((2 * len(array), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger


def sparse_zeros(shape: Any, dtype: Any = np.float64) -> Any:
    """Return zeros that take memory only where they are written, a small page at a time.

    Numpy's own are of large pages, of which a few bytes fill two megabytes.
    """
    if not hasattr(mmap, "MADV_NOHUGEPAGE"):
        return np.zeros(shape, dtype)
    kind, size = np.dtype(dtype), int(np.prod(shape))
    raw = mmap.mmap(-1, max(size * kind.itemsize, 1), mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    raw.madvise(mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(raw, kind, size).reshape(shape)


def aligned_zeros(size: int, dtype: Any) -> Any:
    """Return zeros whose first byte opens a cache line, so that no vector of eight floats lies across two."""
    kind = np.dtype(dtype)
    raw = np.zeros(size * kind.itemsize + _CACHE_LINE, np.uint8)
    start = -raw.ctypes.data % _CACHE_LINE
    return raw[start : start + size * kind.itemsize].view(kind)
