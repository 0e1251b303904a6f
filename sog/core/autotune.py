"""Choosing between two ways to do the same, by trying."""

import time
from collections.abc import Callable
from math import inf
from typing import Any


class FasterOf:
    """Calls whichever of two equivalent functions has been faster per unit of work, as far as it knows.

    Cores may be busy with something else, so what pays is not known beforehand and may change. The slower one
    is tried again after 8, 16, 32, … calls; a trial that goes badly costs one call in many.
    """

    def __init__(self, plain: Callable[..., Any], other: Callable[..., Any]) -> None:
        self._functions = (plain, other)
        self._seconds = [inf, inf]  # of the last call, per unit of work
        self._calls, self._next_trial, self._patience = 0, 2, 8

    @property
    def favourite(self) -> int:
        """0 for the plain function, 1 for the other."""
        return int(self._seconds[1] < self._seconds[0])

    def __call__(self, work: int, *args: Any) -> None:
        """Do `work` units by one of the two functions."""
        self._calls += 1
        chosen = self.favourite
        if self._calls == self._next_trial:
            chosen = 1 - chosen
            self._next_trial += self._patience
            self._patience *= 2
        start = time.perf_counter()
        self._functions[chosen](*args)
        self._seconds[chosen] = (time.perf_counter() - start) / max(work, 1)
