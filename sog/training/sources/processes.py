"""Generators in processes of their own, here or on a cluster, joined to the learner by two kinds of messages.

    learner → worker    ("start", State)      go on from there; anew if it is None
                        ("weights", arrays)   go on with these
                        ("state", None)       send everything to go on with
    worker → learner    ("output", RoundOutput)  examples of a round
                        ("state", State)
                        ("refusal", text)     the worker cannot work with what it was told, nor could another
                        ("error", text)       the worker ends

Messages are plain data that are copied on the way: nothing is shared. Workers run ahead of the learner by a
few rounds at most. One that dies costs its unfinished round: another takes its place (`sog.core.supervisor`)
with the newest weights, goes on from the state that was saved last, and draws other random numbers, so that
nothing is played twice.

Verified: tests/training/sources/test_processes.py, tests/cluster/test_cluster.py.
"""

import traceback
from collections.abc import Callable
from functools import partial

import torch

from sog.core.children import ThisMachine
from sog.core.errors import InputError
from sog.core.resident import give_back
from sog.core.supervisor import ERROR, REFUSAL, GivenUpError, Supervisor
from sog.core.workplace import GONE, Line, Target, Worker, Workplace
from sog.training.config import Config
from sog.training.context import State, Weights
from sog.training.generator import RoundOutput
from sog.training.methods import make_generator
from sog.training.plain import reseed
from sog.training.queries import ExampleGenerator
from sog.training.run_status import Counts
from sog.training.sources.source import SourceError, seed_of

ROUNDS_AHEAD = 8  # of each worker
_SECONDS_TO_WAIT = 0.2


class WorkerSource:
    """So many generators, each in its own process."""

    def __init__(
        self,
        config: Config,
        states: list[State],
        workers: int,
        warn: Callable[[str], None] = lambda line: None,
        workplace: Workplace | None = None,
    ) -> None:
        """warn: is told in a line of workers that had to be replaced; workplace: by default this machine."""
        self._config = config
        self._outputs: list[RoundOutput] = []
        self._weights: tuple[Weights, int] | None = None  # and after how many steps
        self._known: list[State | None] = [*states[:workers], *[None] * (workers - len(states))]
        self._at_work: set[int] = set()  # those that have sent something since they started
        self._awaited: set[int] = set()  # those whose states we wait for
        place = workplace or ThisMachine()
        try:
            self._staff = Supervisor(place, workers, self._target, self._greet, warn, ROUNDS_AHEAD)
        except GivenUpError as error:
            raise SourceError(str(error), self._last_states()) from None

    def collect(self) -> list[RoundOutput]:
        """Return the outputs that have arrived, after a while if there are none."""
        self._take(_SECONDS_TO_WAIT)
        while self._staff.has_message:
            self._take(0.0)
        return self._give()

    def hand_over(self, weights: Weights, steps: int) -> None:
        """Send new weights to everybody."""
        self._weights = weights, steps
        self._staff.tell("weights", self._weights)

    def states(self) -> tuple[list[State], list[RoundOutput]]:
        """Ask everybody who has made something for a state; outputs that arrive before it come along."""
        self._awaited = self._at_work.copy()
        for index in self._awaited:
            self._staff.workers[index].post("state")
        while self._awaited:
            self._take(_SECONDS_TO_WAIT)
        return self._last_states(), self._give()

    def close(self) -> None:
        """Stop everybody: what a worker has not sent by now is lost in any case."""
        self._staff.close()

    def _give(self) -> list[RoundOutput]:
        outputs, self._outputs = self._outputs, []
        return outputs

    def _last_states(self) -> list[State]:
        return [state for state in self._known if state is not None]

    def _target(self, index: int, start: int) -> Target:
        return partial(work, self._config, seed_of(self._config.run.seed, index, start))

    def _greet(self, index: int, start: int, worker: Worker) -> None:
        """Tell a new worker where to go on."""
        state = self._known[index]
        if state is not None and start:
            state = self._known[index] = reseed(state, seed_of(self._config.run.seed, index, start))
        worker.post("start", state)
        if self._weights is not None:
            worker.post("weights", self._weights)

    def _take(self, seconds: float) -> None:
        """Take in one message, if one arrives in time."""
        try:
            message = self._staff.take(seconds)
        except GivenUpError as error:
            raise SourceError(str(error), self._last_states()) from None
        if message is None:
            return
        index, kind, content, is_current = message
        if kind == GONE:
            self._outputs.append(RoundOutput([], Counts(deaths=1), 0))
            self._at_work.discard(index)
            self._awaited.discard(index)
        elif kind == "output":
            assert isinstance(content, RoundOutput)
            self._staff.hear()
            if is_current:
                self._at_work.add(index)
            self._outputs.append(content)
        elif kind == "state" and is_current:
            assert isinstance(content, dict)
            self._known[index] = content
            self._awaited.discard(index)


def work(config: Config, seed: int, line: Line) -> None:
    """Make examples for ever: what a worker does."""
    torch.set_num_threads(1)
    try:
        generator = make_generator(config, seed)
        _, state = line.receive()
        if state is not None:
            generator.restore(state)
        while True:
            _obey(generator, line)
            line.send("output", generator.round())
    except InputError as error:
        line.send(REFUSAL, str(error))
    except (EOFError, ConnectionError):
        raise  # the learner is gone
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        text = traceback.format_exception_only(error)[-1].strip()
        line.send(ERROR, f"{text}, {place.filename}:{place.lineno}")


def _obey(generator: ExampleGenerator, line: Line) -> None:
    """Follow all messages that have come."""
    while line.has_message:
        kind, content = line.receive()
        if kind == "weights":
            generator.take_weights(*content)
        else:
            line.send("state", generator.state())
            give_back()
