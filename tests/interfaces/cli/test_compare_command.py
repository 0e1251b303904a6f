from pathlib import Path

import pytest

from sog.interfaces.cli import compare_command, solves, tree_building
from tests.interfaces.conftest import Sog


def test_all_algorithms_are_run_and_drawn(sog: Sog, tmp_path: Path) -> None:
    path = tmp_path / "curves.svg"
    names = ["cfr", "cfr+", "lcfr", "dcfr(alpha=1.5,beta=0)"]
    arguments = ["--algorithms", ",".join(names), "--iterations", 60, "--plot", path]
    result = sog("compare", "kuhn", *arguments, "--json")
    assert (result.status, result.err) == (0, "")
    assert result.json["game"] == "kuhn"
    assert [solve["algorithm"] for solve in result.json["solves"]] == names
    for solve in result.json["solves"]:
        assert solve["iterations"] == 60
        single = sog("solve", "kuhn", "--algorithm", solve["algorithm"], "--iterations", 60, "--json").json
        assert solve["exploitability"] == single["exploitability"]
    text = path.read_text()
    assert all(name in text for name in names)
    lines = sog("compare", "kuhn", *arguments).out.splitlines()
    assert [line.split()[0] for line in lines] == ["kuhn", "algorithm", *names]


def test_time_limits_each(sog: Sog) -> None:
    figures = sog("compare", "kuhn", "--algorithms", "cfr,dcfr", "--seconds", 0.05, "--json").json
    assert all(0.05 <= solve["seconds"] < 60 for solve in figures["solves"])


def test_the_tree_is_built_once(sog: Sog, monkeypatch: pytest.MonkeyPatch) -> None:
    built = []
    build = tree_building.build_limited_tree

    def counting(*arguments: object) -> object:
        built.append(arguments)
        return build(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(compare_command, "build_limited_tree", counting)
    sog("compare", "kuhn", "--algorithms", "cfr,dcfr,mccfr", "--iterations", 2)
    assert len(built) == 1


def test_ctrl_c_keeps_what_is_done(sog: Sog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "curves.svg"
    run = solves.run_solver
    monkeypatch.setattr(
        compare_command,
        "run_solver",
        lambda solver, limits: run(solver, limits)._replace(was_interrupted=solver.algorithm.name == "cfr+"),
    )
    arguments = ["--algorithms", "cfr,cfr+,dcfr", "--iterations", 20, "--plot", path]
    result = sog("compare", "kuhn", *arguments)
    assert result.status == 0
    assert "interrupted" in result.out
    assert "dcfr" not in result.out
    assert path.exists()


def test_spots_are_compared_too(sog: Sog, tmp_path: Path) -> None:
    path = tmp_path / "river.svg"
    spot = (
        "--board KsKh7d4c2s --pot 200 --stack 400 --range-oop KcKd,QhJh --range-ip AcAd --bets river:100/none"
    )
    run = sog(
        "compare",
        "holdem",
        *spot.split(),
        "--algorithms",
        "cfr+,dcfr",
        "--iterations",
        300,
        "--plot",
        path,
        "--json",
    )
    assert run.status == 0
    assert [solve["algorithm"] for solve in run.json["solves"]] == ["cfr+", "dcfr"]
    assert all(abs(solve["value"] - 50) < 1 for solve in run.json["solves"])
    assert "dcfr" in path.read_text()


def test_spot_options_belong_to_spots(sog: Sog) -> None:
    run = sog("compare", "leduc", "--pot", 100)
    assert run.status == 2
    assert "--pot: for holdem only" in run.err
