"""Monte-Carlo tree search for Scotland Yard, after Nijssen and Winands: the opponent of the papers, `PimBot`.

UCT with progressive history: a child is worth `s/n + C √(ln N / n) + W (s_a / n_a) / (n - s + 1)` to whoever
moves there, where s_a / n_a is how well the move did anywhere in the search. A node gets its children when it
is visited for the second time; the move that was visited most is played. Detectives search with one tree for
all of Mr. X's stations: every simulation assumes one of them, drawn by how far the nearest detective is
(location categories), and at his turns chooses among the moves that he has there. Every detective searches on
his own; a capture by a colleague is worth a little less (coalition reduction).

All parts are settings. Nothing of it is sound: it is what the papers measure against.

Verified: tests/games/scotland_yard/test_pimbot.py.
"""

from dataclasses import dataclass
from math import log
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F32, F64, I64, U8, U32
from sog.core.bits import lowest_index
from sog.core.errors import InputError
from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.core.rng import RngState, make_rng_state, next_uniform
from sog.core.spec import split_list
from sog.core.tables import fill, plain_value
from sog.games.base import AnyGame
from sog.games.scotland_yard.game import ScotlandYard
from sog.games.scotland_yard.playouts import (
    CORNERED,
    NO_FILTER,
    NUM_MOVES,
    THREATENED,
    Ground,
    Parts,
    Scene,
    list_moves,
    make_move,
    min_distance,
    play_out,
)
from sog.games.scotland_yard.successors import RECORD
from sog.games.scotland_yard.tables import CAUGHT, ESCAPED, NUM_KINDS, NUM_WORDS, MapTables
from sog.games.scotland_yard.view import stations_of

MAX_SIMULATIONS = 100_000_000
DOUBLE_FILTERS = {"all": NO_FILTER, "threatened": THREATENED, "cornered": CORNERED}
_SIX = np.uint64(6)
CATEGORY_WEIGHTS = 0.196, 0.671, 0.540, 0.384, 0.196  # by moves of the nearest detective: 1 to 4, and more
_CATEGORIES = len(CATEGORY_WEIGHTS)
_FAR = 30  # moves: no two stations are so far apart


@dataclass(frozen=True)
class PimBotSettings:
    """The papers' numbers; every part can be left out."""

    simulations: int = 1000  # of a move, of each detective
    exploration: float = 0.5  # C
    history: float = 5.0  # W; 0 for plain UCT
    hider_epsilon: float = 0.1  # share of random moves in playouts of Mr. X's searches
    detective_epsilon: float = 0.2  # in those of detectives; 1 for random playouts
    coalition: float = 0.25  # r; 0 for none
    categories: bool = True  # False: all possible stations are equally likely
    infers: bool = True  # False: detectives do not think of where Mr. X may be, he may be anywhere
    filters_black: bool = True
    doubles: str = "threatened"  # when Mr. X thinks of a double move; or "cornered", or "all"

    def __post_init__(self) -> None:
        if not 1 <= self.simulations <= MAX_SIMULATIONS:
            raise InputError(
                f"pimbot: simulations must be from 1 to {MAX_SIMULATIONS:,}, not {self.simulations:,}"
            )
        for name, high in (("exploration", 1e6), ("history", 1e6), ("hider_epsilon", 1.0),
                           ("detective_epsilon", 1.0), ("coalition", 1.0)):  # fmt: skip
            if not 0 <= getattr(self, name) <= high:
                raise InputError(f"pimbot: {name} must be from 0 to {high:g}, not {getattr(self, name):g}")
        if self.doubles not in DOUBLE_FILTERS:
            raise InputError(
                f"pimbot: doubles must be one of {', '.join(DOUBLE_FILTERS)}, not {self.doubles!r}"
            )


def parse_pimbot(text: str) -> PimBotSettings:
    """Read `N`, simulations a move, and settings by name behind it.

    >>> parse_pimbot("100,history=0").history
    0.0
    """
    number, *others = split_list(text)
    try:
        changes: dict[str, object] = {"simulations": int(number)}
    except ValueError:
        raise InputError(
            f"pimbot: write the simulations of a move, such as 1000, not {number[:40]!r}"
        ) from None
    for other in others:
        name, _, value = other.partition("=")
        changes[name] = plain_value(value)
    return fill(PimBotSettings(), changes, "pimbot")


def open_pimbot(text: str, game: AnyGame) -> "PimBot":
    """Return PimBot with settings that are written down, for a game of Scotland Yard."""
    if not isinstance(game, ScotlandYard):
        raise InputError(f"pimbot plays Scotland Yard, not {game.info.name}")
    return PimBot(game, parse_pimbot(text))


class _Tree(NamedTuple):
    """A search tree of at most N nodes; node 0 is no node, node 1 the root."""

    visits: U32  # [N]
    score: F64  # [N] of whoever moved there
    move: U32  # [N]
    mover: U8  # [N]
    first: U32  # [N] child
    sibling: U32  # [N] next child of the same parent
    child_of: U32  # [moves] of the node that is looked at
    history_visits: F32  # [pawns, moves]
    history_score: F64  # [pawns, moves]
    path: U32  # [room]
    stations: U8  # [S] where Mr. X may be
    category: I64  # [categories + 1] how many of them there are


class PimBot:
    """Chooses moves for Mr. X and for detectives.

    >>> game = ScotlandYard()
    >>> bot = PimBot(game, PimBotSettings(simulations=50))
    >>> record = game.own_view().record_of(game.initial_world())[0]
    >>> int(bot.search(record, station=6, seed=1).sum())
    50
    """

    def __init__(self, game: ScotlandYard, settings: PimBotSettings) -> None:
        self.game, self.settings = game, settings
        self._ground = make_ground(game.tables)

    def visit_moves(self, record: Any, row: int, seed: int, simulations: int | None) -> I64:
        """Return how often each legal move was visited, from Mr. X's infostate if it is his turn."""
        station = stations_of(record)[row] if record["turn"] == 0 else None
        return self.search(record, station, seed, simulations)

    def choose(self, record: Any, station: int | None, seed: int) -> int:
        """Return the number of the move to play among the legal ones."""
        return int(np.argmax(self.search(record, station, seed)))

    def search(self, record: Any, station: int | None, seed: int, simulations: int | None = None) -> I64:
        """Return how often each legal move was visited.

        record: the public state (`successors.RECORD`), with the stations where Mr. X may be. station: Mr.
        X's own, if it is his turn.
        """
        settings, own = self.settings, np.array([record], RECORD)
        turn = int(record["turn"])
        if turn < 0:
            raise ValueError("nobody is to move")
        if turn == 0 and station is None:
            raise ValueError("Mr. X must know his station")
        if turn > 0 and not settings.infers:
            self._forget(own[0])
        parts = Parts(
            exploration=float(settings.exploration),
            history=float(settings.history),
            epsilon=float(settings.hider_epsilon if turn == 0 else settings.detective_epsilon),
            coalition=float(settings.coalition),
            filters_black=bool(settings.filters_black),
            double_filter=DOUBLE_FILTERS[settings.doubles],
            categories=np.array(CATEGORY_WEIGHTS) if settings.categories else np.zeros(_CATEGORIES),
            is_hiders=turn == 0,
        )
        number = settings.simulations if simulations is None else max(simulations, 1)
        tree = _make_tree(number + 2, self.game)
        actions = int(self._ground.map.most_actions) + 1
        scene = Scene(np.zeros(1, RECORD), np.zeros(1, np.int64), np.zeros(actions, np.uint32),
                      np.zeros(NUM_WORDS, np.uint64))  # fmt: skip
        _search(self._ground, parts, own, station or 0, number, tree, scene, make_rng_state(seed))
        return self._read(record, station, tree)

    def _forget(self, record: Any) -> None:
        """Let Mr. X be anywhere; record modified in place."""
        taken, size = set(record["detectives"].tolist()), self.game.num_stations
        anywhere = sum(1 << station - 1 for station in range(1, size + 1) if station not in taken)
        record["possible"] = [anywhere >> 64 * word & (1 << 64) - 1 for word in range(NUM_WORDS)]

    def _read(self, record: Any, station: int | None, tree: _Tree) -> I64:
        """Return the visits of the root's children by legal move."""
        view = self.game.own_view()
        assert view is not None
        world = view.world_of(record, station or 0)
        size, visits, child = self.game.num_stations, {}, int(tree.first[1])
        while child:
            visits[int(tree.move[child])] = int(tree.visits[child])
            child = int(tree.sibling[child])
        double = self.game.info.num_actions - 1
        moves = [
            NUM_MOVES - 1
            if self.game.setup.doubles and action == double
            else (action // size) << 8 | action % size + 1
            for action in self.game.legal_actions(world)
        ]
        return np.array([visits.get(move, 0) for move in moves])


def make_ground(tables: MapTables) -> Ground:
    """Return a map with all that playouts look up."""
    size = tables.degree.shape[0]
    joined = (tables.joins[:, 1:] & 7 != 0).astype(np.float32)
    distance, reached = np.full((size, size), _FAR, np.uint8), np.eye(size, dtype=np.float32)
    for moves in range(_FAR):
        distance[(reached > 0) & (distance == _FAR)] = moves
        reached = ((reached @ joined + reached) > 0).astype(np.float32)
    bits = np.array([[1 << (end % 64) if end // 64 == word else 0 for word in range(NUM_WORDS)]
                     for end in range(size)], np.uint64)  # fmt: skip
    reaches = np.zeros((NUM_KINDS, size, NUM_WORDS), np.uint64)
    for kind in range(NUM_KINDS):
        for station in range(size):
            ends = np.flatnonzero(tables.joins[station, 1:] >> kind & 1)
            reaches[kind, station] = np.bitwise_or.reduce(bits[ends], axis=0, initial=0)
    joins = tables.joins[:, 1:]
    has_others = ((joins & 6 != 0) | (joins == 1 << NUM_KINDS - 1)).any(axis=1)  # bus, underground or boat
    by_taxi = np.bitwise_or.reduce(bits[~has_others], axis=0, initial=0)
    return Ground(tables, distance, by_taxi, reaches)


def _make_tree(num_nodes: int, game: ScotlandYard) -> _Tree:
    pawns, size = game.num_detectives + 1, game.num_stations
    return _Tree(
        visits=np.zeros(num_nodes, np.uint32),
        score=np.zeros(num_nodes),
        move=np.zeros(num_nodes, np.uint32),
        mover=np.zeros(num_nodes, np.uint8),
        first=np.zeros(num_nodes, np.uint32),
        sibling=np.zeros(num_nodes, np.uint32),
        child_of=np.zeros(NUM_MOVES, np.uint32),
        history_visits=np.zeros((pawns, NUM_MOVES), np.float32),
        history_score=np.zeros((pawns, NUM_MOVES)),
        path=np.zeros(game.info.max_length + 2, np.uint32),
        stations=np.zeros(size, np.uint8),
        category=np.zeros(_CATEGORIES + 1, np.int64),
    )


@kernel
def _search(
    ground: Ground,
    parts: Parts,
    root: Any,
    station: int,
    simulations: int,
    tree: _Tree,
    scene: Scene,
    rng: RngState,
) -> None:
    """Grow a tree from a position [1] by simulations; tree, scene and rng modified in place."""
    if not parts.is_hiders:
        _sort_stations(ground, root[0], tree)
    free = np.uint64(2)
    for _ in range(simulations):
        scene.record[0] = root[0]
        scene.hider[0] = station if parts.is_hiders else _draw_station(parts, tree, rng)
        free = _simulate(ground, parts, tree, scene, rng, free)


@inlined
def _sort_stations(ground: Ground, record: Any, tree: _Tree) -> None:
    """List where Mr. X may be, by category; tree modified in place."""
    count = ZERO
    for near in range(np.uint64(_CATEGORIES)):
        tree.category[near] = np.int64(count)
        for word in range(np.uint64(NUM_WORDS)):
            left = record["possible"][word]
            while left != ZERO:
                station = (word << _SIX) + lowest_index(left) + ONE
                left &= left - ONE
                away = np.int64(min_distance(ground, record, station))
                away = min(max(away, np.int64(1)), np.int64(_CATEGORIES))
                if np.uint64(away - 1) == near:
                    tree.stations[count] = station
                    count += ONE
    tree.category[np.uint64(_CATEGORIES)] = np.int64(count)


@inlined
def _draw_station(parts: Parts, tree: _Tree, rng: RngState) -> np.int64:
    """Return a station of Mr. X: a category by its weight, then any of its stations."""
    total = 0.0
    for near in range(_CATEGORIES):
        if tree.category[near + 1] > tree.category[near]:
            total += parts.categories[near]
    first, last = np.int64(0), tree.category[_CATEGORIES]
    if total > 0:
        left = next_uniform(rng) * total
        for near in range(_CATEGORIES):
            if tree.category[near + 1] > tree.category[near] and left >= 0:
                first, last = tree.category[near], tree.category[near + 1]
                left -= parts.categories[near]
    chosen = first + np.int64(next_uniform(rng) * float(last - first))
    return np.int64(tree.stations[np.uint64(chosen)])


@inlined
def _simulate(
    ground: Ground, parts: Parts, tree: _Tree, scene: Scene, rng: RngState, free: np.uint64
) -> np.uint64:
    """Go down the tree, add a node, play to the end and count; return the next free node."""
    node, length, last = ONE, ZERO, np.int64(0)
    while scene.record[0]["turn"] >= 0 and (node == ONE or tree.visits[node] > 0):
        mover = np.int64(scene.record[0]["turn"])
        count = list_moves(ground, parts, scene)
        child, move = _select(parts, tree, scene, node, np.uint64(mover), count, rng)
        if child == ZERO:
            child, free = free, free + ONE
            tree.move[child], tree.mover[child] = move, mover
            tree.sibling[child], tree.first[node] = tree.first[node], child
        make_move(ground, parts, scene, np.uint64(move))
        last, node = mover, child
        tree.path[length] = node
        length += ONE
    if scene.record[0]["turn"] >= 0:
        last = play_out(ground, parts, scene, rng)
    tree.visits[ONE] += np.uint32(1)
    for place in range(length):
        at = np.uint64(tree.path[place])
        own, made = np.int64(tree.mover[at]), np.uint64(tree.move[at])
        reward = _reward(parts, np.int64(scene.record[0]["turn"]), own, last)
        tree.visits[at] += np.uint32(1)
        tree.score[at] += reward
        tree.history_visits[np.uint64(own), made] += np.float32(1)
        tree.history_score[np.uint64(own), made] += reward
    return free


@inlined
def _reward(parts: Parts, end: np.int64, mover: np.int64, last: np.int64) -> float:
    """Return what an end is worth to a pawn; the last to move was `last`."""
    if end == ESCAPED:
        return 1.0 if mover == 0 else 0.0
    if mover == 0:
        return 0.0
    return 1.0 - parts.coalition if end == CAUGHT and mover != last else 1.0


@inlined
def _select(
    parts: Parts,
    tree: _Tree,
    scene: Scene,
    node: np.uint64,
    mover: np.uint64,
    count: np.uint64,
    rng: RngState,
) -> tuple[np.uint64, np.uint32]:
    """Return the child to go to, 0 for one that is not there yet, and its move."""
    child = np.uint64(tree.first[node])
    while child != ZERO:
        tree.child_of[np.uint64(tree.move[child])] = child
        child = np.uint64(tree.sibling[child])
    chosen, move, best, ties = ZERO, np.uint32(0), -np.inf, 0.0
    root_log = log(float(max(tree.visits[node], 1)))
    for number in range(count):
        own = np.uint64(scene.moves[number])
        child = np.uint64(tree.child_of[own])
        if child == ZERO:
            worth = np.inf
        else:
            visits, score = float(tree.visits[child]), tree.score[child]
            worth = score / visits + parts.exploration * np.sqrt(root_log / visits)
            tried = tree.history_visits[mover, own]
            if tried > 0:
                average = tree.history_score[mover, own] / tried
                worth += parts.history * average / (visits - score + 1.0)
        if worth > best:
            best, ties = worth, 0.0
        if worth == best:
            ties += 1.0
            if ties == 1.0 or next_uniform(rng) * ties < 1.0:
                chosen, move = child, scene.moves[number]
    child = np.uint64(tree.first[node])
    while child != ZERO:
        tree.child_of[np.uint64(tree.move[child])] = ZERO
        child = np.uint64(tree.sibling[child])
    return chosen, move
