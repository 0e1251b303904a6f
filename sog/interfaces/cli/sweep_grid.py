"""The grid of a sweep: values of a configuration's keys, and every combination of them.

Verified: tests/interfaces/cli/test_sweep_command.py.
"""

import hashlib
import re
import tomllib
from collections.abc import Sequence
from itertools import product
from typing import Any

from sog.core.errors import InputError
from sog.core.tables import plain_value
from sog.training.config import Config, as_tables, make_config

MOST_POINTS = 10_000
SEED = "run.seed"
_LONGEST_NAME = 80
_COMMA = re.compile(r",(?![^(]*\))")  # not between parentheses
Point = dict[str, Any]  # values by key


def parse_grid(texts: Sequence[str], config: Config) -> list[Point]:
    """Return every combination of `key=a,b,c`, each known to make a configuration.

    >>> [point["run.seed"] for point in parse_grid(["run.seed=1,2"], Config(game="kuhn"))]
    [1, 2]
    """
    axes: dict[str, list[Any]] = {}
    for text in texts:
        key, sign, values = text.partition("=")
        if not sign or not values:
            raise InputError(f"--grid: KEY=A,B,C, not {text[:80]!r}")
        if key in axes:
            raise InputError(f"--grid has {key[:60]} more than once")
        _check_key(key, config)
        axes[key] = _read_values(values)
        if len({repr(value) for value in axes[key]}) < len(axes[key]):
            raise InputError(f"--grid: {key} has the same value twice")
    points = [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]
    if len(points) > MOST_POINTS:
        raise InputError(f"--grid: at most {MOST_POINTS:,} trainings, not {len(points):,}")
    for point in points:
        at_point(config, point)
    return points


def at_point(config: Config, point: Point) -> Config:
    """Return the configuration of one training."""
    tables = as_tables(config)
    for key, value in point.items():
        *sections, name = key.split(".")
        table = tables
        for section in sections:
            table = table[section]
        table[name] = value
    return make_config(tables, "--grid")


def name_of(point: Point) -> str:
    """Return the name of a training's folder.

    >>> name_of({"learner.batch": 64, "run.seed": 1})
    'learner.batch=64,run.seed=1'
    """
    text = words_of(point)
    plain = re.sub(r"[^\w.=,+()-]", "_", text)[:_LONGEST_NAME]
    return plain if plain == text else f"{plain}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def words_of(point: Point) -> str:
    """Return a point as it is typed."""
    return ",".join(f"{key}={value}" for key, value in point.items())


def _check_key(key: str, config: Config) -> None:
    *sections, name = key.split(".")
    table: Any = as_tables(config)
    for section in sections:
        table = table.get(section) if isinstance(table, dict) else None
    if not isinstance(table, dict) or isinstance(table.get(name, {}), dict):
        raise InputError(f"--grid: there is no key {key[:60]!r} (docs/training.md lists them)")


def _read_values(text: str) -> list[Any]:
    """Read values as TOML has them between brackets, or without quotes."""
    try:
        found = tomllib.loads(f"values = [{text}]")["values"]
    except tomllib.TOMLDecodeError:
        return [plain_value(value.strip()) for value in _COMMA.split(text)]
    return list(found)
