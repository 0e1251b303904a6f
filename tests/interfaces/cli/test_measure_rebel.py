"""`sog evaluate` where ReBeL's agent is measured: by how it was trained, or because it was asked for."""

import json
from pathlib import Path
from typing import Any

import pytest

from sog.evaluation.rebel import RebelEvaluation
from sog.games.registry import load
from sog.interfaces.cli import measure_rebel
from sog.nets.agents import make_network_evaluator, save_agent, snapshot_path
from sog.public.enumeration import enumerate_game
from sog.search.rebel import read_settings
from tests.interfaces.conftest import Sog
from tests.nets.test_agents import untrained

PLAYED = {"depth": 1, "iterations": 12, "algorithm": "cfr-d", "stale": 0.0}


@pytest.fixture
def training(tmp_path: Path) -> Path:
    """A run of ReBeL with its last agent, and two of those it had on the way."""
    (tmp_path / "agents").mkdir()
    for steps in (0, 1000):
        save_agent(snapshot_path(tmp_path, steps), untrained("kuhn", steps=steps)._replace(rebel=PLAYED))
    save_agent(tmp_path / "agent.npz", untrained("kuhn", steps=1234)._replace(rebel=PLAYED))
    return tmp_path


def test_an_agent_of_rebel_is_measured_as_it_plays(sog: Sog, training: Path) -> None:
    path = training / "bound.svg"
    arguments = ["--playthroughs", 20, "--first-seed", 3, "--json"]
    result = sog("evaluate", training, *arguments, "--plot", path)
    assert (result.status, result.err) == (0, "")
    (found,) = json.loads(result.out)
    game, settings = load("kuhn"), read_settings(PLAYED)
    evaluator = make_network_evaluator(untrained("kuhn"), game, has_priors=False)
    report = RebelEvaluation(enumerate_game(game)).report(settings, evaluator, 20, seed=3)
    assert found["search"] == "ReBeL(cfr-d,depth=1,iterations=12)"
    assert (found["steps"], found["playthroughs"], found["seed"]) == (1234, 20, 3)
    assert found["exploitability"] == {"at_most": report.exploitabilities[-1], "unit": "utility"}
    assert [point["playthroughs"] for point in found["curve"]] == [8, 16, 20]
    assert found["subgames"] == report.subgames
    assert "playthroughs averaged" in path.read_text()


def test_the_table_has_powers_of_two_and_the_end(sog: Sog, training: Path) -> None:
    lines = sog("evaluate", training, "--playthroughs", 40).out.splitlines()
    title = "kuhn, network of 1,234 steps, ReBeL(cfr-d,depth=1,iterations=12): exploitability in utility"
    assert lines[0] == title
    assert [line.split()[0] for line in lines[2:6]] == ["8", "16", "32", "40"]
    assert "subgames in" in lines[6]


def test_every_agent_of_a_run_is_measured(sog: Sog, training: Path) -> None:
    path = training / "training.svg"
    arguments = [training, "--checkpoints", "--playthroughs", 8]
    found = json.loads(sog("evaluate", *arguments, "--plot", path, "--json").out)
    assert [item["steps"] for item in found] == [0, 1000]
    assert "training steps" in path.read_text()
    lines = sog("evaluate", *arguments).out.splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [["steps", "playthroughs"], ["0", "8"], ["1,000", "8"]]
    (training / "metrics.jsonl").write_text(json.dumps({"step": 1000, "seconds": 7.0}) + "\n")
    curve = training / "curve.json"
    assert sog("evaluate", *arguments, "--save", curve).status == 0
    (saved,) = json.loads(curve.read_text())["curves"]
    bounds = [item["exploitability"]["at_most"] for item in found]
    assert [(point["seconds"], point["exploitability"]) for point in saved["points"]] == [
        (0.0, bounds[0]),
        (7.0, bounds[1]),
    ]


def test_a_search_grows_trees_with_the_same_network(sog: Sog, training: Path) -> None:
    (found,) = json.loads(sog("evaluate", training, "--search", "5,1", "--seeds", 1, "--json").out)
    assert found["search"] == "SoG(5,1)"


def test_values_that_nobody_has_learned_can_be_played_with(sog: Sog) -> None:
    arguments = ["--game", "kuhn", "--evaluator", "exact(iterations=30)", "--iterations", 16]
    (found,) = json.loads(sog("evaluate", *arguments, "--playthroughs", 8, "--json").out)
    assert found["search"] == "ReBeL(cfr-d,depth=2,iterations=16)"
    assert "steps" not in found
    arguments += ["--algorithm", "cfr-ave-sound"]
    (found,) = json.loads(sog("evaluate", *arguments, "--playthroughs", 1, "--json").out)
    assert found["search"] == "ReBeL(cfr-ave-sound,depth=2,iterations=16)"


def test_ctrl_c_keeps_the_playthroughs_that_are_done(
    sog: Sog, training: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Pressed:
        def __enter__(self) -> Any:
            return lambda: True

        def __exit__(self, *error: object) -> None:
            pass

    monkeypatch.setattr(measure_rebel, "deferred_interrupt", Pressed)
    result = sog("evaluate", training, "--playthroughs", 100, "--json")
    assert result.status == 130
    assert json.loads(result.out)[0]["playthroughs"] == 8


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--search", "5,1", "--playthroughs", "8"], "--search is for growing trees"),
        (["--seeds", "3"], "--seeds is for growing trees"),
        (["--unsafe"], "--unsafe is for growing trees"),
        (["--at-once"], "--at-once is for growing trees"),
        (["--playthroughs", "0"], "1 or more"),
        (["--algorithm", "dcfr"], "algorithm must be one of cfr-d"),
        (["--algorithm", "cfr-ave-sound"], "needs an evaluator that plays, such as exact, not"),
        (["--iterations", "100000000"], "iterations must be from 1"),
    ],
)
def test_bad_input_is_refused_in_one_line(
    sog: Sog, training: Path, arguments: list[str], message: str
) -> None:
    assert message in sog("evaluate", training, *arguments).complaint


def test_an_agent_with_strange_settings_is_refused(sog: Sog, training: Path) -> None:
    save_agent(training / "agent.npz", untrained("kuhn")._replace(rebel={"breadth": 3}))
    assert "rebel: unknown key 'breadth'" in sog("evaluate", training).complaint


def test_with_one_iteration_one_playthrough_is_like_the_others(sog: Sog, training: Path) -> None:
    save_agent(training / "agent.npz", untrained("kuhn")._replace(rebel={**PLAYED, "iterations": 1}))
    (found,) = json.loads(sog("evaluate", training, "--json").out)
    assert (found["playthroughs"], found["subgames"]) == (1, 4)
