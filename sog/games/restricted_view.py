"""A view of positions in which only some of the moves at its root may be played: `searchmoves` of UCI.

Everything below the root is the view's own. A search of this view is a search of those moves alone: no
simulation, no prior and no regret goes to any other.

Verified: tests/games/test_restricted_view.py.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sog.core.arrays import F32, U32, Records
from sog.games.board_view import PositionView
from sog.games.view import Codes, Flows, Store, Successors

_ROOT = 0  # of the store


class RestrictedView:
    """The first of a store's positions has some of its moves alone.

    >>> from sog.games.registry import load
    >>> from sog.games.board_view import WorldBoardView
    >>> view = RestrictedView(WorldBoardView(load("tictactoe")), [0, 4])
    >>> view.open(view.roots(np.random.default_rng())).num_actions.tolist()
    [2]
    """

    def __init__(self, view: PositionView, ordinals: Sequence[int]) -> None:
        """ordinals: of the moves that are left, at least one, counted as the view lists them."""
        self._view, self._kept = view, np.array(sorted(set(ordinals)), np.uint32)
        self.facts, self.dtype, self.encoding = view.facts, view.dtype, view.encoding

    def roots(self, rng: np.random.Generator) -> Records:
        """Return the record of the position to begin with."""
        return self._view.roots(rng)

    def open(self, records: Records) -> Successors:
        """Return the root with the moves that are left."""
        return self._view.open(records)._replace(
            num_actions=np.full(records.size, self._kept.size, np.uint32)
        )

    def successors(self, store: Store, nodes: U32) -> Successors:
        """Return the children of positions, the root's other ones left out."""
        found = self._view.successors(store, nodes)
        for place in np.flatnonzero(nodes == _ROOT):
            first = int(found.counts[:place].sum())
            found = self._restrict(found, int(place), first)
        return found

    def _restrict(self, found: Successors, place: int, first: int) -> Successors:
        """Leave out children of the state at a place, whose children begin with the first."""
        count = int(found.counts[place])
        kept = np.concatenate(
            [np.arange(first), first + self._kept, np.arange(first + count, found.actor.size)]
        ).astype(np.int64)
        own = slice(first, first + self._kept.size)
        counts = found.counts.copy()
        counts[place] = self._kept.size
        return found._replace(
            counts=counts,
            rows=(found.rows[0][kept], found.rows[1][kept]),
            flows=(self._flows(found.flows[0], kept, own), self._flows(found.flows[1], kept, own)),
            **{name: getattr(found, name)[kept] for name in _BY_CHILD},
        )

    def _flows(self, flows: Flows, kept: npt.NDArray[np.int64], own: slice) -> Flows:
        """Return the flows of children that are left: the mover's begin at new ordinals, the other's at 0."""
        start = flows.start[kept]
        start[own] = np.searchsorted(self._kept, start[own])
        return flows._replace(start=start, bounds=flows.bounds[: kept.size + 1])

    def matrices(self, dtype: npt.DTypeLike) -> Any:
        """Return the view's matrices."""
        return self._view.matrices(dtype)

    def write_planes(self, store: Store, nodes: U32, features: F32) -> None:
        """Write the planes of B positions; features [B, F] modified in place."""
        self._view.write_planes(store, nodes, features)

    def encode(self, store: Store, nodes: U32) -> Codes:
        """Return the codes of positions; the root has the choices that are left."""
        codes = self._view.encode(store, nodes)
        choices = codes.choices
        for place in np.flatnonzero(nodes == _ROOT)[::-1]:
            first = self._view.encode(store, nodes[:place]).choices.size
            last = self._view.encode(store, nodes[: place + 1]).choices.size
            choices = np.concatenate([choices[:first], choices[first:last][self._kept], choices[last:]])
        return codes._replace(choices=choices)


_BY_CHILD = (
    *("states", "actor", "num_actions", "joint", "payoff", "joint_scale", "payoff_scale", "value_scale"),
)
