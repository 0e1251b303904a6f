"""The wheel in an environment of its own: nothing but what it says it needs, and no repository beside it."""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
LOCK = dict(re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "requirements.lock").read_text(), re.MULTILINE))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, built from what the repository holds."""
    source = tmp_path_factory.mktemp("source")
    for name in ("sog", "pyproject.toml", "README.md", "LICENSE"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, source / name)
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", source / "dist")
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, source], check=True)
    (built,) = (source / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Python of an environment with the wheel, and with the tested versions of what it needs, no others.

    Those are linked from where the tests run: installing them again would take a gigabyte.
    """
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, with_pip=False, symlinks=True)
    (site,) = home.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    for distribution in closure("sog", site):
        for top in {file.parts[0] for file in distribution.files or () if file.parts[0] not in ("..", "")}:
            if top != "__pycache__" and not (site / top).exists():
                (site / top).symlink_to(Path(str(distribution.locate_file(top))))
    return home / "bin" / "python"


def closure(name: str, site: Path) -> Iterator[importlib.metadata.Distribution]:
    """Yield everything that a package in a folder needs without extras, and what that needs."""
    (own,) = importlib.metadata.distributions(name=name, path=[str(site)])
    seen, waiting = {name}, [own]
    while waiting:
        for text in waiting.pop().requires or ():
            needed = Requirement(text)
            is_wanted = needed.marker is None or needed.marker.evaluate({"extra": ""})
            if is_wanted and needed.name.lower() not in seen:
                seen.add(needed.name.lower())
                try:
                    waiting.append(importlib.metadata.distribution(needed.name))
                except importlib.metadata.PackageNotFoundError:  # of torch, for machines that have a GPU
                    continue
                yield waiting[-1]


def run(python: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    names = {"PYTHONPATH", "VIRTUAL_ENV"}
    environment = {name: value for name, value in os.environ.items() if name not in names}
    return subprocess.run(
        [str(python), *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )


def test_the_lock_is_within_the_ranges() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for text in project["dependencies"]:
        needed = Requirement(text)
        assert needed.specifier.contains(LOCK[needed.name]), text
        assert "==" not in str(needed.specifier), "exact versions are the lock's"
    for texts in project["optional-dependencies"].values():
        for needed in map(Requirement, texts):
            assert needed.specifier.contains(LOCK[needed.name]), needed


def test_everything_is_inside(python: Path, tmp_path: Path) -> None:
    code = (
        "import sog, pathlib\n"
        "from sog.games.registry import GAMES\n"
        "from sog.nets.agents import load_agent, shipped_agents\n"
        "from sog.training.presets import load_preset, preset_names\n"
        "print(pathlib.Path(sog.__file__).parents[1].name)\n"
        "print(*(load_agent(name).steps > 0 for name in shipped_agents()))\n"
        "print(*(load_preset(name).game for name in preset_names()))\n"
        "print(*(sog.load(name).info.name for name in [*GAMES, 'scotland_yard(map=london)']))\n"
        "print((pathlib.Path(sog.__file__).parent / 'py.typed').exists())\n"
    )
    done = run(python, tmp_path, "-c", code)
    assert done.returncode == 0, done.stderr
    place, agents, presets, games, typed = done.stdout.splitlines()
    assert (place, typed) == ("site-packages", "True")
    assert agents.split() == ["True"] * len(list((ROOT / "sog" / "nets" / "shipped").glob("*.npz")))
    assert len(presets.split()) == len(list((ROOT / "sog" / "configs").glob("*.toml")))
    assert "chess" in games


def test_commands_work_and_missing_extras_are_one_line(python: Path, tmp_path: Path) -> None:
    solved = run(python, tmp_path, "-m", "sog", "solve", "kuhn", "--iterations", "10", "--plot", "kuhn.png")
    assert (solved.returncode, "value for player 0" in solved.stdout) == (0, True), solved.stderr
    assert (tmp_path / "kuhn.png").exists()
    for arguments in (("solve", "openspiel:kuhn_poker"), ("baselines", "kuhn")):
        missing = run(python, tmp_path, "-m", "sog", *arguments)
        assert missing.returncode == 2
        assert missing.stderr == 'sog: OpenSpiel is not installed: pip install "sog[openspiel]"\n'
    missing = run(python, tmp_path, "-m", "sog", "train", "kuhn", "--out", "run", "--ray", "auto")
    assert missing.returncode == 2
    assert missing.stderr == 'sog: Ray is not installed: pip install "sog[ray]"\n'
