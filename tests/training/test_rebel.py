"""ReBeL's self-play: examples of solved subgames, the same again from the same seed or from a checkpoint."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.games.registry import load
from sog.nets.agents import load_agent
from sog.nets.spec import NetworkSpec
from sog.public.opening import open_store
from sog.search.exact import ExactEvaluator
from sog.search.rebel import RebelSettings, read_settings
from sog.training.batches import ILLEGAL
from sog.training.config import REBEL, SOG, Config, as_toml, load_config, make_config
from sog.training.context import weights_of
from sog.training.examples import Examples, join_examples
from sog.training.generator import Generator
from sog.training.methods import make_generator
from sog.training.presets import config_for
from sog.training.rebel import RebelGenerator
from sog.training.run import Run
from sog.training.sources.local import LocalSource
from tests.codes import code_of
from tests.training.dense import dense

TABLES: dict[str, Any] = {
    "game": "liars_dice(dice=1,faces=3)",
    "method": REBEL,
    "network": {"layers": 2, "width": 16, "activation": "gelu"},
    "rebel": {"iterations": 32},
    "selfplay": {"games": 8, "uniform_mix": 0.25},
    "replay": {"examples": 500, "warm_up": 64, "updates_per_example": 10.0},
    "learner": {"batch": 32},
    "run": {"steps": 30, "refresh_steps": 5, "log_steps": 10},
}


def tiny_config(**changes: Any) -> Config:
    return make_config({**TABLES, **changes}, "test")


def rounds(generator: RebelGenerator, count: int) -> Examples:
    return join_examples([part for _ in range(count) for part in generator.round().examples])


def assert_equal(one: Examples, other: Examples) -> None:
    for left, right in zip(one, other, strict=True):
        np.testing.assert_array_equal(left, right)


def test_the_same_seed_makes_the_same_examples() -> None:
    one, same, other = (rounds(RebelGenerator(tiny_config(), seed), 3) for seed in (1, 1, 2))
    assert one.size == 24 + 1  # and the first subgame
    assert_equal(one, same)
    assert one.halves.tolist() != other.halves.tolist()


def test_a_generator_goes_on_from_a_state() -> None:
    one = RebelGenerator(tiny_config(), 1)
    rounds(one, 2)
    state = one.state()
    other = RebelGenerator(tiny_config(), 99)
    other.restore(state)
    assert_equal(rounds(one, 3), rounds(other, 3))


def test_positions_of_a_board_are_learned_with_one_iteration_a_subgame() -> None:
    config = replace(config_for("tictactoe", REBEL), network=NetworkSpec(layers=1, width=8))
    one, same = RebelGenerator(config, 1), RebelGenerator(config, 2)
    assert sum(output.examples[0].size for output in (one.round(), one.round())) == 2 * 64 + 1
    same.restore(one.state())
    outputs = [generator.round() for generator in (one, same) for _ in range(4)]
    for left, right in zip(outputs[:4], outputs[4:], strict=True):
        for mine, other in zip(left.examples[0], right.examples[0], strict=True):
            np.testing.assert_array_equal(mine, other)


def test_forgetting_public_states_changes_nothing() -> None:
    small = tiny_config(run={**TABLES.get("run", {}), "memory_mb": 1.0})
    one, other = RebelGenerator(small, 1), RebelGenerator(tiny_config(), 1)
    first, second = rounds(one, 6), rounds(other, 6)
    assert one.store.num_nodes < other.store.num_nodes
    game = load(tiny_config().game)
    np.testing.assert_allclose(dense(game, first).values, dense(game, second).values, atol=1e-3)


def test_games_end_and_begin_anew() -> None:
    generator = RebelGenerator(tiny_config(), 1)
    outputs = [generator.round() for _ in range(6)]
    assert sum(output.counts.games for output in outputs) > 8
    assert [output.counts.solved for output in outputs] == [9, 8, 8, 8, 8, 8]


def test_the_first_subgame_is_solved_once_for_every_network() -> None:
    config = tiny_config()
    generator = RebelGenerator(config, 1)
    features = code_of(generator.store, generator._first.node).features
    for _ in range(2):
        examples = dense(load(config.game), rounds(generator, 3))
        assert np.all(examples.features == features, axis=1).sum() == 1
        generator.take_weights(weights_of(generator._context.network), 1)


def test_a_game_that_ends_in_its_first_subgame_is_solved_every_time() -> None:
    config = tiny_config(game="kuhn", rebel={"iterations": 8, "depth": 20})
    assert rounds(RebelGenerator(config, 1), 2).size == 2 * 8 + 1


@pytest.mark.parametrize("warm", [0, 15])
def test_next_to_the_end_targets_are_exact_values(warm: int) -> None:
    """With at most two bids left the subgame is the rest of the game: the solution of the same beliefs."""
    config = tiny_config(rebel={"iterations": 1000, "warm": warm})
    generator, game = RebelGenerator(config, 1), load(config.game)
    bids = 6
    store = open_store(game)
    late: dict[bytes, int] = {}
    node = 0
    while node < store.num_nodes:
        if store.actor(node) < 2:
            features = code_of(store, node).features
            if features[bids - 2 : bids].any():
                late[features.tobytes()] = node
        if store.actor(node) < 3:
            store.children(node)
        node += 1
    examples, compared = dense(load(config.game), rounds(generator, 12)), 0
    exact = ExactEvaluator(2000)
    for index in range(examples.size):
        found = late.get(examples.features[index].tobytes())
        if found is None or not examples.value_weights[index].any():
            continue
        ranges = examples.ranges[index, :3].astype(float), examples.ranges[index, 3:].astype(float)
        first, second = exact._answer(store, found, ranges)
        beliefs = examples.beliefs[index]
        assert beliefs[:3] @ examples.values[index, :3] == pytest.approx(beliefs[:3] @ first, abs=0.02)
        assert beliefs[3:] @ examples.values[index, 3:] == pytest.approx(beliefs[3:] @ second, abs=0.02)
        compared += 1
    assert compared > 5


def test_with_a_warm_start_all_decisions_of_subgames_are_learned() -> None:
    config = tiny_config(rebel={"iterations": 32, "warm": 15})
    one, other = RebelGenerator(config, 1), RebelGenerator(config, 2)
    output = one.round()
    examples = dense(load(config.game), join_examples(output.examples))
    assert output.counts.solved == 8 + 1
    assert examples.size > 2 * output.counts.solved
    for half in (slice(0, 3), slice(3, 6)):
        np.testing.assert_allclose(examples.ranges[:, half].sum(axis=1), 1, atol=1e-5)
    assert examples.value_weights.any(axis=1).sum() == output.counts.solved  # the roots
    assert examples.policy_weights.any(axis=1).all()
    legal = examples.policies != ILLEGAL
    np.testing.assert_allclose((examples.policies * legal).sum(axis=2)[legal.any(axis=2)], 1, atol=1e-5)
    other.restore(one.state())
    assert_equal(rounds(one, 2), rounds(other, 2))


def test_a_run_learns_and_resumes(tmp_path: Path) -> None:
    config = tiny_config()
    run = Run(config, tmp_path / "run")
    assert run.go(LocalSource)
    assert run.learner.steps == 30
    assert run.status.counts.games > 0
    agent = load_agent(str(tmp_path / "run"))
    assert agent.rebel is not None
    assert read_settings(agent.rebel) == config.played == RebelSettings(iterations=1024)


def test_the_method_is_a_key_of_the_configuration(tmp_path: Path) -> None:
    config = tiny_config()
    assert isinstance(make_generator(config, 0), RebelGenerator)
    assert isinstance(make_generator(make_config({"game": "kuhn"}, "test"), 0), Generator)
    (tmp_path / "config.toml").write_text(as_toml(config), "utf-8")
    assert load_config(tmp_path / "config.toml") == config
    with pytest.raises(InputError, match="method must be one of sog, rebel"):
        make_config({**TABLES, "method": "muzero"}, "test")


def test_rebel_s_preset_serves_every_game() -> None:
    assert config_for("liars_dice(dice=1,faces=4)").method == SOG
    config = config_for("leduc", REBEL)
    assert (config.game, config.method, config.selfplay.uniform_mix) == ("leduc", REBEL, 0.25)
    assert (config.network.layers, config.network.width, config.network.activation) == (2, 256, "gelu")
