"""Building a game's public tree for a person who may not know how large it is: with progress and limits.

Verified: tests/interfaces/test_tree_building.py.
"""

from typing import Any

from sog.core.errors import InputError
from sog.games.base import CHANCE, TERMINAL, AnyGame
from sog.interfaces.progress import building
from sog.public.derived import DerivedState, DerivedView
from sog.public.tree import ROOT, PublicTree, grow_fully

MOVES_PER_STATE = 10  # of the worlds in a public state, on average: what the limit allows for
LEAST_MOVES = 2_000_000  # always allowed
MORE_STATES = f"--max-states N allows N public states and {MOVES_PER_STATE} N moves"


class TreeTooLargeError(InputError):
    """A game whose tree goes beyond the limit."""

    def __init__(self, game: AnyGame, size: str, cure: str) -> None:
        super().__init__(f"{game.info.name} has more than {size}: {cure}")


def build_limited_tree(
    game: AnyGame,
    max_states: int,
    max_depth: int | None = None,
    cure: str = MORE_STATES,
    merge: bool | None = None,
) -> PublicTree[Any]:
    """Build the public tree breadth first, whole or to a depth, and give up where it grows too large.

    The limit is `max_states` public states, and `MOVES_PER_STATE` times as many moves of the worlds in them
    (but at least `LEAST_MOVES`): few public states may have millions of worlds. `cure` ends the complaint.
    """
    tree: PublicTree[Any] = PublicTree(DerivedView(game, merge))
    max_moves = max(LEAST_MOVES, MOVES_PER_STATE * max_states)
    num_moves, node = 0, ROOT
    with building(game.info.name) as report:
        while node < tree.num_nodes:
            if tree.actor[node] != TERMINAL and (max_depth is None or tree.depth[node] < max_depth):
                num_moves += _num_moves(game, tree.states[node])
                if num_moves > max_moves:
                    raise TreeTooLargeError(game, f"{max_moves:,} moves in its worlds", cure)
                tree.expand(node)
                if tree.num_nodes > max_states:
                    raise TreeTooLargeError(game, f"{max_states:,} public states", cure)
            report(tree.num_nodes)
            node += 1
    return grow_fully(tree, max_depth)  # nothing left to grow: this checks what only a whole tree can show


def _num_moves(game: AnyGame, state: DerivedState) -> int:
    """Return how many worlds expanding a public state goes through."""
    if state.actor == CHANCE:
        return sum(
            len(game.chance_outcomes(world)) if game.actor(world) == CHANCE else 1 for world in state.worlds
        )
    return sum(len(state.legal[infostate]) for infostate in state.rows[state.actor].tolist())
