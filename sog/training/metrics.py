"""What a run writes down on its way: `metrics.jsonl`, and event files if TensorBoard is there.

Each line of `metrics.jsonl` is one JSON object with the step and the seconds of training. A run that goes on
from a checkpoint forgets the lines behind it, which it will write again.

Verified: tests/training/test_metrics.py.
"""

import importlib.util
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sog.core.errors import InputError
from sog.core.files import write_file

FILE = "metrics.jsonl"
EVENTS = "tensorboard"


class Metrics:
    """Lines of figures of one run."""

    def __init__(self, run: Path, steps: int = 0) -> None:
        """steps: where the run stands; lines beyond are dropped."""
        self._path = run / FILE
        kept = [line for line in read_metrics(run) if line["step"] <= steps]
        with self._refusing():
            run.mkdir(parents=True, exist_ok=True)
            write_file(self._path, "".join(json.dumps(line) + "\n" for line in kept).encode())
            self._events = _open_events(run / EVENTS, steps)

    def write(self, figures: Mapping[str, Any]) -> None:
        """Add a line; nested figures appear in TensorBoard as `group/name`."""
        with self._refusing():
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(figures) + "\n")
            if self._events is not None:
                for name, value in _scalars(figures):
                    self._events.add_scalar(name, value, figures["step"])

    def close(self) -> None:
        """Write what is still in memory."""
        if self._events is not None:
            with suppress(OSError):  # on a full disk; metrics.jsonl tells the same, and has said so
                self._events.close()

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise InputError(f"cannot write {self._path}: {error.strerror or error}") from None


def read_metrics(run: Path) -> list[dict[str, Any]]:
    """Return a run's lines; one that was cut off is left out."""
    try:
        lines = (run / FILE).read_text("utf-8").splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        try:
            content = json.loads(line)
        except ValueError:
            continue
        if isinstance(content, dict) and isinstance(content.get("step"), int):
            found.append(content)
    return found


def _scalars(figures: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, float]]:
    for name, value in figures.items():
        if isinstance(value, Mapping):
            yield from _scalars(value, f"{prefix}{name}/")
        elif isinstance(value, int | float) and name != "step":
            yield f"{prefix}{name}", float(value)


def _open_events(folder: Path, steps: int) -> Any:
    """Return a writer of event files; None where TensorBoard is not installed."""
    if importlib.util.find_spec("tensorboard") is None:
        return None
    from torch.utils.tensorboard import SummaryWriter  # slow to import

    return SummaryWriter(str(folder), purge_step=steps + 1 if steps else None)
