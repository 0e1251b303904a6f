"""Where a play stands in an atlas: a node, and the number of a world there.

Worlds are rows of a derived public state; on a board every state has one. What whoever follows a play wants
to know is asked here, whichever kind of atlas it is.

Verified: tests/public/test_plays.py.
"""

from typing import Any

from sog.games.base import TERMINAL, AnyGame
from sog.public.atlas import Atlas


def game_of(atlas: Atlas) -> AnyGame:
    """Return the game that an atlas charts."""
    game: AnyGame = atlas.board.game if atlas.is_board else atlas.view.game
    return game


def infostates_at(atlas: Atlas, node: int, world: int) -> tuple[int, int]:
    """Return the infostate that each player is in."""
    if atlas.is_board:
        return 0, 0
    rows = atlas.states[node].rows
    return int(rows[0, world]), int(rows[1, world])


def num_choices(atlas: Atlas, node: int, infostate: int) -> int:
    """Return how many moves an infostate of the acting player has."""
    if atlas.is_board:
        return int(atlas.rules().nodes[node]["num_actions"])
    return len(atlas.states[node].legal[infostate])


def is_waiting(atlas: Atlas, node: int, world: int) -> bool:
    """Return whether another than the node's actor is to move: dark games let a player wait."""
    return not atlas.is_board and bool(atlas.view.game.actor(_world(atlas, node, world)) != atlas.actor(node))


def chances_at(atlas: Atlas, node: int, world: int) -> list[float]:
    """Return the probabilities of chance's moves."""
    return [chance for _, chance in atlas.view.game.chance_outcomes(_world(atlas, node, world))]


def utility_at(atlas: Atlas, node: int, world: int) -> float:
    """Return what player 0 has won where the game is over."""
    if atlas.actor(node) != TERMINAL:
        raise ValueError(f"the game is not over at node {node}")
    if atlas.is_board:
        return float(atlas.rules().nodes[node]["scale"])
    return float(atlas.view.game.returns(_world(atlas, node, world))[0])


def _world(atlas: Atlas, node: int, world: int) -> Any:
    return atlas.states[node].worlds[world]
