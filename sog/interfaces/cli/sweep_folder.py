"""What a sweep keeps: a folder for every training that is done, and what they have in common.

    sweep.json                      the configuration that all trainings share
    learner.batch=64,run.seed=1/    config.toml, agent.npz, metrics.jsonl, and last of all result.json

Verified: tests/interfaces/cli/test_sweep_command.py.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

from sog.core.errors import InputError
from sog.core.files import write_file
from sog.interfaces.cli.sweep_grid import Point, name_of
from sog.training.checkpoint import sole_use
from sog.training.config import Config, as_tables

_FACTS, _RESULT = "sweep.json", "result.json"
_FORMAT = 1


class Result(NamedTuple):
    """How a training ended."""

    point: Point
    steps: int
    seconds: float
    value_loss: float | None
    policy_loss: float | None
    exploitability: dict[str, float]  # by the name of the search; empty where it is not measured
    unit: str


class SweepFolder:
    """The folder of a sweep, to be written to by one process at a time."""

    def __init__(self, path: Path, config: Config) -> None:
        """Open a folder, new or of the same sweep."""
        self.path = path
        facts: dict[str, Any] = json.loads(json.dumps({"format": _FORMAT, "config": as_tables(config)}))
        kept = _read(path / _FACTS)
        if kept is None and path.is_dir() and any(path.iterdir()):
            raise InputError(f"--out: {path} is no sweep's: take another folder")
        if kept is not None and kept != facts:
            raise InputError(f"--out: {path} holds a sweep of another configuration: take another folder")
        self._facts = facts

    def open(self) -> None:
        """Make the folder."""
        self.path.mkdir(parents=True, exist_ok=True)
        write_file(self.path / _FACTS, (json.dumps(self._facts, indent=1) + "\n").encode())

    def find(self, point: Point) -> Result | None:
        """Return how a training ended, if it has."""
        path = self.path / name_of(point) / _RESULT
        content = _read(path)
        try:
            return None if content is None else Result(**content)._replace(point=point)
        except TypeError:
            raise InputError(f"{path} is damaged: remove it to train anew") from None

    def add(self, result: Result, files: dict[str, bytes]) -> None:
        """Keep a training, its result last."""
        folder = self.path / name_of(result.point)
        with sole_use(folder):
            for name, content in files.items():
                write_file(folder / name, content)
            write_file(folder / _RESULT, (json.dumps(result._asdict(), indent=1) + "\n").encode())


def _read(path: Path) -> dict[str, Any] | None:
    try:
        content = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, RecursionError):
        raise InputError(f"{path} is damaged: remove it") from None
    if not isinstance(content, dict):
        raise InputError(f"{path} is damaged: remove it")
    return content
