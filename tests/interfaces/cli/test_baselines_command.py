import json
from pathlib import Path

import pytest

from sog.evaluation.curves import read_curves
from tests.interfaces.conftest import Sog

pytest.importorskip("pyspiel")


def test_curves_are_printed_saved_drawn_and_laid_beside_others(sog: Sog, tmp_path: Path) -> None:
    saved, one, two = tmp_path / "curves.json", tmp_path / "one.svg", tmp_path / "two.svg"
    result = sog("baselines", "kuhn", "--episodes", 60, "--save", saved, "--plot", one, "--json")
    assert (result.status, result.err) == (0, "")
    assert result.json == json.loads(saved.read_text())
    assert [curve.label for curve in read_curves(saved).curves] == ["tabular Q-learning", "DQN", "A2C"]
    others = tmp_path / "others.json"
    others.write_text(saved.read_text().replace("A2C", "somebody else"))
    result = sog("baselines", "kuhn", "--methods", "--beside", saved, others, "--plot", two)
    assert result.status == 0
    assert len(result.out.splitlines()) == 2 + 6
    assert "somebody else" in result.out
    assert "tabular Q-learning" in one.read_text()
    assert "somebody else" not in one.read_text()
    assert all(label in two.read_text() for label in ("tabular Q-learning", "A2C", "somebody else"))


def test_the_table_says_what_was_measured(sog: Sog) -> None:
    result = sog("baselines", "leduc", "--methods", "q", "--episodes", 20)
    lines = result.out.splitlines()
    assert lines[0] == ("leduc, learners in self-play: exploitability in mbb/h (uniform play: 2374)")
    assert lines[2].split()[-2] == "20"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["goofspiel"], "kuhn or leduc"),
        ([], "GAME"),
        (["kuhn", "--methods", "sarsa"], "'sarsa'"),
        (["kuhn", "--methods", "q", "q"], "more than once"),
        (["kuhn", "--methods"], "--beside must name curves"),
        (["kuhn", "--episodes", "0"], "1 or more"),
        (["kuhn", "--seed", "-1"], "--seed"),
        (["kuhn", "--save", "x.npz"], "must end in"),
        (["kuhn", "--plot", "x.txt"], "must end in"),
        (["kuhn", "--beside", "nothing.json"], "cannot read"),
    ],
)
def test_bad_input_is_refused_in_one_line(sog: Sog, arguments: list[str], message: str) -> None:
    assert message in sog("baselines", *arguments).complaint


def test_curves_of_another_game_are_refused(sog: Sog, tmp_path: Path) -> None:
    path = tmp_path / "curves.json"
    path.write_text('{"game": "leduc", "unit": "mbb/h", "curves": []}')
    assert "about 'leduc' in 'mbb/h'" in sog("baselines", "kuhn", "--beside", path).complaint
