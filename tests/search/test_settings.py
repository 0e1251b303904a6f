"""Every setting can be said by name, in text and in files, and whatever cannot be is refused in one line."""

import tomllib
from dataclasses import asdict, fields, replace
from typing import Any

import pytest

from sog.core.errors import InputError
from sog.core.tables import as_table, fill
from sog.games.registry import load
from sog.public.opening import open_store
from sog.search.gtcfr import Searcher
from sog.search.rebel import first_subgame
from sog.search.resolving import first_task
from sog.search.settings import SearchSettings, parse_search

OTHERS: dict[str, Any] = {  # another value of every setting
    "simulations": 7,
    "per_update": 0.25,
    "tree_share": 0.125,
    "depth": 3,
    "algorithm": "dcfr(alpha=1,beta=-inf)",
    "learns_everywhere": True,
    "alternates": False,
    "exploration": 1.5,
    "puct_share": 1.0,
    "expansion_policy": "current",
    "prior_temperature": 1.5,
    "first_policy": "prior",
    "prior_iterations": 3,
    "prior_regret": 0.5,
    "top_actions": 0,
    "root_actions": 2,
    "max_outcomes": 4,
    "gadget_mix": 0.2,
    "gadget_normalises": False,
    "is_safe": False,
    "warm_start": 0.0,
    "leaf_ranges": "average",
    "stale": 0.01,
    "threshold": 0.3,
}


def test_every_setting_is_reached_from_text_from_files_and_from_python() -> None:
    assert list(OTHERS) == [field.name for field in fields(SearchSettings)]
    settings = SearchSettings(**OTHERS)
    assert parse_search(settings.name.removeprefix("SoG(").removesuffix(")")) == settings
    lines = [
        f"{name} = {value!r}".replace("True", "true").replace("False", "false")
        for name, value in OTHERS.items()
    ]
    assert fill(SearchSettings(), tomllib.loads("\n".join(lines)), "file") == settings
    assert asdict(settings) == OTHERS


def test_what_the_game_decides_is_written_auto() -> None:
    base = SearchSettings(alternates=True, prior_temperature=2.0, top_actions=3)
    text = "100,1,alternates=auto,prior_temperature=auto,top_actions=auto"
    assert parse_search(text, base) == SearchSettings()
    assert fill(base, as_table(SearchSettings()), "file") == SearchSettings()
    assert base.name == "SoG(100,1,alternates=1,prior_temperature=2,top_actions=3)"


def test_a_share_of_the_tree_beside_a_number_of_simulations() -> None:
    settings = SearchSettings(simulations=50, per_update=4.0, tree_share=0.02)
    assert settings.name == "SoG(50,4,tree_share=0.02)"
    assert parse_search("50,4,tree_share=0.02") == settings


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("colour=1", "search: unknown key 'colour' (there are: simulations, per_update,"),
        ("depth", "search: depth must be a whole number, not ''"),
        ("depth=0", "search: depth must be from 1 to 1e+06, not 0"),
        ("depth=1.5", "search: depth must be a whole number, not 1.5"),
        ("top_actions=-1", "search: top_actions must be from 0 to 1e+12, not -1"),
        ("is_safe=2", "search: is_safe must be true or false, not 2"),
        ("alternates=maybe", "search: alternates must be true or false or auto, not 'maybe'"),
        ("leaf_ranges=old", "search: leaf_ranges must be one of current, average, both, not 'old'"),
        ("algorithm=magic", "unknown algorithm 'magic'"),
        ("algorithm=mccfr", "searches go through whole trees"),
        ("stale=1", "search: stale must be at least 0 and less than 1"),
        ("per_update=3", "search: per_update is said twice"),
        ("depth=2,depth=2", "search: depth is said twice"),
        ("max_outcomes=1" + 30 * "0", "search: max_outcomes must be from 0"),
    ],
)
def test_bad_options_are_refused_in_one_line(options: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_search(f"10,1,{options}")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("game", ["kuhn", "tictactoe"])
@pytest.mark.parametrize("name", [name for name in OTHERS if name not in ("prior_iterations", "warm_start")])
def test_every_setting_can_be_searched_with(game: str, name: str) -> None:
    store = open_store(load(game))
    settings = replace(SearchSettings(simulations=8), **{name: OTHERS[name]})
    result = Searcher(store, None, settings).search(first_task(store, first_subgame(store).node), seed=1)
    assert abs(result.policy.sum(0) - 1).max() < 1e-9
