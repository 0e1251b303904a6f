"""Enumerating a game that may be too large: refused at once where that can be seen, or else at the limit.

The limit is a number of public states, and `MOVES_PER_STATE` times as many moves of the worlds in them (but
at least `LEAST_MOVES`): few public states may have millions of worlds. Before anything is listed, some random
plays tell how many histories there are, by Knuth's estimate: the products of the numbers of choices on the
way. Its mean is the number of histories, and at most half of all plays can estimate more than twice the mean
(Markov), so a game is refused where more than half of the plays estimate more than twice the limit.

Verified: tests/public/test_limits.py.
"""

import random
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from sog.core.errors import InputError
from sog.games.base import Game
from sog.games.view import PublicView
from sog.public.enumeration import Enumeration, enumerate_store
from sog.public.opening import Viewed, open_view
from sog.public.store import StateStore

DEFAULT_MAX_STATES = 250_000
MOVES_PER_STATE = 10  # of the worlds in a public state, on average: what the limit allows for
LEAST_MOVES = 2_000_000  # always allowed
_PLAYS = 15
_FAR = 2.0  # times the limit

Progress = Callable[[int], None]


class TreeTooLargeError(InputError):
    """A game whose tree goes beyond the limit."""

    def __init__(self, name: str, size: str, cure: str) -> None:
        super().__init__(f"{name} has {size}" + (f": {cure}" if cure else ""))


def enumerate_within(
    game: Viewed | PublicView,
    max_states: int = DEFAULT_MAX_STATES,
    max_depth: int | None = None,
    cure: str = "",
    view: PublicView | None = None,
    progress: Progress | None = None,
) -> Enumeration:
    """Enumerate the public states, all or to a depth, and give up where there are too many.

    cure: what can be done about it, to end the complaint. view: another one than the game's usual.

    >>> from sog.games.registry import load
    >>> enumerate_within(load("kuhn")).layout.num_nodes
    11
    """
    max_moves = max(LEAST_MOVES, MOVES_PER_STATE * max_states)
    if isinstance(game, Game):
        refuse_hopeless(game, max_states, max_moves, max_depth, cure)
    store = StateStore(open_view(game) if view is None else view)
    name, num_moves = store.facts.name, 0
    unit = "histories" if store.facts.hides_nothing else "public states"

    def check(nodes: Sequence[int]) -> None:
        nonlocal num_moves
        num_moves += store.num_moves(nodes)
        if num_moves > max_moves:
            raise TreeTooLargeError(name, f"more than {max_moves:,} moves in its worlds", cure)

    def note(num_states: int) -> None:
        if num_states > max_states:
            raise TreeTooLargeError(name, f"more than {max_states:,} {unit}", cure)
        if progress is not None:
            progress(num_states)

    return enumerate_store(store, max_depth, note, check)


def refuse_hopeless(
    game: Game[Any], max_states: int, max_moves: int, max_depth: int | None, cure: str
) -> None:
    """Refuse a game that random plays show to be far too large.

    Where nothing is hidden every history is a public state of its own. Elsewhere every history is a move of a
    world, unless infostates are merged.
    """
    if game.merges_infostates:
        return
    limit = max_states if game.info.is_perfect_information else max_moves
    depth = game.info.max_length if max_depth is None else min(max_depth, game.info.max_length)
    rng = random.Random(0)
    if median(_estimate(game, depth, 10 * _FAR * limit, rng) for _ in range(_PLAYS)) > _FAR * limit:
        raise TreeTooLargeError(game.info.name, f"far more than {limit:,} histories", cure)


def _estimate(game: Game[Any], depth: int, enough: float, rng: random.Random) -> float:
    """Return how many histories there are if all plays are like a random one; not beyond what is enough."""
    world, ways, total = game.initial_world(), 1.0, 1.0
    for _ in range(depth):
        moves = game.moves(world)
        if not moves or total > enough:
            break
        ways *= len(moves)
        total += ways
        world = game.apply(world, rng.choice(moves))
    return total
