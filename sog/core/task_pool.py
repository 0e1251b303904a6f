"""Tasks that do not depend on each other, shared out among workers here or on a cluster.

A worker is a function that answers one task after the other. Whoever dies is replaced, and what it had in
hand is given to others. What a task refuses (InputError) ends all; so does a defect, with its traceback.

Verified: tests/core/test_task_pool.py, tests/cluster/test_cluster.py.
"""

import traceback
from collections import deque
from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import Any, TypeVar

from sog.core.errors import InputError
from sog.core.supervisor import Supervisor
from sog.core.workplace import GONE, Line, Workplace

_SECONDS_TO_WAIT = 0.2
_Task = TypeVar("_Task")
Skill = Callable[[], Callable[[Any], Any]]  # makes what answers tasks, in the worker's own process


def share_out(
    workplace: Workplace,
    workers: int,
    skill: Skill,
    tasks: Sequence[_Task],
    warn: Callable[[str], None] = lambda line: None,
    in_hand: int = 1,
) -> Generator[tuple[_Task, Any], None, None]:
    """Yield each task with its answer, in the order in which they come; closing the iterator ends everybody.

    skill, tasks and answers are pickled; in_hand: tasks that a worker has at a time, so that it need not wait
    for the next one.
    """
    waiting, hands = deque(range(len(tasks))), dict[int, list[int]]()

    def give(index: int) -> None:
        held = hands.setdefault(index, [])
        while waiting and len(held) < in_hand:
            held.append(waiting.popleft())
            staff.workers[index].post(f"task {held[-1]}", (held[-1], tasks[held[-1]]))

    target = partial(answer_tasks, skill)
    count = min(workers, len(tasks))
    staff = Supervisor(workplace, count, lambda index, start: target, warn=warn, is_patient=True)
    try:
        for index in range(count):
            give(index)
        while any(hands.values()):
            message = staff.take(_SECONDS_TO_WAIT)
            if message is None:
                continue
            index = message.number
            if message.kind == GONE:
                waiting.extendleft(reversed(hands.pop(index)))
            elif message.is_current:
                staff.hear()
                number, answer = _read(message.kind, message.content)
                hands[index].remove(number)
                yield tasks[number], answer
            for other in range(count):
                give(other)
    finally:
        staff.close()


def _read(kind: str, content: Any) -> tuple[int, Any]:
    if kind == "refused":
        raise InputError(content)
    if kind == "failed":
        raise RuntimeError(f"in a worker:\n{content}")
    number, answer = content
    return number, answer


def answer_tasks(skill: Skill, line: Line) -> None:
    """Answer what comes: what a worker does."""
    try:
        answer = skill()
        while True:
            _, (number, task) = line.receive()
            line.send("answer", (number, answer(task)))
    except InputError as error:
        line.send("refused", str(error))
    except (EOFError, ConnectionError):
        raise  # nobody listens any more
    except Exception:
        line.send("failed", traceback.format_exc())
