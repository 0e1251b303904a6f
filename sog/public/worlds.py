"""The histories of a derived public tree as one flat graph, for solvers that sample them.

A **row** is a world with both players' infostates, as the derived view keeps them; its **moves** lead to
rows of child nodes. A row where a player acts knows the slots of the acting infostate in the public tree,
so sampled regrets land where the traversal's do.

Verified: tests/public/test_worlds.py.
"""

from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F64, Records
from sog.games.base import NUM_PLAYERS, TERMINAL
from sog.public.derived import DerivedView
from sog.public.tree import PublicTree

ROW = np.dtype(
    [
        ("actor", "u4"),
        ("slot", "u4"),  # players: slot of the acting infostate's first action
        ("stride", "u4"),  # players: from one action's slot to the next
        ("move_start", "u4"),  # range in moves
        ("num_moves", "u4"),
        ("utility", "f8"),  # terminal rows: player 0's
    ]
)
MOVE = np.dtype([("row", "u4"), ("chance", "f8")])  # where a move leads, and chance's probability of it


class WorldGraph(NamedTuple):
    """All rows of a tree; row 0 is the root's."""

    rows: Records  # [R] ROW
    moves: Records  # [E] MOVE, in the order of a row's actions or outcomes


def collect_worlds(tree: PublicTree[Any]) -> WorldGraph:
    """Gather the histories of a fully built tree over a derived view."""
    view = tree.view
    assert isinstance(view, DerivedView)
    sizes = [len(state.worlds) for state in tree.states]
    first = np.concatenate(([0], np.cumsum(sizes)))
    rows = np.zeros(first[-1], ROW)
    sources, ordinals, targets, chances = [], [], [], []
    for node, state in enumerate(tree.states):
        here = slice(first[node], first[node + 1])
        rows["actor"][here] = state.actor
        if state.actor == TERMINAL:
            rows["utility"][here] = [view.game.returns(world)[0] for world in state.worlds]
        elif state.actor < NUM_PLAYERS:
            steps, step = tree.steps[state.actor], tree.decision_step[node]
            rows["slot"][here] = steps.output[step] + state.rows[state.actor]
            rows["stride"][here] = steps.rows[step]
        if node > 0:
            sources.append(first[tree.parent[node]] + state.moves[:, 0])
            ordinals.append(state.moves[:, 1])
            targets.append(first[node] + state.moves[:, 2])
            chances.append(state.move_chance)
    return WorldGraph(rows, _sorted_moves(rows, sources, ordinals, targets, chances))


def _sorted_moves(
    rows: Records, sources: list[Any], ordinals: list[Any], targets: list[Any], chances: list[F64]
) -> Records:
    """Sort all moves by row and ordinal, and point the rows at them; rows modified in place."""
    moves = np.zeros(sum(len(part) for part in sources), MOVE)
    if not sources:
        return moves
    source = np.concatenate(sources)
    order = np.lexsort((np.concatenate(ordinals), source))
    moves["row"] = np.concatenate(targets)[order]
    moves["chance"] = np.concatenate(chances)[order]
    rows["num_moves"] = np.bincount(source, minlength=rows.size)
    rows["move_start"][1:] = np.cumsum(rows["num_moves"])[:-1]
    return moves
