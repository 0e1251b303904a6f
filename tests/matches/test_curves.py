from pathlib import Path

import numpy as np

from sog.matches.curves import SIMULATIONS, STEPS, Arrangement, Curve, arrange
from sog.matches.players import parse_players
from sog.nets.agents import Agent, save_agent, snapshot_path
from sog.nets.spec import NetworkSpec


def keep(path: Path, steps: int) -> str:
    """Write an agent that says how long it has learned; return how it is written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    save_agent(path, Agent("tictactoe", NetworkSpec("mlp"), {"x": np.zeros(1, np.float32)}, steps))
    return str(path)


def test_simulations_one_curve_a_search() -> None:
    arrangement = arrange(
        parse_players(
            [
                *("untrained@gtcfr:400,1", "untrained@gtcfr:100,1", "untrained@gtcfr:100,2%"),
                *("untrained@mcts:100", "m=untrained@mcts:400", "untrained@mcts:100,8", "random", "mcts:9"),
            ]
        )
    )
    assert arrangement == Arrangement(
        SIMULATIONS,
        [
            Curve("untrained", "GT-CFR, c = 1", {"untrained@gtcfr:400,1": 400, "untrained@gtcfr:100,1": 100}),
            Curve("untrained", "GT-CFR, c = 2%", {"untrained@gtcfr:100,2%": 100}),
            Curve("untrained", "MCTS", {"untrained@mcts:100": 100, "m": 400}),
            Curve("untrained", "MCTS, 8 a call", {"untrained@mcts:100,8": 100}),
        ],
        ["random", "mcts:9"],
    )


def test_steps_come_before_simulations(tmp_path: Path) -> None:
    run, other = tmp_path / "run", tmp_path / "other"
    first, second = (keep(snapshot_path(run, steps), steps) for steps in (1000, 2000))
    keep(run / "agent.npz", 3000)
    keep(other / "agent.npz", 500)
    loose = keep(tmp_path / "loose.npz", 77)
    arrangement = arrange(
        parse_players(
            [
                *(f"a={first}@gtcfr:8,1", f"b={second}@gtcfr:8,1", f"c={run}@gtcfr:8,1"),
                *(f"d={first}@gtcfr:16,1", f"e={first}@mcts:8", f"f={other}@mcts:8"),
                *(f"g={loose}@mcts:8", "h=untrained", "i=random", f"j={run}/agent.npz@gtcfr:8,1"),
            ]
        )
    )
    assert arrangement == Arrangement(
        STEPS,
        [
            Curve(str(run), "SoG(8,1)", {"a": 1000, "b": 2000, "c": 3000}),
            Curve(str(run), "SoG(16,1)", {"d": 1000}),
            Curve(str(run), "MCTS(8)", {"e": 1000}),
            Curve(str(other), "MCTS(8)", {"f": 500}),
        ],
        ["g", "h", "i", "j"],  # j has c's place
    )


def test_players_who_differ_in_other_ways_have_no_axis(tmp_path: Path) -> None:
    run = keep(tmp_path / "run" / "agent.npz", 10)
    names = ["a=untrained@gtcfr:100,1", "b=untrained@gtcfr:400,10", "c=untrained@mcts:100", f"d={run}"]
    assert arrange(parse_players([*names, "e=untrained@gtcfr:100,1"])) == Arrangement(None, [], list("abcde"))


def test_two_agents_have_a_curve_each(tmp_path: Path) -> None:
    run = keep(tmp_path / "run" / "agent.npz", 10)
    players = ["a=untrained@mcts:10", "b=untrained@mcts:20", f"c={run}@mcts:20"]
    assert arrange(parse_players(players)).curves == [
        Curve("untrained", "MCTS", {"a": 10, "b": 20}),
        Curve(run, "MCTS", {"c": 20}),
    ]
