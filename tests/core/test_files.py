"""Files are whole or not there."""

from pathlib import Path

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.core.files import DamagedError, read_arrays, whole_file, write_file


@pytest.mark.parametrize("is_durable", [False, True])
def test_a_file_is_written_or_left_as_it_was(tmp_path: Path, is_durable: bool) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(RuntimeError, match="stopped"):
        _stop_half_way(path, is_durable)
    assert path.read_bytes() == b"old"
    with whole_file(path, is_durable) as file:
        file.write(b"new")
    assert path.read_bytes() == b"new"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def _stop_half_way(path: Path, is_durable: bool) -> None:
    with whole_file(path, is_durable) as file:
        file.write(b"half")
        raise RuntimeError("stopped")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(InputError, match=r"cannot write .*missing.*: No such file"),
        whole_file(tmp_path / "missing" / "file"),
    ):
        pass


def test_arrays_are_read_back_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "arrays.npz"
    with whole_file(path) as file:
        np.savez(file, one=np.arange(3))
    assert read_arrays(path, "a thing")["one"].tolist() == [0, 1, 2]
    content = path.read_bytes()
    for damaged in (b"", b"text", content[:-9], content[: len(content) // 2]):
        path.write_bytes(damaged)
        with pytest.raises(DamagedError, match="is damaged or not a thing"):
            read_arrays(path, "a thing")
    np.save(path.with_suffix(".npy"), np.arange(3))
    with pytest.raises(DamagedError):
        read_arrays(path.with_suffix(".npy"), "a thing")
    with pytest.raises(InputError, match=r"cannot read .*: Is a directory"):
        read_arrays(tmp_path, "a thing")


def test_nothing_in_a_file_runs(tmp_path: Path) -> None:
    path = tmp_path / "pickle.npz"
    np.savez(path, one=np.array([print], dtype=object))
    with pytest.raises(DamagedError):
        read_arrays(path, "a thing")


def test_files_are_written_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_file(path, b"old")

    def fail(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(InputError, match="No space left"):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
