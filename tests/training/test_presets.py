from pathlib import Path

import pytest

from sog.core.errors import InputError
from sog.games.registry import SPOTS, load
from sog.nets.cvpn import make_network
from sog.nets.spec import Sizes, sizes_of
from sog.public.opening import encoding_of
from sog.training.config import Config
from sog.training.presets import FOLDER, config_for, find_config, load_preset, preset_names

WHOLE_GAMES = [name for name in preset_names() if load_preset(name).game not in SPOTS]


def test_spots_have_presets_too() -> None:
    assert set(preset_names()) - set(WHOLE_GAMES) == {"hunl", "hunl_paper", "teh"}
    assert config_for("teh") == load_preset("teh")


@pytest.mark.parametrize("name", WHOLE_GAMES)
def test_every_preset_makes_a_network_for_its_game(name: str) -> None:
    config = load_preset(name)
    sizes: Sizes = sizes_of(encoding_of(load(config.game)))
    small = make_network(config.network, sizes, seed=0)
    assert sum(weight.numel() for weight in small.parameters()) > 0
    if not name.endswith(("_full", "_second")):  # for a cluster, or a second run: taken by name only
        assert config_for(config.game, config.method) == config


def test_a_game_without_a_preset_has_the_defaults() -> None:
    assert config_for("rps") == Config(game="rps")
    assert config_for("liars_dice").game == "liars_dice"  # as typed; the preset is the one of that game
    assert config_for("liars_dice") != Config(game="liars_dice")


def test_by_name_or_by_file(tmp_path: Path) -> None:
    assert find_config("kuhn") == load_preset("kuhn")
    assert find_config(str(FOLDER / "kuhn.toml")) == load_preset("kuhn")
    with pytest.raises(InputError, match="neither a file nor a configuration"):
        find_config("no_such_preset")
    with pytest.raises(InputError, match="cannot read"):
        find_config(str(tmp_path / "none.toml"))


def test_table_3_of_player_of_games() -> None:
    yard = load_preset("scotland_yard_full")
    assert (yard.network.layers, yard.network.width) == (6, 512)
    assert (yard.learner.batch, yard.learner.optimiser, yard.learner.learning_rate) == (1024, "sgd", 0.1)
    assert (yard.learner.decay_steps, yard.learner.decay_rate) == (2e6, 0.5)
    assert (yard.learner.policy_weight, yard.learner.value_weight) == (0.05, 1)
    assert (yard.replay.examples, yard.replay.updates_per_example) == (10**6, 5)
    assert (yard.selfplay.queries, yard.selfplay.recursive_queries) == (0.3, 0.1)
    go = load_preset("go19")
    assert (go.learner.batch, go.learner.optimiser, go.learner.learning_rate) == (2048, "sgd", 0.02)
    assert (go.learner.decay_steps, go.learner.decay_rate) == (2e5, 0.1)
    assert (go.learner.policy_weight, go.learner.value_weight) == (1, 0.5)
    assert (go.selfplay.td1_share, go.selfplay.queries, go.replay.updates_per_example) == (0.2, 0, 0.2)
    assert (go.selfplay.resign_below, go.selfplay.never_resigns) == (-0.9, 0.2)
    assert (go.selfplay.greedy_after, go.selfplay.max_moves, go.search.prior_temperature) == (30, 722, 1.5)


def test_presets_are_package_data() -> None:
    text = (FOLDER.parents[1] / "pyproject.toml").read_text("utf-8")
    assert '"configs/*.toml"' in text
