from pathlib import Path

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.games.registry import load
from sog.solvers.checkpoint import load_checkpoint, save_checkpoint
from sog.solvers.solver import Solver


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "solution.npz"
    solver = Solver(load("kuhn"), "dcfr")
    solver.run(iterations=10)
    solver.save(path)
    return path


def test_round_trip(saved: Path, tmp_path: Path) -> None:
    checkpoint = load_checkpoint(saved)
    assert (checkpoint.game, checkpoint.algorithm, checkpoint.iterations) == ("kuhn", "dcfr", 10)
    save_checkpoint(tmp_path / "again.npz", checkpoint)
    again = load_checkpoint(tmp_path / "again.npz")
    for name, array in checkpoint.arrays.items():
        np.testing.assert_array_equal(array, again.arrays[name])


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_truncated_files_are_refused(saved: Path, share: float) -> None:
    content = saved.read_bytes()
    saved.write_bytes(content[: int(share * len(content))])
    with pytest.raises(InputError, match=r"damaged|cannot read"):
        load_checkpoint(saved)


def test_damaged_content_is_refused(saved: Path) -> None:
    content = bytearray(saved.read_bytes())
    for index in range(200, len(content) - 200, 97):
        content[index] ^= 0xFF
    saved.write_bytes(bytes(content))
    with pytest.raises(InputError):
        load_checkpoint(saved)


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text.npz").write_text("not a solution")
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    np.save(tmp_path / "array.npy", np.zeros(3))
    for name in ("text.npz", "other.npz", "array.npy", "missing.npz"):
        with pytest.raises(InputError, match=name):
            load_checkpoint(tmp_path / name)


def test_a_newer_format_is_refused(saved: Path) -> None:
    with np.load(saved) as file:
        content = dict(file)
    content["format"] = np.array(99)
    np.savez(saved, **content)
    with pytest.raises(InputError, match="format 99"):
        load_checkpoint(saved)


def test_a_failed_write_leaves_the_old_file(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = saved.read_bytes()
    checkpoint = load_checkpoint(saved)

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sog.solvers.checkpoint.write_arrays", fail)
    with pytest.raises(InputError, match="No space left"):
        save_checkpoint(saved, checkpoint)
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir()] == ["solution.npz"]
