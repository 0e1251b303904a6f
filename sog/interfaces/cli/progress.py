"""Progress on standard error: a bar at a terminal; elsewhere a line of a long solve now and then.

Verified: tests/interfaces/cli/test_progress.py.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from types import FrameType
from typing import Any

from numba.core import event
from tqdm import tqdm

from sog.interfaces.cli.arguments import INTERRUPTED
from sog.interfaces.output import shorten
from sog.solvers.loop import Progress
from sog.training.run_status import RunStatus

_SECONDS_BETWEEN_LINES = 10.0
_RATE_REPORTS = 100  # over which speeds are taken, at most ten a second
_BAR = "{desc} {bar} {n_fmt}/{total_fmt} [{elapsed}<{remaining}, {rate_fmt}]{postfix}"
_OPEN_BAR = "{desc} {n_fmt} [{elapsed}, {rate_fmt}]{postfix}"


class Announcement(event.Listener):
    """Says once that kernels are compiled, as soon as the first one is; numba calls it."""

    def __init__(self) -> None:
        self.duration, self.is_made = "a minute", False

    def on_start(self, event: Any) -> None:
        """Speak."""
        if not self.is_made:
            self.is_made = True
            say(f"compiling for this machine, about {self.duration}; later runs start at once")

    def on_end(self, event: Any) -> None:
        """Say nothing."""


announcement = Announcement()
event.register("numba:compile", announcement)  # type: ignore[no-untyped-call]


@contextmanager
def building(name: str) -> Iterator[Callable[[int], None]]:
    """Give a function to be told how many public states there are so far."""
    if _is_quiet():
        say = _Lines()
        yield lambda states: say(f"building {shorten(name, 40)}: {states:,} public states so far")
        return
    with tqdm(
        desc=f"building {shorten(name, 40)}",
        unit=" public states",
        file=sys.stderr,
        leave=False,
    ) as bar:
        yield lambda states: _set(bar, states)


@contextmanager
def counting(label: str, unit: str, total: int) -> Iterator[Callable[[], None]]:
    """Give a function to be called whenever one more of `total` things is done."""
    with tqdm(
        disable=_is_quiet(), desc=label, unit=f" {unit}", total=total, file=sys.stderr, leave=False
    ) as bar:
        yield lambda: _set(bar, bar.n + 1)


@contextmanager
def preparing(duration: str = "half a minute") -> Iterator[None]:
    """Say why nothing happens; if something is compiled, also for about how long. Ctrl-C ends at once.

    The compiler is no place for an exception: it would go on without it, and fail later on.
    """
    announcement.duration = duration
    is_main = threading.current_thread() is threading.main_thread()
    is_ours = is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with tqdm(disable=_is_quiet(), desc="preparing", bar_format="{desc}", file=sys.stderr, leave=False):
        if is_ours:
            signal.signal(signal.SIGINT, _leave)
        try:
            yield
        finally:
            if is_ours:
                signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave(signal_number: int, frame: FrameType | None) -> None:
    os.write(sys.stderr.fileno(), b"\nsog: interrupted\n")
    os._exit(INTERRUPTED)


def plain_number(exploitability: float) -> str:
    """Return an exploitability in the game's own units."""
    return f"{exploitability:.3g}"


@contextmanager
def solving(
    label: str,
    start: int,
    total: int | None,
    describe: Callable[[float], str] = plain_number,
    seconds_left: Callable[[], float] = lambda: inf,
) -> Iterator[Callable[[Progress], None]]:
    """Give a function to be told where a solve stands; `start` iterations were done before.

    `describe` says an exploitability in words; `seconds_left` is infinite where that is unknown.
    """
    with _measuring(label, "iterations", total, start) as note:

        def report(progress: Progress) -> None:
            measured, left = progress.exploitability, seconds_left()
            words = "not measured yet" if measured == inf else f"exploitability {describe(measured)}"
            note(progress.iterations, words if left == inf else f"{words}, about {_clock(left)} left")

        yield report


@contextmanager
def learning(label: str, episodes: int) -> Iterator[Callable[[int, float], None]]:
    """Give a function to be told how many episodes were played, and the last measured exploitability."""
    with _measuring(label, "episodes", episodes) as note:
        yield lambda played, measured: note(played, f"exploitability {plain_number(measured)}")


@contextmanager
def averaging(label: str, playthroughs: int, unit_size: float) -> Iterator[Callable[[int, float], None]]:
    """Give a function to be told how many playthroughs are averaged, and how exploitable they are at most."""
    with _measuring(label, f"of {playthroughs:,} playthroughs", playthroughs, stays=False) as note:
        yield lambda done, bound: note(done, f"exploitable by at most {plain_number(bound / unit_size)}")


@contextmanager
def _measuring(
    label: str, unit: str, total: int | None, start: int = 0, stays: bool = True
) -> Iterator[Callable[[int, str], None]]:
    """Give a function to be told how many of `total` things are done, and what was measured of them."""
    if _is_quiet():
        say = _Lines()
        yield lambda done, measured: say(f"{label}: {done:,} {unit}, {measured}")
        return
    layout = _OPEN_BAR if total is None else _BAR
    with tqdm(desc=label, initial=start, total=total, file=sys.stderr, bar_format=layout, leave=stays) as bar:

        def report(done: int, measured: str) -> None:
            bar.set_postfix_str(measured, refresh=False)
            _set(bar, done)

        yield report


@contextmanager
def training(
    label: str, start: RunStatus, steps: float, minutes: float
) -> Iterator[Callable[[RunStatus], None]]:
    """Give a function to be told where a training run stands; it ends after so many steps or minutes."""
    rates = _Rates(start, steps, minutes)
    if _is_quiet():
        say = _Lines()
        yield lambda status: say(f"{label}: {rates.words(status)}")
        return
    with tqdm(desc=label, bar_format="{desc}", file=sys.stderr) as bar:

        def report(status: RunStatus) -> None:
            bar.set_description_str(f"{label}: {rates.words(status)}")  # cut off at the terminal's width

        yield report


def say(line: str) -> None:
    """Print a line that is worth knowing, beside the bar if there is one."""
    tqdm.write(f"sog: {line}", file=sys.stderr)


class _Rates:
    """Speeds and the time left, over the last seconds."""

    def __init__(self, start: RunStatus, steps: float, minutes: float) -> None:
        self._steps, self._seconds = steps, 60 * minutes
        self._marks = [(start.seconds, start.steps, start.counts.solved)]

    def words(self, status: RunStatus) -> str:
        """Describe where a run stands in one line."""
        counts = status.counts
        self._marks = [*self._marks[-_RATE_REPORTS:], (status.seconds, status.steps, counts.solved)]
        (then, steps, solved), (now, _, _) = self._marks[0], self._marks[-1]
        elapsed = max(now - then, 1e-9)
        speed = (status.steps - steps) / elapsed
        left = min(
            (self._steps - status.steps) / speed if speed > 0 else inf,
            self._seconds - status.seconds,
        )
        parts = [
            f"step {status.steps:,}" + (f"/{self._steps:,}" if self._steps < inf else ""),
            "" if left == inf else f"{_clock(left)} left",
            "" if status.losses is None else "loss {:.4f} {:.4f}".format(*status.losses),
            "" if not status.curve else f"exploitability {_last_measured(status)}",
            f"{counts.games:,} games",
            f"{(counts.solved - solved) / elapsed:,.0f} solved/s",
            f"{status.examples:,} examples",
            f"buffer {status.buffer:,}",
        ]
        return ", ".join(part for part in parts if part)


def _last_measured(status: RunStatus) -> str:
    """Return the last exploitability, of the largest search."""
    return plain_number(list(status.curve[-1].exploitability.values())[-1])


def _clock(seconds: float) -> str:
    minutes, rest = divmod(max(0, round(seconds)), 60)  # a step may end late
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


class _Lines:
    """Prints a line if the last one is long ago."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, line: str) -> None:
        now = time.monotonic()
        if now - self._last >= _SECONDS_BETWEEN_LINES:
            self._last = now
            print(line, file=sys.stderr, flush=True)


def _is_quiet() -> bool:
    return not sys.stderr.isatty()


def _set(bar: "tqdm[None]", count: int) -> None:
    bar.update(count - bar.n)
