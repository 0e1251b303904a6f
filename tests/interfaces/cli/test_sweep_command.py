"""`sog sweep` as people type it, on trainings of seconds."""

import json
import shutil
from pathlib import Path

import pytest

from sog.core.errors import InputError
from sog.interfaces.cli import main
from sog.interfaces.cli.sweep_grid import at_point, name_of, parse_grid
from sog.training.config import as_toml
from tests.training.tiny import tiny_config


@pytest.fixture
def tiny(tmp_path: Path) -> str:
    path = tmp_path / "tiny.toml"
    path.write_text(as_toml(tiny_config()), "utf-8")
    return str(path)


def test_trainings_side_by_side_are_the_same_and_go_on(
    tiny: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grid = ["--grid", "learner.learning_rate=1e-3,1e-2", "--grid", "run.seed=0,1", "--steps", "12"]
    tables = []
    for name, options in (("alone", []), ("together", ["--workers", "2"])):
        assert main(["sweep", tiny, *grid, *options, "--out", str(tmp_path / name), "--json"]) == 0
        printed = json.loads(capsys.readouterr().out)
        tables.append([{**row, "seconds": 0} for row in printed])
    assert tables[0] == tables[1]
    assert [(row["learner.learning_rate"], row["run.seed"], row["steps"]) for row in tables[0]] == [
        (1e-3, 0, 12),
        (1e-3, 1, 12),
        (1e-2, 0, 12),
        (1e-2, 1, 12),
    ]
    assert len({row["value_loss"] for row in tables[0]}) == 4
    assert len({row["exploitability"]["SoG(5,1)"] for row in tables[0]}) > 1
    agents = [
        (tmp_path / name / "learner.learning_rate=0.01,run.seed=1" / "agent.npz").read_bytes()
        for name in ("alone", "together")
    ]
    assert agents[0] == agents[1]

    # A training that is missing is done again, and a value more is one training more.
    shutil.rmtree(tmp_path / "alone" / "learner.learning_rate=0.01,run.seed=0")
    more = ["--grid", "learner.learning_rate=1e-3,1e-2,1e-1", "--grid", "run.seed=0", "--steps", "12"]
    assert main(["sweep", tiny, *more, "--out", str(tmp_path / "alone")]) == 0
    captured = capsys.readouterr()
    assert "1 of 3 trainings were done before" in captured.err
    assert "2/3 learner.learning_rate=0.01,run.seed=0: " in captured.err
    lines = captured.out.splitlines()
    assert lines[0] == f"kuhn: 3 trainings in {tmp_path / 'alone'}, exploitability in utility"
    assert lines[1].split()[:3] == ["learner.learning_rate", "run.seed", "SoG(5,1)"]
    assert lines[-1].startswith("best: learner.learning_rate=")
    assert (tmp_path / "alone" / "sweep.png").stat().st_size > 5000


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        (["learner.batch"], "--grid: KEY=A,B,C, not 'learner.batch'"),
        (["learner.speed=1"], "--grid: there is no key 'learner.speed'"),
        (["learner=1"], "there is no key 'learner'"),
        (["run.seed.x=1"], "there is no key 'run.seed.x'"),
        (["learner.batch=64,big"], "learner.batch must be a whole number"),
        (["learner.batch=0"], "learner.batch must be from 1"),
        (["run.seed=1,1"], "run.seed has the same value twice"),
        (["run.seed=1", "run.seed=2"], "--grid has run.seed more than once"),
    ],
)
def test_what_cannot_be_is_one_line(
    grid: list[str], message: str, tiny: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [word for text in grid for word in ("--grid", text)]
    assert main(["sweep", tiny, *words, "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert len(error.splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_other_folders_are_left_alone(tiny: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    sweep = ["sweep", tiny, "--grid", "run.seed=0", "--out", str(out)]
    assert main([*sweep, "--steps", "1"]) == 0
    assert main([*sweep, "--steps", "2"]) == 2
    assert "holds a sweep of another configuration" in capsys.readouterr().err
    (out / "run.seed=0" / "result.json").write_text("{")
    assert main([*sweep, "--steps", "1"]) == 2
    assert "result.json is damaged: remove it" in capsys.readouterr().err
    assert main(["sweep", tiny, "--grid", "run.seed=0", "--out", str(tmp_path)]) == 2
    assert "is no sweep's" in capsys.readouterr().err


def test_values_may_have_commas_and_names_stay_short() -> None:
    config = tiny_config()
    points = parse_grid(["search.algorithm=cfr+(gamma=2),dcfr(alpha=1.5,beta=0)", "run.seed=3"], config)
    assert [point["search.algorithm"] for point in points] == ["cfr+(gamma=2)", "dcfr(alpha=1.5,beta=0)"]
    assert at_point(config, points[1]).search.algorithm == "dcfr(alpha=1.5,beta=0)"
    (quoted,) = parse_grid(['run.evaluate_search="5,1"'], config)
    assert at_point(config, quoted).run.evaluate_search == "5,1"
    names = [name_of({"game": "x" * 200 + end}) for end in "ab"]
    assert names[0] != names[1]
    assert len(names[0]) < 100
    with pytest.raises(InputError, match="at most 10,000 trainings"):
        parse_grid(["run.seed=" + ",".join(map(str, range(10_001)))], config)
