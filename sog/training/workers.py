"""Generators in processes of their own, joined to the learner by two kinds of messages.

    learner → worker    ("weights", arrays)   go on with these
                        ("state", None)       send everything to go on with
                        ("stop", None)
    worker → learner    ("lot", Lot)          examples of a round
                        ("state", State)
                        ("error", text)       the worker ends

Messages are plain data that are copied on the way: nothing is shared, so that the same could go over a wire.
Workers run ahead of the learner by a few rounds at most. A worker that dies ends the run, and its last
checkpoint is kept.

Verified: tests/training/test_workers.py.
"""

import multiprocessing
import queue
import signal
import traceback
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

import torch

from sog.core.errors import InputError
from sog.training.config import Config
from sog.training.generator import Lot
from sog.training.ground import State, Weights
from sog.training.methods import ExampleSource, make_generator
from sog.training.run import seed_of

MAX_WORKERS = 256
LOTS_AHEAD = 8  # of each worker
_SECONDS_TO_WAIT = 0.2
_SECONDS_TO_END = 5.0


class _Worker(NamedTuple):
    process: BaseProcess
    inbox: Any  # queue of messages to it
    outbox: Any


class WorkerSource:
    """So many generators, each in its own process."""

    def __init__(self, config: Config, states: list[State], workers: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._arrived: list[Lot] = []
        self._turn = 0
        self._workers: list[_Worker] = []
        for index in range(workers):
            state = states[index] if index < len(states) else None
            inbox, outbox = context.Queue(), context.Queue(LOTS_AHEAD)
            process = context.Process(
                target=work,
                args=(config, seed_of(config.run.seed, index), state, inbox, outbox),
                daemon=True,  # ends with us, whatever happens
            )
            process.start()
            self._workers.append(_Worker(process, inbox, outbox))

    def collect(self) -> list[Lot]:
        """Return the lots that have arrived, after a while if there are none."""
        for _ in range(2):
            for index in range(len(self._workers)):
                self._receive(index, 0.0)
            if self._arrived:
                break
            self._turn = (self._turn + 1) % len(self._workers)
            self._receive(self._turn, _SECONDS_TO_WAIT)
        lots, self._arrived = self._arrived, []
        return lots

    def hand_over(self, weights: Weights) -> None:
        """Send new weights to everybody."""
        for worker in self._workers:
            worker.inbox.put(("weights", weights))

    def states(self) -> tuple[list[State], list[Lot]]:
        """Ask everybody for a state; lots that arrive before it come along."""
        for worker in self._workers:
            worker.inbox.put(("state", None))
        states = []
        for index in range(len(self._workers)):
            state = None
            while state is None:
                state = self._receive(index, _SECONDS_TO_WAIT)
            states.append(state)
        lots, self._arrived = self._arrived, []
        return states, lots

    def close(self) -> None:
        """Stop everybody: kindly first."""
        for worker in self._workers:
            worker.inbox.put(("stop", None))
        for worker in self._workers:
            _drain(worker)
            worker.process.join(_SECONDS_TO_END)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            for channel in (worker.inbox, worker.outbox):
                channel.cancel_join_thread()
                channel.close()

    def _receive(self, index: int, seconds: float) -> State | None:
        """Take in one message, if one arrives in time: lots are kept, a state is returned."""
        worker = self._workers[index]
        try:
            kind, content = worker.outbox.get(seconds > 0, seconds)
        except queue.Empty:
            if worker.process.exitcode is not None:
                self._refuse(index, worker)
            return None
        if kind == "error":
            raise InputError(f"worker {index + 1} failed: {content}")
        if kind == "lot":
            self._arrived.append(content)
            return None
        state: State = content
        return state

    def _refuse(self, index: int, worker: _Worker) -> None:
        """End the run because of a worker that has ended; it may have said why."""
        try:
            kind, content = worker.outbox.get(True, _SECONDS_TO_WAIT)
        except queue.Empty:
            kind, content = "", ""
        reason = content if kind == "error" else f"exit status {worker.process.exitcode}"
        raise InputError(f"worker {index + 1} died ({reason}): the run ends, its last checkpoint is kept")


def work(config: Config, seed: int, state: State | None, inbox: Any, outbox: Any) -> None:
    """Make examples until told to stop: what a worker's process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the learner, who tells us
    torch.set_num_threads(1)
    try:
        generator = make_generator(config, seed)
        if state is not None:
            generator.restore(state)
        while _obey(generator, inbox, outbox) and _send(outbox, ("lot", generator.round())):
            pass
    except InputError as error:
        _send(outbox, ("error", str(error)))
    except Exception:
        _send(outbox, ("error", traceback.format_exc().strip().splitlines()[-1]))
        raise


def _send(outbox: Any, message: tuple[str, Any]) -> bool:
    """Put a message into the queue, when there is room; return whether the learner is still there."""
    learner = multiprocessing.parent_process()
    while learner is None or learner.is_alive():
        try:
            outbox.put(message, True, _SECONDS_TO_WAIT)
        except queue.Full:
            continue
        return True
    outbox.cancel_join_thread()  # nobody will read what is left
    return False


def _obey(generator: ExampleSource, inbox: Any, outbox: Any) -> bool:
    """Follow all messages that have come; of several weights the newest. Return whether to go on."""
    weights: Weights | None = None
    while True:
        try:
            kind, content = inbox.get_nowait()
        except queue.Empty:
            break
        if kind == "stop":
            return False
        if kind == "weights":
            weights = content
        else:
            _send(outbox, ("state", generator.state()))
    if weights is not None:
        generator.take_weights(weights)
    return True


def _drain(worker: _Worker) -> None:
    """Take everything out, so that a worker that waits for room can go on and end."""
    for _ in range(int(_SECONDS_TO_END / _SECONDS_TO_WAIT)):
        if not worker.process.is_alive():
            return
        try:
            worker.outbox.get(True, _SECONDS_TO_WAIT)
        except queue.Empty:
            continue
