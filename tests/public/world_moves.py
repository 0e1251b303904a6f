"""Where a move of a world leads in a derived view: an oracle for plays that are followed otherwise."""

import numpy as np

from sog.public.derived import DerivedView
from sog.public.store import StateStore


def move_world(store: StateStore, node: int, place: int, move: int) -> tuple[int, int]:
    """Return the child that a move of a node's world leads to, and the world's place there."""
    assert isinstance(store.view, DerivedView)
    for child in store.children(node):
        moves = store.view.state(store, child).moves
        found = np.flatnonzero((moves[:, 0] == place) & (moves[:, 1] == move))
        if found.size:
            return child, int(moves[found[0], 2])
    raise ValueError(f"there is no move {move} here")


def rows_of(store: StateStore, node: int, place: int) -> tuple[int, int]:
    """Return both players' infostates in a node's world."""
    assert isinstance(store.view, DerivedView)
    rows = store.view.state(store, node).rows
    return int(rows[0, place]), int(rows[1, place])
