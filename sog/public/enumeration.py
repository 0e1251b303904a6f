"""Enumerating a game: all its public states in a store, and their layout.

Solvers, exact evaluation and training's monitor begin here. What only all states together can show is checked
here too: whether the game has a sound public view (`sog.public.common_knowledge`).

Verified: tests/public/test_enumeration.py.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sog.games.view import PublicView
from sog.public.layout import Check, Layout, Progress, lay_out
from sog.public.opening import Viewed, open_store
from sog.public.store import ROOT, StateStore
from sog.public.terminals import Terminals, collect_terminals


class Enumeration(NamedTuple):
    """The public states of a game, all of them or all that are not too deep."""

    store: StateStore
    layout: Layout

    def terminals(self, dtype: npt.DTypeLike = np.float64) -> Terminals:
        """Return what the terminals pay."""
        return collect_terminals(self.store, self.layout, dtype)


def enumerate_game(
    game: Viewed | PublicView, max_depth: int | None = None, progress: Progress | None = None
) -> Enumeration:
    """List all public states of a game breadth first, or those that are not too deep.

    >>> from sog.games.registry import load
    >>> layout = enumerate_game(load("kuhn")).layout
    >>> layout.num_nodes, layout.count(0) + layout.count(1)
    (11, 4)
    """
    return enumerate_store(open_store(game), max_depth, progress)


def enumerate_store(
    store: StateStore,
    max_depth: int | None = None,
    progress: Progress | None = None,
    check: Check | None = None,
) -> Enumeration:
    """List the public states of a store's game, as above; the arguments are those of `lay_out`."""
    layout = lay_out(store, ROOT, max_depth, progress, check)
    store.check(layout.nodes)
    return Enumeration(store, layout)
