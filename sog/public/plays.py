"""Where a play stands in a store: a node, and the number of a world there.

Worlds are rows of a derived public state; on a board every state has one. What whoever follows a play wants
to know is asked here, whichever kind of store it is.

Verified: tests/public/test_plays.py.
"""

from typing import Any

from sog.games.base import TERMINAL, AnyGame
from sog.public.store import StateStore


def game_of(store: StateStore) -> AnyGame:
    """Return the game that a store charts."""
    game: AnyGame = store.board.game if store.is_board else store.view.game
    return game


def infostates_at(store: StateStore, node: int, world: int) -> tuple[int, int]:
    """Return the infostate that each player is in."""
    if store.is_board:
        return 0, 0
    rows = store.states[node].rows
    return int(rows[0, world]), int(rows[1, world])


def num_choices(store: StateStore, node: int, infostate: int) -> int:
    """Return how many moves an infostate of the acting player has."""
    if store.is_board:
        return int(store.arrays().nodes[node]["num_actions"])
    return len(store.states[node].legal[infostate])


def is_waiting(store: StateStore, node: int, world: int) -> bool:
    """Return whether another than the node's actor is to move: dark games let a player wait."""
    return not store.is_board and bool(store.view.game.actor(_world(store, node, world)) != store.actor(node))


def chances_at(store: StateStore, node: int, world: int) -> list[float]:
    """Return the probabilities of chance's moves."""
    return [chance for _, chance in store.view.game.chance_outcomes(_world(store, node, world))]


def utility_at(store: StateStore, node: int, world: int) -> float:
    """Return what player 0 has won where the game is over."""
    if store.actor(node) != TERMINAL:
        raise ValueError(f"the game is not over at node {node}")
    if store.is_board:
        return float(store.arrays().nodes[node]["scale"])
    return float(store.view.game.returns(_world(store, node, world))[0])


def _world(store: StateStore, node: int, world: int) -> Any:
    return store.states[node].worlds[world]
