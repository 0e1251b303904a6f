"""Ctrl-C and SIGTERM at a moment of our choosing, so that they never cut a unit of work in two.

Verified: tests/interfaces/cli/test_solve_command.py.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_USUAL: dict[signal.Signals, Any] = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGTERM: signal.SIG_DFL,
}


@contextmanager
def deferred_interrupt() -> Iterator[Callable[[], bool]]:
    """Give a function that says whether Ctrl-C was pressed or SIGTERM came, instead of an end at any moment.

    The second signal ends at once. Outside the main thread, and where somebody else handles or ignores a
    signal, nothing is changed.
    """
    is_pressed = False

    def handle(signal_number: int, frame: FrameType | None) -> None:
        nonlocal is_pressed
        is_pressed = True
        for number in ours:
            signal.signal(number, _USUAL[number])

    is_main = threading.current_thread() is threading.main_thread()
    ours = [number for number, usual in _USUAL.items() if is_main and signal.getsignal(number) is usual]
    for number in ours:
        signal.signal(number, handle)
    try:
        yield lambda: is_pressed
    finally:
        for number in ours:
            signal.signal(number, _USUAL[number])
