"""Machines that go and come while a run lasts: run by test_cluster.py, in a network namespace."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from sog.training.checkpoint import load_newest
from sog.training.run_status import Counts
from tests.cluster.nodes import Machines, desks_of
from tests.cluster.training import Training


@pytest.fixture
def training(machines: Machines, tiny: str, tmp_path: Path) -> Iterator[Training]:
    out = tmp_path / "run"
    common = ["--config", tiny, "--steps", "1000000", "--out", str(out), "--workers", "3"]
    with Training(out, *common, "--ray", machines.address) as started:
        yield started


def test_machines_go_and_come(machines: Machines, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    head, second = machines.start_head(cpus=1), machines.add(cpus=1)
    training: Training = request.getfixturevalue("training")

    # Two of three have a place; the third waits for a machine that joins later.
    training.wait_for_steps()
    training.wait_until(lambda: "worker 3 waits for a machine with 1 free CPU" in training.said)
    third = machines.add(cpus=1)
    training.wait_until(lambda: "worker 3 begins on 127.0.0.1" in training.said)
    training.wait_for_steps()
    assert training.last["deaths"] == 0

    # A worker is killed, another is stopped for good.
    os.kill(desks_of(second)[0], signal.SIGKILL)
    training.wait_until(lambda: training.last["deaths"] == 1)
    training.wait_until(lambda: len(desks_of(head) + desks_of(second) + desks_of(third)) == 3)
    os.kill(desks_of(head)[0], signal.SIGSTOP)
    training.wait_until(lambda: "127.0.0.1 gives no sign of life" in training.said)
    training.wait_until(lambda: training.last["deaths"] == 2)

    # A whole machine goes.
    training.wait_for_steps()
    machines.stop(third)
    training.wait_until(lambda: "died (127.0.0.1 is gone): another one goes on" in training.said)
    training.wait_for_steps()

    # The head goes, and with it what Ray knew; another one comes.
    machines.stop(head)
    training.wait_until(lambda: "died (the connection to the cluster was lost)" in training.said)
    machines.stop(second)
    head = machines.start_head(cpus=3)
    deaths = training.last["deaths"]
    training.wait_until(lambda: len(desks_of(head)) == 3)

    # That one goes before its workers have said a word, and the next comes at the same address at once.
    lost = training.said.count("the connection to the cluster was lost")
    machines.stop(head)
    head = machines.start_head(cpus=3)
    training.wait_until(lambda: training.said.count("the connection to the cluster was lost") == lost + 1)
    training.wait_for_steps()
    assert training.last["deaths"] > deaths or training.last["deaths"] >= 5

    # The learner itself is killed: its workers end with it, and it goes on from its checkpoint.
    training.process.kill()
    training.process.wait()
    steps = load_newest(training.out, pytest.fail)["learner"]["steps"]
    assert steps > 0
    more = ["--resume", str(training.out), "--steps", str(steps + 30), "--ray", machines.address]
    with Training(training.out, *more, "--workers", "2") as resumed:
        resumed.end()
    assert desks_of(head) == []
    data = load_newest(training.out, pytest.fail)
    assert data["learner"]["steps"] == steps + 30
    assert Counts(*data["counts"]).deaths >= 5
