import json
from pathlib import Path
from typing import Any

import pytest

from sog.evaluation.searching import SearchEvaluation
from sog.games.registry import load
from sog.interfaces.cli import evaluate_command
from sog.nets import agents
from sog.nets.agents import make_network_evaluator, save_agent, snapshot_path
from sog.public.enumeration import enumerate_game
from sog.search.settings import parse_search
from tests.interfaces.conftest import Sog
from tests.nets.test_agents import untrained


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
    assert lines[0] == "leduc, zero values, re-solving: exploitability in mbb/h"
    assert lines[2].split()[0] == "SoG(2,1,is_safe=0)"


def test_shares_of_the_tree_and_searches_that_need_a_board(sog: Sog) -> None:
    arguments = ["--game", "kuhn", "--seeds", 1, "--search"]
    assert "SoG(40,50%)" in sog("evaluate", *arguments, "40,50%").out
    complaint = sog("evaluate", *arguments, "40,1,warm_start=0.5").complaint
    assert "warm_start goes on with trees of boards" in complaint


def test_another_algorithm_finds_other_policies(sog: Sog) -> None:
    arguments = ["--game", "kuhn", "--search", "20,1", "--seeds", 1]
    usual, named, other = (
        sog("evaluate", *arguments, *more).out
        for more in ([], ["--algorithm", "dcfr"], ["--algorithm", "cfr+(gamma=2)"])
    )
    assert "cfr+(gamma=2)" in other
    assert usual.splitlines()[2].split()[2] == named.splitlines()[2].split()[2]
    assert usual.splitlines()[2].split()[2] != other.splitlines()[2].split()[2]
    result = sog("evaluate", *arguments, "--algorithm", "outcome-mccfr")
    assert result.status == 2


@pytest.fixture
def training(tmp_path: Path) -> Path:
    """A run with its last agent, and two of those it had on the way."""
    (tmp_path / "agents").mkdir()
    for steps in (0, 1000):
        save_agent(snapshot_path(tmp_path, steps), untrained("kuhn", steps=steps))
    save_agent(tmp_path / "agent.npz", untrained("kuhn", steps=1234))
    return tmp_path


def test_an_agent_is_measured_with_its_network(
    sog: Sog, training: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["--search", "20,1", "--seeds", 2, "--first-seed", 5, "--json"]
    found = json.loads(sog("evaluate", training, *arguments).out)
    game = load("kuhn")
    evaluator = make_network_evaluator(untrained("kuhn"), game)
    report = SearchEvaluation(enumerate_game(game)).report(parse_search("20,1"), evaluator, [5, 6])
    values = report.exploitabilities()
    spread = {"min": min(values), "mean": sum(values) / 2, "max": max(values), "unit": "utility"}
    assert [(item["steps"], item["first_seed"], item["exploitability"]) for item in found] == [
        (1234, 5, spread)
    ]
    assert found[0]["queries"] == sum(sample.queries for sample in report.samples) > 0
    zero = json.loads(sog("evaluate", "--game", "kuhn", *arguments).out)
    assert zero[0]["exploitability"] != spread
    monkeypatch.setattr(agents, "SHIPPED", training)  # where it goes by the name of its file
    by_name = json.loads(sog("evaluate", "agent", *arguments).out)
    assert by_name[0]["exploitability"] == spread


def test_the_table_of_an_agent_says_how_long_it_has_learned(sog: Sog, training: Path) -> None:
    out = sog("evaluate", training, "--search", "2,1", "--seeds", 1).out
    assert out.startswith("kuhn, network of 1,234 steps, re-solving: exploitability in utility\n")


def test_every_agent_of_a_run_is_measured(sog: Sog, training: Path) -> None:
    path = training / "training.svg"
    arguments = [training, "--checkpoints", "--search", "5,1", "20,1", "--seeds", 1]
    found = json.loads(sog("evaluate", *arguments, "--plot", path, "--json").out)
    rows = [(item["steps"], item["search"]) for item in found]
    assert rows == [(0, "SoG(5,1)"), (0, "SoG(20,1)"), (1000, "SoG(5,1)"), (1000, "SoG(20,1)")]
    assert all(word in path.read_text() for word in ("training steps", "SoG(5,1)", "SoG(20,1)"))
    lines = sog("evaluate", *arguments).out.splitlines()
    assert lines[0] == "kuhn, networks on the way, re-solving: exploitability in utility"
    assert lines[1].split()[:2] == ["steps", "search"]
    assert [line.split()[0] for line in lines[2:]] == ["0", "0", "1,000", "1,000"]


def test_curves_of_runs_are_drawn_beside_each_other(sog: Sog, training: Path) -> None:
    lines = [{"step": 400, "seconds": 10.0}, {"step": 1200, "seconds": 50.0}]
    (training / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    arguments = ["evaluate", training, "--checkpoints", "--search", "5,1", "--seeds", 1, "--json"]
    first, both, path = training / "first.json", training / "both.json", training / "both.svg"
    found = json.loads(sog(*arguments, "--save", first).out)
    (curve,) = json.loads(first.read_text())["curves"]
    assert curve["label"] == "SoG(5,1)"
    assert [point["seconds"] for point in curve["points"]] == [0.0, 40.0]
    means = [item["exploitability"]["mean"] for item in found]
    assert [point["exploitability"] for point in curve["points"]] == means
    assert sog(*arguments, "--beside", first, "--save", both, "--plot", path).status == 0
    assert json.loads(both.read_text())["curves"] == [curve, curve]
    assert "seconds of learning" in path.read_text()
    first.write_text(first.read_text().replace("kuhn", "leduc"))
    assert "is about 'leduc'" in sog(*arguments, "--beside", first).complaint
    (training / "metrics.jsonl").unlink()
    assert "does not tell when" in sog(*arguments, "--save", both).complaint  # before anything is measured


def test_ctrl_c_keeps_what_is_done(sog: Sog, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds_done = 0

    class Pressed:
        def __enter__(self) -> Any:
            return lambda: seeds_done > 2

        def __exit__(self, *error: object) -> None:
            pass

    class Counter:
        def __init__(self, *words: object) -> None:
            pass

        def __enter__(self) -> Any:
            def note() -> None:
                nonlocal seeds_done
                seeds_done += 1

            return note

        def __exit__(self, *error: object) -> None:
            pass

    monkeypatch.setattr(evaluate_command, "deferred_interrupt", Pressed)
    monkeypatch.setattr(evaluate_command, "counting", Counter)
    arguments = ["--game", "kuhn", "--search", "2,1", "3,1", "--seeds", 2, "--json"]
    result = sog("evaluate", *arguments)
    assert (result.status, [item["search"] for item in json.loads(result.out)]) == (130, ["SoG(2,1)"])
    result = sog("evaluate", *arguments)  # pressed before anything is done
    assert (result.status, result.out, result.err) == (130, "", "sog: interrupted\n")


def test_agents_that_do_not_fit_are_refused(sog: Sog, training: Path) -> None:
    agent = training / "agent.npz"
    save_agent(agent, untrained("kuhn")._replace(game="leduc"))
    assert "other sizes than leduc asks for" in sog("evaluate", agent).complaint
    save_agent(agent, untrained("kuhn")._replace(game="nonsense"))
    assert "unknown game 'nonsense'" in sog("evaluate", agent).complaint
    save_agent(snapshot_path(training, 2000), untrained("leduc"))
    assert "of several games: kuhn, leduc" in sog("evaluate", training, "--checkpoints").complaint
    agent.write_bytes(agent.read_bytes()[:1000])
    assert "damaged" in sog("evaluate", training).complaint


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--game", "kuhn", "--search", "5"], "SIMULATIONS,PER_UPDATE"),
        (["--game", "kuhn", "--search", "5,1", "5,1"], "more than once"),
        (["--game", "kuhn", "--evaluator", "oracle"], "unknown evaluator"),
        (["--game", "nothing"], "nothing"),
        (["--search", "5,1"], "--game"),
        (["--game", "kuhn", "--seeds", "0"], "1 or more"),
        (["--game", "kuhn", "--first-seed", "-1"], "whole number"),
        (["--game", "kuhn", "--checkpoints"], "directory of a training run"),
        (["no-agent"], "neither a file nor a directory nor a shipped agent"),
        (["no-agent", "--game", "kuhn"], "--game is for values that nobody has learned"),
        (["no-agent", "--evaluator", "zero"], "--evaluator is for values"),
        (["no-agent", "--checkpoints"], "has no agents of training on the way"),
        (["--game", "kuhn", "--search", "5,101%"], "at most 100%"),
        (["--game", "kuhn", "--plot", "x.txt"], "must end in"),
        (["--game", "kuhn", "--save", "x.txt"], "must end in"),
        (["--game", "kuhn", "--save", "x.json"], "need --checkpoints"),
        (["--game", "leduc", "--max-states", "10"], "more than 10"),
    ],
)
def test_bad_input_is_refused_in_one_line(sog: Sog, arguments: list[str], message: str) -> None:
    result = sog("evaluate", *arguments)
    assert result.status == 2
    assert result.out == ""
    assert message in result.err
    assert result.err.count("\n") == 1
