"""`import sog`: quick, complete, and as good as what it stands on."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sog
from examples.coin import Coin
from examples.own_view import CardView
from sog.games.registry import name_of_object
from sog.training.config import as_toml
from tests.random_game import RandomGame
from tests.training.tiny import tiny_config

KING, QUEEN, JACK = (f"{card} | deal deal bet" for card in "KQJ")


def test_importing_is_light_and_complete() -> None:
    code = (
        "import sys, sog\n"
        "heavy = {'numpy', 'numba', 'torch', 'matplotlib'} & set(sys.modules)\n"
        "names = [name for name in sog.__all__ if getattr(sog, name) is None or name not in dir(sog)]\n"
        "listed = sorted(name for names in sog._PLACES.values() for name in names)\n"
        "print(heavy, names, listed == sorted(sog.__all__))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "set() [] True\n", done.stderr


def test_solving_and_searching_need_no_torch() -> None:
    code = "import sys, sog; sog.solve, sog.search, sog.check, sog.evaluate; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


def test_unknown_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="module 'sog' has no attribute 'nonsense'"):
        _ = sog.nonsense


def test_a_solve_in_one_line(tmp_path: Path) -> None:
    solved = sog.solve("kuhn")
    assert solved.value == pytest.approx(-1 / 18, abs=1e-3)
    assert sog.solve(sog.load("kuhn"), iterations=1000).value == solved.value
    assert solved.policy(KING) == pytest.approx({"pass": 0, "bet": 1}, abs=1e-3)
    for path in (tmp_path / "a.npz", str(tmp_path / "b.npz")):
        solved.save(path)
        assert Path(path).stat().st_size > 0
    lines = str(solved).splitlines()
    assert lines[0] == "kuhn by dcfr"
    assert len(lines) <= 4
    assert repr(solved) == str(solved)
    with pytest.raises(sog.InputError, match="no player decides in the infostate 'A'"):
        solved.policy("A")


def test_limits_and_mistakes() -> None:
    assert sog.solve("kuhn", "cfr+", until=0.01).exploitability <= 0.01
    with pytest.raises(sog.InputError, match="leduc has more than 10 public states"):
        sog.solve("leduc", max_states=10)
    with pytest.raises(sog.InputError, match="board: for holdem only"):
        sog.solve("kuhn", board="AsKsQs")
    with pytest.raises(sog.InputError, match="there is no 'cards' of a spot"):
        sog.solve("holdem", cards="AsKsQs")


def test_a_search_knows_its_beliefs() -> None:
    kings = sog.search("kuhn", ["bet"], evaluator="exact", beliefs=({KING: 2.0}, None))
    assert kings.policy(QUEEN) == pytest.approx({"pass": 1, "bet": 0}, abs=0.05)
    assert kings.value == pytest.approx(1.0, abs=0.05)  # nobody calls a king
    assert kings.beliefs[0] == {JACK: 0, QUEEN: 0, KING: 1}
    jacks = sog.search("kuhn", ["deal", "deal", "bet"], evaluator="exact", beliefs=([1, 0, 0], np.ones(3)))
    assert jacks.policy(QUEEN) == pytest.approx({"pass": 0, "bet": 1}, abs=0.05)
    assert jacks.value == pytest.approx(-2.0, abs=0.05)
    assert jacks.values[0][JACK] == pytest.approx(-2.0, abs=0.05)
    assert str(jacks).splitlines()[0].startswith("kuhn, SoG(100,1): player 1 to move, value for player 0 -")


def test_a_search_from_the_start_finds_the_value() -> None:
    found = sog.search("kuhn", search="2000,1", evaluator="exact(iterations=200)")
    assert found.actor == 0
    assert found.value == pytest.approx(-1 / 18, abs=0.01)
    both = [
        sum(found.values[player][name] * share for name, share in found.beliefs[player].items())
        for player in (0, 1)
    ]
    assert both[0] == pytest.approx(-both[1], abs=1e-9)  # cards are dealt evenly, so shares are beliefs
    assert both[0] == pytest.approx(found.value)


def test_views_are_solved_and_searched_too() -> None:
    assert sog.solve(CardView()).exploitability < 1e-6
    assert sog.search(CardView(), ["bet", "card 3"]).policy("0 | deal bet card 3")["call"] > 0.9


@pytest.mark.parametrize(
    ("moves", "options", "message"),
    [
        (["fold"], {}, "'fold' cannot be seen here, but pass, bet"),
        ([7], {}, "7 cannot be seen here"),
        (["pass", "pass"], {}, "no player moves after pass pass"),
        (["bet"], {"beliefs": ({"A": 1}, None)}, "player 0 has no infostate 'A'"),
        (["bet"], {"beliefs": ([1, 1], None)}, "player 0 has 3 infostates, not 2"),
        (["bet"], {"beliefs": (None, [0, 0, 0])}, "weights of player 1 must be numbers of 0 or more"),
        (["bet"], {"agent": "kuhn", "evaluator": "zero"}, "an agent or an evaluator, not both"),
        (["bet"], {"search": "x"}, "cannot read the search 'x'"),
    ],
)
def test_searches_that_cannot_be(moves: list[str | int], options: dict[str, str], message: str) -> None:
    with pytest.raises(sog.InputError) as caught:
        sog.search("kuhn", moves, **options)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_train_evaluate_and_go_on(tmp_path: Path) -> None:
    config = tmp_path / "tiny.toml"
    config.write_text(as_toml(replace(tiny_config(), game="")), "utf-8")
    trained = sog.train(Coin(), str(tmp_path / "run"), config=config, steps=8)
    assert (trained.steps, trained.is_done, trained.folder) == (8, True, tmp_path / "run")
    assert str(trained).splitlines()[0].endswith(f"coin.py:Coin, trained in {tmp_path / 'run'}")
    assert sog.train(resume=tmp_path / "run", steps=10).steps == 10
    measured = sog.evaluate(tmp_path / "run", search=["5,1", "10,1"], seeds=2)
    assert list(measured.exploitability) == ["SoG(5,1)", "SoG(10,1)"]
    assert measured.mean() == sum(measured.exploitability["SoG(5,1)"]) / 2 > 0
    assert len(str(measured).splitlines()) == 3
    found = sog.search(Coin(), agent=tmp_path / "run", search="5,1")
    assert found.actor == 0


def test_games_as_objects_are_measured(tmp_path: Path) -> None:
    by_name = sog.evaluate(game="kuhn", evaluator="exact", search="20,1", seeds=2)
    by_object = sog.evaluate(game=sog.load("kuhn"), evaluator="exact", search="20,1", seeds=2)
    assert by_name == by_object
    assert sog.check(Coin()).is_good


def test_objects_that_cannot_be_made_again_are_refused(tmp_path: Path) -> None:
    assert name_of_object(Coin()).endswith("examples/coin.py:Coin")
    assert name_of_object(sog.load("kuhn")) == "kuhn"
    with pytest.raises(sog.InputError, match=r"sog\.load"):
        sog.train(Coin(stakes=3), tmp_path / "run")
    with pytest.raises(sog.InputError, match=r"sog\.load"):
        sog.train(RandomGame(3), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_matches_between_bots() -> None:
    bot: sog.Bot = sog.make_bot("solved", "kuhn")
    result = sog.play_match("kuhn", {"solved": bot, "uniform": "uniform"}, games=200, seed=1)
    assert isinstance(result, sog.MatchResult)
    assert [line.name for line in result.table.lines] == ["solved", "uniform"]
    assert str(result).startswith("kuhn: 200 games")
    with pytest.raises(sog.InputError, match="far more than"):
        sog.make_bot("solved", "chess")
