import json
from pathlib import Path

import pytest

from tests.interfaces.conftest import Sog


def test_json_has_an_object_for_each_search(sog: Sog, tmp_path: Path) -> None:
    path = tmp_path / "kuhn.svg"
    arguments = ["--game", "kuhn", "--search", "5,1", "50,1", "--seeds", 3]
    result = sog("evaluate", *arguments, "--json", "--plot", path)
    assert (result.status, result.err) == (0, "")
    found = json.loads(result.out)
    assert [item["search"] for item in found] == ["SoG(5,1)", "SoG(50,1)"]
    for item in found:
        spread = item["exploitability"]
        assert item["seeds"] == 3
        assert 0 < spread["min"] <= spread["mean"] <= spread["max"]
        assert spread["unit"] == "utility"
        assert item["seconds"] > 0
    assert "theorem 1" in path.read_text()
    again = json.loads(sog("evaluate", *arguments, "--json").out)
    assert [item["exploitability"] for item in again] == [item["exploitability"] for item in found]


def test_the_table_says_what_was_measured(sog: Sog) -> None:
    result = sog("evaluate", "--game", "leduc", "--search", "2,1", "--seeds", 1, "--unsafe")
    lines = result.out.splitlines()
    assert lines[0] == "leduc, zero values, unsafe re-solving: exploitability in mbb/h"
    assert lines[2].split()[0] == "SoG(2,1)"


def test_warm_starts_and_shares_of_the_tree(sog: Sog) -> None:
    arguments = ["--game", "kuhn", "--search", "40,50%", "--seeds", 1]
    cold, warm = sog("evaluate", *arguments), sog("evaluate", *arguments, "--warm", "0.5")
    assert "warm-started (0.5) re-solving" in warm.out
    assert "SoG(40,50%)" in cold.out
    assert cold.out.splitlines()[2].split()[2] != warm.out.splitlines()[2].split()[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--game", "kuhn", "--search", "5"], "SIMULATIONS,PER_UPDATE"),
        (["--game", "kuhn", "--search", "5,1", "5,1"], "more than once"),
        (["--game", "kuhn", "--evaluator", "oracle"], "unknown evaluator"),
        (["--game", "nothing"], "nothing"),
        (["--search", "5,1"], "--game"),
        (["--game", "kuhn", "--seeds", "0"], "1 or more"),
        (["--game", "kuhn", "--warm", "1.5"], "from 0 to 1"),
        (["--game", "kuhn", "--search", "5,101%"], "at most 100%"),
        (["--game", "kuhn", "--plot", "x.txt"], "must end in"),
        (["--game", "leduc", "--max-states", "10"], "more than 10"),
    ],
)
def test_bad_input_is_refused_in_one_line(sog: Sog, arguments: list[str], message: str) -> None:
    result = sog("evaluate", *arguments)
    assert result.status == 2
    assert result.out == ""
    assert message in result.err
    assert result.err.count("\n") == 1
