import threading
import time

import pytest

from sog.core.threads import ThreadPool, num_cores


@pytest.mark.parametrize("size", [1, 2, 5])
def test_every_task_is_done_once_by_somebody(size: int) -> None:
    done: list[tuple[int, int]] = []
    ThreadPool(size).run(lambda worker, task: done.append((worker, task)), range(100))
    assert sorted(task for _, task in done) == list(range(100))
    assert {worker for worker, _ in done} <= set(range(size))


def test_workers_work_at_the_same_time() -> None:
    together = threading.Barrier(2, timeout=10)
    ThreadPool(2).run(lambda worker, task: _meet(together), [0, 1])  # would time out one after the other


@pytest.mark.parametrize("failing", [0, 1])
def test_an_error_is_raised_when_all_have_stopped(failing: int) -> None:
    running, start = set(), threading.Barrier(2, timeout=10)

    def work(worker: int, task: int) -> None:
        running.add(worker)
        start.wait()
        if worker == failing:
            running.discard(worker)
            raise ValueError("no")
        time.sleep(0.05)
        running.discard(worker)

    with pytest.raises(ValueError, match="no"):
        ThreadPool(2).run(work, [0, 1])
    assert not running


def test_there_is_a_core() -> None:
    assert num_cores() >= 1


def _meet(barrier: threading.Barrier) -> None:
    barrier.wait()
