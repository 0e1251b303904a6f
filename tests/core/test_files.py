"""Files are whole or not there."""

import os
import subprocess
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.core.files import (
    DamagedError,
    map_arrays,
    probe_file,
    probe_folder,
    read_arrays,
    remove_leftovers,
    whole_file,
    write_arrays,
    write_file,
)


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


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_every_byte_that_changes_is_noticed_or_harmless(tmp_path: Path, save: Callable[..., None]) -> None:
    """Those of headers too: one that tells of fewer rows than there are hides the checksum from np.load."""
    path, arrays = tmp_path / "arrays.npz", {"rows": np.arange(9.0).reshape(3, 3), "text": np.array("a text")}
    save(path, **arrays)
    content, refused = path.read_bytes(), 0
    flips = np.random.default_rng(1).integers(1, 256, len(content)).tolist()
    for place, flip in [*enumerate(flips), *((place, 1 << place % 8) for place in range(len(content)))]:
        path.write_bytes(content[:place] + bytes([content[place] ^ flip]) + content[place + 1 :])
        try:
            found = read_arrays(path, "a thing")
        except DamagedError:
            refused += 1
            continue
        assert found.keys() == arrays.keys()
        for name, array in arrays.items():
            np.testing.assert_array_equal(found[name], array, strict=True)
    assert refused > len(content)


def test_members_that_do_not_belong_there_are_damage(tmp_path: Path) -> None:
    path = tmp_path / "arrays.npz"
    for names in (["a.npy", "a.txt"], ["a.npy", "a.npy"]):
        with zipfile.ZipFile(path, "w") as archive, warnings.catch_warnings(action="ignore"):
            for name in names:
                with archive.open(name, "w") as member:
                    np.save(member, np.arange(3))
        with pytest.raises(DamagedError):
            read_arrays(path, "a thing")


def test_what_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    dead = subprocess.Popen(["true"])
    dead.wait()
    gone, ours, theirs = (f".a.npz.{number}.part" for number in (dead.pid, os.getpid(), os.getppid()))
    for name in (gone, ours, theirs, "d.part", ".e.part"):
        (tmp_path / name).touch()
    remove_leftovers(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {theirs, "d.part", ".e.part"}
    remove_leftovers(tmp_path / "missing")


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


def test_mapped_arrays_are_those_that_were_written(tmp_path: Path) -> None:
    path = tmp_path / "arrays.npz"
    arrays: dict[str, Any] = {"one": np.arange(1000, dtype=np.int16), "a_longer_name": np.ones((3, 5))}
    arrays["text"] = np.array("x")
    with whole_file(path) as file:
        write_arrays(file, {**arrays, "number": 7})
    for found in (map_arrays(path, "a thing"), read_arrays(path, "a thing"), dict(np.load(path))):
        assert int(found.pop("number")) == 7
        assert list(found) == list(arrays)
        for name, array in arrays.items():
            np.testing.assert_array_equal(found[name], array)
            assert found[name].dtype == array.dtype
    mapped = map_arrays(path, "a thing")["one"]
    assert mapped.flags.aligned
    assert mapped.ctypes.data % 64 == 0
    before = path.read_bytes()
    mapped[:] = 0
    assert path.read_bytes() == before


def test_archives_of_numpy_are_mapped_too(tmp_path: Path) -> None:
    np.savez(tmp_path / "plain.npz", one=np.arange(3))
    np.savez_compressed(tmp_path / "small.npz", one=np.arange(3))
    for name in ("plain", "small"):
        assert map_arrays(tmp_path / f"{name}.npz", "a thing")["one"].tolist() == [0, 1, 2]
    (tmp_path / "broken.npz").write_bytes(b"PK nothing")
    with pytest.raises(DamagedError, match="is damaged or not a thing"):
        map_arrays(tmp_path / "broken.npz", "a thing")
    with pytest.raises(InputError, match="cannot read"):
        map_arrays(tmp_path / "missing.npz", "a thing")


def test_probing_leaves_nothing_and_takes_leftovers(tmp_path: Path) -> None:
    (tmp_path / f".other.npz.{2**22 + 7}.part").write_text("of a process that is gone")
    probe_file(tmp_path / "new.npz")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "old.npz").write_text("old")
    probe_file(tmp_path / "old.npz")
    assert (tmp_path / "old.npz").read_text() == "old"
    probe_folder(tmp_path / "a" / "b")
    assert [path.name for path in tmp_path.iterdir()] == ["old.npz"]
    with pytest.raises(InputError, match=r"old\.npz is not a folder"):
        probe_folder(tmp_path / "old.npz" / "b")
    with pytest.raises(InputError, match="too long"):
        probe_folder(tmp_path / ("x" * 300))


def test_long_names_are_written(tmp_path: Path) -> None:
    name = "x" * 250 + ".npz"
    probe_file(tmp_path / name)
    write_file(tmp_path / name, b"content")
    assert (tmp_path / name).read_bytes() == b"content"
