"""One training of a sweep, here or by a worker: one process does it all, so that its seed decides everything.

Verified: tests/interfaces/cli/test_sweep_command.py, tests/cluster/test_cluster.py.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from sog.interfaces.cli.sweep_folder import Result
from sog.interfaces.cli.sweep_grid import Point
from sog.interfaces.cli.train_command import make_monitor
from sog.nets.agents import RUN_FILE
from sog.training.config import Config
from sog.training.learner import choose_device
from sog.training.metrics import FILE
from sog.training.run import CONFIG_FILE, Run
from sog.training.sources.local import LocalSource

KEPT_FILES = (CONFIG_FILE, RUN_FILE, FILE)


class Trial(NamedTuple):
    """A training to be done."""

    point: Point
    config: Config


class Trained(NamedTuple):
    """A training that is over; one that was interrupted has no result."""

    result: Result | None
    files: dict[str, bytes]


def begin_to_train() -> Callable[[Trial], Trained]:
    """Return what trains."""
    return train_one


def train_one(trial: Trial) -> Trained:
    """Train to the end in a folder that is gone then; return what is kept."""
    with tempfile.TemporaryDirectory(prefix="sog-sweep-") as folder:
        monitor = make_monitor(trial.config)
        measure = None if monitor is None else monitor.measure
        run = Run(trial.config, Path(folder), measure, choose_device("auto"))
        if not run.go(LocalSource):
            return Trained(None, {})
        files = {name: (Path(folder) / name).read_bytes() for name in KEPT_FILES}
    status = run.status
    value, policy = (None, None) if status.losses is None else status.losses
    measured = status.curve[-1].exploitability if status.curve else {}
    unit = "" if monitor is None else monitor.unit
    return Trained(Result(trial.point, status.steps, status.seconds, value, policy, measured, unit), files)
