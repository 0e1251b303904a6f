"""A game in a user's file, through every command that takes a name."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from sog.training.config import as_toml
from tests.games.test_own_files import COIN, folder
from tests.interfaces.conftest import Sog
from tests.training.tiny import tiny_config

GAME = "coin.py:Coin(stakes=3)"
__all__ = ["folder"]


def test_look_and_solve(sog: Sog, folder: Path) -> None:
    assert sog("show", GAME, "--json").json["parameters"] == {"stakes": 3}
    solved = sog("solve", GAME, "--iterations", 500, "--save", "coin.npz", "--json").json
    assert solved["game"] == GAME
    assert solved["exploitability"] < 1e-3
    again = sog("solve", GAME, "--resume", "coin.npz", "--iterations", 600, "--json").json
    assert again["iterations"] == 600
    curves = sog("compare", GAME, "--iterations", 50, "--json").json
    assert [solve["game"] for solve in curves["solves"]] == [GAME] * 4
    played = sog("play", GAME, "--opponent", "coin.npz", "--seed", 1, typed="1\n")
    assert played.status == 0
    assert "The game is over." in played.out


@pytest.mark.parametrize("workers", [0, 1])
def test_train_resume_evaluate_and_play(
    sog: Sog, folder: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    (folder / "tiny.toml").write_text(as_toml(replace(tiny_config(), game="")), "utf-8")
    arguments = ("--config", "tiny.toml", "--steps", 10, "--workers", workers, "--out", "run")
    assert sog("train", GAME, *arguments).status == 0
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    assert sog("train", "--resume", "../run", "--steps", 12).out.splitlines()[1].split()[-1] == "12"
    monkeypatch.chdir(folder)
    evaluated = sog("evaluate", "run", "--search", "5,1", "--seeds", 1)
    assert evaluated.out.startswith(f"{GAME}, network of 12 steps")
    assert sog("play", GAME, "--agent", "run", "--search", "5,1", "--seed", 1, typed="1\n").status == 0
    assert "is an agent of" in sog("play", "coin.py:Coin", "--agent", "run").complaint


def test_a_changed_file_is_told_in_one_line(sog: Sog, folder: Path) -> None:
    assert sog("solve", GAME, "--iterations", 10, "--save", "coin.npz").status == 0
    (folder / "coin.py").write_text(COIN.read_text() + "\n# another one\n")
    found = subprocess.run(
        [sys.executable, "-m", "sog", "solve", GAME, "--resume", "coin.npz", "--iterations", "20"],
        env={**os.environ, "PYTHONPATH": str(COIN.parents[1])},
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0, found.stderr
    assert found.stderr.splitlines() == [
        f"sog: {GAME} has changed since coin.npz was made: what it learned may be of another game"
    ]
