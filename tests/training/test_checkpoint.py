import subprocess
from pathlib import Path

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.training.checkpoint import (
    KEPT,
    find_checkpoints,
    load_checkpoint,
    load_newest,
    save_checkpoint,
    sole_use,
)
from tests.full_disk import at_most

DATA = {"numbers": np.arange(1000), "weights": {"a": np.ones((3, 4), np.float32)}, "steps": 12}


def test_the_newest_few_are_kept(tmp_path: Path) -> None:
    for steps in (0, 5, 100_000_000, 7):
        save_checkpoint(tmp_path, steps, {**DATA, "steps": steps})
    names = [path.name for path in find_checkpoints(tmp_path)]
    assert names == ["step-00000005.npz", "step-00000007.npz", "step-100000000.npz"]
    assert len(names) == KEPT
    assert load_newest(tmp_path, pytest.fail)["steps"] == 100_000_000
    assert {path.name for path in (tmp_path / "checkpoints").iterdir()} == set(names)  # nothing half written


def test_every_damage_is_noticed_or_harmless(tmp_path: Path) -> None:
    path = save_checkpoint(tmp_path, 12, DATA)
    whole = path.read_bytes()
    rng = np.random.default_rng(1)
    for place in [*rng.integers(len(whole), size=300).tolist(), *range(0, 60)]:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(damaged)
        try:
            found = load_checkpoint(path)
        except InputError:
            continue
        np.testing.assert_array_equal(found["numbers"], DATA["numbers"])
        np.testing.assert_array_equal(found["weights"]["a"], np.ones((3, 4)))


@pytest.mark.parametrize("length", [0, 10, 5000, -1])
def test_a_file_that_is_cut_off_is_damaged(tmp_path: Path, length: int) -> None:
    path = save_checkpoint(tmp_path, 12, DATA)
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(InputError, match="is damaged"):
        load_checkpoint(path)


def test_damaged_files_are_put_aside(tmp_path: Path) -> None:
    for steps in (1, 2, 3):
        save_checkpoint(tmp_path, steps, {"steps": steps})
    for path in find_checkpoints(tmp_path)[1:]:
        path.write_bytes(b"PK")
    warnings: list[str] = []
    assert load_newest(tmp_path, warnings.append) == {"steps": 1}
    assert len(warnings) == 2
    assert [path.name for path in find_checkpoints(tmp_path)] == ["step-00000001.npz"]
    find_checkpoints(tmp_path)[0].write_bytes(b"")
    with pytest.raises(InputError, match="no checkpoint that is whole"):
        load_newest(tmp_path, warnings.append)


def test_nothing_there_and_nowhere_to_write(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no checkpoints"):
        load_newest(tmp_path, pytest.fail)
    (tmp_path / "checkpoints").write_text("a file")
    with pytest.raises(InputError, match="cannot write"):
        save_checkpoint(tmp_path, 1, DATA)


def test_on_a_full_disk_the_checkpoint_before_stays(tmp_path: Path) -> None:
    path = save_checkpoint(tmp_path, 1, DATA)
    for size in (0, 100, path.stat().st_size - 1):
        with at_most(size), pytest.raises(InputError, match=r"cannot write .*step-00000002.npz: .+"):
            save_checkpoint(tmp_path, 2, DATA)
    assert load_newest(tmp_path, pytest.fail)["steps"] == 12
    assert list((tmp_path / "checkpoints").iterdir()) == [path]


def test_what_a_killed_run_left_is_removed(tmp_path: Path) -> None:
    dead = subprocess.Popen(["true"])
    dead.wait()
    left = [tmp_path / name / f".x.npz.{dead.pid}.part" for name in ("", "checkpoints", "agents")]
    for path in left:
        path.parent.mkdir(exist_ok=True)
        path.touch()
    with sole_use(tmp_path):
        assert not any(path.exists() for path in left)


def test_another_format_is_refused(tmp_path: Path) -> None:
    path = save_checkpoint(tmp_path, 1, DATA)
    with np.load(path) as file:
        content = dict(file)
    content["format"] = np.array(99)
    np.savez(path, **content)
    with pytest.raises(InputError, match="has format 99"):
        load_checkpoint(path)
    with pytest.raises(InputError, match="has format 99"):
        load_newest(tmp_path, pytest.fail)  # nor is it put aside as if it were damaged
    assert path.exists()
