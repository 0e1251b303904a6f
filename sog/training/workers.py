"""Generators in processes of their own, joined to the learner by two kinds of messages.

    learner → worker    ("start", State)      go on from there; anew if it is None
                        ("weights", arrays)   go on with these
                        ("state", None)       send everything to go on with
    worker → learner    ("lot", Lot)          examples of a round
                        ("state", State)
                        ("refusal", text)     the worker cannot work with what it was told, nor could another
                        ("error", text)       the worker ends

Messages are plain data that are copied on the way: nothing is shared, so that the same could go over a wire.
Workers run ahead of the learner by a few rounds at most. One that dies (killed, stopped, hung, out of memory,
an error of its own) costs its unfinished round: another takes its place with the newest weights, goes on from
the state that was saved last, and draws other random numbers, so that nothing is played twice. Workers that
die again and again end the run.

Verified: tests/training/test_workers.py.
"""

import queue
import time
import traceback
from collections.abc import Callable
from functools import partial

import torch

from sog.core.children import GONE, Child, Line
from sog.core.errors import InputError
from sog.training.config import Config
from sog.training.generator import Lot
from sog.training.ground import State, Weights
from sog.training.methods import ExampleSource, make_generator
from sog.training.plain import reseed
from sog.training.run import SourceError, seed_of
from sog.training.standing import Counts

MAX_WORKERS = 256
LOTS_AHEAD = 8  # of each worker
MOST_DEATHS = 5  # within a minute, or with no lot in between
_SECONDS_TO_WAIT = 0.2


class WorkerSource:
    """So many generators, each in its own process."""

    def __init__(
        self,
        config: Config,
        states: list[State],
        workers: int,
        warn: Callable[[str], None] = lambda line: None,
    ) -> None:
        """warn: is told in one line of every worker that had to be replaced."""
        self._config, self._warn = config, warn
        self._arrived: queue.SimpleQueue[tuple[Child, str, object]] = queue.SimpleQueue()
        self._lots: list[Lot] = []
        self._weights: tuple[Weights, int] | None = None  # and after how many steps
        self._known: list[State | None] = [*states[:workers], *[None] * (workers - len(states))]
        self._at_work: set[int] = set()  # those that have sent a lot since they started
        self._awaited: set[int] = set()  # those whose states we wait for
        self._deaths: list[float] = []
        self._heard = time.monotonic()  # when a lot was taken
        self._starts = [0] * workers
        self._workers = [self._start(index) for index in range(workers)]

    def collect(self) -> list[Lot]:
        """Return the lots that have arrived, after a while if there are none."""
        self._take(_SECONDS_TO_WAIT)
        while not self._arrived.empty():
            self._take(0.0)
        return self._give()

    def hand_over(self, weights: Weights, steps: int) -> None:
        """Send new weights to everybody."""
        self._weights = weights, steps
        for worker in self._workers:
            worker.post("weights", self._weights)

    def states(self) -> tuple[list[State], list[Lot]]:
        """Ask everybody who has made something for a state; lots that arrive before it come along."""
        self._awaited = self._at_work.copy()
        for index in self._awaited:
            self._workers[index].post("state")
        while self._awaited:
            self._take(_SECONDS_TO_WAIT)
        return self._last_states(), self._give()

    def close(self) -> None:
        """Stop everybody: what a worker has not sent by now is lost in any case."""
        for worker in self._workers:
            worker.process.kill()  # all at once
        for worker in self._workers:
            worker.end()

    def _give(self) -> list[Lot]:
        lots, self._lots = self._lots, []
        return lots

    def _last_states(self) -> list[State]:
        return [state for state in self._known if state is not None]

    def _start(self, index: int) -> Child:
        target = partial(work, self._config, self._seed(index))
        try:
            worker = Child(target, self._arrived, index, LOTS_AHEAD)
        except OSError as error:
            text = f"cannot start worker {index + 1}: {error.strerror or error}"
            raise SourceError(text, self._last_states()) from None
        worker.post("start", self._known[index])
        if self._weights is not None:
            worker.post("weights", self._weights)
        return worker

    def _seed(self, index: int) -> int:
        return seed_of(self._config.run.seed, index, self._starts[index])

    def _take(self, seconds: float) -> None:
        """Take in one message, if one arrives in time."""
        try:
            worker, kind, content = self._arrived.get(timeout=seconds)
        except queue.Empty:
            return
        index = worker.number
        worker.make_room()
        if kind == "lot":
            assert isinstance(content, Lot)
            self._heard = time.monotonic()
            if worker is self._workers[index]:
                self._at_work.add(index)
            self._lots.append(content)
        elif kind == "refusal":
            raise SourceError(f"worker {index + 1} failed: {content}", self._last_states())
        elif kind == "error":
            worker.reason = str(content)
        elif worker is not self._workers[index]:
            return  # its successor works already
        elif kind == "state":
            assert isinstance(content, dict)
            self._known[index] = content
            self._awaited.discard(index)
        elif kind == GONE:
            assert isinstance(content, float)
            self._replace(index, content)

    def _replace(self, index: int, died: float) -> None:
        """Let another worker go on; refuse where that does not help."""
        reason = self._workers[index].end()
        recent = min(died - 60.0, self._heard)
        self._deaths = [*(moment for moment in self._deaths if moment > recent), died]
        if len(self._deaths) > MOST_DEATHS:
            raise SourceError(
                f"more than {MOST_DEATHS} workers died within a minute, worker {index + 1} last ({reason})",
                self._last_states(),
            )
        self._warn(f"worker {index + 1} died ({reason}): another one goes on")
        self._lots.append(Lot([], Counts(deaths=1), 0))
        self._starts[index] += 1
        state = self._known[index]
        if state is not None:
            self._known[index] = reseed(state, self._seed(index))
        self._workers[index] = self._start(index)
        self._at_work.discard(index)
        self._awaited.discard(index)


def work(config: Config, seed: int, line: Line) -> None:
    """Make examples for ever: what a worker's process does."""
    torch.set_num_threads(1)
    try:
        generator = make_generator(config, seed)
        _, state = line.receive()
        if state is not None:
            generator.restore(state)
        while True:
            _obey(generator, line)
            line.send("lot", generator.round())
    except InputError as error:
        line.send("refusal", str(error))
    except (EOFError, ConnectionError):
        raise  # the learner is gone
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        text = traceback.format_exception_only(error)[-1].strip()
        line.send("error", f"{text}, {place.filename}:{place.lineno}")


def _obey(generator: ExampleSource, line: Line) -> None:
    """Follow all messages that have come."""
    while line.has_message:
        kind, content = line.receive()
        if kind == "weights":
            generator.take_weights(*content)
        else:
            line.send("state", generator.state())
