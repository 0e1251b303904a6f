"""The supervisor of a few workers: whoever dies is replaced, wherever it worked.

A worker that dies (killed, stopped, hung, out of memory, an error of its own, its machine gone) is replaced
by another one, and a line says so. Workers that die again and again are given up: more than `MOST_DEATHS`
times within a minute, or with nothing of use heard in between. What dies together, with a machine or a
connection, counts once.

Verified: tests/core/test_supervisor.py, tests/training/sources/test_processes.py,
tests/cluster/test_cluster.py.
"""

import queue
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from sog.core.errors import InputError
from sog.core.workplace import GONE, Departure, Target, Worker, Workplace

MOST_DEATHS = 5  # within a minute, or with nothing of use in between
REFUSAL = "refusal"  # a worker cannot do what it was told, nor could another
FAILURE = "failure"  # nobody can go on
ERROR = "error"  # why a worker ends
NOTE = "note"  # worth knowing


class GivenUpError(InputError):
    """Workers cannot go on."""


class Message(NamedTuple):
    """What a worker has said; of kind `GONE`, that another one stands in its place now."""

    number: int  # of the worker
    kind: str
    content: Any
    is_current: bool  # False if its successor works already


class Supervisor:
    """So many workers, each replaced when it dies."""

    def __init__(
        self,
        workplace: Workplace,
        count: int,
        target_of: Callable[[int, int], Target],
        greet: Callable[[int, int, Worker], None] = lambda index, start, worker: None,
        warn: Callable[[str], None] = lambda line: None,
        ahead: int = 8,
        is_patient: bool = False,
    ) -> None:
        """Start them.

        target_of: what worker `index` does at its `start`-th start, counted from 0; greet: posts its first
        messages; warn: is told in a line of those who had to be replaced; is_patient: they may be silent for
        as long as they like.
        """
        self._workplace, self._target_of, self._greet = workplace, target_of, greet
        self._warn, self._ahead, self._is_patient = warn, ahead, is_patient
        self._arrived: queue.SimpleQueue[tuple[Worker, str, Any]] = queue.SimpleQueue()
        self._waiting: list[Message] = []  # of departures
        self._deaths: list[tuple[float, str]] = []  # moment, and what several have lost in common
        self._heard = time.monotonic()
        self._starts = [0] * count
        self.workers: list[Worker] = []
        try:
            for index in range(count):
                self.workers.append(self._start(index))
        except BaseException:
            self.close()
            raise

    def take(self, seconds: float) -> Message | None:
        """Return a message, if one arrives in time; who is gone has been replaced by then."""
        if self._waiting:
            return self._waiting.pop()
        try:
            worker, kind, content = self._arrived.get(timeout=seconds)
        except queue.Empty:
            return None
        index = worker.number
        if kind == GONE:
            self._replace(content)
            return self._waiting.pop() if self._waiting else None
        worker.make_room()
        if kind == REFUSAL:
            raise GivenUpError(f"worker {index + 1} failed: {content}")
        if kind == FAILURE:
            raise GivenUpError(str(content))
        if kind == ERROR:
            worker.reason = str(content)
        elif kind == NOTE:
            self._warn(f"worker {index + 1} {content}")
        else:
            return Message(index, kind, content, worker is self.workers[index])
        return None

    @property
    def has_message(self) -> bool:
        """Whether one has arrived."""
        return bool(self._waiting) or not self._arrived.empty()

    def hear(self) -> None:
        """Take note that something of use has arrived."""
        self._heard = time.monotonic()

    def tell(self, kind: str, content: Any) -> None:
        """Post a message to everybody."""
        self._workplace.tell(self.workers, kind, content)

    def close(self) -> None:
        """End everybody: what has not arrived by now is lost."""
        for worker in self.workers:
            worker.stop()  # all at once
        for worker in self.workers:
            worker.end()

    def _start(self, index: int) -> Worker:
        start = self._starts[index]
        try:
            target = self._target_of(index, start)
            worker = self._workplace.hire(target, self._arrived, index, self._ahead, self._is_patient)
        except InputError as error:
            raise GivenUpError(str(error)) from None
        self._greet(index, start, worker)
        return worker

    def _replace(self, departure: Departure) -> None:
        """Let others go on in place of those who are gone; refuse where that does not help."""
        gone = [worker for worker in departure.workers if worker is self.workers[worker.number]]
        if not gone:
            return
        reason = [worker.end() for worker in gone][-1]
        numbers = [str(number) for number in sorted(worker.number + 1 for worker in gone)]
        names = " and ".join(filter(None, [", ".join(numbers[:-1]), numbers[-1]]))
        recent = min(departure.moment - 60.0, self._heard)
        self._deaths = [
            (moment, cause)
            for moment, cause in self._deaths
            if moment > recent and (not cause or cause != departure.cause)
        ]
        self._deaths.append((departure.moment, departure.cause))
        if len(self._deaths) > MOST_DEATHS:
            raise GivenUpError(
                f"more than {MOST_DEATHS} workers died within a minute, worker {names} last ({reason})"
            )
        if len(gone) == 1:
            self._warn(f"worker {names} died ({reason}): another one goes on")
        else:
            self._warn(f"workers {names} died ({reason}): others go on")
        for worker in gone:
            index = worker.number
            self._starts[index] += 1
            self.workers[index] = self._start(index)
            self._waiting.append(Message(index, GONE, reason, True))
