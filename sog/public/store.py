"""The rules of a game as far as they have been asked for, in flat arrays.

A search visits the same public states again and again, in one game after another. The store asks the game
once for each of them (who acts, who may do what, how infostates and worlds go on) and keeps the answers as
records, so that a search tree can be grown from them by a kernel without a line of Python. It holds no
policies and no values: those are the searches' own.

A node of the store is **charted** when its children are known. Worlds are the rows of the derived view (see
`sog.public.derived`): a world of a charted node has moves, one for each action or outcome, that lead to
worlds of its children. A view written by hand (`sog.public.holdem`) enumerates no worlds: there a world is a
pair of infostates, which keep their numbers all the way down, and the k-th action leads to the k-th child.
So it is on a board (`sog.public.boards`), where every state has one pair and children are charted in bulk.

Verified: tests/public/test_store.py.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import U32, Growable, Records
from sog.core.errors import InputError
from sog.games.base import NUM_PLAYERS, TERMINAL, AnyGame
from sog.games.holdem.spot import Spot
from sog.public.boards import BoardView
from sog.public.derived import DerivedState, DerivedView
from sog.public.hands import HandBook
from sog.public.holdem import HoldemView
from sog.public.looks import Looks, count_up
from sog.public.payoffs import WorldBook
from sog.public.products import Book
from sog.public.rows import is_board_game
from sog.public.view import Child, Flow

ROOT = 0
NO_PARENT = -1
_MOST_ACTIONS = 512  # of a position on a board

NODE = np.dtype(
    [
        ("actor", "u4"),
        ("num_actions", "u4"),  # A of the acting player, 0 where nobody chooses
        ("legal_start", "u4"),  # in legal: the counts of the acting player's infostates
        ("first_child", "u4"),  # children stand side by side
        ("num_children", "u4"),
        ("is_expanded", "u4"),
        ("is_plain", "u4"),  # one infostate a player here and in every child, each action its own child
        ("pattern", "u4"),  # of payoffs where the game is over, of joint weights elsewhere
        ("world_start", "u4"),
        ("num_worlds", "u4"),  # 0 where worlds are pairs of infostates
        ("scale", "f8"),  # of the pattern
        ("value_scale", "f8"),  # what evaluators' answers are multiplied by
    ]
)
PLACE = np.dtype(
    [
        ("rows", "u4"),  # infostates of a player in a node
        ("start", "u4"),  # first source in the parent, where the map is contiguous
        ("is_mapped", "u4"),  # whether it is not
        ("map_start", "u4"),  # range in map_source and map_target
        ("map_end", "u4"),
    ]
)
WORLD = np.dtype(
    [
        ("first", "u4"),  # infostate of player 0
        ("second", "u4"),  # infostate of player 1
        ("move_start", "u4"),
        ("num_moves", "u4"),  # 0 until the node is charted
        ("chance", "f8"),  # probability of the world as far as chance made it
    ]
)
MOVE = np.dtype([("child", "u4"), ("world", "u4"), ("chance", "f8")])


class StoreArrays(NamedTuple):
    """The store as kernels see it; charting another node may leave the arrays behind."""

    nodes: Records  # [N] NODE
    places: tuple[Records, Records]  # [P][N] PLACE
    map_source: U32  # [M] slot or infostate of the parent
    map_target: U32  # [M] infostate of the child
    legal: U32  # [D] numbers of legal actions
    worlds: Records  # [W] WORLD
    moves: Records  # [E] MOVE, in the order of a world's actions or outcomes
    patterns: Any  # tables of payoffs and of joint weights (`sog.public.products`)


class StateStore:
    """Public states of a game, charted on demand.

    >>> from sog.games.registry import load
    >>> store = StateStore(load("kuhn"))
    >>> [store.observations[child] for child in store.children(ROOT)]
    ['deal']
    """

    def __init__(self, game: AnyGame | Spot | BoardView) -> None:
        self.public_view, self._book = _open(game)
        self.states: Any = []
        self.observations: Any = []
        self.parents: list[int] = []
        self.expanded: list[int] = []  # nodes in the order in which they were charted: it makes the numbers
        self._routes: dict[int, tuple[int, ...]] = {}  # of nodes that were asked for
        self._nodes: Growable[Any] = Growable(NODE)
        self._places: tuple[Growable[Any], Growable[Any]] = (Growable(PLACE), Growable(PLACE))
        self._map_source = Growable(np.uint32)
        self._map_target = Growable(np.uint32)
        self._legal = Growable(np.uint32)
        self._worlds: Growable[Any] = Growable(WORLD)
        self._moves: Growable[Any] = Growable(MOVE)
        self._arrays: StoreArrays | None = None
        if isinstance(self.public_view, BoardView):
            self._legal.extend(range(_MOST_ACTIONS + 1))  # an entry for every number of actions
            self.observations = _Moves(self)
            self._append_positions(np.zeros(1, np.uint32), np.ones(1, np.uint32), self.public_view.first())
            return
        root = self.public_view.root()
        sizes = self.public_view.num_infostates(root)
        self._append(NO_PARENT, "", root, (Flow(sizes[0], 0, None, None), Flow(sizes[1], 0, None, None)))

    @property
    def num_nodes(self) -> int:
        """How many public states are known."""
        return len(self.states)

    @property
    def view(self) -> DerivedView:
        """The view of a game whose worlds are enumerated, for whoever wants the worlds themselves."""
        if not isinstance(self.public_view, DerivedView):
            raise InputError(f"{self.public_view.name}: too many worlds to go through them one by one")
        return self.public_view

    @property
    def board(self) -> BoardView:
        """The view of a board game, for whoever wants the positions themselves."""
        if not isinstance(self.public_view, BoardView):
            raise InputError(f"{self.public_view.name}: not searched as a board")
        return self.public_view

    @property
    def is_board(self) -> bool:
        """Whether public states are positions on a board."""
        return isinstance(self.public_view, BoardView)

    @property
    def is_perfect_information(self) -> bool:
        """Whether nothing is hidden."""
        view = self.public_view
        return not isinstance(view, HoldemView) and bool(view.game.info.is_perfect_information)

    def actor(self, node: int) -> int:
        """Return who acts."""
        return int(self._nodes[node]["actor"])

    def num_infostates(self, node: int) -> tuple[int, int]:
        """Return how many infostates each player may be in."""
        return int(self._places[0][node]["rows"]), int(self._places[1][node]["rows"])

    def is_expanded(self, node: int) -> bool:
        """Return whether a node's children are known."""
        return bool(self._nodes[node]["is_expanded"])

    def children(self, node: int) -> range:
        """Return a node's children, asking the game if they are not known yet."""
        if not self._nodes[node]["is_expanded"]:
            self.expand([node])
        record = self._nodes[node]  # only now: charting may move the records
        first = int(record["first_child"])
        return range(first, first + int(record["num_children"]))

    def expand(self, nodes: Sequence[int]) -> None:
        """Ask the game about the children of nodes, those that are not known yet, in this order."""
        unknown = [node for node in dict.fromkeys(nodes) if not self._nodes[node]["is_expanded"]]
        for node in unknown:
            if self.actor(node) == TERMINAL:
                raise ValueError(f"node {node} is terminal")
        if not unknown:
            return
        self._arrays = None
        self.expanded += unknown
        if isinstance(self.public_view, BoardView):
            self._chart_positions(self.public_view, np.array(unknown, np.uint32))
            return
        for node in unknown:
            self._chart(node)

    def path(self, node: int) -> list[int]:
        """Return the nodes from the root down to a node, both included."""
        nodes = [node]
        while self.parents[nodes[-1]] != NO_PARENT:
            nodes.append(self.parents[nodes[-1]])
        return nodes[::-1]

    def route(self, node: int) -> tuple[int, ...]:
        """Return the way from the root as ordinals of children: the same in every store of the game."""
        route = self._routes.get(node)
        if route is None:
            path = self.path(node)
            route = self._routes[node] = tuple(
                child - int(self._nodes[parent]["first_child"]) for parent, child in pairwise(path)
            )
        return route

    def locate(self, route: Sequence[int]) -> int:
        """Return the node that a route leads to, charting what lies on the way."""
        node = ROOT
        for ordinal in route:
            node = self.children(node)[ordinal]
        return node

    def follow(self, node: int, world: int, move: int) -> tuple[int, int]:
        """Return the child, and the row of its state, to which a move of one of the node's worlds leads."""
        children = self.children(node)
        if self.is_board:
            if not 0 <= move < len(children):
                raise ValueError(f"there is no move {move} here")
            return children[move], 0
        record = self._worlds[int(self._nodes[node]["world_start"]) + world]
        if not 0 <= move < record["num_moves"]:
            raise ValueError(f"there is no move {move} here")
        step = self._moves[int(record["move_start"]) + move]
        child = int(step["child"])
        return child, int(step["world"]) - int(self._nodes[child]["world_start"])

    def arrays(self) -> StoreArrays:
        """Return everything known, for kernels."""
        if self._arrays is None:
            self._arrays = StoreArrays(
                nodes=self._nodes.values,
                places=(self._places[0].values, self._places[1].values),
                map_source=self._map_source.values,
                map_target=self._map_target.values,
                legal=self._legal.values,
                worlds=self._worlds.values,
                moves=self._moves.values,
                patterns=self._book.tables(),
            )
        return self._arrays

    def _chart_positions(self, board: BoardView, nodes: U32) -> None:
        """Add the children of positions, all at once."""
        first = self.num_nodes
        counts = self._nodes.values["num_actions"][nodes]
        self._append_positions(nodes, counts, board.children(nodes))
        records = self._nodes.values
        records["first_child"][nodes] = first + np.cumsum(counts) - counts
        records["num_children"][nodes] = counts
        records["is_plain"][nodes] = records["is_expanded"][nodes] = True

    def _chart(self, node: int) -> None:
        actor = self.actor(node)
        children = self.public_view.children(self.states[node])
        has_worlds = bool(self._nodes[node]["num_worlds"])
        if not has_worlds:
            _check_pairs(actor, self.num_infostates(node), children)
        numbers = [self._append(node, child.observation, child.state, child.flows) for child in children]
        if has_worlds:
            self._append_moves(node, numbers)
        is_plain = (
            actor < NUM_PLAYERS
            and self.num_infostates(node) == (1, 1)
            and len(children) == int(self._nodes[node]["num_actions"])
            and all(flow.size == 1 and flow.source is None for child in children for flow in child.flows)
        )
        record = self._nodes[node]
        record["first_child"], record["num_children"] = numbers[0], len(numbers)
        record["is_plain"], record["is_expanded"] = is_plain, True

    def _append_positions(self, parents: U32, sizes: U32, children: Looks) -> None:
        """Add the children of positions, `sizes` of them below each; the first position has no parent."""
        count = children.actors.size
        self.states = range(self.num_nodes + count)
        owners = np.repeat(parents, sizes)
        nodes = np.zeros(count, NODE)
        nodes["actor"] = children.actors
        nodes["num_actions"] = nodes["legal_start"] = children.counts
        nodes["scale"] = np.where(children.actors == TERMINAL, children.utilities, 1.0)
        nodes["value_scale"] = self.board.game.info.max_utility
        movers = np.full(count, NUM_PLAYERS, np.uint32)
        if self.parents:
            movers = self._nodes.values["actor"][owners]
            self.parents += owners.tolist()
        else:
            self.parents.append(NO_PARENT)
        ordinals = count_up(sizes)
        for player in range(NUM_PLAYERS):
            places = np.zeros(count, PLACE)
            places["rows"] = 1
            places["start"] = np.where(movers == player, ordinals, 0)
            self._places[player].extend(places)
        self._nodes.extend(nodes)

    def _append(self, parent: int, observation: str, state: Any, flows: tuple[Flow, Flow]) -> int:
        """Add a node and everything that is known of it before it is charted."""
        node, view = len(self.states), self.public_view
        self.states.append(state)
        self.observations.append(observation)
        self.parents.append(parent)
        for player, flow in enumerate(flows):
            map_start = len(self._map_source)
            if flow.source is not None and flow.target is not None:
                self._map_source.extend(flow.source)
                self._map_target.extend(flow.target)
            self._places[player].append(
                (flow.size, flow.start, flow.source is not None, map_start, len(self._map_source))
            )
        num_actions, legal_start = 0, len(self._legal)
        actor = view.actor(state)
        if actor < NUM_PLAYERS:
            legal = view.legal(state)
            num_actions = legal.num_actions
            self._legal.extend(legal.counts)
        pattern, scale = self._book.add(state, actor == TERMINAL)
        worlds = _worlds_of(state)
        world_start = self._worlds.extend(worlds)
        record = (
            actor, num_actions, legal_start, 0, 0, 0, 0, pattern, world_start, len(worlds), scale,
            view.value_scale(state),
        )  # fmt: skip
        self._nodes.append(record)
        return node

    def _append_moves(self, node: int, children: list[int]) -> None:
        """Add the moves of a node's worlds, sorted by world and by action."""
        states = [self.states[child] for child in children]
        sources = np.concatenate([state.moves[:, 0] for state in states])
        ordinals = np.concatenate([state.moves[:, 1] for state in states])
        order = np.lexsort((ordinals, sources))
        moves = np.zeros(order.size, MOVE)
        nodes = self._nodes.values
        moves["child"] = np.repeat(children, [len(state.moves) for state in states])[order]
        targets = [
            state.moves[:, 2] + nodes[child]["world_start"]
            for child, state in zip(children, states, strict=True)
        ]
        moves["world"] = np.concatenate(targets)[order]
        moves["chance"] = np.concatenate([state.move_chance for state in states])[order]
        first = self._moves.extend(moves)
        here = slice(
            int(nodes[node]["world_start"]), int(nodes[node]["world_start"] + nodes[node]["num_worlds"])
        )
        counts = np.bincount(sources, minlength=here.stop - here.start)
        worlds = self._worlds.values[here]
        worlds["num_moves"] = counts
        worlds["move_start"] = first + np.cumsum(counts) - counts


def open_store(game: AnyGame) -> StateStore:
    """Return a new store: of positions if the game is played on a board without secrets, else of worlds."""
    return StateStore(BoardView(game) if is_board_game(game) else game)


class _Moves(Sequence[str]):
    """The moves that led to the nodes of a board's store, named when somebody asks."""

    def __init__(self, store: StateStore) -> None:
        self._store = store

    def __len__(self) -> int:
        return self._store.num_nodes

    def __getitem__(self, node: Any) -> Any:
        if isinstance(node, slice):
            return [self[number] for number in range(len(self))[node]]
        node = range(len(self))[node]
        return "" if node == ROOT else self._store.board.move_name(node)


def _open(game: AnyGame | Spot | BoardView) -> tuple[Any, Book]:
    """Return a game's public view and the book of its matrices."""
    if isinstance(game, BoardView):
        return game, game
    if isinstance(game, Spot):
        hands = HoldemView(game)
        return hands, HandBook(hands)
    derived = DerivedView(game)
    return derived, WorldBook(derived)


def _worlds_of(state: Any) -> Records:
    """Return WORLD records of a state's worlds, none where they are not enumerated."""
    if not isinstance(state, DerivedState):
        return np.zeros(0, WORLD)
    worlds = np.zeros(len(state.worlds), WORLD)
    worlds["first"], worlds["second"], worlds["chance"] = state.rows[0], state.rows[1], state.chance
    return worlds


def _check_pairs(actor: int, sizes: tuple[int, int], children: list[Child[Any]]) -> None:
    """Refuse moves that pairs of infostates cannot follow: each must lead all of them to one child."""
    if actor >= NUM_PLAYERS:
        raise InputError("search: chance's moves need worlds that are enumerated")
    for ordinal, child in enumerate(children):
        for player, flow in enumerate(child.flows):
            start = ordinal * sizes[player] if player == actor else 0
            if flow.source is not None or (flow.size, flow.start) != (sizes[player], start):
                raise InputError("search: infostates must keep their numbers where worlds are not enumerated")
