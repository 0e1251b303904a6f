"""The program that Ray knows: a child of ours that puts workers at desks of a cluster and carries messages.

For every desk one call `listen` is under way, whose answer is what its worker has said since, and at most
one call `post`: what could not be posted yet is replaced by newer messages of the same kind. A message for
several workers is put into Ray's object store once. A desk that gives no sign of life, or whose worker says
nothing for too long, is killed. A desk for which no machine has room waits for one. Ray restarts nobody:
it would begin again with old weights and old random numbers (`sog.core.supervisor` knows better).

Verified: tests/cluster/test_cluster.py.
"""

import logging
import os
import pickle
import socket
import time
from typing import Any

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # before Ray is imported: nothing is sent to anybody

import ray
from ray.exceptions import ActorUnavailableError, RayError

from sog import __version__
from sog.core.arrays import MB
from sog.core.cluster import (
    AUTO,
    DEPARTURE,
    LOCAL,
    PROBLEM,
    READY,
    SAID,
    SIGN,
    ClusterFacts,
    Hiring,
)
from sog.core.ray_desk import SECONDS_BETWEEN_SIGNS, Desk
from sog.core.supervisor import NOTE, REFUSAL
from sog.core.workplace import GONE, Line, Patience

_SECONDS_OF_A_TURN = 0.05
_SECONDS_TO_REACH = 5.0
_SECONDS_TO_COME_BACK = 600.0  # of a cluster that was lost
_SECONDS_BETWEEN_TRIES = 2.0
_SECONDS_UNTIL_NOTED = 15.0  # that a desk has no machine
_SECONDS_WITHOUT_SIGN = 12 * SECONDS_BETWEEN_SIGNS
_SECONDS_TO_BEGIN = 900.0  # without a sign: imports take long where others have the processor
_LOCAL_STORE_MB = 512


class ConnectError(Exception):
    """A cluster cannot be used, for a reason fit to be shown."""


class Seat:
    """A desk, and what is known of it here."""

    def __init__(self, hiring: int, desk: Any, is_patient: bool) -> None:
        self.hiring, self.desk = hiring, desk
        self.hired = self.heard = time.monotonic()
        self.node = ""  # none before it has begun
        self.address = ""
        self.is_noted = self.is_posting = self.is_doubtful = self.has_spoken = False
        self.unsent: dict[str, Any] = {}
        self.patience = Patience(is_patient)


class Bridge:
    """Desks of a cluster, and the line to whoever has hired those who sit there."""

    def __init__(self, line: Line, cpus: float, raylet: str) -> None:
        """raylet: the socket of this machine's own part of Ray."""
        self._line, self._cpus, self._raylet = line, cpus, raylet
        self._seats: dict[int, Seat] = {}
        self._calls: dict[Any, tuple[Any, Seat]] = {}  # what to do with an answer, by the call's reference
        self._ticked = time.monotonic()

    def run(self) -> None:
        """Carry messages until we are told to close, or Ray has gone from this machine."""
        while True:
            while self._line.has_message:
                kind, content = self._line.receive()
                if kind == "close":
                    return
                self._follow(kind.partition(" ")[0], content)
            self._turn()

    def _follow(self, kind: str, content: Any) -> None:
        if kind == "hire":
            self._hire(content)
        elif kind == "end":
            self._dismiss(content)
        else:
            hirings, kind, message = content
            shared = ray.put(message) if len(hirings) > 1 else message
            for seat in (self._seats[hiring] for hiring in hirings if hiring in self._seats):
                seat.unsent.pop(kind, None)
                seat.unsent[kind] = shared
                self._post(seat)

    def _hire(self, hiring: Hiring) -> None:
        make = ray.remote(Desk).options(
            num_cpus=self._cpus, max_concurrency=4, max_restarts=0, scheduling_strategy="SPREAD"
        )
        desk = make.remote(hiring.target, hiring.ahead)
        seat = Seat(hiring.hiring, desk, hiring.is_patient)
        self._seats[hiring.hiring] = seat
        self._calls[seat.desk.facts.remote()] = self._begin, seat

    def _begin(self, seat: Seat, facts: tuple[str, str, str]) -> None:
        version, seat.node, seat.address = facts
        if version != __version__:
            text = f"sog is {version} on {seat.address}, {__version__} here: install the same everywhere"
            self._say(seat, REFUSAL, text)
            return
        if seat.is_noted:
            self._say(seat, NOTE, f"begins on {seat.address}")
        self._calls[seat.desk.listen.remote()] = self._hear, seat
        self._post(seat)

    def _hear(self, seat: Seat, said: list[tuple[str, bytes]]) -> None:
        if said:
            seat.has_spoken = True
            seat.patience.hear()
        for kind, content in said:
            if kind == GONE:
                self._part([seat], pickle.loads(content))
                return
            self._line.send(SAID, (seat.hiring, kind, content))
        self._calls[seat.desk.listen.remote()] = self._hear, seat

    def _post(self, seat: Seat) -> None:
        """Send what waits, unless something is on its way."""
        if seat.node and seat.unsent and not seat.is_posting:
            seat.is_posting = True
            self._calls[seat.desk.post.remote(*seat.unsent.values())] = self._on_posted, seat
            seat.unsent = {}

    def _on_posted(self, seat: Seat, nothing: None) -> None:
        seat.is_posting = False
        self._post(seat)

    def _turn(self) -> None:
        """Wait for an answer for a moment, and take in all that there are."""
        if self._calls:
            ready, _ = ray.wait(list(self._calls), num_returns=1, timeout=_SECONDS_OF_A_TURN)
            if ready:
                ready, _ = ray.wait(list(self._calls), num_returns=len(self._calls), timeout=0)
            for reference in ready:
                self._answer(reference)
        else:
            time.sleep(_SECONDS_OF_A_TURN)
        now = time.monotonic()
        if now - self._ticked >= 1.0:
            self._ticked = now
            self._check_raylet()
            self._tick(now)

    def _answer(self, reference: Any) -> None:
        act, seat = self._calls.pop(reference)
        if seat.hiring not in self._seats:
            return
        try:
            answer = ray.get(reference)
        except ActorUnavailableError:
            seat.is_doubtful = True  # its process or its whole machine is gone: soon we know
            return
        except RayError as error:
            self._lose(seat, error)
            return
        seat.heard = time.monotonic()
        act(seat, answer)

    def _reproach(self, seat: Seat, facts: Any) -> None:
        """Part with a desk that is there again: what it said meanwhile may be lost."""
        self._part([seat], "its connection broke")

    def _check_raylet(self) -> None:
        """End this process if the machine's part of Ray is gone.

        Ray does so itself after a minute, but not where another head has begun at the same address: then it
        asks that one for ever, which refuses all that come from another cluster.
        """
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(self._raylet)
            except (ConnectionRefusedError, FileNotFoundError):
                os._exit(1)  # to leave Ray in order would wait for the head that is gone

    def _tick(self, now: float) -> None:
        """Look after those who say nothing, once a second."""
        self._line.send(SIGN, None)
        for seat in list(self._seats.values()):
            if seat.is_doubtful:
                seat.is_doubtful = False
                self._calls[seat.desk.facts.remote()] = self._reproach, seat
            if not seat.node:
                if now - seat.hired > _SECONDS_UNTIL_NOTED and not seat.is_noted:
                    seat.is_noted = True
                    plural = "" if self._cpus == 1 else "s"
                    self._say(seat, NOTE, f"waits for a machine with {self._cpus:g} free CPU{plural}")
            elif now - seat.heard > (_SECONDS_WITHOUT_SIGN if seat.has_spoken else _SECONDS_TO_BEGIN):
                self._part([seat], f"{seat.address} gives no sign of life", seat.node)
            elif seat.patience.tick():
                self._part([seat], f"silent for {seat.patience.ticks} s")

    def _lose(self, seat: Seat, error: RayError) -> None:
        """Part with a desk that does not answer; with all of its machine if that is gone."""
        alive = {node["NodeID"] for node in _alive_nodes()}
        if seat.node and seat.node not in alive:
            gone = [other for other in self._seats.values() if other.node == seat.node]
            self._part(gone, f"{seat.address} is gone", seat.node)
        else:
            self._part([seat], describe(error))

    def _part(self, seats: list[Seat], reason: str, cause: str = "") -> None:
        for seat in seats:
            self._dismiss(seat.hiring)
        self._line.send(DEPARTURE, ([seat.hiring for seat in seats], reason, cause))

    def _dismiss(self, hiring: int) -> None:
        seat = self._seats.pop(hiring, None)
        if seat is not None:
            ray.kill(seat.desk)

    def _say(self, seat: Seat, kind: str, text: str) -> None:
        self._line.send(SAID, (seat.hiring, kind, pickle.dumps(text)))


def run_bridge(address: str, cpus: float, is_first: bool, line: Line) -> None:
    """Connect to a cluster and serve it; is_first: give up at once, and not after a while, if that fails."""
    silence = os.open(os.devnull, os.O_WRONLY)  # Ray talks at length; its own logs have it all
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    end = time.monotonic() + (0.0 if is_first else _SECONDS_TO_COME_BACK)
    while True:
        try:
            facts, raylet = connect(address, cpus)
            break
        except ConnectError as error:
            if time.monotonic() > end:
                line.send(PROBLEM, str(error))
                return
            time.sleep(_SECONDS_BETWEEN_TRIES)
    line.send(READY, facts)
    try:
        Bridge(line, cpus, raylet).run()
    finally:
        ray.shutdown()


def connect(address: str, cpus: float) -> tuple[ClusterFacts, str]:
    """Join a cluster, or start one on this machine alone; return what it is, and its socket here."""
    try:
        if address == LOCAL:
            own: dict[str, Any] = {
                "include_dashboard": False,
                "object_store_memory": _LOCAL_STORE_MB * MB,
                "_node_ip_address": "127.0.0.1",
            }
        else:
            own = {}
            if address != AUTO:
                _reach(address)
        context: Any = ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL, **own)
    except (RayError, RuntimeError, ConnectionError, ValueError, OSError) as error:
        ray.shutdown()
        raise ConnectError(describe(error)) from None
    nodes = _alive_nodes()
    most = [float(node["Resources"].get("CPU", 0.0)) for node in nodes]
    if max(most) < cpus:
        ray.shutdown()
        raise ConnectError(f"no machine has {cpus:g} CPUs for a worker, the largest has {max(most):g}")
    facts = ClusterFacts(str(context.address_info["address"]), len(nodes), sum(most), ray.__version__)
    return facts, str(context.address_info["raylet_socket_name"])


def _alive_nodes() -> list[dict[str, Any]]:
    return [node for node in ray.nodes() if node["Alive"]]  # type: ignore[no-untyped-call]


def _reach(address: str) -> None:
    """Refuse an address where nothing listens, before Ray tries it for a long time."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), _SECONDS_TO_REACH).close()
    except OSError as error:
        raise ConnectError(f"cannot be reached: {error.strerror or error}") from None


def describe(error: BaseException) -> str:
    """Return what has happened in a few words.

    >>> describe(ConnectionError("Could not find any running Ray instance. Please specify the one"))
    'no cluster runs here: ray start --head, or --ray local'
    """
    text = " ".join(str(error).split())
    for sign, words in _WORDS.items():
        if sign in text:
            return words
    return text[:300]


_WORDS = {
    "Could not find any running Ray instance": "no cluster runs here: ray start --head, or --ray local",
    "No module named 'sog'": "sog is not installed on a machine of the cluster",
    "out of memory": "out of memory",
    "killed due to memory": "out of memory",
    "worker process has died": "its process died",
    "died unexpectedly": "its process died",
}
