"""Public views of board games without secrets: a public state is a position, and its record the position.

Both players have one infostate everywhere, so a view needs to tell no more than what the children of
positions are: the game's kernels list and judge them, and `PositionView` makes `Successors` of that. Records
are words of 64 bits. Rules that look back (repetition, superko) and planes of past boards walk along a
`Line`: records of ancestors in the store, then what came before the view's start.

`WorldBoardView` serves small games without kernels: there a record is the number of a world.

Verified: tests/games/test_board_views.py.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sog.core.arrays import F32, F64, U32, U64, Records
from sog.core.errors import InputError
from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.games.base import TERMINAL, AnyGame, Encoding
from sog.games.matrices import MatrixBook
from sog.games.promises import Promises
from sog.games.view import NO_PARENT, Codes, Flows, Heard, Store, Successors, ViewFacts

NOWHERE = np.uint64(0xFFFFFFFFFFFFFFFF)  # before the first position that is known
_PAST = np.uint64(1 << 32)  # from here on, places on a line are rows of its past


class Line(NamedTuple):
    """Positions of a store and what came before. A place on a line is a node or a row of the past."""

    records: U64  # [N, W] the last word of a root says whether `past` came before it
    parents: U32  # [N]
    past: U64  # [n, W] oldest first


class PositionFacts(NamedTuple):
    """What searches must know of B positions."""

    actors: U32  # [B]
    counts: U32  # [B] legal actions, 0 where the game is over
    utilities: F64  # [B] of player 0, where the game is over


class Children(NamedTuple):
    """The C positions after every legal action in B positions."""

    counts: U32  # [B]
    movers: U32  # [B] who acts in each of the B positions
    records: U64  # [C, W]
    facts: PositionFacts  # [C]


def allocate_facts(size: int) -> PositionFacts:
    """Return room for so many positions."""
    return PositionFacts(np.empty(size, np.uint32), np.empty(size, np.uint32), np.empty(size))


def allocate_children(num_nodes: int, most: int, width: int) -> Children:
    """Return room for at most so many children of each node."""
    size = num_nodes * most
    counts, movers = np.empty(num_nodes, np.uint32), np.empty(num_nodes, np.uint32)
    return Children(counts, movers, np.empty((size, width), np.uint64), allocate_facts(size))


def is_board_game(game: AnyGame) -> bool:
    """Whether nothing is hidden and the game shows networks planes of a board."""
    encoding = game.encoding
    return game.info.is_perfect_information and encoding is not None and len(encoding.features) == 3


class PositionView(ABC):
    """What views of positions share; games add the four methods at the end."""

    def __init__(self, game: AnyGame, world: Any, start: Records, past: U64) -> None:
        """world: to begin with; start: [1] its record; past: [n, W] positions before it, as words."""
        self.game, self.dtype, self._world = game, start.dtype, world
        self.facts = ViewFacts(game.info.name, game.info.max_utility, True, game.symmetries)
        self._start, self._past = start, past
        self._book = MatrixBook()

    def roots(self, rng: np.random.Generator) -> Records:
        """Return the record of the position to begin with."""
        return self._start

    def open(self, records: Records) -> Successors:
        """Return what records are as roots."""
        size = records.size
        facts, _ = self._look(self._alone(records), np.arange(size, dtype=np.uint32))
        starts = np.zeros(size, np.uint32), np.zeros(size, np.uint32)
        return self._successors(np.ones(size, np.uint32), records, facts, starts)

    def successors(self, store: Store, nodes: U32) -> Successors:
        """Return the positions after every legal action in B positions."""
        children = self._expand(self._line(store), nodes)
        size = int(children.counts.sum())
        starts = np.zeros(size, np.uint32), np.zeros(size, np.uint32)
        _number_actions(children.counts, children.movers, *starts)
        actors, counts, utilities = children.facts
        facts = PositionFacts(actors[:size], counts[:size], utilities[:size])
        return self._successors(children.counts, self._records(children.records[:size]), facts, starts)

    def matrices(self, dtype: npt.DTypeLike) -> Any:
        """Return the one matrix that there is: a pair of infostates, which payoffs scale."""
        return self._book.tables(dtype)

    def write_planes(self, store: Store, nodes: U32, features: F32) -> None:
        """Write the planes of B positions; features [B, F] modified in place."""
        self._write_planes(self._line(store), nodes, features)

    @property
    def encoding(self) -> Encoding:
        """Sizes of what networks are shown."""
        assert self.game.encoding is not None
        return self.game.encoding

    def encode(self, store: Store, nodes: U32) -> Codes:
        """Return the codes of positions: the mover's value comes first."""
        facts, actions = self._look(self._line(store), nodes)
        second = (facts.actors == 1).astype(np.int32)
        return Codes(None, (second, 1 - second), actions.astype(np.int32))

    def _actions(self, store: Store, node: int) -> list[int]:
        """Return the legal actions in a position."""
        return [int(action) for action in self._look(self._line(store), np.array([node], np.uint32))[1]]

    def worlds(self, store: Store, node: int) -> list[tuple[Any, int, int, float]]:
        """Return the one world that a node may be in, with its past."""
        ordinals = list[int]()
        while store.parents[node] != NO_PARENT:
            ordinals.append(int(store.ordinals[node]))
            node = int(store.parents[node])
        record = store.records[node]
        world = self._world if record == self._start[0] else self.world_of(record)
        for ordinal in reversed(ordinals):
            world = self.game.apply(world, self.game.legal_actions(world)[ordinal])
        return [(world, 0, 0, 1.0)]

    def observation(self, store: Store, node: int) -> str:
        """Return the name of the move that led to a node; empty for a root."""
        return "" if store.parents[node] == NO_PARENT else str(self.hear(store, node, 0, 0).public)

    def infostate_name(self, store: Store, node: int, player: int, row: int) -> str:
        """Return the moves so far, which is all that a player knows."""
        names = list[str]()
        while store.parents[node] != NO_PARENT:
            names.append(self.observation(store, node))
            node = int(store.parents[node])
        return " | " + " ".join(reversed(names))

    def action_names(self, store: Store, node: int, row: int) -> list[str]:
        """Return the names of the legal actions."""
        world = self.world_of(store.records[node])
        return [self.game.action_name(world, action) for action in self._actions(store, node)]

    def hear(self, store: Store, child: int, seat: int, row: int) -> Heard:
        """Return the move, which everybody sees."""
        return Heard(self._seen(store, int(store.parents[child]), int(store.ordinals[child])), None)

    def follow(self, store: Store, node: int, seat: int, row: int, heard: Sequence[Heard]) -> tuple[int, int]:
        """Return the position after moves that everybody sees."""
        for step in heard:
            names = list[Hashable](self.action_names(store, node, 0))
            named = [names.index(step.public)] if step.public in names else []  # mostly what is seen
            likely = (*named, *range(len(names)))
            ordinal = next((at for at in likely if self._seen(store, node, at) == step.public), None)
            if ordinal is None:
                raise ValueError(f"{self.facts.name}: {str(step.public)[:40]!r} is no move here")
            node = store.children(node)[ordinal]
        return node, 0

    def _seen(self, store: Store, node: int, ordinal: int) -> Hashable:
        """Return what everybody sees of a move."""
        before, action = self.world_of(store.records[node]), self._actions(store, node)[ordinal]
        return self.game.public_observation(before, action, self.game.apply(before, action))

    def _line(self, store: Store) -> Line:
        return Line(self._words(store.records), store.parents, self._past)

    def _alone(self, records: Records) -> Line:
        """Return records as roots on a line."""
        return Line(self._words(records), np.full(records.size, NO_PARENT, np.uint32), self._past)

    def _words(self, records: Records) -> U64:
        """Return records [N] as words [N, W]."""
        return np.ascontiguousarray(records).view(np.uint64).reshape(-1, self.dtype.itemsize // 8)

    def _records(self, words: U64) -> Records:
        """Return words [N, W] as records [N]."""
        records: Records = words.reshape(-1).view(self.dtype)
        return records

    def _successors(
        self, counts: U32, records: Records, facts: PositionFacts, starts: tuple[U32, U32]
    ) -> Successors:
        """Return positions as public states, in which each player has one infostate."""
        size = records.size
        zeros, none = np.zeros(size + 1, np.uint32), np.zeros(0, np.uint32)
        ones, scale = np.ones(size, np.uint32), np.ones(size)
        return Successors(
            counts=counts,
            states=records,
            actor=facts.actors,
            num_actions=facts.counts,
            rows=(ones, ones),
            legal=None,
            flows=(Flows(starts[0], zeros, none, none), Flows(starts[1], zeros, none, none)),
            joint=zeros[:size],
            payoff=zeros[:size],
            joint_scale=scale,
            payoff_scale=facts.utilities,
            value_scale=scale * self.facts.max_utility,
        )

    @abstractmethod
    def world_of(self, record: Any) -> Any:
        """Return a record as a world of the game, which may have lost its past: enough for names."""

    @abstractmethod
    def _look(self, line: Line, nodes: U32) -> tuple[PositionFacts, U32]:
        """Return what there is to know of B positions, and their legal actions one after the other."""

    @abstractmethod
    def _expand(self, line: Line, nodes: U32) -> Children:
        """Return all children of B positions, and perhaps room that is not used at the end."""

    @abstractmethod
    def _write_planes(self, line: Line, nodes: U32, features: F32) -> None:
        """Write the planes of B positions; features [B, F] modified in place."""


class WorldBoardView(PositionView):
    """Positions of any board game without secrets and chance; the rules are asked in Python, once for each.

    >>> from sog.games.registry import load
    >>> view = WorldBoardView(load("tictactoe"))
    >>> view.open(view.roots(np.random.default_rng())).num_actions.tolist()
    [9]
    """

    def __init__(self, game: AnyGame, world: Any = None) -> None:
        if not is_board_game(game):
            raise InputError(f"{game.info.name} is not played on a board without secrets")
        world = game.initial_world() if world is None else world
        super().__init__(game, world, np.zeros(1, [("world", "u8")]), np.zeros((0, 1), np.uint64))
        self._promises = Promises(game)
        self._worlds = list[Any]()  # by number
        self._numbers = dict[Any, int]()
        self._known = list[_Position]()
        self._children = dict[int, list[int]]()
        self._number(world)  # the record of the start is 0

    def world_of(self, record: Any) -> Any:
        """Return the world itself."""
        return self._worlds[int(record["world"])]

    def _look(self, line: Line, nodes: U32) -> tuple[PositionFacts, U32]:
        numbers = line.records[nodes, 0].tolist()
        actions = [action for number in numbers for action in self._known[number].actions]
        return self._facts(numbers), np.array(actions, np.uint32)

    def _expand(self, line: Line, nodes: U32) -> Children:
        numbers = line.records[nodes, 0].tolist()
        below = [self._below(number) for number in numbers]
        children = [child for family in below for child in family]
        counts, movers = [len(family) for family in below], [self._known[number].actor for number in numbers]
        return Children(
            np.array(counts, np.uint32),
            np.array(movers, np.uint32),
            np.array(children, np.uint64).reshape(-1, 1),
            self._facts(children),
        )

    def _write_planes(self, line: Line, nodes: U32, features: F32) -> None:
        for index, number in enumerate(line.records[nodes, 0].tolist()):
            features[index] = self.game.public_features(self._worlds[number])

    def _number(self, world: Any) -> int:
        """Return a world's number, a new one if it was not met before."""
        number = self._numbers.setdefault(world, len(self._worlds))
        if number == len(self._worlds):
            actor = self.game.actor(world)
            is_over = actor == TERMINAL
            actions = () if is_over else self.game.legal_actions(world)
            utility = self._promises.utility(world) if is_over else 0.0
            if not is_over:
                self._promises.actor(world, actor)
                self._promises.actions(world, actions)
            self._worlds.append(world)
            self._known.append(_Position(actor, actions, utility))
        return number

    def _below(self, number: int) -> list[int]:
        """Return the numbers of a world's children."""
        if number not in self._children:
            world, apply = self._worlds[number], self.game.apply
            actions = self._known[number].actions
            self._children[number] = [self._number(apply(world, action)) for action in actions]
        return self._children[number]

    def _facts(self, numbers: list[int]) -> PositionFacts:
        known = [self._known[number] for number in numbers]
        return PositionFacts(
            np.array([position.actor for position in known], np.uint32),
            np.array([len(position.actions) for position in known], np.uint32),
            np.array([position.utility for position in known], np.float64),
        )


class _Position(NamedTuple):
    actor: int
    actions: tuple[int, ...]
    utility: float  # of player 0, where the game is over


@inlined
def before(line: Line, place: np.uint64) -> np.uint64:
    """Return the place of the position before, `NOWHERE` if it is not known."""
    if place >= _PAST:
        return place - ONE if place > _PAST else NOWHERE
    parent = line.parents[place]
    if parent != np.uint32(NO_PARENT):
        return np.uint64(parent)
    length, last = np.uint64(line.past.shape[0]), np.uint64(line.records.shape[1] - 1)
    if length == ZERO or line.records[place, last] == ZERO:
        return NOWHERE
    return _PAST + length - ONE


@inlined
def word_at(line: Line, place: np.uint64, index: np.uint64) -> np.uint64:
    """Return a word of the position at a place."""
    if place >= _PAST:
        return np.uint64(line.past[place - _PAST, index])
    return np.uint64(line.records[place, index])


@kernel
def _number_actions(counts: U32, movers: U32, first: U32, second: U32) -> None:
    """Write each child's ordinal to its mover's array; first and second [C], zeros, modified in place."""
    at = ZERO
    for number in range(counts.size):
        index = np.uint64(number)
        starts = first if movers[index] == ZERO else second
        for ordinal in range(np.uint64(counts[index])):
            starts[at] = ordinal
            at += ONE
