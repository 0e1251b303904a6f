"""A training run of seconds."""

from typing import Any

from sog.training.config import Config, make_config

TABLES: dict[str, dict[str, Any]] = {
    "network": {"layers": 2, "width": 16},
    "search": {"simulations": 10},
    "solver": {"simulations": 5, "per_update": 0.5},
    "selfplay": {"games": 4, "queries": 4.0, "td1_share": 0.3},
    "replay": {"examples": 500, "queries": 100, "warm_up": 64, "updates_per_example": 10.0},
    "learner": {"batch": 32, "averaging": 0.9},
    "run": {"steps": 40, "refresh_steps": 5, "log_steps": 10, "evaluate_search": "5,1", "evaluate_seeds": 1},
}


def tiny_config(game: str = "kuhn", **sections: dict[str, Any]) -> Config:
    """Return a small run, with changes."""
    tables: dict[str, Any] = {
        name: {**TABLES.get(name, {}), **sections.get(name, {})} for name in (*TABLES, "later")
    }
    return make_config({"game": game, **tables}, "test")
