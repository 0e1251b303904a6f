"""The public view of board games without secrets: a public state is a position, known by its node's number.

Where `sog.public.derived` applies moves to worlds one by one, a board's children are counted by one kernel
call and appended to the atlas all at once. Positions are kept for the nodes that were asked about, since most
children never are (`sog.public.rows`).

Verified: tests/public/test_boards.py.
"""

from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F32, F64, I32, U32, Growable
from sog.games.base import TERMINAL, AnyGame
from sog.public.payoffs import PatternBook, PatternTables
from sog.public.rows import open_rows

_NO_ROW = 0xFFFFFFFF


class Children(NamedTuple):
    """What the atlas wants to know of a node's children. A children, by ascending actions."""

    actors: U32  # [A]
    counts: U32  # [A] legal actions
    utilities: F64  # [A] of player 0, where the game is over


class ActionLists(NamedTuple):
    """Legal actions of nodes whose positions are kept; the next node may leave the arrays behind."""

    start: U32  # [N] by node
    counts: U32  # [N]
    actions: U32


class BoardView:
    """Positions of a game, by the numbers that an atlas gives them.

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
        self._actor, self._utility, actions = self.rows.look(self.rows.root)
        self._extend(0, 1, np.array([actions.size], np.uint32))
        self._row_of[0], self._list_of[0] = self.rows.root, self._actions.extend(actions)
        book = PatternBook()
        book.add(np.ones((1, 1)))
        self._tables = PatternTables(book.players())

    @property
    def name(self) -> str:
        """The string that loads the game."""
        return self.game.info.name

    def first(self) -> Children:
        """Return what node 0 is."""
        return Children(
            np.array([self._actor], np.uint32), self._count_of.values[:1], np.array([self._utility])
        )

    def chart(self, node: int) -> Children:
        """Return what a node's children are; from now on they have numbers, the next ones that are free."""
        actions = self.legal_actions(node)
        children = Children(
            np.zeros(actions.size, np.uint32), np.zeros(actions.size, np.uint32), np.zeros(actions.size)
        )
        self.rows.preview(int(self._row_of[node]), actions, *children)
        self._extend(node, actions.size, children.counts)
        return children

    def legal_actions(self, node: int) -> U32:
        """Return the legal actions in a node's position, ascending."""
        self._open(node)
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
        rows = self._row_of.values[nodes]
        if (rows == _NO_ROW).any():
            for node in nodes.tolist():
                self._open(node)
            rows = self._row_of.values[nodes]
        self.rows.write_features(rows, features)

    def add(self, state: Any, is_over: bool) -> tuple[int, float]:
        """Return number and scale of a state's matrix: the atlas scales the only one by itself."""
        return 0, 1.0

    def tables(self) -> PatternTables:
        """Return the one matrix that there is: a single pair of infostates, which payoffs scale."""
        return self._tables

    def _open(self, node: int) -> None:
        """Make a node's position and list its actions, once."""
        if self._row_of[node] != _NO_ROW:
            return
        parent = int(self._parent_of[node])
        self._open(parent)
        action = int(self._actions[int(self._list_of[parent]) + int(self._ordinal_of[node])])
        row = self.rows.add(int(self._row_of[parent]), action)
        actor, _, actions = self.rows.look(row)
        self._row_of[node] = row
        if actor != TERMINAL:
            self._list_of[node] = self._actions.extend(actions)

    def _extend(self, parent: int, size: int, counts: U32) -> None:
        """Number the next nodes."""
        self._row_of.extend(np.full(size, _NO_ROW, np.uint32))
        self._list_of.extend(np.zeros(size, np.uint32))
        self._parent_of.extend(np.full(size, parent, np.uint32))
        self._ordinal_of.extend(np.arange(size, dtype=np.uint32))
        self._count_of.extend(counts)
