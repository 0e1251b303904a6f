"""The trees of many searches side by side, in arrays that kernels grow.

A **lane** is one search. Its tree is laid out as in `sog.public.layout`: for each player steps and
slots, as `PlayerLayout` has them, so that the passes of `sog.solvers` run on it as they stand. Two things
differ from a tree that is built once and for all. Every node has a `LEAF` record of its row, since every
node was a leaf once; and steps do not list what hangs below them: they stand in the order in which they were
added, and values are sent up in the reverse order (`sog.search.update`).

All arrays have room to spare; `counts` says how far they are filled. Nothing is cleared between searches:
whatever is added is written as it is added. The arrays of a lane are a plain view, `player_tree`, of the
arrays of all.

All lanes have the room of the largest, but where that is much they take only as much memory as they fill:
the arrays are then `sparse_zeros`, and the system's pages are the pool that lanes take from.

Verified: tests/search/test_lanes.py.
"""

from dataclasses import dataclass, field
from math import inf
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F64, U32, Records, num_bytes, sparse_zeros
from sog.core.jit import inlined
from sog.core.rng import RngState
from sog.games.base import NUM_PLAYERS
from sog.games.products import LEAF, Leaves
from sog.public.layout import STEP, PlayerLayout

Index = int | np.int64  # of a player or a lane, or a small number: signed, unlike nodes and slots

NONE = np.uint32(0xFFFFFFFF)  # no such node, step or ordinal
OPEN, OVER, INTERIOR = range(3)  # what a node is: a leaf to be estimated, a terminal, an expanded node
STEPS, SLOTS, ROWS, MAPS, VALUES = range(5)  # what `counts` counts
NUM_COUNTS = 5
PLANT, PRIME, START, LOOK, LEARN, GROW, DONE = range(7)  # what a lane does next
NOTHING, SUCCESSORS, OUTCOMES, ROOM, BATCH_ROOM, ANSWERS, TIME = range(7)  # what a lane waits for

TREE_NODE = np.dtype(
    [
        ("state", "u4"),  # the same public state in the store
        ("parent", "u4"),
        ("depth", "u4"),
        ("first_child", "u4"),  # of a linked list
        ("next_sibling", "u4"),
        ("decision", "u4"),  # step of the actor, where a player acts and the node is expanded
        ("kind", "u4"),  # OPEN, OVER or INTERIOR
        ("is_partial", "u4"),  # some actions are not in the tree yet
        ("has_dead", "u4"),  # chance rules out some infostates
        ("is_answered", "u4"),  # an evaluator's answer that cannot change has come
        ("prior", "u4"),  # first slot in priors
        ("is_primed", "u4"),  # the evaluator has been asked for the prior
        ("place", "u4"),  # leaves: in `open` or `over`
        ("expanded", "u4"),  # iteration in which it stopped being a leaf; 0 if it was decided upon before
        ("factor", "f8"),  # one over the probability that sampling kept this outcome of chance
        ("entered", "f8"),  # weight of all iterations before the node was there
    ]
)
LANE = np.dtype(
    [
        ("phase", "u8"),
        ("waits_for", "u8"),
        ("current", "u8"),  # node at which simulations start and the policy is read
        ("path_length", "u8"),  # nodes from the root to the current state
        ("cursor", "u8"),  # next node to be looked at while the first tree is made
        ("level", "u8"),  # how deep below the current state the first tree may be made for now
        ("pending", "u8"),  # node that a simulation has chosen to expand, or NONE
        ("pending_action", "u8"),  # the one action to add there, or NONE for the node as a whole
        ("iteration", "u8"),  # those taken over from the search before included
        ("first_iteration", "u8"),  # how many were taken over
        ("updates_left", "u8"),
        ("turn", "u8"),  # the player whose half of an alternating update is next, or BOTH
        ("simulations_left", "u8"),  # in the present phase
        ("simulations", "u8"),  # of all phases up to the present one
        ("num_nodes", "u8"),
        ("num_open", "u8"),
        ("num_over", "u8"),
        ("num_priors", "u8"),
        ("num_touched", "u8"),  # slots with virtual losses
        ("num_drawn", "u8"),  # outcomes of wide chance that were drawn for the pending node
        ("num_queries", "u8"),
        ("deepest", "u8"),  # depth of the deepest node
        ("resolver", "u8"),  # the player under whose opponent's gadget the root stands, or NO_GADGET
        ("snapshot_iteration", "u8"),  # what is played in it is kept; counted from 1, 0 for none
        ("weight", "f8"),  # of all iterations so far
    ]
)
NO_GADGET = 2
BOTH = 2


# Arrays of one kind are one array with an axis of fields: a struct of many arrays is slow to hand around and
# much slower to compile. Fields of `slots` (ROW_… are per decision row); SPARE is where the regret
# minimiser pushes reach, since REACH must stay what the values were computed from; before that it holds the
# sums of reach where leaves are asked about averages; SNAPSHOT_… are of the one iteration that is kept:
REGRET, GAIN, AVERAGE, POLICY, REACH, SPARE, VALUE, ROW_VALUE, ROW_SUM, SNAPSHOT_POLICY, SNAPSHOT_REACH = (
    range(11)
)
NUM_SLOT_FIELDS = 11
# of `leaf_rows`: counterfactual values, their weighted sums, what the evaluator said last and about which
# range; where leaves are asked about averages, what the average was worth an iteration ago, unnormalised
LEAF_VALUE, LEAF_SUM, ANSWER, ASKED, BEFORE = range(5)
NUM_LEAF_FIELDS = 5
# of `marks`: legal actions (per decision row), simulations, virtual losses of the present phase, and in
# partial decisions the slot of an action, counted from the first, or NONE
LEGAL, VISITS, LOSSES, ORDINAL = range(4)
SOURCE, TARGET = range(2)  # of `maps`: slot above, slot of the relay
# of `lists`: leaves that are not terminal, terminals, `current` (before it is planted, the store's nodes from
# the root to it); outcomes that were drawn for the pending node of wide chance: their numbers, then the
# store's nodes
OPEN_LIST, OVER_LIST, CURRENT_LIST, DRAWN_LIST = range(4)
# of `roots`, after the two players' ranges: what the opponent gets for terminating, the gadget's state, and 1
# where the opponent's infostate is alive
STOP_VALUE, FOLLOW_REGRET, STOP_REGRET, FOLLOW, ALIVE = range(2, 7)


class Lanes(NamedTuple):
    """L searches; P players.

    Room for N nodes, S slots and rows, M map entries, V leaf rows, R root rows, A slots of priors.
    """

    lane: Records  # [L] LANE
    rng: RngState  # [L, 1]
    counts: U32  # [P, L, NUM_COUNTS]
    steps: Records  # [P, L, 2 N] STEP
    leaves: Records  # [P, L, N] LEAF
    maps: U32  # [P, L, 2, M]
    slots: F64  # [P, L, 11 or 9, S]
    marks: U32  # [P, L, 4, S]
    leaf_rows: F64  # [P, L, 5, V]
    touched: U32  # [L, S] slots with virtual losses: twice the slot, plus the player
    priors: F64  # [L, A]
    nodes: Records  # [L, N] TREE_NODE
    matrix: U32  # [L, N] of payoffs at terminals, of joint weights elsewhere
    scale: F64  # [L, N] of the matrix
    lists: U32  # [L, 4, N]
    roots: F64  # [L, 7, R]


class Capacity(NamedTuple):
    """How much room each lane has."""

    nodes: int = 128
    slots: int = 1024
    maps: int = 256
    values: int = 512
    roots: int = 16
    fields: int = SNAPSHOT_POLICY  # of slots; all of them where an iteration is kept
    priors: int = 1024

    def doubled(self, filled: "Capacity") -> "Capacity":
        """Return twice the room of what is more than half full, or of everything if nothing is.

        >>> Capacity(priors=8).doubled(Capacity(nodes=1, slots=3, maps=4, values=2, priors=5)).priors
        16
        """
        short = [name for name in _GROWING if 2 * getattr(filled, name) > getattr(self, name)]
        return self._replace(**{name: 2 * getattr(self, name) for name in short or _GROWING})


_GROWING = ("nodes", "slots", "maps", "values", "priors")


LANES_PART = 0.25  # of a process's memory, for the lanes of one searcher


@dataclass
class LaneShare:
    """What the lanes of a searcher may take, and how many at a time have been found to fit."""

    num_bytes: float = inf
    at_once: int = 2**31
    capacity: Capacity = field(default_factory=Capacity)  # of the last lanes: the next searcher's begin with

    def is_exceeded(self, num_lanes: int, capacity: Capacity, times: float = 1.0) -> bool:
        """Return whether lanes would take more, or so many times more, if they were full."""
        return num_lanes * num_bytes(allocate_lanes(1, capacity)) > times * self.num_bytes


def allocate_lanes(num_lanes: int, capacity: Capacity, is_sparse: bool = False) -> Lanes:
    """Return empty lanes."""
    nodes, slots, maps, values, roots, fields, priors = capacity
    zeros: Any = sparse_zeros if is_sparse else np.zeros
    both = (NUM_PLAYERS, num_lanes)
    return Lanes(
        lane=zeros(num_lanes, LANE),
        rng=zeros((num_lanes, 1), np.uint64),
        counts=zeros((*both, NUM_COUNTS), np.uint32),
        steps=zeros((*both, 2 * nodes), STEP),  # a relay a node, and a decision
        leaves=zeros((*both, nodes), LEAF),
        maps=zeros((*both, 2, maps), np.uint32),
        slots=zeros((*both, fields, slots)),
        marks=zeros((*both, 4, slots), np.uint32),
        leaf_rows=zeros((*both, NUM_LEAF_FIELDS, values)),
        touched=zeros((num_lanes, slots), np.uint32),
        priors=zeros((num_lanes, priors)),
        nodes=zeros((num_lanes, nodes), TREE_NODE),
        matrix=zeros((num_lanes, nodes), np.uint32),
        scale=zeros((num_lanes, nodes)),
        lists=zeros((num_lanes, 4, nodes), np.uint32),
        roots=zeros((num_lanes, 7, roots)),
    )


def capacity_of(lanes: Lanes) -> Capacity:
    """Return how much room each lane has."""
    return Capacity(
        nodes=lanes.lists.shape[2],
        slots=lanes.slots.shape[3],
        maps=lanes.maps.shape[3],
        values=lanes.leaf_rows.shape[3],
        roots=lanes.roots.shape[2],
        fields=lanes.slots.shape[2],
        priors=lanes.priors.shape[1],
    )


def filled_capacity(lanes: Lanes) -> Capacity:
    """Return how much of their room the fullest lanes have filled."""
    steps, slots, rows, maps, values = lanes.counts.max(axis=(0, 1)).tolist()
    nodes, priors = (int(lanes.lane[name].max()) for name in ("num_nodes", "num_priors"))
    return capacity_of(lanes)._replace(
        nodes=max(nodes, -(-steps // 2)), slots=max(slots, rows), maps=maps, values=values, priors=priors
    )


def enlarge(lanes: Lanes, capacity: Capacity, is_sparse: bool = False) -> Lanes:
    """Return the same lanes with more room."""
    larger = allocate_lanes(lanes.lane.size, capacity, is_sparse)
    for lane in range(lanes.lane.size):
        copy_lane(lanes, lane, larger, lane)
    return larger


def copy_lane(lanes: Lanes, lane: int, target: Lanes, to: int) -> None:
    """Copy what a lane has filled to one that has the room; target modified in place."""
    record = lanes.lane[lane]
    num_nodes = int(record["num_nodes"])
    target.lane[to], target.rng[to], target.counts[:, to] = record, lanes.rng[lane], lanes.counts[:, lane]
    target.lists[to, :, : lanes.lists.shape[2]] = lanes.lists[lane]
    target.roots[to, :, : lanes.roots.shape[2]] = lanes.roots[lane]
    shared: Any = (
        (lanes.touched, target.touched, int(record["num_touched"])),
        (lanes.priors, target.priors, int(record["num_priors"])),
        (lanes.nodes, target.nodes, num_nodes),
        (lanes.matrix, target.matrix, num_nodes),
        (lanes.scale, target.scale, num_nodes),
    )
    for old, new, size in shared:
        new[to, :size] = old[lane, :size]
    for player in range(NUM_PLAYERS):
        steps, slots, _, maps, values = lanes.counts[player, lane].tolist()
        own: Any = (
            (lanes.steps, target.steps, steps),
            (lanes.leaves, target.leaves, num_nodes),
            (lanes.maps, target.maps, maps),
            (lanes.slots, target.slots, slots),
            (lanes.marks, target.marks, slots),
            (lanes.leaf_rows, target.leaf_rows, values),
        )
        for old, new, size in own:
            new[player, to, ..., :size] = old[player, lane, ..., :size]


def filled_bytes(lanes: Lanes, count: int) -> int:
    """Return what the first lanes have filled, about."""
    steps, slots, _, maps, values = lanes.counts[:, :count].sum(axis=(0, 1)).tolist()
    nodes, priors = (int(lanes.lane[name][:count].sum()) for name in ("num_nodes", "num_priors"))
    per_slot = 8 * lanes.slots.shape[2] + 4 * lanes.marks.shape[2]
    per_node = TREE_NODE.itemsize + NUM_PLAYERS * LEAF.itemsize + 4 + 8 + 4 * lanes.lists.shape[1]
    return int(
        STEP.itemsize * steps
        + per_slot * slots
        + 8 * maps
        + 8 * NUM_LEAF_FIELDS * values
        + per_node * nodes
        + 8 * priors
    )


class PlayerTree(NamedTuple):
    """One player's part of one lane: the axes of players and lanes are gone, and steps end where they end."""

    layout: PlayerLayout
    counts: U32
    regret: F64
    gain: F64
    average: F64
    policy: F64
    reach: F64
    spare: F64
    values: F64
    row_values: F64
    row_sums: F64
    leaf_values: F64
    leaf_sums: F64


@inlined
def leaves_of(lanes: Lanes, player: Index, lane: Index, kind: Index, count: np.uint64) -> Leaves:
    """Return the first leaves of one of `lists`, to be multiplied by their matrices.

    Payoffs, at terminals, count with the opposite sign for player 1; joint weights do not.
    """
    return Leaves(
        nodes=lanes.lists[lane, kind],
        size=count,
        own=lanes.leaves[player, lane],
        other=lanes.leaves[1 - player, lane],
        numbers=lanes.matrix[lane],
        scales=lanes.scale[lane],
        is_negated=player == 1 and kind == OVER_LIST,
    )


@inlined
def player_layout(lanes: Lanes, player: Index, lane: Index) -> PlayerLayout:
    """Return a player's layout. What stands below a step is not listed: those fields hold a stand-in."""
    num_steps = lanes.counts[player, lane, STEPS]
    legal = lanes.marks[player, lane, LEGAL]
    return PlayerLayout(
        steps=lanes.steps[player, lane, :num_steps],
        leaves=lanes.leaves[player, lane],
        map_source=lanes.maps[player, lane, SOURCE],
        map_target=lanes.maps[player, lane, TARGET],
        child=legal,
        leaf=legal,
        legal=legal,
        wave_start=legal,
        wave=legal,
    )


@inlined
def player_tree(lanes: Lanes, player: Index, lane: Index) -> PlayerTree:
    """Return a player's part of a lane."""
    return PlayerTree(
        layout=player_layout(lanes, player, lane),
        counts=lanes.counts[player, lane],
        regret=lanes.slots[player, lane, REGRET],
        gain=lanes.slots[player, lane, GAIN],
        average=lanes.slots[player, lane, AVERAGE],
        policy=lanes.slots[player, lane, POLICY],
        reach=lanes.slots[player, lane, REACH],
        spare=lanes.slots[player, lane, SPARE],
        values=lanes.slots[player, lane, VALUE],
        row_values=lanes.slots[player, lane, ROW_VALUE],
        row_sums=lanes.slots[player, lane, ROW_SUM],
        leaf_values=lanes.leaf_rows[player, lane, LEAF_VALUE],
        leaf_sums=lanes.leaf_rows[player, lane, LEAF_SUM],
    )
