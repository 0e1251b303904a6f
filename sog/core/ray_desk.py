"""What stands on every machine of a cluster: a desk, an actor of Ray at which one worker works.

The worker has a thread of its own, so that the desk takes messages while it computes. Who puts it there is
`sog.core.ray_bridge`.

Verified: tests/core/test_ray_desk.py, tests/cluster/test_cluster.py.
"""

import pickle
import queue
import threading
from typing import Any

from sog import __version__
from sog.core.workplace import GONE

SECONDS_BETWEEN_SIGNS = 5.0  # of life
Said = list[tuple[str, bytes]]  # kinds, and contents pickled


class DeskLine:
    """A line from a worker to its desk, through queues; contents stay pickled on the way."""

    def __init__(self, ahead: int) -> None:
        self.posted: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.said: queue.Queue[tuple[str, bytes]] = queue.Queue(ahead)

    def send(self, kind: str, content: Any) -> None:
        """Send a message, when there is room for it."""
        self.said.put((kind, pickle.dumps(content, pickle.HIGHEST_PROTOCOL)))

    def receive(self) -> tuple[str, Any]:
        """Wait for a message."""
        message: tuple[str, Any] = pickle.loads(self.posted.get())
        return message

    @property
    def has_message(self) -> bool:
        """Whether one has come."""
        return not self.posted.empty()


class Desk:
    """One worker on a machine of a cluster."""

    def __init__(self, target: bytes, ahead: int) -> None:
        """target: what it does, pickled; ahead: messages that wait before it has to."""
        self._line = DeskLine(ahead)
        threading.Thread(target=self._work, args=(target,), daemon=True).start()

    def facts(self) -> tuple[str, str, str]:
        """Return the version of this package here, and the machine's name to Ray and to us."""
        import ray  # where a desk stands it is there

        address: str = ray.util.get_node_ip_address()  # type: ignore[no-untyped-call]
        return __version__, ray.get_runtime_context().get_node_id(), address

    def post(self, *messages: bytes) -> None:
        """Hand messages to the worker."""
        for message in messages:
            self._line.posted.put(message)

    def listen(self) -> Said:
        """Return what the worker has said by now; nothing, after a while, if there is nothing."""
        try:
            found = [self._line.said.get(timeout=SECONDS_BETWEEN_SIGNS)]
            while not self._line.said.empty():
                found.append(self._line.said.get())
        except queue.Empty:
            return []
        return found

    def _work(self, target: bytes) -> None:
        reason = "it has ended"
        try:
            pickle.loads(target)(self._line)
        except BaseException as error:
            reason = f"{type(error).__name__}: {error}"
        self._line.send(GONE, reason)
