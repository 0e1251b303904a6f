"""Commands on one cluster: run by test_cluster.py, in a network namespace."""

import json
import os
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from sog.interfaces.cli import main
from sog.training.checkpoint import load_newest
from sog.training.run_status import Counts
from tests.cluster.nodes import Machines, desks_of
from tests.cluster.training import Training

RAY = version("ray")


@pytest.fixture(scope="module")
def head(machines: Machines) -> str:
    return machines.start_head(cpus=2)


def test_a_run_begins_here_goes_on_under_ray_and_comes_back(
    machines: Machines, head: str, tiny: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert main(["train", "--config", tiny, "--steps", "20", "--out", str(out)]) == 0
    assert "ray" not in sys.modules  # imported in a process of its own alone
    with Training(out, "--resume", str(out), "--steps", "1000000", "--ray", "auto") as training:
        training.wait_for_steps()
        victim = desks_of(head)[0]
        os.kill(victim, signal.SIGKILL)
        training.wait_until(lambda: training.last["deaths"] == 1)
        training.wait_until(lambda: len(desks_of(head)) == 2)
        training.wait_for_steps()
        training.process.send_signal(signal.SIGINT)
        training.end()
    assert f"Ray {RAY} at {machines.address}: 1 machine, 2 CPUs" in training.said
    assert training.said.count("died (its process died): another one goes on") == 1
    assert desks_of(head) == []
    data = load_newest(out, pytest.fail)
    assert Counts(*data["counts"]).deaths == 1
    assert 1 <= len(data["sources"]) <= 2  # one may have made nothing yet
    steps = data["learner"]["steps"] + 5
    capsys.readouterr()
    assert main(["train", "--resume", str(out), "--steps", str(steps)]) == 0
    printed = capsys.readouterr().out
    assert f"gradient steps                {steps:,}" in printed
    assert "workers replaced              1" in printed


CHANGE = """
import ray
from ray._private import node
node.Node.check_version_info = lambda self: None  # or it could not change it back
ray.init()
from ray._private import worker
client = worker.global_worker.gcs_client
content = client.internal_kv_get(b"CLUSTER_METADATA", b"cluster")
client.internal_kv_put(b"CLUSTER_METADATA", content.replace(FROM, TO), True, b"cluster")
"""


def change_version(old: str, new: str) -> None:
    """Let the cluster say that it was started by another Ray."""
    code = CHANGE.replace("FROM", repr(old.encode())).replace("TO", repr(new.encode()))
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_bad_input_is_one_line_and_writes_nothing(
    machines: Machines, head: str, tiny: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    train = ["train", "--config", tiny, "--out", str(out)]
    for options, message in (
        (["--ray", "127.0.0.1:1"], "--ray 127.0.0.1:1: cannot be reached: Connection refused"),
        (["--ray", "auto", "--generator-cpus", "3"], "no machine has 3 CPUs for a worker, the largest has 2"),
        (
            ["--ray", "ray://127.0.0.1:1"],
            "--ray: auto, local or HOST:PORT of the cluster's head, not 'ray://",
        ),
        (["--ray", "head"], "not 'head'"),
        (["--generator-cpus", "2"], "--generator-cpus is about a cluster"),
    ):
        assert main([*train, *options]) == 2
        error = capsys.readouterr().err
        assert message in error
        assert len(error.splitlines()) == 1
    change_version(f'"{RAY}"', '"9.60.0"')
    assert main([*train, "--ray", "auto"]) == 2
    change_version('"9.60.0"', f'"{RAY}"')
    error = capsys.readouterr().err
    assert "Version mismatch" in error
    assert "9.60.0" in error
    assert len(error.splitlines()) == 1
    assert not out.exists()


def test_the_same_is_found_on_a_cluster(
    machines: Machines, head: str, tiny: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def ask(*arguments: str) -> Any:
        assert main(list(arguments)) == 0
        found = json.loads(capsys.readouterr().out)
        return without_clocks(found)

    for command in (
        ["evaluate", "--game", "kuhn", "--search", "5,1", "10,1", "--seeds", "3"],
        ["match", "random", "mcts:20", "other=random", "--game", "tictactoe", "--games", "4"],
        ["sweep", tiny, "--grid", "run.seed=0,1", "--steps", "5", "--out"],
    ):
        folders = [[str(tmp_path / place)] if command[0] == "sweep" else [] for place in ("here", "there")]
        here = ask(*command, *folders[0], "--json")
        there = ask(*command, *folders[1], "--json", "--ray", machines.address)
        assert here == there, command
        assert here
    assert desks_of(head) == []


def without_clocks(content: Any) -> Any:
    """Return figures without what took how long."""
    if isinstance(content, list):
        return [without_clocks(item) for item in content]
    if isinstance(content, dict):
        return {key: without_clocks(value) for key, value in content.items() if "seconds" not in key}
    return content
