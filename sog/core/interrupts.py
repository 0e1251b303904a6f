"""Ctrl-C at a moment of our choosing, so that it never cuts a unit of work in two.

Verified: tests/interfaces/test_solve_command.py.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def deferred_interrupt() -> Iterator[Callable[[], bool]]:
    """Give a function that says whether Ctrl-C was pressed, instead of an exception at any moment.

    A second Ctrl-C interrupts at once. Outside the main thread, and where somebody else handles or ignores
    the signal, nothing is changed.
    """
    is_pressed = False

    def handle(signal_number: int, frame: FrameType | None) -> None:
        nonlocal is_pressed
        is_pressed = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: False
        return
    signal.signal(signal.SIGINT, handle)
    try:
        yield lambda: is_pressed
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
