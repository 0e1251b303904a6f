"""A desk without Ray: what its worker says, and what is said to it."""

import pickle
from typing import Any

from sog.core.ray_desk import Desk, DeskLine
from sog.core.workplace import GONE, Line


def echo(line: Line) -> None:
    while True:
        kind, content = line.receive()
        if kind == "fail":
            raise ValueError(content)
        line.send(kind, content)


def chatter(line: Line) -> None:
    for number in range(10):
        line.send("number", number)


def hear(desk: Desk, count: int) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    while len(found) < count:
        found += [(kind, pickle.loads(content)) for kind, content in desk.listen()]
    return found


def test_messages_go_both_ways_in_order_and_an_error_is_told() -> None:
    desk = Desk(pickle.dumps(echo), ahead=2)
    desk.post(*(pickle.dumps(("number", number)) for number in range(20)))
    assert hear(desk, 20) == [("number", number) for number in range(20)]
    desk.post(pickle.dumps(("fail", "no more")))
    assert hear(desk, 1) == [(GONE, "ValueError: no more")]


def test_a_worker_runs_ahead_by_a_few_messages() -> None:
    line = DeskLine(3)
    assert not line.has_message
    desk = Desk(pickle.dumps(chatter), ahead=3)
    said = hear(desk, 11)
    assert said == [*(("number", number) for number in range(10)), (GONE, "it has ended")]
    assert desk._line.said.maxsize == 3
