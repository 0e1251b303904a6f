"""The public states of a game that were asked about, in flat arrays: the store.

A search visits the same public states again and again, in one game after another. The store asks the game's
view once for each of them and keeps the answers, so that kernels grow trees from them without a line of
Python. It owns numbers, records, parents and ordinals; it holds no policies and no values: those are the
searches' own.

Inside a process a public state is its number here. Outside (another process, a checkpoint, a file) it is the
record of its root and a **route**: ordinals of children, and outcome numbers at wide chance.

A node is **expanded** when its children are known. Children stand side by side, in the view's order. At wide
chance they are not listed: `outcomes` makes those that a search draws, and keeps no sample.

Optional parts of the view's protocol are looked for here, and nowhere else.

Verified: tests/public/test_store.py.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from sog.core.arrays import F64, I32, U8, U32, Bools, Growable, Records, num_bytes
from sog.core.errors import InputError
from sog.core.rng import make_rng
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL
from sog.games.view import (
    NO_PARENT,
    Deriving,
    Described,
    Encoded,
    Enumerated,
    Flows,
    Named,
    Planes,
    PublicView,
    Successors,
    Told,
    ViewFacts,
    WideChance,
)
from sog.public.codes import CodeBook, CodeTables
from sog.public.following import follow_child, follow_play, joint_matrix, make_work, utility_of, weigh_rows
from sog.public.forward import classify_nodes, count_sources, fill_forward
from sog.public.store_arrays import NODE, PLACE, StoreArrays

ROOT = 0
_ENTRY_BYTES = 250  # of an expanded node in lists and dicts, about


class StateStore:
    """Public states of one view, expanded on demand.

    >>> from sog.games.registry import load
    >>> from sog.public.opening import open_store
    >>> store = open_store(load("kuhn"))
    >>> [store.named.observation(store, child) for child in store.children(ROOT)]
    ['deal']
    """

    def __init__(self, view: PublicView, seed: int = 0) -> None:
        self.view = view
        self.expanded: list[int] = []  # nodes in the order in which they were expanded: it makes the numbers
        self._records: Growable[Any] = Growable(view.dtype)
        self._parents = Growable(np.uint32)
        self._ordinals = Growable(np.uint32)
        self._nodes: Growable[Any] = Growable(NODE)
        self._places: tuple[Growable[Any], Growable[Any]] = (Growable(PLACE), Growable(PLACE))
        self._map_source = Growable(np.uint32)
        self._map_target = Growable(np.uint32)
        self._legal = Growable(np.uint32)
        self._waits = Growable(np.uint8)  # [D] whether an infostate only waits
        self._forward_start = Growable(np.uint32)
        self._forward_child = Growable(np.uint32)
        self._forward_target = Growable(np.uint32)
        self._outcomes: dict[tuple[int, int], int] = {}  # of wide chance
        self._routes: dict[int, tuple[int, ...]] = {}  # of nodes that were asked for
        self._located: dict[tuple[int, ...], int] = {}  # the same the other way round, from the first root
        self._alive: dict[int, tuple[Bools, Bools]] = {}  # of nodes that were asked for
        self._arrays: StoreArrays | None = None
        self.plant(view.roots(make_rng(seed)))

    @property
    def facts(self) -> ViewFacts:
        """Static facts about the view."""
        return self.view.facts

    @property
    def records(self) -> Records:
        """[N] of the view's dtype; the next expansion may leave the array behind."""
        return self._records.values

    @property
    def parents(self) -> U32:
        """[N] node above, `NO_PARENT` for a root."""
        return self._parents.values

    @property
    def ordinals(self) -> U32:
        """[N] number among the children of the node above, or of the outcome of wide chance."""
        return self._ordinals.values

    @property
    def num_nodes(self) -> int:
        """How many public states are known."""
        return len(self._nodes)

    @property
    def num_bytes(self) -> int:
        """What is known takes, codes apart: arrays, and about so much in Python's objects."""
        objects = self.view.num_bytes if isinstance(self.view, Deriving) else 0
        return (
            num_bytes(self._growables)
            + num_bytes(self.matrices(np.float64))
            + objects
            + (_ENTRY_BYTES * len(self.expanded))
        )

    @property
    def _growables(self) -> tuple[Any, ...]:
        return (
            self._records, self._parents, self._ordinals, self._nodes, self._places, self._map_source,
            self._map_target, self._legal, self._waits, self._forward_start, self._forward_child,
            self._forward_target,
        )  # fmt: skip

    @cached_property
    def encoded(self) -> Encoded:
        """The view, if networks can be shown its states."""
        if isinstance(self.view, Encoded):
            return self.view
        raise self._lacks("cannot be shown to networks")

    @cached_property
    def planes(self) -> Planes:
        """The view, if its states are positions on a board."""
        if isinstance(self.view, Planes):
            return self.view
        raise self._lacks("is not played on a board without secrets")

    def codes(self, nodes: U32) -> tuple[CodeTables, I32]:
        """Return tables of codes, for networks, and which of them [B] are those of nodes."""
        return self._code_book.look_up(self, self.arrays(), nodes)

    @property
    def num_code_bytes(self) -> int:
        """What those codes take that are kept."""
        was_asked = "_code_book" in vars(self)
        return self._code_book.num_bytes(self.num_nodes) if was_asked else 0

    def coded(self) -> U32:
        """Return the nodes whose codes are kept."""
        return self._code_book.known()

    @cached_property
    def _code_book(self) -> CodeBook:
        return CodeBook(self.encoded, is_kept=not self.has_planes)

    @cached_property
    def described(self) -> Described:
        """The view, if it tells what infostates are like."""
        if self.encoded.encoding.row_features and isinstance(self.view, Described):
            return self.view
        raise self._lacks("does not say what infostates are like")

    @cached_property
    def has_planes(self) -> bool:
        """Whether networks are shown positions on a board, with nothing hidden."""
        return isinstance(self.view, Planes)

    @cached_property
    def enumerated(self) -> Enumerated:
        """The view, if it can list the worlds of its states."""
        if isinstance(self.view, Enumerated):
            return self.view
        raise self._lacks("too many worlds to go through them one by one")

    @cached_property
    def named(self) -> Named:
        """The view, if people can read its states."""
        if isinstance(self.view, Named):
            return self.view
        raise self._lacks("has no names for its states")

    @cached_property
    def told(self) -> Told:
        """The view, if its plays can be followed from one seat."""
        if isinstance(self.view, Told):
            return self.view
        raise self._lacks("has no plays that a seat can follow")

    @cached_property
    def _wide(self) -> WideChance:
        """The view, if it has chance nodes whose outcomes are not listed."""
        if isinstance(self.view, WideChance):
            return self.view
        raise self._lacks("lists all outcomes of chance")

    @cached_property
    def _has_wide(self) -> bool:
        """Whether it has: to ask a protocol takes 20 microseconds, and this is asked at every expansion."""
        return isinstance(self.view, WideChance)

    def _lacks(self, lack: str) -> InputError:
        return InputError(f"{self.facts.name}: {lack}")

    def actor(self, node: int) -> int:
        """Return who acts."""
        return int(self._nodes[node]["actor"])

    def num_infostates(self, node: int) -> tuple[int, int]:
        """Return how many infostates each player may be in."""
        return int(self._places[0][node]["rows"]), int(self._places[1][node]["rows"])

    def num_actions(self, node: int) -> int:
        """Return the largest number of legal actions among the acting player's infostates."""
        return int(self._nodes[node]["num_actions"])

    def num_outcomes(self, node: int) -> int:
        """Return how many outcomes a node of wide chance has; 0 if its children are listed."""
        if not self._nodes[node]["is_expanded"]:
            self.expand([node])
        return int(self._nodes[node]["num_outcomes"])

    def push(self, node: int, player: int, weights: F64) -> F64:
        """Return what a player's weights at the parent (of slots, if the player acts there) become here."""
        place = self._places[player][node]
        rows, start = int(place["rows"]), int(place["start"])
        if not place["is_mapped"]:
            return weights[start : start + rows].copy()
        entries = slice(int(place["map_start"]), int(place["map_end"]))
        source, target = self._map_source.values[entries], self._map_target.values[entries]
        pushed: F64 = np.bincount(target, weights[source], rows).astype(np.float64)
        return pushed

    def legal(self, node: int) -> U32:
        """Return the number of legal actions [H] of each infostate of the acting player, 1 where it waits."""
        return self._legal.values[self._legal_rows(node)]

    def waiting(self, node: int) -> U8:
        """Return [H] whether an infostate of the acting player only waits."""
        return self._waits.values[self._legal_rows(node)]

    def _legal_rows(self, node: int) -> slice:
        record = self._nodes[node]
        if record["actor"] >= NUM_PLAYERS:
            raise ValueError(f"no player acts at node {node}")
        start = int(record["legal_start"])
        return slice(start, start + self.num_infostates(node)[int(record["actor"])])

    def value_scale(self, node: int) -> float:
        """Return what evaluators' answers are divided by."""
        return float(self._nodes[node]["value_scale"])

    def joint_weights(self, node: int) -> F64:
        """Return chance's probability [H0, H1] of every pair of infostates."""
        matrix = np.zeros(self.num_infostates(node))
        joint_matrix(self.arrays(), np.uint64(node), matrix)
        return matrix

    def alive(self, node: int) -> tuple[Bools, Bools]:
        """Return [P][H] which infostates have joint weight; the others are dead, and count for nothing."""
        found = self._alive.get(node)
        if found is None:
            sizes = self.num_infostates(node)
            work = make_work(max(sizes))
            masks = []
            for player, size in enumerate(sizes):
                weights = np.ones(size)
                if sizes != (1, 1):
                    weigh_rows(self.arrays(), np.uint64(node), player, work, weights)
                masks.append(weights > 0)
            found = self._alive[node] = masks[0], masks[1]
        return found

    def is_expanded(self, node: int) -> bool:
        """Return whether a node's children are known."""
        return bool(self._nodes[node]["is_expanded"])

    def plant(self, records: Records) -> int:
        """Add roots, and return the first one's number."""
        roots = self.view.open(records)
        count = roots.actor.size
        first = self._append(roots, np.full(count, NO_PARENT, np.uint32), np.zeros(count, np.uint32))
        self._arrays = None
        return first

    def children(self, node: int) -> range:
        """Return a node's children, asking the view if they are not known yet."""
        if not self._nodes[node]["is_expanded"]:
            self.expand([node])
        record = self._nodes[node]  # only now: expanding may move the records
        if record["num_outcomes"]:
            raise ValueError(f"node {node} has {record['num_outcomes']} outcomes, which are not listed")
        first = int(record["first_child"])
        return range(first, first + int(record["num_children"]))

    def outcomes(self, node: int, numbers: Sequence[int]) -> list[int]:
        """Return the children of a node of wide chance for some of its outcomes."""
        new = [number for number in dict.fromkeys(numbers) if (node, number) not in self._outcomes]
        if new:
            nodes = np.full(len(new), node, np.uint32)
            found = self._wide.outcomes(self, nodes, np.array(new, np.uint64))
            first = self._append(found, nodes, np.array(new, np.uint32))
            self._outcomes.update({(node, number): first + place for place, number in enumerate(new)})
            self._arrays = None
        return [self._outcomes[node, number] for number in numbers]

    def all_children(self, node: int) -> Sequence[int]:
        """Return a node's children, at wide chance those of all outcomes."""
        count = self.num_outcomes(node)
        return self.outcomes(node, range(count)) if count else self.children(node)

    def expand(self, nodes: Sequence[int]) -> None:
        """Ask the view about the children of nodes, those that are not known yet, in this order."""
        unknown = np.array(list(dict.fromkeys(nodes)), np.uint32)
        records = self._nodes.values
        unknown = unknown[records["is_expanded"][unknown] == 0]
        if unknown.size == 0:
            return
        actors = records["actor"][unknown]
        if np.any(actors == TERMINAL):
            raise ValueError(f"node {unknown[actors == TERMINAL][0]} is terminal")
        self._arrays, listed = None, unknown
        if self._has_wide:
            wide, listed = unknown[actors == CHANCE], unknown[actors != CHANCE]
            if wide.size:
                counts = self._wide.num_outcomes(self, wide)
                if counts.max() >= NO_PARENT:
                    raise self._lacks(f"chance has {counts.max():,} outcomes, more than 32 bits can number")
                records["num_outcomes"][wide] = counts
        if listed.size:
            self._list_children(listed)
        self._nodes.values["is_expanded"][unknown] = True  # only now: a view may fail, and be asked again
        self.expanded += unknown.tolist()

    def num_moves(self, nodes: Sequence[int]) -> int:
        """Return how many moves of worlds expanding nodes goes through; 0 where worlds are not enumerated."""
        return self.view.num_moves(self, nodes) if isinstance(self.view, Deriving) else 0

    def check(self, nodes: U32) -> None:
        """Refuse a game that has no sound public view, as far as all its public states can show."""
        if isinstance(self.view, Deriving):
            self.view.check(self, nodes)

    def path(self, node: int) -> list[int]:
        """Return the nodes from the root down to a node, both included."""
        nodes, parents = [node], self._parents.values
        while parents[nodes[-1]] != NO_PARENT:
            nodes.append(int(parents[nodes[-1]]))
        return nodes[::-1]

    def route(self, node: int) -> tuple[int, ...]:
        """Return the way from the root as ordinals: the same in every store of the view."""
        route = self._routes.get(node)
        if route is None:
            path = self.path(node)
            route = self._routes[node] = tuple(int(self._ordinals[below]) for below in path[1:])
            if path[0] == ROOT:
                self._located[route] = node
        return route

    def locate(self, route: Sequence[int], root: int = ROOT) -> int:
        """Return the node that a route leads to, expanding what lies on the way."""
        known = self._located.get(tuple(route)) if root == ROOT else None
        if known is not None:
            return known
        node = root
        for ordinal in route:
            is_wide = self.num_outcomes(node) > 0
            node = self.outcomes(node, [ordinal])[0] if is_wide else self.children(node)[ordinal]
        return node

    def reach(self, routes: Sequence[Sequence[int]]) -> None:
        """Expand what lies on many routes, side by side: views are faster in bulk."""
        under_way = [(ROOT, route) for route in routes]
        depth = 0
        while under_way:
            under_way = [(node, route) for node, route in under_way if len(route) > depth]
            self.expand([node for node, _ in under_way])
            under_way = [(self.locate(route[depth : depth + 1], node), route) for node, route in under_way]
            depth += 1

    def draw_pair(self, node: int, ranges: tuple[F64, F64], rng: np.random.Generator) -> tuple[int, int]:
        """Return a pair of infostates, drawn from beliefs, or by chance alone where those rule out all."""
        if self.num_infostates(node) == (1, 1):
            return 0, 0
        joint = self.joint_weights(node)
        weights = joint * ranges[0][:, None] * ranges[1][None, :]
        if not weights.sum() > 0:
            weights = joint
        drawn = int(rng.choice(weights.size, p=weights.ravel() / weights.sum()))
        return drawn // joint.shape[1], drawn % joint.shape[1]

    def follow(
        self, node: int, rows: tuple[int, int], action: int, rng: np.random.Generator
    ) -> tuple[int, tuple[int, int]]:
        """Return the child and the pair of infostates after an action of the acting infostate.

        Where chance moves, the outcome is drawn by joint weights, and `action` is not looked at.
        """
        if not self._nodes[node]["is_expanded"]:
            self.expand([node])
        record = self._nodes[node]
        if record["actor"] == TERMINAL:
            raise ValueError("the game is over")
        uniform = 0.0 if record["is_direct"] else float(rng.random())
        first, second = np.uint64(rows[0]), np.uint64(rows[1])
        if record["num_outcomes"]:
            number = self._wide.draw(self, node, rows, rng)
            child = self.outcomes(node, [number])[0]
            row, column = follow_child(self.arrays(), np.uint64(child), first, second, uniform)
            return child, (int(row), int(column))
        if record["actor"] < NUM_PLAYERS and not 0 <= action < self.legal(node)[rows[record["actor"]]]:
            raise ValueError(f"there is no move {action} here")
        after, row, column = follow_play(
            self.arrays(), np.uint64(node), first, second, np.uint64(action), uniform
        )
        return int(after), (int(row), int(column))

    def utility(self, node: int, rows: tuple[int, int]) -> float:
        """Return what player 0 has won where the game is over."""
        if self.actor(node) != TERMINAL:
            raise ValueError(f"the game is not over at node {node}")
        return float(utility_of(self.arrays(), np.uint64(node), np.uint64(rows[0]), np.uint64(rows[1])))

    def arrays(self) -> StoreArrays:
        """Return everything known, for kernels."""
        if self._arrays is None:
            self._arrays = StoreArrays(
                nodes=self._nodes.values,
                places=(self._places[0].values, self._places[1].values),
                map_source=self._map_source.values,
                map_target=self._map_target.values,
                legal=self._legal.values,
                forward_start=self._forward_start.values,
                forward_child=self._forward_child.values,
                forward_target=self._forward_target.values,
                matrices=self.view.matrices(np.float64),
            )
        return self._arrays

    def matrices(self, dtype: npt.DTypeLike) -> Any:
        """Return the view's matrices for a solve in a kind of floats."""
        return self.view.matrices(dtype)

    def _list_children(self, nodes: U32) -> None:
        """Append the children of nodes, and the way to them."""
        found = self.view.successors(self, nodes)
        counts = found.counts
        starts = np.cumsum(counts, dtype=np.uint32) - counts
        ordinals = np.arange(found.actor.size, dtype=np.uint32) - np.repeat(starts, counts)
        first = self._append(found, np.repeat(nodes, counts), ordinals)
        records = self._nodes.values
        records["first_child"][nodes] = first + starts
        records["num_children"][nodes] = counts
        self._index(nodes)

    def _index(self, nodes: U32) -> None:
        """Note which nodes are direct, and index the slots of the others."""
        records, places = self._nodes.values, (self._places[0].values, self._places[1].values)
        if classify_nodes(records, places, nodes) == nodes.size:
            return
        mapped = nodes[(records["is_direct"][nodes] == 0) & (records["actor"][nodes] < NUM_PLAYERS)]
        if mapped.size == 0:
            return
        num_slots, num_entries = count_sources(records, places, mapped)
        start = self._forward_start.extend(np.zeros(int(num_slots), np.uint32))
        entry = self._forward_child.extend(np.zeros(int(num_entries), np.uint32))
        self._forward_target.extend(np.zeros(int(num_entries), np.uint32))
        fill_forward(
            records, places, mapped, self._map_source.values, self._map_target.values, np.uint64(start),
            np.uint64(entry), self._forward_start.values, self._forward_child.values,
            self._forward_target.values,
        )  # fmt: skip

    def _append(self, added: Successors, parents: U32, ordinals: U32) -> int:
        """Add nodes and everything that is known of them before they are expanded; return the first."""
        count = added.actor.size
        nodes = np.zeros(count, NODE)
        nodes["actor"], nodes["num_actions"] = added.actor, added.num_actions
        nodes["joint"], nodes["joint_scale"] = added.joint, added.joint_scale
        nodes["payoff"], nodes["payoff_scale"] = added.payoff, added.payoff_scale
        nodes["value_scale"] = added.value_scale
        for player in range(NUM_PLAYERS):
            self._places[player].extend(self._place(added.rows[player], added.flows[player]))
        sizes = np.where(added.actor == 0, added.rows[0], added.rows[1])
        sizes = np.where(added.actor < NUM_PLAYERS, sizes, 0)
        legal = np.repeat(added.num_actions, sizes) if added.legal is None else added.legal
        if legal.size != sizes.sum():
            raise ValueError(f"{legal.size} counts of legal actions for {sizes.sum()} infostates that act")
        self._waits.extend(legal == 0)
        nodes["legal_start"] = self._legal.extend(np.maximum(legal, 1)) + np.cumsum(sizes) - sizes
        self._records.extend(added.states)
        self._parents.extend(parents)
        self._ordinals.extend(ordinals)
        return self._nodes.extend(nodes)

    def _place(self, rows: U32, flows: Flows) -> Records:
        """Return the PLACE of each child, its map appended."""
        places = np.zeros(rows.size, PLACE)
        places["rows"], places["start"] = rows, flows.start
        if flows.source.size == 0:
            return places
        base = self._map_source.extend(flows.source)
        self._map_target.extend(flows.target)
        places["map_start"], places["map_end"] = base + flows.bounds[:-1], base + flows.bounds[1:]
        places["is_mapped"] = flows.bounds[:-1] != flows.bounds[1:]
        return places
