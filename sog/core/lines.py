"""Lines of text that arrive while something else goes on: a thread reads them, the program asks for them.

Verified: tests/interfaces/protocols/test_uci.py, tests/agents/test_engines.py.
"""

import io
import queue
import threading
from collections.abc import Iterable


class Lines:
    """Lines from a stream, in order; `None` when there will be no more.

    >>> lines = Lines(["one", "two"])
    >>> lines.wait(), lines.wait(), lines.wait()
    ('one', 'two', None)
    """

    def __init__(self, stream: Iterable[str]) -> None:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # bytes that are no text are somebody's mistake, not our end
        self._queue: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._has_ended = False
        self._reader = threading.Thread(target=self._read, args=(stream,), daemon=True)
        self._reader.start()

    def wait(self, seconds: float | None = None) -> str | None:
        """Return the next line, however long it takes, or raise TimeoutError after so many seconds."""
        if self._has_ended:
            return None
        try:
            return self._take(self._queue.get(timeout=seconds))
        except queue.Empty:
            raise TimeoutError(f"no line in {seconds:g} seconds") from None

    def poll(self) -> tuple[bool, str | None]:
        """Return whether a line, or the end, is there already, and the line."""
        if self._has_ended:
            return True, None
        try:
            return True, self._take(self._queue.get_nowait())
        except queue.Empty:
            return False, None

    def has_finished(self, seconds: float) -> bool:
        """Return whether the stream is read to its end, or will be in so many seconds: it may be closed."""
        self._reader.join(seconds)
        return not self._reader.is_alive()

    def _take(self, line: str | None) -> str | None:
        self._has_ended = line is None
        return line

    def _read(self, stream: Iterable[str]) -> None:
        try:
            for line in stream:
                self._queue.put(line.rstrip("\r\n"))
        except (OSError, ValueError):  # closed, or no text at all
            pass
        self._queue.put(None)
