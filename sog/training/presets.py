"""Configurations that come with the package: the files `sog/configs/*.toml`.

Verified: tests/training/test_presets.py.
"""

import os
from dataclasses import replace
from pathlib import Path

from sog.core.errors import InputError
from sog.games.registry import load
from sog.training.config import ALPHAZERO, REBEL, SOG, Config, load_config
from sog.training.queries import find_training

FOLDER = Path(__file__).parents[1] / "configs"


def preset_names() -> list[str]:
    """Return the names of all presets."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load_preset(name: str) -> Config:
    """Return a preset by its name."""
    if name not in preset_names():
        raise InputError(
            f"{name[:80]!r} is neither a file nor a configuration of that name"
            f" (there are {', '.join(preset_names())})"
        )
    return load_config(FOLDER / f"{name}.toml")


def find_config(text: str) -> Config:
    """Return the configuration in a file, or the preset of that name."""
    path = Path(text)
    return load_config(path) if path.suffix == ".toml" or os.path.isfile(path) else load_preset(text)


def config_for(game: str, method: str = SOG) -> Config:
    """Return the preset of a game and a method, or the defaults for a game that has none.

    ReBeL's preset of that name serves every game that has none of its own. AlphaZero takes what sound
    self-play takes, and its own section.

    >>> config_for("kuhn").game
    'kuhn'
    """
    if method == ALPHAZERO:
        return replace(config_for(game), method=method)
    own = find_training(game)
    name = game if own is not None else load(game).info.name
    for config in map(load_preset, preset_names()):
        if config.method != method or (own is None) != (find_training(config.game) is None):
            continue
        if config.game == name or (own is None and load(config.game).info.name == name):
            return replace(config, game=game)
    if method == REBEL:
        return replace(load_preset(REBEL), game=game)
    return Config(game=game, method=method)
