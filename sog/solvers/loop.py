"""The loop of every solve: iterations until something says stop, with progress, a trace and a file.

What is solved, and how, is the subclass's: `sog.solvers.solver` (any game, its whole tree) and
`sog.poker.spot_solver` (hold'em, street by street).

Verified: tests/solvers/test_solver.py, tests/solvers/test_loop.py.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil, exp, inf, log
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sog.core.errors import InputError
from sog.core.interrupts import deferred_interrupt
from sog.solvers.algorithms import Algorithm
from sog.solvers.checkpoint import Checkpoint, load_checkpoint, save_checkpoint

_TRACE_GROWTH = 1.1  # exploitability is measured again when the iterations have grown by this factor
_COSTLY_GAP = 15  # iterations between measurements that take about as long as one
_COSTLY_START = 10
_CLOSE = 2  # a goal that fewer times the iterations so far are expected to reach is waited for
_CHUNK_SECONDS = 0.05  # a kernel call lasts about that long, so that Ctrl-C and clocks are heard


class Progress(NamedTuple):
    """Where a solve stands."""

    iterations: int
    seconds: float
    exploitability: float


class Solution(NamedTuple):
    """What a solve has found."""

    game: str
    algorithm: str
    iterations: int
    seconds: float  # of iterations and measuring
    measuring: float  # seconds of it
    value: float  # of player 0, when both play the average policy
    exploitability: float
    infostates: int
    trace: list[Progress]
    was_interrupted: bool


class SolveLoop(ABC):
    """A solve from the start or from a checkpoint."""

    algorithm: Algorithm
    name: str  # of the game
    infostates: int
    is_costly = False  # whether measuring takes about as long as an iteration
    powers: tuple[float, float, float] | None = None  # lowest, usual, highest at which exploitability falls

    def __init__(self) -> None:
        self.iterations, self.seconds = 0, 0.0
        self._next_measuring = 0  # after how many iterations exploitability is measured again
        self.measuring = 0.0  # of the seconds, since the start or the file that is continued
        self.trace: list[Progress] = []

    @abstractmethod
    def fingerprint(self) -> str:
        """Return a short hash of the tree that the arrays lie on."""

    @abstractmethod
    def arrays(self) -> dict[str, Any]:
        """Return the arrays that a checkpoint holds, by name; writing into them changes the solve."""

    @abstractmethod
    def value(self) -> float:
        """Return what player 0 wins when both play the average policy."""

    @abstractmethod
    def exploitability(self) -> float:
        """Return what a player can gain on average by answering the average policy best."""

    @abstractmethod
    def _iterate(self, first: int, count: int) -> None:
        """Run iterations first, first + 1, … (count of them)."""

    def run(
        self,
        iterations: int | None = None,
        until: float | None = None,
        seconds: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        should_stop: Callable[[int], bool] | None = None,
    ) -> Solution:
        """Go on until the solve has `iterations`, its exploitability is `until`, or `seconds` have passed.

        Ctrl-C stops it too, between two iterations, and what was found so far is returned. `should_stop`,
        which is told the iterations so far, and `on_progress` are called about twenty times a second;
        exploitability is measured less often, and repeated in between.
        """
        _check_limits(iterations, until, seconds)
        limit = inf if iterations is None else iterations
        deadline = inf if seconds is None else self.seconds + seconds
        self._next_measuring = self.iterations + (_COSTLY_START if self.is_costly else 1)
        measuring = 0.0  # of the last time: the deadline leaves as much for the next
        with deferred_interrupt() as is_interrupted:
            is_stopped = False
            while self.iterations < limit and self.seconds + measuring < deadline and not is_interrupted():
                is_stopped = should_stop is not None and should_stop(self.iterations)
                if is_stopped:
                    break
                target = min(limit, max(self._next_measuring, self.iterations + 1))
                self.advance(int(min(target - self.iterations, self._affordable())))
                if self.iterations >= self._next_measuring or self.iterations >= limit:
                    measuring = self._measure()
                    self._next_measuring = self._next_measure(until)
                exploitability = self.trace[-1].exploitability if self.trace else inf
                if on_progress is not None:
                    on_progress(Progress(self.iterations, self.seconds, exploitability))
                if until is not None and exploitability <= until:
                    break
            return self.solution(was_interrupted=is_stopped or is_interrupted())

    def solution(self, was_interrupted: bool = False) -> Solution:
        """Return what has been found so far."""
        if not self.trace or self.trace[-1].iterations != self.iterations:
            self._measure()
        with self._clock():
            value = self.value()
        return Solution(
            game=self.name,
            algorithm=self.algorithm.name,
            iterations=self.iterations,
            seconds=self.seconds,
            measuring=self.measuring,
            value=value,
            exploitability=self.trace[-1].exploitability,
            infostates=self.infostates,
            trace=list(self.trace),
            was_interrupted=was_interrupted,
        )

    def save(self, path: Path, description: str = "", arrays: dict[str, Any] | None = None) -> None:
        """Write everything needed to go on from here, or other arrays; `description` is for readers."""
        checkpoint = Checkpoint(
            game=self.name,
            algorithm=self.algorithm.name,
            fingerprint=self.fingerprint(),
            iterations=self.iterations,
            seconds=self.seconds,
            trace=np.array(self.trace, np.float64).reshape(-1, 3),
            arrays=self.arrays() if arrays is None else arrays,
            description=description,
        )
        save_checkpoint(path, checkpoint)

    def resume(self, path: Path) -> None:
        """Continue from a file; the iterations that follow are those of an uninterrupted run, bit for bit."""
        checkpoint = load_checkpoint(path)
        arrays = self.arrays()
        self._check_fit(path, checkpoint, arrays)
        for name, array in arrays.items():
            array[...] = checkpoint.arrays[name]
        self._stand_at(checkpoint)

    def _stand_at(self, checkpoint: Checkpoint) -> None:
        self.iterations, self.seconds = checkpoint.iterations, checkpoint.seconds
        self.trace = [Progress(int(row[0]), float(row[1]), float(row[2])) for row in checkpoint.trace]

    def _check_fit(self, path: Path, checkpoint: Checkpoint, arrays: dict[str, Any]) -> None:
        """Refuse a file that is of another solve, or whose arrays are not like these."""
        ours = self.name, self.algorithm.name, self.fingerprint()
        for what, saved, own in zip(("game", "algorithm", "tree"), checkpoint[:3], ours, strict=True):
            if saved != own:
                raise InputError(f"{path} holds another {what}: {saved}, not {own}")
        for name, array in arrays.items():
            saved_array = checkpoint.arrays.get(name)
            if saved_array is None or saved_array.shape != array.shape or saved_array.dtype != array.dtype:
                raise InputError(f"{path} is damaged: its array {name!r} does not fit")

    def advance(self, count: int) -> None:
        """Run so many more iterations, without measuring."""
        start = time.perf_counter()
        self._iterate(self.iterations + 1, count)
        self.seconds += time.perf_counter() - start
        self.iterations += count

    def expected_iterations(self, goal: float) -> float:
        """Return after how many iterations to expect that a solve ends; infinite if that is unknown.

        The usual power, where it is known, says more than what was measured last. A solve ends where it is
        measured, so not before the next time.
        """
        power = self._measured_power() if self.powers is None else self.powers[1]
        return max(self._next_measuring, self._reach(goal, power))

    def _measured_power(self) -> float:
        """Return the power at which exploitability fell, within the usual bounds; 0 if it is unknown."""
        points = [point for point in self.trace[-2:] if point.exploitability > 0]
        if len(points) < 2:
            return 0.0 if self.powers is None else self.powers[1]
        fall = log(points[0].exploitability / points[1].exploitability)
        power = fall / log(points[1].iterations / points[0].iterations)
        return power if self.powers is None else min(max(power, self.powers[0]), self.powers[2])

    def _reach(self, goal: float, power: float) -> float:
        """Return after how many iterations exploitability is so low, if it falls by a power of them."""
        points = [point for point in self.trace[-1:] if point.exploitability > 0]
        if not points or power <= 0:  # it does not fall, or that is not known yet
            return inf
        missing = max(log(points[0].exploitability / goal), 0.0)
        return float(points[0].iterations * exp(min(missing / power, 50.0)))

    def _next_measure(self, goal: float | None) -> int:
        """Return after how many iterations to measure again."""
        done = self.iterations
        if not self.is_costly:
            return ceil(done * _TRACE_GROWTH)
        if goal is None:
            return max(done + _COSTLY_GAP, ceil(done * _TRACE_GROWTH))
        aim = min(self._reach(goal, self._measured_power()), float(_CLOSE * done))
        return max(ceil(aim), done + ceil(done / _COSTLY_GAP))

    def _affordable(self) -> float:
        """Return how many iterations fit into one call."""
        if self.iterations == 0 or self.seconds <= self.measuring:
            return 1
        return max(1.0, _CHUNK_SECONDS * self.iterations / (self.seconds - self.measuring))

    def _measure(self) -> float:
        """Note the exploitability; return the seconds that it took."""
        before = self.seconds
        with self._clock():
            exploitability = self.exploitability()
        self.trace.append(Progress(self.iterations, self.seconds, exploitability))
        return self.seconds - before

    @contextmanager
    def _clock(self) -> Iterator[None]:
        start = time.perf_counter()
        yield
        taken = time.perf_counter() - start
        self.seconds, self.measuring = self.seconds + taken, self.measuring + taken


def _check_limits(iterations: int | None, until: float | None, seconds: float | None) -> None:
    if iterations is None and until is None and seconds is None:
        raise InputError("say when to stop: by iterations, seconds or exploitability")
    if iterations is not None and iterations < 1:
        raise InputError(f"iterations must be 1 or more, not {iterations}")
    if until is not None and not 0 < until < inf:
        raise InputError(f"the exploitability to stop at must be positive and finite, not {until}")
    if seconds is not None and not 0 < seconds < inf:
        raise InputError(f"seconds must be positive and finite, not {seconds}")
