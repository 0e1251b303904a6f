"""Workers that need no process: they say what a test lets them say."""

import time
from dataclasses import dataclass, field
from typing import Any

import pytest

from sog.core.supervisor import ERROR, FAILURE, MOST_DEATHS, NOTE, REFUSAL, GivenUpError, Supervisor
from sog.core.workplace import GONE, Arrivals, Departure, Target, Worker


@dataclass(eq=False)
class Puppet:
    number: int
    arrived: Arrivals
    reason: str = ""
    posted: list[tuple[str, Any]] = field(default_factory=list)
    room: int = 0
    is_ended: bool = False

    def post(self, kind: str, content: Any = None) -> None:
        self.posted.append((kind, content))

    def make_room(self) -> None:
        self.room += 1

    def stop(self) -> None:
        self.is_ended = True

    def end(self) -> str:
        self.is_ended = True
        return self.reason or "SIGKILL"

    def say(self, kind: str, content: Any) -> None:
        self.arrived.put((self, kind, content))


class Stage:
    def __init__(self) -> None:
        self.hired: list[Puppet] = []

    def hire(
        self, target: Target, arrived: Arrivals, number: int, ahead: int, is_patient: bool = False
    ) -> Worker:
        self.hired.append(Puppet(number, arrived))
        return self.hired[-1]

    def tell(self, workers: list[Worker], kind: str, content: Any) -> None:
        for worker in workers:
            worker.post(kind, content)


def nothing(index: int, start: int) -> Target:
    return lambda line: None


def open_stage(count: int) -> tuple[Stage, Supervisor, list[str]]:
    stage, said = Stage(), list[str]()

    def greet(index: int, start: int, worker: Worker) -> None:
        worker.post("hello", start)

    return stage, Supervisor(stage, count, nothing, greet, said.append), said


def leave(*puppets: Puppet, cause: str = "") -> None:
    puppets[0].say(GONE, Departure(time.monotonic(), list(puppets), cause))


def test_who_dies_is_replaced_and_greeted() -> None:
    stage, staff, said = open_stage(2)
    first, second = stage.hired
    second.say("lot", 1)
    second.say(NOTE, "waits")
    second.say(ERROR, "a mistake")
    leave(second)
    assert staff.take(0.0) == (1, "lot", 1, True)
    assert staff.take(0.0) is None
    assert staff.take(0.0) is None
    assert staff.take(0.0) == (1, GONE, "a mistake", True)
    assert said == ["worker 2 waits", "worker 2 died (a mistake): another one goes on"]
    assert second.is_ended
    assert (first.room, second.room) == (0, 3)
    third = stage.hired[2]
    assert (third.number, third.posted) == (1, [("hello", 1)])
    second.say("lot", 2)  # it was on its way
    assert staff.take(0.0) == (1, "lot", 2, False)
    leave(second)
    assert staff.take(0.0) is None
    assert len(stage.hired) == 3
    staff.tell("weights", 7)
    assert first.posted[-1] == third.posted[-1] == ("weights", 7)
    staff.close()
    assert first.is_ended
    assert third.is_ended


def test_what_goes_together_is_one_line_and_one_death() -> None:
    stage, staff, said = open_stage(12)
    for number, puppet in enumerate(stage.hired[:8]):
        puppet.reason = "10.0.0.2 is gone"
        leave(puppet, cause=f"node {number % 2}")  # some of them are noticed one by one
    leave(*stage.hired[11:7:-1], cause="node 1")
    found = [staff.take(0.0) for _ in range(12)]
    assert sorted(message.number for message in found if message is not None) == list(range(12))
    assert said[-1] == "workers 9, 10, 11 and 12 died (SIGKILL): others go on"
    assert len(said) == 9
    assert not staff.has_message


def test_deaths_again_and_again_end_it() -> None:
    stage, staff, said = open_stage(1)
    for _ in range(MOST_DEATHS):
        leave(stage.hired[-1])
        staff.take(0.0)
        staff.hear()
    leave(stage.hired[-1])
    with pytest.raises(GivenUpError, match=r"more than 5 workers died within a minute, worker 1 last"):
        staff.take(0.0)
    assert len(said) == MOST_DEATHS


@pytest.mark.parametrize(
    ("kind", "line"), [(REFUSAL, "worker 1 failed: no such game"), (FAILURE, "no such game")]
)
def test_what_another_could_not_do_either_ends_it(kind: str, line: str) -> None:
    stage, staff, _ = open_stage(1)
    stage.hired[0].say(kind, "no such game")
    with pytest.raises(GivenUpError, match=f"^{line}$"):
        staff.take(0.0)
