"""Fair timing on a noisy machine: contestants take turns, and each keeps its best window."""

import time
from collections.abc import Callable

ROUNDS = 5
WINDOW_SECONDS = 0.4


def best_times(contestants: dict[str, Callable[[int], object]], rounds: int = ROUNDS) -> dict[str, float]:
    """Return the seconds a call of each contestant takes; a contestant is given how often to repeat."""
    repeats = {name: _repeats_for(run) for name, run in contestants.items()}
    best = dict.fromkeys(contestants, float("inf"))
    for _ in range(rounds):
        for name, run in contestants.items():
            start = time.perf_counter()
            run(repeats[name])
            best[name] = min(best[name], (time.perf_counter() - start) / repeats[name])
    return best


def _repeats_for(run: Callable[[int], object]) -> int:
    """Return how many repeats fill a window; the first call also compiles and warms up."""
    run(1)
    repeats = 1
    while True:
        start = time.perf_counter()
        run(repeats)
        elapsed = time.perf_counter() - start
        if elapsed > WINDOW_SECONDS / 4:
            return max(1, round(repeats * WINDOW_SECONDS / elapsed))
        repeats *= 4


def milliseconds(seconds: float) -> str:
    """Write a duration with three digits.

    >>> milliseconds(0.000123456)
    '0.123'
    """
    return f"{seconds * 1e3:#.3g}".rstrip(".")
