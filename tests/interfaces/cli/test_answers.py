"""Bets that a saved solve does not have, answered by `sog solve holdem --answer` and by an agent."""

from pathlib import Path

import pytest

import sog as api
from tests.interfaces.conftest import Sog

SPOT = [
    *("holdem", "--board", "3s7hTdKs", "--pot", 200, "--stack", 600, "--bets", "turn:100;river:100;cap:2"),
    *("--range-oop", "AhAc,KcKh,QcQd,9c8c,Ah5h", "--range-ip", "AdAc,QhQd,Tc9c,8c7c,KcQc,JhTh"),
]


@pytest.fixture
def turn(sog: Sog, tmp_path: Path) -> Path:
    assert sog("solve", *SPOT, "--iterations", 60, "--save", tmp_path / "turn.npz").status == 0
    return tmp_path / "turn.npz"


def test_a_bet_is_answered_saved_and_shown(sog: Sog, turn: Path, tmp_path: Path) -> None:
    saved = tmp_path / "answer.npz"
    answer = "solve", "holdem", "--answer", turn, "--add-bet", "check,bet60", "--iterations", 80
    found = sog(*answer, "--save", saved, "--json").json
    assert found["history"] == "check"
    assert found["added_bets"] == ["bet60"]
    assert 0 <= found["excess"] < 20
    assert "excess" in sog(*answer).out
    shown = sog("show-strategy", saved, "--node", "bet60", "--json").json
    assert shown["actions"] == ["fold", "call", "raise100"]
    again = sog("solve", "holdem", "--resume", saved, "--iterations", 90)  # as an ordinary solve
    assert again.status == 0


def test_an_answer_is_answered_again_on_the_river(sog: Sog, turn: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first.npz", tmp_path / "second.npz"
    answer = "solve", "holdem", "--iterations", 40, "--json"
    sog(*answer, "--answer", turn, "--add-bet", "check,bet60", "--save", first)
    found = sog(*answer, "--answer", first, "--add-bet", "bet60,call,2c,bet30", "--save", second).json
    assert (found["board"], found["history"], found["pot"]) == ("3s7hTdKs2c", "", 440)
    assert sog("show-strategy", second, "--node", "bet30,call", "--json").complaint


def test_python_answers_too(turn: Path, tmp_path: Path) -> None:
    found = api.solve("holdem", iterations=20, answer=turn, add_bet=["bet40"])
    found.save(tmp_path / "answer.npz")
    assert (tmp_path / "answer.npz").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "say the bet with --add-bet"),
        (["--add-bet", "check,bet60", "--pot", 100], "--pot cannot be given"),
        (["--add-bet", "check,check"], "only bets can be added"),
        (["--add-bet", "check,bet60", "--dtype", "int16"], "keep floats"),
        (["--add-bet", "check,bet60", "--resume", "turn.npz"], "cannot be resumed"),
        (["--add-bet", "check,bet60,allin,bet20"], "after 'check': 'bet60' is not a move here"),
    ],
)
def test_bad_input(sog: Sog, turn: Path, arguments: list[object], words: str) -> None:
    assert words in sog("solve", "holdem", "--answer", turn, *arguments).complaint


def test_other_commands_refuse(sog: Sog) -> None:
    assert "--answer" in sog("compare", "holdem", "--answer", "x.npz", "--iterations", 5).complaint
    assert "--answer" in sog("solve", "teh", "--answer", "x.npz").complaint
    assert "--answer" in sog("solve", "kuhn", "--answer", "x.npz").complaint
