from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.games.holdem.cards import compatible_hands
from sog.poker.river_queries import list_rivers
from sog.poker.teh_training import TehGenerator, draw_ranges, split_mass
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
    "game": "teh",
    "network": {"kind": "ladder", "layers": 1, "width": 16, "row_units": 8},
    "streets": {
        "turn_iterations": 3,
        "river_iterations": 2,
        "queries": 6,
        "random_steps": 2,
        "random_share": 0.2,
    },
    "replay": {"examples": 100, "warm_up": 12, "updates_per_example": 4.0},
    "learner": {"batch": 8, "huber": 1.0, "policy_weight": 0.0},
    "run": {"steps": 8, "refresh_steps": 2, "log_steps": 2},
}


def tiny(**sections: Any) -> Config:
    tables = {
        name: {**own, **sections.get(name, {})} if isinstance(own, dict) else own
        for name, own in TABLES.items()
    }
    return make_config(tables, "test")


def resumed(folder: Path, steps: int) -> Run:
    data = load_newest(folder, pytest.fail)
    data["config"]["run"]["steps"] = steps
    return Run.resume(data, make_config(data["config"], "checkpoint"), folder)


def test_a_resumed_run_has_the_weights_of_one_that_was_not_stopped(tmp_path: Path) -> None:
    """Through random ranges and searches with the network, with what is said on the way."""
    whole = Run(tiny(), tmp_path / "whole")
    assert whole.go(LocalSource)
    assert Run(tiny(run={"steps": 5}), tmp_path / "parts").go(LocalSource)
    parts = resumed(tmp_path / "parts", 8)
    assert parts.go(LocalSource)
    ours, theirs = whole.weights(), parts.weights()
    assert all(np.array_equal(ours[name], theirs[name]) for name in ours)
    assert whole.status.counts.searches > 0
    lines = read_metrics(tmp_path / "whole")
    assert any("validation" in line["loss"] for line in lines)


@pytest.mark.parametrize("rivers", [48, 1])
def test_rounds_search_once_the_network_has_learned(rivers: int) -> None:
    config = tiny(streets={"random_share": 0.0, "rivers": rivers})
    generator = TehGenerator(config, seed=3)
    assert generator.round().counts.searches == 0
    own = find_training("teh")
    assert own is not None
    run = Run(config, Path("unused"))
    generator.take_weights(weights_of(run.learner.network), steps=2)
    again = TehGenerator(config, seed=4)
    again.restore(generator.state())
    outputs = generator.round(), again.round()
    assert outputs[0].counts.searches == 1
    assert outputs[0].examples[0].size == 6
    mine, theirs = outputs[0].examples[0], outputs[1].examples[0]
    for name in mine._fields:
        np.testing.assert_array_equal(getattr(mine, name), getattr(theirs, name), err_msg=name)


def test_random_ranges_are_shares_of_one_that_differ() -> None:
    rng, rivers = np.random.default_rng(0), list_rivers([(0, 5, 10, 15, 20)])
    for count in (1, 2, 7, 1_081):
        mass = split_mass(count, rng)
        assert mass.shape == (count,)
        assert (mass >= 0).all()
        assert mass.sum() == pytest.approx(1)
    first, second = draw_ranges(rivers, rng)
    assert (first[~compatible_hands(rivers.boards[0])] == 0).all()
    assert np.abs(first - second).sum() > 0.5
    # Neighbours in strength come together: strong and weak halves share the mass at random.
    halves = [draw_ranges(rivers, rng)[0][rivers.hands[0][:540]].sum() for _ in range(200)]
    assert 0.4 < np.mean(halves) < 0.6
    assert np.std(halves) > 0.2


def test_what_cannot_be_is_refused() -> None:
    config = config_for("teh")
    assert config == load_preset("teh")
    assert isinstance(make_generator(config, 0), TehGenerator)
    with pytest.raises(InputError, match="boards and stacks are drawn"):
        config_for("teh(seed=7)")
    with pytest.raises(InputError, match="method sog alone"):
        check_method(replace(config, method="rebel"))
    with pytest.raises(InputError, match="must be ladder"):
        check_method(replace(config, network=replace(config.network, kind="mlp")))
    assert find_training("holdem") is None
    assert find_training("leduc") is None
