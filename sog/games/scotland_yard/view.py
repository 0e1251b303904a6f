"""The public view of Scotland Yard: a record is what both players see, and where Mr. X may be.

Kernels make successors in bulk (`successors`) and tell networks about states (`encoding`). What people read
and what a referee follows is told by the rules themselves (`game`), one world at a time.

Verified: tests/games/scotland_yard/test_view.py.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sog.core.arrays import F32, I64, U32, Records
from sog.games.base import Encoding
from sog.games.matrices import ONES, Matrices, MatrixBook
from sog.games.scotland_yard.successors import RECORD, Children, describe_records, expand_records
from sog.games.scotland_yard.tables import HIDER, NUM_WORDS, PLACING
from sog.games.view import NO_PARENT, Codes, Flows, Heard, Store, Successors, ViewFacts

if TYPE_CHECKING:
    from sog.games.scotland_yard.game import ScotlandYard, ScotlandYardWorld

_NOTHING = np.zeros(0, np.uint32)


def stations_of(record: Any) -> list[int]:
    """Return the stations where Mr. X may be, ascending: his infostates."""
    words = [int(word) for word in record["possible"]]
    return [64 * at + bit + 1 for at in range(NUM_WORDS) for bit in range(64) if words[at] >> bit & 1]


class ScotlandYardView:
    """Public states of a game of Scotland Yard.

    >>> from sog.games.scotland_yard.game import ScotlandYard
    >>> ScotlandYardView(ScotlandYard("london")).dtype.itemsize
    68
    """

    dtype = RECORD

    def __init__(self, game: "ScotlandYard") -> None:
        self.game, self._tables = game, game.tables
        self.facts = ViewFacts(game.info.name, game.info.max_utility, hides_nothing=False)
        self._book = MatrixBook()  # of no matrix but the ones

    def roots(self, rng: np.random.Generator) -> Records:
        """Return the state before chance has placed any pawn whose start is drawn."""
        return self.record_of(self.game.initial_world())

    def open(self, records: Records) -> Successors:
        """Return what records are as roots."""
        return _as_successors(describe_records(self._tables, records))

    def successors(self, store: Store, nodes: U32) -> Successors:
        """Return what both players may see of the next move."""
        return _as_successors(expand_records(self._tables, store.records[nodes]))

    def matrices(self, dtype: npt.DTypeLike) -> Matrices:
        """Return the ones: chance made all of Mr. X's stations equally likely."""
        return self._book.tables(dtype)

    @property
    def encoding(self) -> Encoding:
        """Sizes of what networks are shown."""
        assert self.game.encoding is not None
        return self.game.encoding

    def encode(self, store: Store, nodes: U32) -> Codes:
        """Return the codes of nodes."""
        return self.game.encoder.encode(store.records[nodes])

    def describe_rows(self, features: F32, owners: I64, columns: I64) -> F32:
        """Return what Mr. X's stations are like."""
        return self.game.encoder.describe_rows(features, owners, columns)

    def record_of(self, world: "ScotlandYardWorld") -> Records:
        """Return the state [1] in which everybody knows a world."""
        record = np.zeros(1, RECORD)
        record["turn"], record["moves"], record["chance"] = world.turn, world.moves, 1.0
        record["doubles"], record["double"] = world.doubles, world.double
        record["detectives"][0, : len(world.detectives)] = world.detectives
        for pawn, tickets in enumerate(world.detective_tickets):
            record["detective_tickets"][0, pawn] = tickets[:-1]
        record["hider_tickets"] = world.hider_tickets
        if world.hider:
            word, bit = divmod(world.hider - 1, 64)
            record["possible"][0, word] = np.uint64(1) << np.uint64(bit)
        return record

    def world_of(self, record: Any, station: int) -> "ScotlandYardWorld":
        """Return the world in which Mr. X is at a station, 0 before he is placed."""
        pawns = self.game.num_detectives
        return self.game.initial_world()._replace(
            turn=int(record["turn"]),
            hider=station,
            detectives=tuple(int(own) for own in record["detectives"] if own),
            hider_tickets=tuple(record["hider_tickets"].tolist()),
            detective_tickets=tuple((*own, 0) for own in record["detective_tickets"].tolist()[:pawns]),
            doubles=int(record["doubles"]),
            double=int(record["double"]),
            moves=int(record["moves"]),
        )

    def worlds(self, store: Store, node: int) -> list[tuple["ScotlandYardWorld", int, int, float]]:
        """Return the world of every station, with both players' infostates and chance's probability."""
        record = store.records[node]
        chance, stations = float(record["chance"]), stations_of(record) or [0]
        return [(self.world_of(record, station), row, 0, chance) for row, station in enumerate(stations)]

    def observation(self, store: Store, node: int) -> str:
        """Return what both players saw of the move that led to a node."""
        parent = int(store.parents[node])
        return "" if parent == NO_PARENT else self._observe(store.records[parent], store.records[node])

    def infostate_name(self, store: Store, node: int, player: int, row: int) -> str:
        """Return Mr. X's station, which he alone knows, and what both players saw."""
        seen, at = [], node
        while store.parents[at] != NO_PARENT:
            seen.append(self.observation(store, at))
            at = int(store.parents[at])
        stations = stations_of(store.records[node])
        own = f"at {stations[row]}" if player == 0 and stations else ""
        return f"{own} | {' '.join(reversed(seen))}"

    def action_names(self, store: Store, node: int, row: int) -> list[str]:
        """Return the names of the acting infostate's legal actions."""
        world = self._world_at(store.records[node], row)
        return [self.game.action_name(world, action) for action in self.game.legal_actions(world)]

    def hear(self, store: Store, child: int, seat: int, row: int) -> Heard:
        """Return what a seat is told when a play comes to one of its infostates."""
        before, after = store.records[store.parents[child]], store.records[child]
        is_placed = seat == HIDER and before["turn"] == PLACING and after["turn"] != PLACING
        return Heard(self._observe(before, after), f"at {stations_of(after)[row]}" if is_placed else None)

    def follow(self, store: Store, node: int, seat: int, row: int, heard: Sequence[Heard]) -> tuple[int, int]:
        """Return the node and the seat's infostate after what it has heard."""
        for step in heard:
            node, row = self._step(store, node, seat, row, step)
        return node, row

    def _step(self, store: Store, node: int, seat: int, row: int, step: Heard) -> tuple[int, int]:
        """Return the child, and the seat's infostate there, that one move leads to."""
        record = store.records[node].copy()  # expanding moves the records
        station = self._station_after(record, row, step) if seat == HIDER else 0
        for child in store.children(node):
            after = store.records[child]
            if self._observe(record, after) == step.public:
                stations = stations_of(after)
                if not station:
                    return child, 0
                if station in stations:
                    return child, stations.index(station)
        told = f"{str(step.public)[:40]!r} and {str(step.private)[:40]!r}"
        raise ValueError(f"{self.facts.name}: player {seat} cannot be told {told} here, move {step.move}")

    def _station_after(self, record: Any, row: int, step: Heard) -> int:
        """Return where Mr. X is after a move that he has heard of, 0 before he is placed."""
        if step.private is not None:
            return int(str(step.private).removeprefix("at "))
        world = self._world_at(record, row)
        if step.move is None:
            return world.hider
        return self.game.apply(world, self.game.legal_actions(world)[step.move]).hider

    def _world_at(self, record: Any, row: int) -> "ScotlandYardWorld":
        stations = stations_of(record)
        return self.world_of(record, stations[row] if stations else 0)

    def _observe(self, before: Any, after: Any) -> str:
        """Return what both players see of the move from one state to another."""
        stations = stations_of(after)
        old, new = self._world_at(before, 0), self._world_at(after, 0)
        return str(self.game.public_observation(old, self._action(before, after, stations), new))

    def _action(self, before: Any, after: Any, stations: list[int]) -> int:
        """Return a move that looks like the one from one state to another."""
        turn = int(before["turn"])
        if turn == PLACING:
            drawn = np.count_nonzero(before["detectives"])
            is_detective = drawn < self.game.num_detectives
            return int(after["detectives"][drawn] if is_detective else stations[0]) - 1
        if turn == 0 and before["doubles"] != after["doubles"]:
            return self.game.info.num_actions - 1
        changed = np.flatnonzero(before["hider_tickets"] != after["hider_tickets"])[0]
        end = int(after["detectives"][turn - 1]) if turn > 0 else stations[0]
        return int(changed) * self.game.num_stations + end - 1


def _as_successors(children: Children) -> Successors:
    """Return children in the engine's terms."""
    count, num_entries, num_legal = children.filled.tolist()
    ones_number, nothing = np.full(count, ONES, np.uint32), np.zeros(count + 1, np.uint32)
    starts, bounds = children.starts[:, :count], children.bounds[: count + 1]
    flow = Flows(starts[0], bounds, children.source[:num_entries], children.target[:num_entries])
    return Successors(
        counts=children.counts,
        states=children.states[:count],
        actor=children.actor[:count],
        num_actions=children.num_actions[:count],
        rows=(children.rows[:count], np.ones(count, np.uint32)),
        legal=children.legal[:num_legal],
        flows=(flow, Flows(starts[1], nothing, _NOTHING, _NOTHING)),
        joint=ones_number,
        payoff=ones_number,
        joint_scale=children.chance[:count],
        payoff_scale=children.payoff[:count],
        value_scale=np.ones(count),
    )
