import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.training.checkpoint import find_checkpoints, load_newest, sole_use
from sog.training.config import as_toml, load_config, make_config
from sog.training.context import Weights
from sog.training.metrics import read_metrics
from sog.training.run import Run
from sog.training.run_status import Counts, DivergedError
from sog.training.sources.local import LocalSource
from tests.training.tiny import tiny_config


def _weights_after(folder: Path, *stops: int, game: str = "kuhn") -> dict[str, Any]:
    """Train in several parts, each a run of its own that goes on from the checkpoint before."""
    run = Run(tiny_config(game, run={"steps": stops[0]}), folder)
    assert run.go(LocalSource)
    for stop in stops[1:]:
        run = _resumed(folder, stop)
        assert run.go(LocalSource)
    assert run.learner.steps == stops[-1]
    return {
        **run.weights(),
        **{f"own {key}": value for key, value in run.learner.network.state_dict().items()},
    }


def _resumed(folder: Path, steps: int) -> Run:
    data = load_newest(folder, pytest.fail)
    data["config"]["run"]["steps"] = steps
    return Run.resume(data, make_config(data["config"], "checkpoint"), folder)


def _are_equal(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    return all(np.array_equal(ours[name], theirs[name]) for name in ours)


@pytest.mark.parametrize("game", ["kuhn", "leduc"])  # tests/training/test_board_runs.py has boards
def test_a_resumed_run_has_the_weights_of_one_that_was_not_stopped(tmp_path: Path, game: str) -> None:
    whole = _weights_after(tmp_path / "whole", 40, game=game)
    assert _are_equal(whole, _weights_after(tmp_path / "parts", 3, 17, 40, game=game))
    assert not _are_equal(whole, _weights_after(tmp_path / "longer", 41, game=game))


def test_seeds_decide(tmp_path: Path) -> None:
    runs = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        run = Run(tiny_config(run={"steps": 15, "seed": seed}), tmp_path / name)
        run.go(LocalSource)
        runs.append(run.weights())
    assert _are_equal(runs[0], runs[1])
    assert not _are_equal(runs[0], runs[2])


def test_looking_changes_nothing(tmp_path: Path) -> None:
    plain = Run(tiny_config(), tmp_path / "plain")
    plain.go(LocalSource)
    looked = Run(
        tiny_config(run={"evaluate_minutes": 0.0, "checkpoint_minutes": 0.0}),
        tmp_path / "looked",
        lambda weights: {"SoG(5,1)": 1.0},
    )
    looked.go(LocalSource)
    assert _are_equal(plain.weights(), looked.weights())
    curve = looked.status.curve
    assert curve[0].step == 0
    assert curve[-1].step == 40
    assert len(curve) == len({point.step for point in curve}) > 10


def test_minutes_end_a_run(tmp_path: Path) -> None:
    run = Run(tiny_config(run={"steps": 10**9, "minutes": 1e-6}), tmp_path)
    assert run.go(LocalSource)
    assert run.learner.steps < 2


def test_metrics_tell_the_way_and_forget_what_was_not_saved(tmp_path: Path) -> None:
    Run(tiny_config(run={"steps": 25}), tmp_path, lambda weights: {"SoG(5,1)": 0.5}).go(LocalSource)
    with (tmp_path / "metrics.jsonl").open("a") as file:
        file.write('{"step": 30, "seconds": 1.0}\n{"step": 3')  # from a run that was killed
    _resumed(tmp_path, 40).go(LocalSource)
    lines = read_metrics(tmp_path)
    assert [line["step"] for line in lines] == [0, 10, 20, 25, 30, 40]
    assert lines[0]["exploitability"] == lines[3]["exploitability"] == {"SoG(5,1)": 0.5}
    assert lines[-1]["examples"] >= lines[-1]["solved"] > lines[-1]["recursive"] > 0
    assert lines[-1]["loss"]["value"] < lines[1]["loss"]["value"]
    memory = lines[-1]["memory_mb"]
    assert list(memory) == ["resident", "store", "codes", "answers", "lanes", "replay"]
    assert memory["resident"] > sum(memory.values()) / 2 > 1


def test_the_folder_has_agents_and_a_configuration_to_begin_again(tmp_path: Path) -> None:
    run = Run(tiny_config(run={"steps": 12}), tmp_path)
    run.go(LocalSource)
    assert load_config(tmp_path / "config.toml") == run.config
    assert (tmp_path / "agent.npz").read_bytes() == (tmp_path / "agents" / "step-00000012.npz").read_bytes()
    assert as_toml(run.config).startswith('game = "kuhn"')


def test_the_checkpoint_before_a_damaged_one_is_used(tmp_path: Path) -> None:
    whole = _weights_after(tmp_path / "whole", 40)
    folder = tmp_path / "damaged"
    _weights_after(folder, 10, 20)
    newest = find_checkpoints(folder)[-1]
    newest.write_bytes(newest.read_bytes()[:-1000])
    warnings: list[str] = []
    data = load_newest(folder, warnings.append)
    assert data["learner"]["steps"] == 10
    assert warnings == [f"{newest} is damaged or not a checkpoint"]
    run = Run.resume(data, tiny_config(run={"steps": 40}), folder)
    run.go(LocalSource)
    assert _are_equal(run.weights(), whole)


def test_a_run_begins_with_an_agent_s_weights(tmp_path: Path) -> None:
    first = Run(tiny_config(run={"steps": 12}), tmp_path / "first")
    first.go(LocalSource)
    begins = {"begins_from": str(tmp_path / "first"), "steps": 0}
    second = Run(tiny_config(run=begins), tmp_path / "second")
    second.go(LocalSource)
    assert _are_equal(second.weights(), first.weights())
    whole = Run(tiny_config(run={**begins, "steps": 30}), tmp_path / "whole")
    whole.go(LocalSource)
    assert whole.learner.steps == 30
    second = _resumed(tmp_path / "second", 30)
    second.go(LocalSource)
    assert _are_equal(second.weights(), whole.weights())
    other = Run(tiny_config(network={"width": 32}, run=begins), tmp_path / "other")
    with pytest.raises(InputError, match="its network has width 16, not 32"):
        other.go(LocalSource)


class _BeginningSource(LocalSource):
    """Tells the weights that its first searches use."""

    handed: ClassVar[list[Weights]] = []

    def hand_over(self, weights: Weights, steps: int) -> None:
        self.handed.append(weights)
        super().hand_over(weights, steps)


def test_the_first_searches_use_the_agent_that_a_run_begins_from(tmp_path: Path) -> None:
    first = Run(tiny_config(run={"steps": 12}), tmp_path / "first")
    first.go(LocalSource)
    _BeginningSource.handed.clear()
    Run(tiny_config(run={"begins_from": str(tmp_path / "first"), "steps": 1}), tmp_path / "second").go(
        _BeginningSource
    )
    assert _are_equal(_BeginningSource.handed[0], first.weights())


class _NanSource(LocalSource):
    """Searches with a network that has diverged."""

    def hand_over(self, weights: Weights, steps: int) -> None:
        super().hand_over({name: array * np.nan for name, array in weights.items()}, steps)


def test_what_is_no_number_stops_the_run_and_keeps_the_last_good_checkpoint(tmp_path: Path) -> None:
    _weights_after(tmp_path, 20)
    kept = {path: path.read_bytes() for path in find_checkpoints(tmp_path)}
    with pytest.raises(DivergedError, match="diverged: a search found values"):
        _resumed(tmp_path, 400).go(_NanSource)
    assert {path: path.read_bytes() for path in find_checkpoints(tmp_path)} == kept
    assert _resumed(tmp_path, 40).learner.steps == 20


def test_updates_stay_within_the_account(tmp_path: Path) -> None:
    run = Run(tiny_config(replay={"updates_per_example": 3.0}), tmp_path)
    run.go(LocalSource)
    assert run.learner.steps * 32 <= 3 * run.replay.added
    assert run.learner.steps * 32 + run.replay.draws_left == 3 * run.replay.added


def test_recursive_queries_do_not_take_over(tmp_path: Path) -> None:
    run = Run(tiny_config(selfplay={"recursive_queries": 0.3}, run={"steps": 100}), tmp_path)
    run.go(LocalSource)
    counts: Counts = run.status.counts
    # Of q recursive queries a solved one, 1 - q are left for self-play.
    assert 0.2 < counts.recursive / counts.solved < 0.4
    origins = run.replay.origins()
    assert origins[2] < 0.5 * sum(origins.values())


def test_one_run_at_a_time(tmp_path: Path) -> None:
    with sole_use(tmp_path), pytest.raises(InputError, match="another process"):
        Run(tiny_config(), tmp_path).go(LocalSource)


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    """Kill -9 somewhere in the middle; the run goes on and ends with the weights it would have had."""
    config = tiny_config(run={"steps": 400, "checkpoint_minutes": 0.0})
    (tmp_path / "tiny.toml").write_text(as_toml(config))
    folder = tmp_path / "run"
    command = [
        sys.executable,
        "-m",
        "sog",
        "train",
        "--config",
        str(tmp_path / "tiny.toml"),
        "--out",
        str(folder),
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not any("step-00000000" not in path.name for path in find_checkpoints(folder)):
        assert process.poll() is None
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    stopped = load_newest(folder, lambda line: None)["learner"]["steps"]
    assert 0 < stopped < 400
    resumed = subprocess.run(
        [sys.executable, "-m", "sog", "train", "--resume", str(folder), "--steps", str(stopped + 10)],
        capture_output=True,
        text=True,
    )
    assert resumed.returncode == 0, resumed.stderr
    assert "sog play kuhn --agent" in resumed.stdout
    whole = Run(tiny_config(run={"steps": stopped + 10}), tmp_path / "whole")
    whole.go(LocalSource)
    found = _resumed(folder, stopped + 10)
    assert _are_equal(whole.weights(), found.weights())
    assert json.loads((folder / "metrics.jsonl").read_text().splitlines()[-1])["step"] == stopped + 10


def test_a_checkpoint_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    _weights_after(tmp_path, 5)
    data = load_newest(tmp_path, pytest.fail)
    with pytest.raises(InputError, match="does not fit"):
        Run.resume(data, tiny_config(network={"width": 8}), tmp_path)
