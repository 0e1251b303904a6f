"""Building a game's public tree for a person who may not know how large it is: with progress and limits.

Verified: tests/public/test_limits.py.
"""

from sog.games.base import AnyGame, Game
from sog.games.view import PublicView
from sog.interfaces.cli.progress import building
from sog.public.enumeration import Enumeration
from sog.public.limits import MOVES_PER_STATE, enumerate_within

MORE_STATES = f"--max-states N allows N public states and {MOVES_PER_STATE} N moves"


def build_limited_tree(
    game: AnyGame | PublicView,
    max_states: int,
    max_depth: int | None = None,
    cure: str = MORE_STATES,
    view: PublicView | None = None,
) -> Enumeration:
    """Enumerate the public states as `enumerate_within` does, and say how far it is."""
    name = game.info.name if isinstance(game, Game) else game.facts.name
    with building(name) as report:
        return enumerate_within(game, max_states, max_depth, cure, view, report)
