"""Processes of our own, which may die at any moment, and the messages between them and us.

A message is a kind and a content, pickled: it arrives whole or not at all. Threads of ours read and write, so
that nothing makes us wait for a child that was killed in the middle of a message, is stopped or hangs. One
that stays stopped or says nothing for too long is killed; the last message of every child is ("gone",
Departure). `sog.core.cluster` has such workers on other machines.
A child ends when its parent does, however that ends. This module imports little, since a child does so before
it is bound to its parent.

Verified: tests/core/test_children.py.
"""

import ctypes
import multiprocessing
import os
import pickle
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import wait
from typing import Any

from sog.core.errors import InputError
from sog.core.workplace import GONE, Arrivals, Departure, Patience, Target, Worker

_SECONDS_OF_A_TICK = 1.0
_TICKS_STOPPED = 5  # before a child that was stopped is killed: somebody may pause and continue us all
_SECONDS_TO_END = 5.0
_LENGTH = 8  # bytes before a message
_PR_SET_PDEATHSIG = 1


class ThisMachine:
    """Workers are processes beside us."""

    def hire(
        self, target: Target, arrived: Arrivals, number: int, ahead: int, is_patient: bool = False
    ) -> Worker:
        """Start a process."""
        try:
            return Child(target, arrived, number, ahead, is_patient)
        except OSError as error:
            raise InputError(f"cannot start worker {number + 1}: {error.strerror or error}") from None

    def tell(self, workers: list[Worker], kind: str, content: Any) -> None:
        """Post a message to each."""
        for worker in workers:
            worker.post(kind, content)


class SocketLine:
    """A line from a child to its parent."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end

    def send(self, kind: str, content: Any) -> None:
        """Send a message, when the parent has room for it."""
        self._end.sendall(_pack(kind, content))

    def receive(self) -> tuple[str, Any]:
        """Wait for a message."""
        return _receive(self._end, lambda: None)

    @property
    def has_message(self) -> bool:
        """Whether one has come."""
        return bool(wait([self._end], 0))


class Child:
    """A process that runs `target` with a line to us."""

    def __init__(
        self,
        target: Target,
        arrived: Arrivals,
        number: int = 0,
        ahead: int = 8,
        is_patient: bool = False,
    ) -> None:
        """Start it; what it says is put into `arrived`, up to `ahead` messages before `make_room` is called.

        is_patient: it may be silent for as long as it likes.
        On Linux it ends with the thread that calls this.
        """
        self.number, self.reason = number, ""  # of its end, if it is known
        self._end, theirs = socket.socketpair()
        self._end.settimeout(_SECONDS_OF_A_TICK)
        self._arrived, self._room = arrived, threading.Semaphore(ahead)
        self._unsent: dict[str, Any] = {}
        self._has_unsent = threading.Condition()
        self._is_ended = False
        self._ticks_stopped, self._patience = 0, Patience(is_patient)
        with theirs:  # with no copy of its end here, what it has said ends when it does
            self.process = multiprocessing.get_context("spawn").Process(
                target=_enter, args=(theirs, pickle.dumps(target)), daemon=True
            )
            self.process.start()
        self._threads = [threading.Thread(target=run, daemon=True) for run in (self._listen, self._speak)]
        for thread in self._threads:
            thread.start()

    def post(self, kind: str, content: Any = None) -> None:
        """Have a message sent, in place of one of its kind that was not sent yet."""
        with self._has_unsent:
            self._unsent.pop(kind, None)
            self._unsent[kind] = content
            self._has_unsent.notify()

    def make_room(self) -> None:
        """Say that one of its messages was taken."""
        self._room.release()

    def stop(self) -> None:
        """Kill it."""
        self.process.kill()

    def end(self) -> str:
        """Kill it, if it is alive; return why it ended."""
        self.process.kill()
        self.process.join()
        self.post(GONE)
        self._is_ended = True
        self._room.release()
        for thread in self._threads:
            thread.join(_SECONDS_TO_END)
        self._end.close()
        code = self.process.exitcode or 0
        return self.reason or (signal.Signals(-code).name if code < 0 else f"exit status {code}")

    def _listen(self) -> None:
        try:
            while True:
                kind, content = _receive(self._end, self._tick)
                if not self._is_ended:
                    self._room.acquire()
                self._patience.hear()
                self._arrived.put((self, kind, content))
        except (OSError, EOFError):
            pass
        except Exception as error:  # of unpickling
            self.reason = f"its message cannot be read: {error}"
        self._arrived.put((self, GONE, Departure(time.monotonic(), [self])))

    def _tick(self) -> None:
        """Count a while in which nothing was heard; of our own time, since we may have been stopped too."""
        is_silent = self._patience.tick()
        self._ticks_stopped = self._ticks_stopped + 1 if self._is_stopped() else 0
        if self._ticks_stopped >= _TICKS_STOPPED:
            self.reason = "stopped"
        elif is_silent:
            self.reason = f"silent for {self._patience.ticks * _SECONDS_OF_A_TICK:.0f} s"
        else:
            return
        self.process.kill()

    def _is_stopped(self) -> bool:
        with suppress(OSError, AttributeError):  # not everywhere
            options = os.WSTOPPED | os.WNOHANG | os.WNOWAIT
            return os.waitid(os.P_PID, self.process.pid or 0, options) is not None
        return False

    def _speak(self) -> None:
        while True:
            with self._has_unsent:
                self._has_unsent.wait_for(lambda: self._unsent)
                kind = next(iter(self._unsent))
                content = self._unsent.pop(kind)
            if kind == GONE:
                return
            left = memoryview(_pack(kind, content))
            while left:
                try:
                    left = left[self._end.send(left) :]
                except TimeoutError:
                    continue
                except OSError:
                    return


def _enter(end: socket.socket, target: bytes) -> None:
    """Begin as a child: bound to the parent first, since what comes next takes long to import."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    if sys.platform == "linux":  # in the middle of a kernel too, or stopped
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, ConnectionError):  # nobody listens any more
        pickle.loads(target)(SocketLine(end))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _pack(kind: str, content: Any) -> bytes:
    data = pickle.dumps((kind, content), pickle.HIGHEST_PROTOCOL)
    return len(data).to_bytes(_LENGTH, "little") + data


def _receive(end: socket.socket, on_timeout: Callable[[], None]) -> tuple[str, Any]:
    """Read a message; EOFError if it ends before it is whole."""
    length = int.from_bytes(_read(end, _LENGTH, on_timeout), "little")
    message: tuple[str, Any] = pickle.loads(_read(end, length, on_timeout))
    return message


def _read(end: socket.socket, length: int, on_timeout: Callable[[], None]) -> bytearray:
    content = bytearray(length)
    left = memoryview(content)
    while left:
        try:
            count = end.recv_into(left)
        except TimeoutError:
            on_timeout()
            continue
        if count == 0:
            raise EOFError
        left = left[count:]
    return content
