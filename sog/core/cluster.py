"""Workers on a cluster of Ray, behind the same lines as processes of this machine.

    us ◄── socket ──► bridge, a process of this machine ◄── Ray ──► desks on all machines of the cluster

Ray ends a program that has lost its cluster. So the program that Ray knows is a child of ours
(`sog.core.ray_bridge`): if it is ended, we are not, and start another one, which waits for the cluster to
come back. Ray is imported there and nowhere else. Messages stay pickled from end to end.

Verified: tests/cluster/test_cluster.py.
"""

import importlib.util
import os
import pickle
import queue
import secrets
import threading
import time
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Any, NamedTuple

from sog.core.children import Child
from sog.core.errors import InputError
from sog.core.supervisor import FAILURE
from sog.core.workplace import GONE, Arrivals, Departure, Line, Target, Worker

LOCAL, AUTO = "local", "auto"
READY, SAID, DEPARTURE, PROBLEM, SIGN = "ready", "said", "departure", "problem", "sign"
_AHEAD = 64  # messages of all workers together
_SECONDS_TO_CLOSE = 10.0
_LOST = "the connection to the cluster was lost"


class ClusterFacts(NamedTuple):
    """What there is."""

    address: str
    nodes: int
    cpus: float  # together
    version: str  # of Ray


class Hiring(NamedTuple):
    """Who is to be put at a desk."""

    hiring: int
    target: bytes
    ahead: int
    is_patient: bool  # it may be silent for as long as it likes


def check_address(address: str) -> None:
    """Refuse what can be no cluster, before any work is done."""
    if importlib.util.find_spec("ray") is None:
        raise InputError('Ray is not installed: pip install "sog[ray]"')
    host, _, port = address.rpartition(":")
    is_place = host and "/" not in host and port.isdecimal() and 0 < int(port) < 2**16
    if address not in (AUTO, LOCAL) and not is_place:
        raise InputError(f"--ray: {AUTO}, {LOCAL} or HOST:PORT of the cluster's head, not {address[:80]!r}")


class Cluster:
    """A connection to a cluster of Ray, made again if it is lost."""

    def __init__(self, address: str, cpus: float = 1.0) -> None:
        """Connect; address: `auto`, `local` or HOST:PORT; cpus: of each worker."""
        check_address(address)
        self._address, self._cpus = address, cpus
        self._workers: dict[int, ClusterWorker] = {}  # by the number of the hiring
        self._hired = 0
        self._lock = threading.Lock()
        self._answers: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self._fallen: list[Child] = []  # bridges to be ended by us, not by their own threads
        self._bridge: Child | None = self._build(is_first=True)
        try:
            kind, content = self._answers.get()
            if kind != READY:
                raise InputError(f"--ray {address}: {content}")
        except BaseException:
            self.close()
            raise
        self.facts: ClusterFacts = content

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def hire(
        self, target: Target, arrived: Arrivals, number: int, ahead: int, is_patient: bool = False
    ) -> Worker:
        """Put a worker on a machine that has room for it, now or when there is one."""
        if self._bridge is None:
            self._clear()
            self._bridge = self._build(is_first=False)
        self._hired += 1
        worker = ClusterWorker(self, self._hired, arrived, number)
        with self._lock:
            self._workers[worker.hiring] = worker
        self.send(f"hire {worker.hiring}", Hiring(worker.hiring, pickle.dumps(target), ahead, is_patient))
        return worker

    def tell(self, workers: list[Worker], kind: str, content: Any) -> None:
        """Send a message to the cluster once, for several workers."""
        hirings = [worker.hiring for worker in workers if isinstance(worker, ClusterWorker)]
        self.send(f"post {kind}", (hirings, kind, pickle.dumps((kind, content), pickle.HIGHEST_PROTOCOL)))

    def send(self, kind: str, content: Any = None) -> None:
        """Send a message to the bridge, if there is one."""
        bridge = self._bridge
        if bridge is not None:
            bridge.post(kind, content)

    def make_room(self) -> None:
        """Say that a message was taken."""
        bridge = self._bridge
        if bridge is not None:
            bridge.make_room()

    def forget(self, worker: "ClusterWorker") -> None:
        """Hear of a worker no more."""
        with self._lock:
            self._workers.pop(worker.hiring, None)

    def close(self) -> None:
        """Leave the cluster; one that was started for us ends."""
        bridge, self._bridge = self._bridge, None
        if bridge is not None:
            bridge.post("close")
            bridge.process.join(_SECONDS_TO_CLOSE)
            bridge.end()
        self._clear()

    def put(self, item: tuple[Any, str, Any], /) -> None:
        """Pass on what the bridge says; a thread of it calls this."""
        bridge, kind, content = item
        if kind == SAID:
            hiring, what, message = content
            worker = self._workers.get(hiring)
            if worker is not None:
                worker.arrived.put((worker, what, pickle.loads(message)))
            else:
                bridge.make_room()
            return
        if kind == GONE:
            self._fall(bridge)
            return
        bridge.make_room()
        if kind == DEPARTURE:
            self._dismiss(*content)
            return
        if kind in (READY, PROBLEM):
            self._answers.put((kind, content))
        if kind == PROBLEM:
            for worker in list(self._workers.values()):
                worker.arrived.put((worker, FAILURE, content))

    def _fall(self, bridge: Child) -> None:
        """Do without a bridge until somebody is hired."""
        if bridge is self._bridge:
            self._bridge = None
            self._fallen.append(bridge)
            self._answers.put((PROBLEM, bridge.reason or "Ray has ended the connection"))
            self._dismiss(list(self._workers), _LOST, _LOST)

    def _clear(self) -> None:
        while self._fallen:
            self._fallen.pop().end()

    def _dismiss(self, hirings: list[int], reason: str, cause: str) -> None:
        """Say that workers are gone, together."""
        with self._lock:
            gone = [self._workers.pop(hiring) for hiring in hirings if hiring in self._workers]
        for worker in gone:
            worker.reason = worker.reason or reason
        if gone:
            gone[0].arrived.put((gone[0], GONE, Departure(time.monotonic(), list[Worker](gone), cause)))

    def _build(self, is_first: bool) -> Child:
        return Child(partial(_cross, self._address, self._cpus, is_first), self, ahead=_AHEAD)


class ClusterWorker:
    """A worker at a desk of the cluster."""

    def __init__(self, cluster: Cluster, hiring: int, arrived: Arrivals, number: int) -> None:
        self._cluster, self.hiring, self.arrived = cluster, hiring, arrived
        self.number, self.reason = number, ""

    def post(self, kind: str, content: Any = None) -> None:
        """Have a message sent, in place of one of its kind that was not sent yet."""
        message = pickle.dumps((kind, content), pickle.HIGHEST_PROTOCOL)
        self._cluster.send(f"post {kind} {self.hiring}", ([self.hiring], kind, message))

    def make_room(self) -> None:
        """Say that one of its messages was taken."""
        self._cluster.make_room()

    def stop(self) -> None:
        """Have it killed."""
        self._cluster.send(f"end {self.hiring}", self.hiring)

    def end(self) -> str:
        """Have it killed, and hear of it no more; return why it ended."""
        self.stop()
        self._cluster.forget(self)
        return self.reason or "ended"


def _cross(address: str, cpus: float, is_first: bool, line: Line) -> None:
    """Be the bridge."""
    if address == LOCAL and "RAY_AUTH_MODE" not in os.environ:  # Ray reads this when it is imported
        os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    if address == LOCAL:
        os.environ.setdefault("RAY_worker_niceness", "0")  # as processes of --workers; Ray's own choice is 15
    from sog.core.ray_bridge import run_bridge  # Ray is slow to import, and an extra

    with suppress(KeyboardInterrupt):
        run_bridge(address, cpus, is_first, line)
