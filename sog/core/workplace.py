"""What it takes to work for somebody: lines, workers, and places where they can be started.

A worker runs a function with a line to whoever has hired it. It may be a process of this machine
(`sog.core.children`) or of a cluster (`sog.core.cluster`): who hires it need not know. A message is a kind
and a content, copied on the way. The last message about a worker is ("gone", Departure).

Verified: tests/core/test_children.py, tests/cluster/test_cluster.py.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

GONE = "gone"
_TICKS_SILENT = 60  # at least, before one that says nothing is killed, and so many times its longest silence
_TIMES_SILENT = 10
_TICKS_TO_BEGIN = 3600  # it may have to compile first, on a machine with other things to do


class Line(Protocol):
    """What a worker talks to its employer through."""

    def send(self, kind: str, content: Any) -> None:
        """Send a message, when there is room for it."""

    def receive(self) -> tuple[str, Any]:
        """Wait for a message."""

    @property
    def has_message(self) -> bool:
        """Whether one has come."""


Target = Callable[[Line], None]  # what a worker does


class Worker(Protocol):
    """Somebody at the other end of a line, in a process of this machine or of another one."""

    number: int
    reason: str  # of its end, if it is known

    def post(self, kind: str, content: Any = None) -> None:
        """Have a message sent, in place of one of its kind that was not sent yet."""

    def make_room(self) -> None:
        """Say that one of its messages was taken."""

    def stop(self) -> None:
        """Have it killed, without waiting for that."""

    def end(self) -> str:
        """Kill it, if it is alive; return why it ended."""


class Departure(NamedTuple):
    """Workers that are gone, together."""

    moment: float
    workers: list[Worker]
    cause: str = ""  # what they have lost in common: a machine, a connection


class Arrivals(Protocol):
    """Where messages are put: who says what."""

    def put(self, item: tuple[Any, str, Any], /) -> None:
        """Take a message."""


class Workplace(Protocol):
    """Where workers can be started."""

    def hire(
        self, target: Target, arrived: Arrivals, number: int, ahead: int, is_patient: bool = False
    ) -> Worker:
        """Start a worker; what it says is put into `arrived`, a few messages ahead of `make_room`.

        is_patient: it may be silent for as long as it likes.
        """

    def tell(self, workers: list[Worker], kind: str, content: Any) -> None:
        """Post a message to several."""


class Patience:
    """For how long a worker may say nothing, by what it has done so far; counted in ticks of our own time."""

    def __init__(self, is_endless: bool = False) -> None:
        self.ticks = self._longest = 0
        self._is_endless, self._most = is_endless, _TICKS_TO_BEGIN

    def hear(self) -> None:
        """It has said something."""
        self._longest = max(self._longest, self.ticks)
        self._most = max(_TICKS_SILENT, _TIMES_SILENT * self._longest)
        self.ticks = 0

    def tick(self) -> bool:
        """Count a while in which nothing was heard; return whether that is too long."""
        self.ticks += 1
        return self.ticks > self._most and not self._is_endless
