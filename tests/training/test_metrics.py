from pathlib import Path
from typing import Any

import pytest

from sog.core.errors import InputError
from sog.training.metrics import Metrics, read_metrics
from tests.full_disk import at_most


def line(step: int) -> dict[str, Any]:
    return {"step": step, "seconds": step / 10, "loss": {"value": 1 / (step + 1)}}


def test_lines_are_read_back_and_those_beyond_the_checkpoint_are_forgotten(tmp_path: Path) -> None:
    metrics = Metrics(tmp_path)
    for step in (0, 10, 20, 30):
        metrics.write(line(step))
    metrics.close()
    with (tmp_path / "metrics.jsonl").open("a") as file:
        file.write('nonsense\n{"step": "x"}\n{"step": 4')
    assert read_metrics(tmp_path) == [line(step) for step in (0, 10, 20, 30)]
    again = Metrics(tmp_path, steps=20)
    again.write(line(25))
    again.close()
    assert read_metrics(tmp_path) == [line(step) for step in (0, 10, 20, 25)]


def test_tensorboard_gets_the_same_figures(tmp_path: Path) -> None:
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    metrics = Metrics(tmp_path)
    for step in (10, 20):
        metrics.write(line(step))
    metrics.close()
    events = accumulator.EventAccumulator(str(tmp_path / "tensorboard"))
    events.Reload()
    assert set(events.Tags()["scalars"]) == {"seconds", "loss/value"}
    assert [(event.step, event.value) for event in events.Scalars("seconds")] == [(10, 1.0), (20, 2.0)]


def test_nowhere_to_write(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write"):
        Metrics(tmp_path / "file")


def test_no_file_no_lines(tmp_path: Path) -> None:
    assert read_metrics(tmp_path) == []


def test_on_a_full_disk_the_lines_before_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)  # events are written at any time
    metrics = Metrics(tmp_path)
    metrics.write(line(0))
    with at_most((tmp_path / "metrics.jsonl").stat().st_size + 9):
        with pytest.raises(InputError, match=r"cannot write .*metrics.jsonl: .+"):
            metrics.write(line(10))
        with pytest.raises(InputError, match=r"cannot write .*metrics.jsonl: .+"):
            Metrics(tmp_path / "other").write({"step": 0, "text": "x" * 200})
    assert read_metrics(tmp_path) == [line(0)]
