"""Runs of the presets of board games from end to end, with networks and searches for seconds."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sog.evaluation.monitor import PositionMonitor
from sog.evaluation.positions import find_positions
from sog.games.registry import load
from sog.nets.agents import load_agent
from sog.training.checkpoint import load_newest
from sog.training.config import Config, as_tables, make_config
from sog.training.presets import config_for, load_preset
from sog.training.run import Run
from sog.training.sources.local import LocalSource

SMALL: dict[str, dict[str, Any]] = {
    "network": {"layers": 1, "width": 4},
    "search": {"simulations": 4},
    "solver": {"simulations": 3},
    "alphazero": {"simulations": 4, "batch": 2},
    "selfplay": {"games": 2},
    "replay": {"examples": 64, "queries": 64, "warm_up": 8, "updates_per_example": 4.0},
    "learner": {"batch": 8},
    "run": {"steps": 4, "refresh_steps": 2},
}


def shrink(config: Config, **changes: Any) -> Config:
    tables = {**as_tables(config), **changes}
    for name, section in SMALL.items():
        tables[name] = {**tables[name], **section}
    return make_config(tables, "test")


@pytest.mark.parametrize("method", ["sog", "alphazero"])
@pytest.mark.parametrize(
    ("preset", "game"),
    [
        ("chess_full", "chess(fen='6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1',max_moves=3)"),
        ("go19", "go(size=19,max_length=5)"),
        ("breakthrough", "breakthrough(rows=4,columns=3)"),
    ],
)
def test_few_steps_of_the_presets(tmp_path: Path, preset: str, game: str, method: str) -> None:
    config = shrink(load_preset(preset), game=game, method=method)
    run = Run(config, tmp_path)
    assert run.go(LocalSource)
    assert run.status.steps == 4
    assert run.status.counts.searches > 0
    agent = load_agent(str(tmp_path))
    assert agent.steps == 4
    assert any(np.any(weight != 0) for name, weight in agent.weights.items() if name.startswith("policy"))


def test_rebel_learns_on_boards_too(tmp_path: Path) -> None:
    config = shrink(load_preset("rebel"), game="tictactoe", rebel={"depth": 1, "iterations": 4})
    assert Run(config, tmp_path).go(LocalSource)


@pytest.mark.parametrize("method", ["sog", "alphazero"])
def test_a_run_that_was_stopped_goes_on_alike(tmp_path: Path, method: str) -> None:
    config = shrink(config_for("connect_four", method), game="connect_four")
    tables = as_tables(config)
    tables["run"]["steps"] = 8
    longer = make_config(tables, "test")
    whole = Run(longer, tmp_path / "whole")
    whole.go(LocalSource)
    (tmp_path / "parts").mkdir()
    first = Run(config, tmp_path / "parts")
    first.go(LocalSource)
    second = Run.resume(load_newest(tmp_path / "parts", pytest.fail), longer, tmp_path / "parts")
    second.go(LocalSource)
    assert second.status.steps == 8
    for name, weight in whole.weights().items():
        np.testing.assert_array_equal(weight, second.weights()[name], name)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["sog", "alphazero"])
def test_tictactoe_is_learned_to_perfect_play(tmp_path: Path, method: str) -> None:
    config = config_for("tictactoe", method)
    run = Run(config, tmp_path)
    run.go(LocalSource)
    positions = find_positions(load("tictactoe"))
    assert positions is not None
    monitor = PositionMonitor(positions, config.network, "100,1", seeds=2)
    assert set(monitor.measure(run.weights()).values()) == {0.0}
