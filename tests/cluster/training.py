"""A training run as people start it, and what it says on the way."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from sog.training.metrics import read_metrics

PATIENCE = 300.0  # seconds, on a machine with other things to do


class Training:
    """`sog train` in the background."""

    def __init__(self, out: Path, *arguments: str) -> None:
        self.out, self._log = out, out.parent / f"{out.name}.log"
        with self._log.open("ab") as log:
            command = [sys.executable, "-m", "sog", "train", *arguments]
            self.process = subprocess.Popen(command, stdout=log, stderr=log)

    def __enter__(self) -> "Training":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    @property
    def said(self) -> str:
        """Everything that it has printed."""
        return self._log.read_text("utf-8")

    @property
    def last(self) -> dict[str, Any]:
        """Its newest line of metrics."""
        lines = read_metrics(self.out)
        return lines[-1] if lines else {"step": 0, "examples": 0, "deaths": 0}

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        """Wait for something while it runs."""
        end = time.monotonic() + PATIENCE
        while not is_so():
            assert self.process.poll() is None, self.said
            assert time.monotonic() < end, self.said
            time.sleep(0.1)

    def wait_for_steps(self, more: int = 20) -> None:
        """Wait until it has learned some more."""
        goal = self.last["step"] + more
        self.wait_until(lambda: self.last["step"] >= goal)

    def end(self, expected: int = 0) -> None:
        """Wait for its end."""
        assert self.process.wait(PATIENCE) == expected, self.said
