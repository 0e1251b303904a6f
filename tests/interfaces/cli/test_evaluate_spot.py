import json
from pathlib import Path

import pytest

from sog.nets.agents import Agent, save_agent
from sog.nets.cvpn import make_network
from sog.nets.spec import NetworkSpec
from sog.poker.river_examples import SIZES
from sog.training.context import weights_of
from tests.interfaces.conftest import Sog

SPOT = "teh(board='3s7hTdKs',stack=2500)"


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    spec = NetworkSpec("ladder", 1, 16, row_units=8)
    save_agent(tmp_path / "teh.npz", Agent("teh", spec, weights_of(make_network(spec, SIZES, 0)), 0))
    return tmp_path / "teh.npz"


def test_json_and_table_say_the_same(sog: Sog, agent: Path, tmp_path: Path) -> None:
    """An untrained network says that betting adds nothing to checking down; few iterations are worse."""
    arguments = ["evaluate", agent, "--spot", SPOT, "--search", "20,10", "20,60"]
    result = sog(*arguments, "--json", "--save", tmp_path / "played.npz")
    assert (result.status, result.err) == (0, "")
    few, many = json.loads(result.out)
    assert [item["search"] for item in (few, many)] == ["turn(20),river(10)", "turn(20),river(60)"]
    assert few["exploitability"]["mean"] > many["exploitability"]["mean"] > 0
    assert many["exploitability"]["unit"] == "mbb/h"
    assert many["percent_of_pot"] == pytest.approx(many["exploitability"]["mean"] / 200)  # 20 big blinds
    assert many["seconds"] > 0
    lines = sog(*arguments).out.splitlines()
    assert lines[0] == "holdem 3s7hTdKs, pot 2,000, stack 1,500, network of 0 steps: exploitability"
    assert lines[3].split()[1] == f"{many['exploitability']['mean']:.4g}"
    shown = sog("show-strategy", tmp_path / "played.npz", "--node", "check,check,2c", "--json").json
    assert shown["board"] == "3s7hTdKs2c" or "2c" in str(shown)


@pytest.mark.parametrize("stops", ["network", "solved"])
def test_safe_rivers_have_names_of_their_own(sog: Sog, agent: Path, stops: str) -> None:
    result = sog("evaluate", agent, "--spot", SPOT, "--search", "10,10", "--safe", stops, "--json")
    (item,) = json.loads(result.out)
    assert item["search"] == f"turn(10),river(10),safe({stops})"
    assert item["seconds"] > item["turn_seconds"] > 0


def test_bets_that_are_not_on_the_menu_are_answered(sog: Sog, agent: Path) -> None:
    arguments = "evaluate", agent, "--spot", SPOT, "--search", "30,60", "--off-tree", "check,bet30"
    (item,) = json.loads(sog(*arguments, "--off-tree", "bet20", "--json").out)
    assert [answer["moves"] for answer in item["off_tree"]] == ["check,bet30", "bet20"]
    for answer in item["off_tree"]:
        assert answer["iterations"] == 60
        assert answer["gain"] <= answer["bound"] + 0.1  # mbb a hand
        assert answer["bound"] >= 0
    lines = sog(*arguments).out.splitlines()
    assert lines[-1].split()[:3] == ["check,bet30", "turn(30),river(60)", "60"]


@pytest.mark.parametrize("algorithm", ["dcfr", "cfr-d", "cfr-ave"])
def test_other_algorithms_search_the_turn(sog: Sog, agent: Path, algorithm: str) -> None:
    arguments = ["evaluate", agent, "--spot", SPOT, "--search", "30,60", "--json"]
    (usual,) = json.loads(sog(*arguments).out)
    (item,) = json.loads(sog(*arguments, "--algorithm", algorithm).out)
    assert item["search"] == f"turn(30,{algorithm}),river(60)"
    assert item["exploitability"]["mean"] < 2 * usual["exploitability"]["mean"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--spot", "leduc"], "agents are measured on teh"),
        (["--spot", "teh", "--seeds", 2], "--seeds says nothing about spots"),
        (["--spot", "teh", "--search", "100"], "iterations of the turn and of each river"),
        (["--spot", "teh", "--search", "0,5"], "iterations of the turn and of each river"),
        (["--spot", "teh(stak=5)"], "stak"),
        (["--spot", "teh", "--save", "x.json"], ".npz"),
        (["--spot", SPOT, "--algorithm", "cfr-x"], "unknown algorithm"),
        (["--spot", SPOT, "--algorithm", "mccfr"], "walks single histories"),
        (["--spot", SPOT, "--off-tree", "check"], "only bets can be added"),
        (["--spot", SPOT, "--off-tree", "check,check,bet60"], "round is over"),
    ],
)
def test_bad_input(sog: Sog, agent: Path, arguments: list[object], words: str) -> None:
    assert words in sog("evaluate", agent, *arguments).complaint


def test_agents_that_know_no_rivers(sog: Sog) -> None:
    assert "knows nothing of rivers" in sog("evaluate", "leduc", "--spot", "teh").complaint
    assert "it needs --spot" in sog("evaluate", "leduc", "--safe", "network").complaint
    assert "it needs --spot" in sog("evaluate", "leduc", "--off-tree", "check,bet60").complaint
    assert "sog evaluate AGENT --spot SPOT" in sog("evaluate", "--spot", "teh").complaint
