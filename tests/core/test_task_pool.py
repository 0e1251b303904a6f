"""Tasks shared out among processes, some of which die."""

import os
import signal
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from sog.core.children import ThisMachine
from sog.core.errors import InputError
from sog.core.task_pool import share_out


def square(folder: Path) -> Callable[[int], int]:
    def answer(task: int) -> int:
        if task == 3 and not (folder / "killed").exists():
            (folder / "killed").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if task == 101:
            raise InputError("101 is no task")
        if task == 102:
            raise ZeroDivisionError
        return task * task

    return answer


def test_who_dies_costs_nothing(tmp_path: Path) -> None:
    said = list[str]()
    tasks = list(range(10))
    found = list(share_out(ThisMachine(), 2, partial(square, tmp_path), tasks, said.append, in_hand=2))
    assert sorted(found) == [(task, task * task) for task in tasks]
    assert len(said) == 1
    assert "died (SIGKILL): another one goes on" in said[0]


def test_what_is_refused_and_what_fails_ends_all(tmp_path: Path) -> None:
    for task, kind, words in (
        (101, InputError, "^101 is no task$"),
        (102, RuntimeError, "ZeroDivisionError"),
    ):
        tasks = share_out(ThisMachine(), 2, partial(square, tmp_path), [1, task])
        with closing(tasks), pytest.raises(kind, match=words):
            list(tasks)
    assert list(share_out(ThisMachine(), 2, partial(square, tmp_path), [])) == []
