import time

import pytest

from sog.core.autotune import FasterOf


@pytest.mark.parametrize("slow", [0, 1])
def test_the_faster_one_is_called_most(slow: int, monkeypatch: pytest.MonkeyPatch) -> None:
    now, calls = [0.0], [0, 0]

    def run(index: int) -> None:
        calls[index] += 1
        now[0] += 5.0 if index == slow else 1.0

    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    faster = FasterOf(lambda: run(0), lambda: run(1))
    for _ in range(60):
        faster(1)
    assert faster.favourite == 1 - slow
    assert calls[slow] == 4  # at first, and in calls 10, 26 and 58
    assert sum(calls) == 60


def test_a_change_of_speed_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    now, seconds = [0.0], [1.0, 5.0]

    def run(index: int) -> None:
        now[0] += seconds[index]

    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    faster = FasterOf(lambda: run(0), lambda: run(1))
    for _ in range(5):
        faster(1)
    assert faster.favourite == 0
    seconds[:] = [1.0, 0.5]  # the other core is free now
    for _ in range(10):
        faster(1)
    assert faster.favourite == 1
