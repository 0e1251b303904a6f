"""Training on the whole game: all kinds of queries, resuming, and what is refused."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.poker.hand_network import KINDS
from sog.poker.hunl_training import HunlGenerator
from sog.training import memory
from sog.training.checkpoint import load_newest
from sog.training.config import Config, make_config
from sog.training.context import weights_of
from sog.training.methods import check_method, make_generator
from sog.training.metrics import read_metrics
from sog.training.presets import config_for, load_preset
from sog.training.queries import find_training
from sog.training.run import Run
from sog.training.sources.local import LocalSource

TABLES: dict[str, Any] = {
    "game": "hunl",
    "network": {"kind": "ladder", "layers": 1, "width": 16, "row_units": 8},
    "streets": {"turn_iterations": 2, "river_iterations": 2, "queries": 40, "flops": 1, "random_steps": 2},
    "replay": {"examples": 200, "warm_up": 24, "updates_per_example": 2.0},
    "learner": {"batch": 16, "huber": 1.0, "policy_weight": 0.0},
    "run": {"steps": 10, "refresh_steps": 2, "log_steps": 5},
}


def tiny(**sections: Any) -> Config:
    tables = {
        name: {**own, **sections.get(name, {})} if isinstance(own, dict) else own
        for name, own in TABLES.items()
    }
    return make_config(tables, "test")


def test_hands_bring_queries_of_all_kinds() -> None:
    training = find_training("hunl")
    assert training is not None
    assert training.find_kinds is not None
    config = tiny(streets={"random_share": 0.0})
    generator = HunlGenerator(config, seed=3)
    first = generator.round()
    assert first.counts.searches == 0
    assert {KINDS[kind] for kind in training.find_kinds(first.examples[0])} == {"river start"}
    weights = weights_of(Run(config, Path("unused")).learner.network)
    generator.take_weights(weights, steps=2)
    again = HunlGenerator(config, seed=4)
    again.restore(generator.state())
    seen: set[str] = set()
    for _ in range(3):
        ours, theirs = generator.round(), again.round()
        for name in ours.examples[0]._fields:
            mine, other = getattr(ours.examples[0], name), getattr(theirs.examples[0], name)
            np.testing.assert_array_equal(mine, other, err_msg=name)
        seen |= {KINDS[kind] for kind in training.find_kinds(ours.examples[0])}
        assert ours.counts.searches >= 1
    assert seen == set(KINDS)


def test_kinds_that_are_answered_badly_are_asked_more_often() -> None:
    generator = HunlGenerator(tiny(), seed=0)
    assert generator.shares == pytest.approx(np.full(len(KINDS), 1 / len(KINDS)))
    generator._errors[3] = 3.0
    assert generator.shares[3] > 2 * generator.shares[0]
    assert generator.shares.sum() == pytest.approx(1)


def test_a_resumed_run_has_the_weights_of_one_that_was_not_stopped(tmp_path: Path) -> None:
    whole = Run(tiny(), tmp_path / "whole")
    assert whole.go(LocalSource)
    assert Run(tiny(run={"steps": 6}), tmp_path / "parts").go(LocalSource)
    data = load_newest(tmp_path / "parts", pytest.fail)
    data["config"]["run"]["steps"] = 10
    parts = Run.resume(data, make_config(data["config"], "checkpoint"), tmp_path / "parts")
    assert parts.go(LocalSource)
    ours, theirs = whole.weights(), parts.weights()
    assert all(np.array_equal(ours[name], theirs[name]) for name in ours)
    losses = [line["loss"] for line in read_metrics(tmp_path / "whole")]
    kinds = {name for loss in losses for name in loss.get("by_kind", {})}
    assert "river start" in kinds
    assert len(kinds) > 3
    assert all(set(loss["by_kind"]) == set(loss["silent_by_kind"]) for loss in losses if "by_kind" in loss)


def test_presets_are_found_and_what_cannot_be_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    config = config_for("hunl")
    assert config == load_preset("hunl")
    assert isinstance(make_generator(config, 0), HunlGenerator)
    with pytest.raises(InputError, match="stacks are drawn"):
        config_for("hunl(stack=5000)")
    with pytest.raises(InputError, match="method sog alone"):
        check_method(replace(config, method="rebel"))
    with pytest.raises(InputError, match="must be ladder or mlp"):
        check_method(replace(config, network=replace(config.network, kind="rows")))
    paper = load_preset("hunl_paper")
    check_method(paper)
    monkeypatch.setattr(memory, "machine_bytes", lambda: 8 * 2**30)
    with pytest.raises(
        InputError, match=r"hunl: too much for 8,192 MB of memory: .* replay.examples = 1,000,000"
    ):
        Run(paper, tmp_path / "paper")
