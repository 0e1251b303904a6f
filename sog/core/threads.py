"""A few threads that share a list of tasks; kernels release the lock that Python code holds."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import count
from typing import TypeVar

_Task = TypeVar("_Task")


def num_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class ThreadPool:
    """Workers that take tasks one after another.

    >>> done = []
    >>> ThreadPool(2).run(lambda worker, task: done.append(task), [3, 1, 2])
    >>> sorted(done)
    [1, 2, 3]
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._pool = ThreadPoolExecutor(size - 1) if size > 1 else None  # the caller works too

    def run(self, work: Callable[[int, _Task], None], tasks: Sequence[_Task]) -> None:
        """Call `work(worker, task)` for every task; an error in one is raised when all have stopped."""
        numbers = count()

        def take_turns(worker: int) -> None:
            while (number := next(numbers)) < len(tasks):
                work(worker, tasks[number])

        helpers = []
        if self._pool is not None:
            helpers = [self._pool.submit(take_turns, worker) for worker in range(1, self.size)]
        try:
            take_turns(0)
        finally:
            wait(helpers)
        for helper in helpers:
            helper.result()
