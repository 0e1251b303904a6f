"""The public view of board games without secrets: a public state is a position, known by its node's number.

Where `sog.public.derived` applies moves to worlds one by one, the children of many positions are counted by
one kernel call and appended to the store all at once. Positions are kept for the nodes that were asked about,
since most children never are (`sog.public.rows`).

Verified: tests/public/test_boards.py.
"""

from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F32, I32, U32, Growable
from sog.games.base import AnyGame
from sog.public.looks import Looks, count_up
from sog.public.payoffs import PatternBook, PatternTables
from sog.public.rows import open_rows

_NO_ROW = 0xFFFFFFFF


class ActionLists(NamedTuple):
    """Legal actions of nodes whose positions are kept; the next node may leave the arrays behind."""

    start: U32  # [N] by node
    counts: U32  # [N]
    actions: U32


class BoardView:
    """Positions of a game, by the numbers that a store gives them.

    >>> from sog.games.registry import load
    >>> board = BoardView(load("go(size=5)"))
    >>> board.legal_actions(0).size
    26
    """

    def __init__(self, game: AnyGame, world: Any = None) -> None:
        self.game = game
        self._first_world = game.initial_world() if world is None else world
        self.rows = open_rows(game, self._first_world)
        self._row_of: Growable[Any] = Growable(np.uint32)  # by node; _NO_ROW until it is asked about
        self._list_of: Growable[Any] = Growable(np.uint32)  # by node: where its actions begin
        self._parent_of: Growable[Any] = Growable(np.uint32)
        self._ordinal_of: Growable[Any] = Growable(np.uint32)
        self._count_of: Growable[Any] = Growable(np.uint32)
        self._actions: Growable[Any] = Growable(np.uint32)
        self._first, actions = self.rows.look(np.array([self.rows.root], np.uint32))
        self._extend(np.zeros(1, np.uint32), np.ones(1, np.uint32), self._first.counts)
        self._row_of[0], self._list_of[0] = self.rows.root, self._actions.extend(actions)
        book = PatternBook()
        book.add(np.ones((1, 1)))
        self._tables = PatternTables(book.players())

    @property
    def name(self) -> str:
        """The string that loads the game."""
        return self.game.info.name

    def first(self) -> Looks:
        """Return what node 0 is."""
        return self._first

    def children(self, nodes: U32) -> Looks:
        """Return what the children of B nodes are, one node's after the other's.

        From now on they have numbers, the next ones that are free.
        """
        self.open(nodes)
        counts = self._count_of.values[nodes]
        places = np.repeat(self._list_of.values[nodes], counts) + count_up(counts)
        children = self.rows.preview(self._row_of.values[nodes], counts, self._actions.values[places])
        self._extend(nodes, counts, children.counts)
        return children

    def legal_actions(self, node: int) -> U32:
        """Return the legal actions in a node's position, ascending."""
        self.open(np.array([node], np.uint32))
        first = int(self._list_of[node])
        actions: U32 = self._actions.values[first : first + int(self._count_of[node])]
        return actions

    def lists(self) -> ActionLists:
        """Return the legal actions of every node that was asked about, for kernels."""
        return ActionLists(self._list_of.values, self._count_of.values, self._actions.values)

    def action_names(self, node: int) -> list[str]:
        """Return the names of the legal actions."""
        world = self.world(node)
        return [self.game.action_name(world, action) for action in self.legal_actions(node).tolist()]

    def move_name(self, node: int) -> str:
        """Return the name of the move that led to a node."""
        *before, last = self.actions_to(node)
        world = self._first_world
        for action in before:
            world = self.game.apply(world, action)
        return self.game.action_name(world, last)

    def world(self, node: int) -> Any:
        """Return a node's position as a world of the game."""
        world = self._first_world
        for action in self.actions_to(node):
            world = self.game.apply(world, action)
        return world

    def actions_to(self, node: int) -> list[int]:
        """Return the actions that lead from the first position to a node's."""
        actions = []
        while node:
            parent = int(self._parent_of[node])
            first = int(self._list_of[parent])
            actions.append(int(self._actions[first + int(self._ordinal_of[node])]))
            node = parent
        return actions[::-1]

    def write_features(self, nodes: I32, features: F32) -> None:
        """Write what networks see of B nodes; features [B, F] modified in place."""
        self.open(nodes)
        self.rows.write_features(self._row_of.values[nodes], features)

    def add(self, state: Any, is_over: bool) -> tuple[int, float]:
        """Return number and scale of a state's matrix: the store scales the only one by itself."""
        return 0, 1.0

    def tables(self) -> PatternTables:
        """Return the one matrix that there is: a single pair of infostates, which payoffs scale."""
        return self._tables

    def open(self, nodes: U32 | I32) -> None:
        """Make positions of nodes and list their actions, once."""
        closed = nodes[self._row_of.values[nodes] == _NO_ROW]
        if closed.size == 0:
            return
        if closed.size > 1:
            closed = np.unique(closed)
        parents = self._parent_of.values[closed]
        self.open(parents)
        moves = self._list_of.values[parents] + self._ordinal_of.values[closed]
        first = self.rows.add(self._row_of.values[parents], self._actions.values[moves])
        rows = np.arange(first, first + closed.size, dtype=np.uint32)
        looks, actions = self.rows.look(rows)
        start = self._actions.extend(actions)
        self._row_of.values[closed] = rows
        self._list_of.values[closed] = start + np.cumsum(looks.counts) - looks.counts

    def _extend(self, parents: U32, sizes: U32, counts: U32) -> None:
        """Number the next nodes, `sizes` of them below each parent; counts of the legal actions of each."""
        size = counts.size
        self._row_of.extend(np.full(size, _NO_ROW, np.uint32))
        self._list_of.extend(np.zeros(size, np.uint32))
        self._parent_of.extend(np.repeat(parents, sizes))
        self._ordinal_of.extend(count_up(sizes))
        self._count_of.extend(counts)
