import shlex
from pathlib import Path

import pytest

from sog.nets import agents
from sog.nets.agents import save_agent
from tests.agents.test_engines import fake
from tests.interfaces.conftest import Sog
from tests.nets.test_agents import untrained

ANYTHING = "1\n2\n3\n4\n5\n6\n7\n8\n9\n" * 3


@pytest.fixture
def kuhn(tmp_path: Path) -> Path:
    path = tmp_path / "kuhn.npz"
    save_agent(path, untrained("kuhn", steps=1234))
    return path


def test_a_person_plays_against_an_agent(sog: Sog, kuhn: Path) -> None:
    arguments = ["play", "kuhn", "--agent", kuhn, "--search", "20,1", "--seed", 5]
    for seat in (0, 1):
        games = [sog(*arguments, "--seat", seat, typed=ANYTHING) for _ in range(2)]
        assert games[0] == games[1]
        lines = games[0].out.splitlines()
        assert (games[0].status, games[0].err) == (0, "")
        assert lines[0] == f"kuhn: you are player {seat}. Your opponent is the agent {kuhn}."
        assert lines[1].startswith(
            "It has learned the game for 1,234 steps and searches at each turn: SoG(20,1)."
        )
        assert "The game is over. What happened:" in lines
        assert lines[-1] == (
            f"How exploitable your opponent is: sog evaluate {shlex.quote(str(kuhn))} --search 20,1"
        )


def test_an_agent_answers_a_bet_as_one_must(sog: Sog, kuhn: Path) -> None:
    for seed in range(12):
        out = sog(
            "play", "kuhn", "--agent", kuhn, "--search", "200,1", "--seed", seed, typed="bet\nbet\n"
        ).out
        record = out.partition("The game is over.")[2].splitlines()
        theirs, answer = record[2].split()[-1], record[4].split()[-1]
        if theirs in "JK":  # facing a bet, the jack folds and the king calls
            assert answer == ("bet" if theirs == "K" else "pass")


def test_the_shipped_agent_is_the_default(sog: Sog, kuhn: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents, "SHIPPED", kuhn.parent)
    out = sog("play", "kuhn", "--seed", 1, typed=ANYTHING).out
    assert "1,234 steps and searches at each turn: SoG(100,1)" in out
    assert "--opponent uniform is easier" in out
    assert "sog evaluate kuhn --search 100,1" in out
    assert "1,234 steps" not in sog("play", "kuhn", "--opponent", "uniform", "--seed", 1, typed=ANYTHING).out
    assert "1,234 steps" not in sog("play", "leduc", "--seed", 1, typed=ANYTHING).out  # another game


def test_bad_input_is_refused_in_one_line(sog: Sog, kuhn: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents, "SHIPPED", kuhn.parent / "none")
    assert "an agent of kuhn, not of leduc" in sog("play", "leduc", "--agent", kuhn).complaint
    for options, message in (
        (["--opponent", "nobody"], "neither a file nor a directory nor a shipped agent"),
        (["--opponent", "mcts:5"], "mcts needs perfect information, and kuhn hides something: try is-mcts"),
        (["--opponent", "uci:sh"], "UCI engines play chess, not kuhn"),
        (["--agent", "nobody"], "neither a file nor a directory nor a shipped agent"),
        (["--agent", kuhn, "--opponent", "uniform"], "--agent is for a trained agent"),
        (["--search", "10,1", "--opponent", "uniform"], "--search is for a trained agent"),
        (["--search", "10,1"], "--agent names one that has learned kuhn"),
        (["--agent", kuhn, "--search", "ten"], "SIMULATIONS,PER_UPDATE"),
    ):
        assert message in sog("play", "kuhn", *options).complaint


def test_an_agent_of_rebel_plays_as_rebel_does(sog: Sog, kuhn: Path) -> None:
    played = {"depth": 1, "iterations": 12, "algorithm": "cfr-d", "stale": 0.0}
    save_agent(kuhn, untrained("kuhn", steps=1234)._replace(rebel=played))
    lines = sog("play", "kuhn", "--agent", kuhn, "--seed", 5, typed=ANYTHING).out.splitlines()
    assert "searches at each turn: ReBeL(cfr-d,depth=1,iterations=12)." in lines[1]
    assert "The game is over. What happened:" in lines
    assert lines[-1] == f"How exploitable your opponent is: sog evaluate {shlex.quote(str(kuhn))}"
    grown = sog("play", "kuhn", "--agent", kuhn, "--search", "20,1", "--seed", 5, typed=ANYTHING).out
    assert "SoG(20,1)" in grown
    assert grown.endswith("--search 20,1\n")


def test_seeds_repeat_a_game(sog: Sog) -> None:
    for game, opponent in (("tictactoe", "mcts:50"), ("leduc", "is-mcts:50")):
        typed = "1\n2\n3\n4\n5\n6\n7\n8\n9\n" * 3
        games = [sog("play", game, "--opponent", opponent, "--seed", 5, typed=typed) for _ in range(2)]
        assert games[0] == games[1]
        assert "The game is over." in games[0].out


def test_a_search_for_hidden_games_names_the_other_one(sog: Sog) -> None:
    complaint = sog("play", "tictactoe", "--opponent", "is-mcts:100").complaint
    assert complaint == "sog: tictactoe hides nothing: try mcts:100"


def test_programs_are_opponents_too(sog: Sog) -> None:
    out = sog("play", "go(size=5)", "--opponent", f"gtp:{fake('resigns')}", "--seat", 1).out
    assert "It is a GTP engine." in out
    assert "Your opponent resigns." in out
    failed = sog("play", "chess", "--opponent", f"uci:{fake('crashes')}?nodes=1", "--seat", 1)
    assert failed.status == 2
    assert "sog: your opponent failed: python" in failed.err
