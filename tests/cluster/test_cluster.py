"""Clusters of Ray in a network namespace of their own: the tests run there, in a pytest of their own.

To start a cluster takes most of a minute, so one serves all quick tests.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LOOPBACK = HERE.parents[1] / "scripts" / "loopback.py"
NO_RIGHT = 3


def run_inside(*names: str) -> None:
    """Run files of tests in a namespace."""
    paths = [str(HERE / name) for name in names]
    command = [sys.executable, str(LOOPBACK), sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-x"]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    done = subprocess.run([*command, *paths], capture_output=True, text=True, env=environment)
    if done.returncode == NO_RIGHT and "no right" in done.stderr:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_commands_on_a_cluster() -> None:
    pytest.importorskip("ray", reason="Ray is not installed")
    run_inside("inside_commands.py")


@pytest.mark.slow
def test_faults_of_a_cluster() -> None:
    pytest.importorskip("ray", reason="Ray is not installed")
    run_inside("inside_faults.py")
