"""`sog show GAME`: how large a game is, and a picture of its public tree.

Verified: tests/interfaces/cli/test_show_command.py.
"""

import inspect
from pathlib import Path
from typing import Any, NamedTuple

from sog.core.errors import InputError
from sog.core.spec import parse_spec
from sog.games.base import AnyGame
from sog.games.own_files import find_source
from sog.games.registry import GAMES, OPENSPIEL_PREFIX, factory_of, load
from sog.interfaces.cli.games_command import information
from sog.interfaces.cli.tree_building import build_limited_tree
from sog.interfaces.cli.tree_sizes import Sizes, count_tree, measure
from sog.interfaces.output import PICTURES, check_output, columns, print_json
from sog.public.derived import DerivedView
from sog.public.limits import TreeTooLargeError


class Options(NamedTuple):
    """The options of `sog show`."""

    game: str
    json: bool
    depth: int | None
    tree: Path | None
    max_states: int


def run(options: Options) -> int:
    """Count, draw and print."""
    game = load(options.game)
    check_output("--tree", options.tree, PICTURES)
    if options.tree is None:
        sizes = measure(game, options.max_states, options.depth)
    else:
        sizes = _draw(game, options.tree, options.depth)
    figures = _figures(game, sizes)
    if options.json:
        print_json(figures)
    else:
        print("\n".join([game.info.name, *_lines(figures)]))
    return 0


def parameters(game: AnyGame) -> dict[str, Any]:
    """Return a game's parameters, those it was not given too."""
    source = find_source(game.info.name)
    if source is not None:
        return parse_spec(source.call, "game")[1]
    prefix, _, text = game.info.name.rpartition(OPENSPIEL_PREFIX)
    try:
        name, given = parse_spec(text, "game")
    except InputError:  # OpenSpiel's names may hold other games
        return {}
    known = inspect.signature(factory_of(name)).parameters.values() if not prefix and name in GAMES else ()
    defaults = {parameter.name: parameter.default for parameter in known}
    return {key: value for key, value in (defaults | given).items() if value is not None}


def _draw(game: AnyGame, path: Path, depth: int | None) -> Sizes:
    """Draw the tree if it is small enough for paper."""
    from sog.interfaces.plots.tree_picture import MAX_NODES, draw_tree  # matplotlib is slow to import

    try:
        view = DerivedView(game)
        tree = build_limited_tree(game, MAX_NODES, depth, view=view)
    except TreeTooLargeError:
        raise InputError(
            f"{game.info.name} has more than {MAX_NODES} public states, too many to draw:"
            " --depth N draws the first N moves"
        ) from None
    draw_tree(tree, path)
    return count_tree(view, tree)


def _figures(game: AnyGame, sizes: Sizes) -> dict[str, Any]:
    info = game.info
    return {
        "game": info.name,
        "parameters": parameters(game),
        "information": information(game),
        "num_actions": info.num_actions,
        "max_length": info.max_length,
        "value_bounds": [-info.max_utility, info.max_utility],
        **sizes._asdict(),
    }


def _lines(figures: dict[str, Any]) -> list[str]:
    low, high = figures["value_bounds"]
    by_player = figures["infostates_by_player"]
    given = ", ".join(f"{key}={value}" for key, value in figures["parameters"].items())
    rows = [
        ("information", figures["information"]),
        ("parameters", given or "none"),
        ("actions", f"{figures['num_actions']:,}"),
        ("longest play", f"{figures['max_length']:,} moves, chance's included"),
        ("value bounds", f"{low:g} to {high:g}"),
        ("histories", f"{figures['histories']:,}"),
        ("  terminal", f"{figures['terminal_histories']:,}"),
        ("  chance nodes", f"{figures['chance_nodes']:,}"),
        ("infostates", f"{figures['infostates']:,}"),
        ("  player 0", f"{by_player[0]:,}"),
        ("  player 1", f"{by_player[1]:,}"),
        ("public states", f"{figures['public_states']:,}"),
        ("  decisions", f"{figures['public_decision_states']:,}"),
        ("  chance", f"{figures['public_chance_states']:,}"),
        ("  terminal", f"{figures['public_terminal_states']:,}"),
        ("depth", f"{figures['depth']:,}" + ("" if figures["is_complete"] else ", cut off by --depth")),
    ]
    return [f"  {line}" for line in columns(rows, gap=4)]
