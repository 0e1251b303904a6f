from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import pytest

from sog.core.errors import InputError
from sog.search.settings import SearchSettings
from sog.training.config import AlphaZeroConfig, Config, as_tables, as_toml, load_config, make_config


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"lerner": {}}, "unknown key 'lerner'"),
        ({"learner": {"batchsize": 3}}, "unknown key 'learner.batchsize'"),
        ({"network": {"depth": 3}}, "unknown key 'network.depth'"),
        ({"learner": 3}, "learner must be a table"),
        ({"learner": {"batch": 3.5}}, "learner.batch must be a whole number"),
        ({"learner": {"batch": True}}, "learner.batch must be a whole number"),
        ({"learner": {"batch": 0}}, "learner.batch must be from 1"),
        ({"learner": {"learning_rate": "fast"}}, "learner.learning_rate must be a number"),
        ({"learner": {"learning_rate": float("nan")}}, "learner.learning_rate must be a number"),
        ({"learner": {"optimiser": "rmsprop"}}, "must be one of adam, sgd"),
        ({"selfplay": {"uniform_mix": 1.5}}, "selfplay.uniform_mix must be from 0 to 1"),
        ({"selfplay": {"recursive_queries": 1.0}}, "selfplay.recursive_queries must be from 0 to 0.99"),
        ({"replay": {"examples": 10}}, "replay.warm_up must be from 1 to 10"),
        ({"search": {"simulations": 0}}, r"here: \[search\] search: simulations must be from 1"),
        ({"solver": {"puct_share": 2.0}}, r"here: \[solver\] search: puct_share must be from 0 to 1"),
        ({"search": {"variant": "cfr"}}, "unknown key 'search.variant'"),
        ({"search": {"alternates": "sometimes"}}, "search.alternates must be true or false or auto"),
        ({"search": {"algorithm": "mccfr"}}, "searches go through whole trees"),
        ({"alphazero": {"noise_share": 2.0}}, r"\[alphazero\] puct: the share of noise"),
        ({"network": {"kind": "transformer"}}, "kind must be one of"),
        ({"run": {"evaluate_search": "many"}}, "cannot read the search 'many'"),
    ],
)
def test_what_cannot_be_is_refused(content: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_config(content, "here")


def test_whole_numbers_do_for_numbers_and_defaults_for_the_rest() -> None:
    config = make_config({"run": {"minutes": 3}, "selfplay": {"queries": 2}}, "here")
    assert config.run.minutes == 3.0
    assert replace(config, run=Config().run, selfplay=Config().selfplay) == Config()


def test_tables_and_files_are_read_back(tmp_path: Path) -> None:
    config = make_config(
        {
            "game": 'matrix(payoffs="1,2")',
            "search": {"alternates": "auto", "stale": 0.01, "algorithm": "dcfr(beta=-inf)"},
            "learner": {"learning_rate": 1e-7},
            "run": {"minutes": 0.1},
        },
        "here",
    )
    assert config.selfplay.max_moves == inf
    assert config.search.alternates is None
    assert make_config(as_tables(config), "tables") == config
    (tmp_path / "file.toml").write_text(as_toml(config), "utf-8")
    assert load_config(tmp_path / "file.toml") == config


def test_tables_of_before_are_read() -> None:
    """Searches had ten of their settings in files, AlphaZero's six."""
    tables = {
        "search": {
            "simulations": 64,
            "per_update": 1.0,
            "prior_temperature": 1.5,
            "alternates": False,
            "exploration": 1.5,
            "puct_share": 0.5,
            "root_actions": 1,
            "learns_everywhere": True,
            "warm_start": 0.2,
            "algorithm": "dcfr",
        },
        "alphazero": {
            "simulations": 64,
            "batch": 1,
            "exploration": 1.25,
            "noise_share": 0.25,
            "noise_alpha": 1.0,
            "temperature": 1.0,
        },
    }
    config = make_config(tables, "here")
    assert config.search == SearchSettings(**tables["search"])  # type: ignore[arg-type]
    assert config.alphazero == AlphaZeroConfig(simulations=64)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        load_config(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("a = = 3")
    with pytest.raises(InputError, match="is no TOML file"):
        load_config(tmp_path / "bad.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="is no TOML file"):
        load_config(tmp_path / "bytes.toml")


def test_what_max_states_said_is_refused_in_one_line() -> None:
    with pytest.raises(InputError, match=r"^f: there is no selfplay.max_states any more: run.memory_mb"):
        make_config({"selfplay": {"max_states": 5}}, "f")


def test_every_key_is_in_the_documentation() -> None:
    pages = Path(__file__).parents[2] / "docs"
    text, searches = ((pages / name).read_text("utf-8") for name in ("training.md", "search.md"))
    for name, section in as_tables(Config()).items():
        assert f"`[{name}]`" in text or name in ("game", "method")
        for key in section if isinstance(section, dict) else ():
            assert f"`{key}`" in (searches if name in ("search", "solver") else text), f"{name}.{key}"
