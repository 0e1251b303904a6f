"""Children that are killed, stopped or hung cost nobody else anything."""

import os
import queue
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sog.core import children, workplace
from sog.core.children import Child, SocketLine, _pack
from sog.core.workplace import GONE, Departure, Line

BIG = b"x" * 5_000_000
Arrived = queue.SimpleQueue[tuple[Child, str, Any]]


def echo(line: Line) -> None:
    while True:
        kind, content = line.receive()
        line.send(kind, content)


def say_half(signal_number: int, line: SocketLine) -> None:
    line.send("hello", None)
    line._end.sendall(_pack("big", BIG)[: len(BIG) // 2])
    os.kill(os.getpid(), signal_number)
    time.sleep(600)


def say_nothing(line: Line) -> None:
    line.send("hello", None)
    time.sleep(600)


def say_all(path: Path, line: Line) -> None:
    for number in range(100):
        line.send("number", BIG[:500_000])
        path.write_text(str(number + 1))
    line.receive()


def next_of(arrived: Arrived, child: Child) -> tuple[str, Any]:
    who, kind, content = arrived.get(timeout=60)
    assert who is child
    child.make_room()
    return kind, content


def test_messages_go_both_ways_and_the_newest_of_a_kind_counts() -> None:
    arrived: Arrived = queue.SimpleQueue()
    child = Child(echo, arrived)
    child.post("big", BIG)
    assert next_of(arrived, child) == ("big", BIG)
    os.kill(child.process.pid or 0, signal.SIGSTOP)
    for number in range(10):
        child.post("big", (number, BIG))
        child.post("small", number)
    os.kill(child.process.pid or 0, signal.SIGCONT)
    found = [next_of(arrived, child) for _ in range(2)]
    while found[-1][0] != "small":  # the first big one may have been on its way
        found.append(next_of(arrived, child))
    assert found[-1] == ("small", 9)
    assert found[-2] == ("big", (9, BIG))
    os.kill(child.process.pid or 0, signal.SIGINT)  # Ctrl-C is not for it
    child.post("small", 10)
    assert next_of(arrived, child) == ("small", 10)
    assert child.end() == "SIGKILL"
    assert next_of(arrived, child)[0] == GONE
    assert not child.process.is_alive()


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (partial(say_half, signal.SIGKILL), "SIGKILL"),
        (partial(say_half, signal.SIGSTOP), "stopped"),
        (say_nothing, "silent for .*"),
    ],
)
def test_whoever_stops_talking_is_gone(
    target: Any, reason: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(children, "_SECONDS_OF_A_TICK", 0.02)
    monkeypatch.setattr(workplace, "_TICKS_SILENT", 50)
    monkeypatch.setattr(workplace, "_TIMES_SILENT", 0)
    arrived: Arrived = queue.SimpleQueue()
    child = Child(target, arrived)
    assert next_of(arrived, child) == ("hello", None)
    kind, departure = next_of(arrived, child)
    assert kind == GONE
    assert isinstance(departure, Departure)
    assert departure.workers == [child]
    assert departure.moment <= time.monotonic()
    assert re.fullmatch(reason, child.end())
    assert capfd.readouterr() == ("", "")


def test_a_child_runs_ahead_by_a_few_messages(tmp_path: Path) -> None:
    arrived: Arrived = queue.SimpleQueue()
    path = tmp_path / "sent"
    child = Child(partial(say_all, path), arrived, ahead=3)
    while arrived.qsize() < 3:
        time.sleep(0.05)
    time.sleep(0.5)
    assert 3 <= int(path.read_text()) <= 5  # one in our hands and one on the way
    for _ in range(100):
        assert next_of(arrived, child)[0] == "number"
    os.kill(child.process.pid or 0, signal.SIGSTOP)
    child.end()


PARENT = """
import os, queue, signal, time
from functools import partial
from sog.core.children import Child
from tests.core.test_children import BIG, say_all, say_half, say_nothing
from pathlib import Path

if __name__ == "__main__":
    arrived = queue.SimpleQueue()
    targets = partial(say_half, signal.SIGSTOP), say_nothing, partial(say_all, Path(os.devnull))
    found = [Child(target, arrived, ahead=1) for target in targets]
    for _ in found:
        arrived.get()
    found[1].post("big", BIG)
    found.append(Child(say_nothing, arrived))  # still at its imports
    print("ready", flush=True)
    time.sleep(600)
"""


def test_children_end_with_their_parent(tmp_path: Path) -> None:
    """Stopped, asleep, in the middle of a message and at the start; nor does a helper stay."""
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    process = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        start_new_session=True,
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        assert len(group_of(process.pid)) >= 5
        process.kill()
    end = time.monotonic() + 5
    while group_of(process.pid) and time.monotonic() < end:
        time.sleep(0.05)
    left = group_of(process.pid)
    for number in left:
        os.kill(number, signal.SIGKILL)
    assert not left


def group_of(leader: int) -> list[int]:
    """Return the processes of a session that are more than a number."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, session = path.read_text().rpartition(") ")[2].split()[:4]
        except OSError:
            continue
        if int(session) == leader and state not in "ZX":
            found.append(int(path.parent.name))
    return found
