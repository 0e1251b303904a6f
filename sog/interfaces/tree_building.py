"""Building a game's public tree for a person who may not know how large it is: with progress and limits.

Verified: tests/interfaces/test_tree_building.py.
"""

from collections.abc import Sequence

from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.view import PublicView
from sog.interfaces.progress import building
from sog.public.enumeration import Enumeration, enumerate_store
from sog.public.opening import open_view
from sog.public.store import StateStore

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
    view: PublicView | None = None,
) -> Enumeration:
    """Enumerate the public states, all or to a depth, and give up where there are too many.

    The limit is `max_states` public states, and `MOVES_PER_STATE` times as many moves of the worlds in them
    (but at least `LEAST_MOVES`): few public states may have millions of worlds. `cure` ends the complaint.
    `view` is another one than the game's usual.
    """
    store = StateStore(open_view(game) if view is None else view)
    max_moves = max(LEAST_MOVES, MOVES_PER_STATE * max_states)
    num_moves = 0

    def check(nodes: Sequence[int]) -> None:
        nonlocal num_moves
        num_moves += store.num_moves(nodes)
        if num_moves > max_moves:
            raise TreeTooLargeError(game, f"{max_moves:,} moves in its worlds", cure)

    def note(num_states: int) -> None:
        if num_states > max_states:
            raise TreeTooLargeError(game, f"{max_states:,} public states", cure)
        report(num_states)

    with building(game.info.name) as report:
        return enumerate_store(store, max_depth, note, check)
