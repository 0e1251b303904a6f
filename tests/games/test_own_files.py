"""Games in users' own files: found, named, loaded again, and noticed when they change."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sog.core.errors import InputError, InputWarning
from sog.games.own_files import lasting_name, present_name, source_hash, warn_if_changed
from sog.games.registry import load
from sog.solvers.checkpoint import load_checkpoint
from sog.solvers.solver import Solver

COIN = Path(__file__).parents[2] / "examples" / "coin.py"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with the example game in it."""
    (tmp_path / "coin.py").write_text(COIN.read_text())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


@pytest.mark.parametrize(
    ("text", "name", "stakes"),
    [
        ("coin.py:Coin", "coin.py:Coin", 2.0),
        (" coin.py ", "coin.py:Coin", 2.0),
        ("coin.py:Coin()", "coin.py:Coin", 2.0),
        ("./coin.py:Coin( stakes = 3 )", "coin.py:Coin(stakes=3)", 3.0),
    ],
)
def test_a_file_is_a_game(folder: Path, text: str, name: str, stakes: float) -> None:
    game = load(text)
    assert (game.info.name, game.info.max_utility) == (name, stakes)
    assert load(name).info == game.info
    assert load(lasting_name(name)).info == game.info
    assert lasting_name(name).startswith(str(folder))
    assert present_name(lasting_name(name)) == name


def test_a_module_is_a_game(folder: Path) -> None:
    (folder / "coins").mkdir()
    (folder / "coins" / "one.py").write_text(COIN.read_text())
    assert load("coins.one:Coin(stakes=5)").info == load("coin.py:Coin(stakes=5)").info._replace(
        name="coins.one:Coin(stakes=5)"
    )


def test_a_file_may_import_its_neighbours(folder: Path) -> None:
    (folder / "inner").mkdir()
    (folder / "inner" / "neighbour_of_coin.py").write_text("STAKES = 7")
    text = COIN.read_text().replace("stakes: float = 2.0", "stakes: float = STAKES")
    (folder / "inner" / "mine.py").write_text(f"from neighbour_of_coin import STAKES\n{text}")
    assert load("inner/mine.py:Coin").info.max_utility == 7


def test_a_file_that_is_gone_is_found_in_this_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lasting = lasting_name("coin.py:Coin(stakes=3)")
    (folder / "moved").mkdir()
    (folder / "coin.py").rename(folder / "moved" / "coin.py")
    monkeypatch.chdir(folder / "moved")
    assert load(lasting).info.name == present_name(lasting) == "coin.py:Coin(stakes=3)"


def test_a_file_that_has_changed_is_run_again(folder: Path) -> None:
    before, known = load("coin.py:Coin").info, source_hash("coin.py:Coin")
    warn_if_changed(known, "coin.py:Coin", "it")
    (folder / "coin.py").write_text(COIN.read_text().replace("= 2.0", "= 4.0"))
    assert (before.max_utility, load("coin.py:Coin").info.max_utility) == (2.0, 4.0)
    with pytest.warns(InputWarning, match=r"coin\.py:Coin has changed since leduc\.npz was made"):
        warn_if_changed(known, "coin.py:Coin", "leduc.npz")


def test_solutions_know_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solver = Solver(load("coin.py:Coin"))
    solver.run(iterations=10)
    solver.save(folder / "coin.npz")
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    saved = load_checkpoint(folder / "coin.npz")
    assert saved.game == load("../coin.py:Coin").info.name == str(folder / "coin.py:Coin")
    assert saved.source == source_hash(saved.game) != ""


@pytest.mark.parametrize(
    ("content", "text", "complaint"),
    [
        ("", "nowhere.py:Coin", "there is no file 'nowhere.py'"),
        ("", "no.such.module:Coin", "there is no module 'no'"),
        ("", "own.py:Coin", "own.py has no game 'Coin' (it has no subclass of sog.Game)"),
        ("x = 1\nCoin = 3", "own.py:Coin", "own.py has no game 'Coin'"),
        ("def (", "own.py:Coin", "/own.py: line 1: "),
        ("\nx = 1 / 0", "own.py:Coin", "/own.py: line 2: ZeroDivisionError: division by zero"),
        ("import nothing_of_that_name", "own.py:Coin", "/own.py: line 1: ModuleNotFoundError"),
        ("def Coin(a): pass", "own.py:Coin", "own.py:Coin needs the parameter 'a'"),
        ("def Coin(a=1): pass", "own.py:Coin(b=2)", "own.py:Coin has no parameter 'b' (its parameters: a)"),
        ("def Coin(): return 3", "own.py:Coin", "own.py:Coin is not a subclass of sog.Game"),
        ("def Coin(): pass", "own.py:Coin(", "cannot read the game 'Coin('"),
        ("", "own.py", "which game? own.py:NAME (it has no subclass of sog.Game)"),
        ("", "\0.py:Coin", "there is no file"),
        ("", "a" * 5000 + ".py:Coin", "there is no file"),
    ],
)
def test_bad_input_is_named(folder: Path, content: str, text: str, complaint: str) -> None:
    (folder / "own.py").write_text(content)
    with pytest.raises(InputError) as caught:
        load(text)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_game_without_facts_is_refused(folder: Path) -> None:
    text = COIN.read_text().replace("self.info =", "info =")
    (folder / "own.py").write_text(text)
    with pytest.raises(InputError, match=r"own\.py:Coin does not set self\.info"):
        load("own.py:Coin")


def test_packages_may_register_games(folder: Path) -> None:
    package = folder / "site"
    (package / "coins-1.0.dist-info").mkdir(parents=True)
    (package / "coins-1.0.dist-info" / "METADATA").write_text("Name: coins\nVersion: 1.0\n")
    (package / "coins-1.0.dist-info" / "entry_points.txt").write_text("[sog.games]\ntoss = coins:Coin\n")
    (package / "coins.py").write_text(COIN.read_text())
    code = (
        "from sog.games.registry import load, registered_games\n"
        "game = load('toss(stakes=3)')\n"
        "print(game.info.name, game.info.max_utility, list(registered_games()))\n"
        "assert load(game.info.name).info == game.info"
    )
    paths = os.pathsep.join([str(package), str(COIN.parents[1])])
    found = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True
    )
    assert found.stdout == "toss(stakes=3) 3.0 ['toss']\n", found.stderr
