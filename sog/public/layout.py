"""The layout of a part of a game: its public states in flat arrays, as solvers' kernels walk them.

Each player sees the public tree as a smaller tree of **steps**. A step is a block of slots:

- a *decision* of the player, with `num_actions × rows` slots: slot `output + a * rows + s` is infostate `s`
  playing its `a`-th action, and `input + s` is the slot that infostate `s` comes from;
- a *relay*, with one slot a row and no choice, wherever infostates split, merge or drop out: its slots are
  fed by an explicit map from slots of the step above.

A **node** (public state) keeps, for each player, the first slot of its row of infostates. Public moves of the
opponent or of chance leave that row where it is: identity maps carry no arrays, and a player's steps are only
the player's own decisions and relays. Reach of a row is read at its slots, counterfactual values are added up
at the same slots. Step 0 is the relay at the root, fed by the initial reach.

Nodes stand breadth first, so parents stand before their children and a reverse loop is bottom-up.

Verified: tests/public/test_layout.py.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import I32, I64, U32, Records
from sog.games.base import NUM_PLAYERS, TERMINAL
from sog.games.products import LEAF
from sog.public.store import ROOT, StateStore

NO_NODE = -1
NO_STEP = -1
_AT_ONCE = 256  # nodes that a view is asked about in one call

STEP = np.dtype(
    [
        ("num_actions", "u4"),  # A, or 0 for a relay
        ("rows", "u4"),  # H, infostates of the step
        ("input", "u4"),  # decisions: slot of the first row before the decision
        ("output", "u4"),  # first slot of the block
        ("first_row", "u4"),  # decisions: number of the first row among all decision rows
        ("map_start", "u4"),  # relays: range in map_source and map_target
        ("map_end", "u4"),
        ("child_start", "u4"),  # range in child
        ("child_end", "u4"),
        ("leaf_start", "u4"),  # range in leaf
        ("leaf_end", "u4"),
    ]
)
Progress = Callable[[int], None]  # is told how many public states are known
Check = Callable[[Sequence[int]], None]  # is told which nodes are expanded next, and may refuse


class PlayerLayout(NamedTuple):
    """One player's steps. K steps, M map entries, D decision rows, F frontier nodes, L waves."""

    steps: Records  # [K] STEP
    leaves: Records  # [F] LEAF
    map_source: U32  # [M] slot above
    map_target: U32  # [M] slot of the relay
    child: U32  # [K - 1] steps fed from a step's slots
    leaf: U32  # [F] frontier nodes whose row stands in a step's slots
    legal: U32  # [D] legal actions of each decision row; [0] where all actions always are
    wave_start: U32  # [L + 1] range in wave
    wave: U32  # [K] steps, those of equal depth together: they may be walked in parallel


class Layout(NamedTuple):
    """N public states from a root on, breadth first, as the kernels see them."""

    players: tuple[PlayerLayout, PlayerLayout]
    num_slots: tuple[int, int]
    num_rows: tuple[int, int]  # decision rows
    num_waiting: tuple[int, int]  # decision rows that have no choice: another is to move
    num_values: tuple[int, int]  # frontier rows
    frontier: I32  # [F] those of the N that are terminal, or were not expanded
    nodes: U32  # [N] of the store
    parent: I32  # [N] among the N, NO_NODE for the root
    depth: I32  # [N]
    actor: I32  # [N]
    first_child: I32  # [N] among the N; children stand side by side
    num_children: I32  # [N]
    decision_step: I32  # [N] of the actor, NO_STEP where no player decides
    slot: tuple[I32, I32]  # [P][N] first slot of a node's row
    size: tuple[I32, I32]  # [P][N] infostates

    @property
    def num_nodes(self) -> int:
        """N."""
        return len(self.nodes)

    def count(self, actor: int) -> int:
        """Return in how many nodes `actor` acts."""
        return int(np.count_nonzero(self.actor == actor))

    def infostates(self, player: int) -> int:
        """Return how many infostates `player` decides in; those that only wait are left out."""
        return self.num_rows[player] - self.num_waiting[player]

    def children(self, node: int) -> range:
        """Return a node's children."""
        first = int(self.first_child[node])
        return range(first, first + int(self.num_children[node]))

    def decision_slots(self, node: int) -> tuple[int, int]:
        """Return where the actor's slots at a node begin, and how many infostates there are."""
        step = self.players[int(self.actor[node])].steps[int(self.decision_step[node])]
        return int(step["output"]), int(step["rows"])

    def slots_of(self, node: int, row: int, num_actions: int) -> I64:
        """Return the slots of an acting infostate's actions."""
        output, rows = self.decision_slots(node)
        slots: I64 = output + row + rows * np.arange(num_actions)
        return slots


def lay_out(
    store: StateStore,
    root: int = ROOT,
    max_depth: int | None = None,
    progress: Progress | None = None,
    check: Check | None = None,
) -> Layout:
    """Return the layout of everything below a root, or of all that is less deep.

    What `progress` and `check` raise goes through.
    """
    found = _enumerate(store, root, max_depth, progress, check)
    steps = (_Steps(found.sizes[0][0]), _Steps(found.sizes[1][0]))
    count = len(found.nodes)
    decision = [NO_STEP] * count
    owner = [[0] * count, [0] * count]
    slot = [[0] * count, [0] * count]
    arrays = store.arrays()
    for node, (state, actor, first, size) in enumerate(
        zip(found.nodes, found.actor, found.first_child, found.num_children, strict=True)
    ):
        if size == 0:
            continue
        if actor < NUM_PLAYERS:
            decision[node] = steps[actor].add_decision(
                owner[actor][node], slot[actor][node], store.num_actions(state), store.legal(state)
            )
        for child in range(first, first + size):
            for player in range(NUM_PLAYERS):
                own = steps[player]
                above, base = owner[player][node], slot[player][node]
                if player == actor:
                    above = decision[node]
                    base = own.output[above]
                place = arrays.places[player][found.nodes[child]]
                if place["is_mapped"]:
                    entries = slice(int(place["map_start"]), int(place["map_end"]))
                    above = own.add_relay(
                        above,
                        base,
                        int(place["rows"]),
                        arrays.map_source[entries],
                        arrays.map_target[entries],
                    )
                    owner[player][child], slot[player][child] = above, own.output[above]
                else:
                    owner[player][child], slot[player][child] = above, base + int(place["start"])
    frontier = np.flatnonzero(np.array(found.num_children) == 0).astype(np.int32)
    waiting = [0, 0]
    for state, actor, size in zip(found.nodes, found.actor, found.num_children, strict=True):
        if size and actor < NUM_PLAYERS:
            waiting[actor] += int(np.count_nonzero(store.waiting(state)))
    players, sizes = [], [np.array(own, np.int32) for own in found.sizes]
    for player in range(NUM_PLAYERS):
        owners = np.array(owner[player], np.int32)[frontier]
        slots = np.array(slot[player], np.int32)[frontier]
        players.append(_player_layout(steps[player], owners, slots, sizes[player][frontier]))
    return Layout(
        players=(players[0], players[1]),
        num_slots=(steps[0].num_slots, steps[1].num_slots),
        num_rows=(steps[0].num_rows, steps[1].num_rows),
        num_waiting=(waiting[0], waiting[1]),
        num_values=(int(sizes[0][frontier].sum()), int(sizes[1][frontier].sum())),
        frontier=frontier,
        nodes=np.array(found.nodes, np.uint32),
        parent=np.array(found.parent, np.int32),
        depth=np.array(found.depth, np.int32),
        actor=np.array(found.actor, np.int32),
        first_child=np.array(found.first_child, np.int32),
        num_children=np.array(found.num_children, np.int32),
        decision_step=np.array(decision, np.int32),
        slot=(np.array(slot[0], np.int32), np.array(slot[1], np.int32)),
        size=(sizes[0], sizes[1]),
    )


class _Found(NamedTuple):
    """Public states below a root, breadth first."""

    nodes: list[int]  # of the store
    parent: list[int]
    depth: list[int]
    actor: list[int]
    first_child: list[int]
    num_children: list[int]  # 0 where a node is terminal or too deep
    sizes: tuple[list[int], list[int]]


def _enumerate(
    store: StateStore, root: int, max_depth: int | None, progress: Progress | None, check: Check | None
) -> _Found:
    """List a root and everything below it that is not too deep, expanding it."""
    found = _Found([root], [NO_NODE], [0], [store.actor(root)], [], [], ([], []))
    at = 0
    while at < len(found.nodes):
        end = min(len(found.nodes), at + _AT_ONCE)
        opened = [
            place
            for place in range(at, end)
            if found.actor[place] != TERMINAL and (max_depth is None or found.depth[place] < max_depth)
        ]
        nodes = [found.nodes[place] for place in opened]
        if check is not None:
            check(nodes)
        store.expand(nodes)
        is_opened = set(opened)
        for place in range(at, end):
            children = store.all_children(found.nodes[place]) if place in is_opened else ()
            found.first_child.append(len(found.nodes))
            found.num_children.append(len(children))
            found.nodes.extend(children)
            found.parent.extend([place] * len(children))
            found.depth.extend([found.depth[place] + 1] * len(children))
            found.actor.extend(store.actor(child) for child in children)
        at = end
        if progress is not None:
            progress(len(found.nodes))
    for node in found.nodes:
        first, second = store.num_infostates(node)
        found.sizes[0].append(first)
        found.sizes[1].append(second)
    return found


class _Steps:
    """The growing steps of one player."""

    def __init__(self, root_rows: int) -> None:
        self.num_slots = root_rows
        self.num_rows = 0
        self.owner: list[int] = []
        self.output: list[int] = []
        self.records: list[tuple[int, ...]] = []  # the first seven fields of STEP
        self.map_source: list[Any] = []
        self.map_target: list[Any] = []
        self.legal: list[U32] = []
        self._num_entries = 0
        self._append(NO_STEP, 0, root_rows, 0, 0)

    def add_decision(self, owner: int, input_slot: int, num_actions: int, legal: U32) -> int:
        """Append a decision and return its step."""
        output = self.num_slots
        self.num_slots += num_actions * legal.size
        step = self._append(owner, num_actions, legal.size, input_slot, output)
        self.legal.append(legal)
        self.num_rows += legal.size
        return step

    def add_relay(self, owner: int, base: int, rows: int, source: U32, target: U32) -> int:
        """Append a relay fed from the slots that start at `base`; return its step."""
        output = self.num_slots
        self.num_slots += rows
        self.map_source.append(source + np.uint32(base))
        self.map_target.append(target + np.uint32(output))
        self._num_entries += source.size
        return self._append(owner, 0, rows, 0, output, source.size)

    def _append(
        self, owner: int, num_actions: int, rows: int, input_: int, output: int, entries: int = 0
    ) -> int:
        self.owner.append(owner)
        self.output.append(output)
        start = self._num_entries - entries
        self.records.append((num_actions, rows, input_, output, self.num_rows, start, self._num_entries))
        return len(self.owner) - 1


def _player_layout(grown: _Steps, leaf_owner: I32, leaf_slot: I32, leaf_rows: I32) -> PlayerLayout:
    owner = np.array(grown.owner, np.int32)
    num_steps = owner.size
    child_start, child = _group(owner[1:], num_steps)
    leaf_start, leaf = _group(leaf_owner, num_steps)
    wave_start, wave = _waves(owner)
    steps = np.zeros(num_steps, STEP)
    columns = np.array(grown.records, np.uint32).T
    names = ("num_actions", "rows", "input", "output", "first_row", "map_start", "map_end")
    for name, column in zip(names, columns, strict=True):
        steps[name] = column
    steps["child_start"], steps["child_end"] = child_start[:-1], child_start[1:]
    steps["leaf_start"], steps["leaf_end"] = leaf_start[:-1], leaf_start[1:]
    leaves = np.zeros(leaf_slot.size, LEAF)
    leaves["slot"], leaves["rows"] = leaf_slot, leaf_rows
    leaves["value"][1:] = np.cumsum(leaves["rows"])[:-1]
    empty = np.zeros(0, np.uint32)
    return PlayerLayout(
        steps=steps,
        leaves=leaves,
        map_source=np.concatenate([empty, *grown.map_source]),
        map_target=np.concatenate([empty, *grown.map_target]),
        child=child + np.uint32(1),
        leaf=leaf,
        legal=np.concatenate([empty, *grown.legal]),
        wave_start=wave_start,
        wave=wave,
    )


def _group(owner: I32, num_groups: int) -> tuple[U32, U32]:
    """Return a compressed list: members of group g are `members[start[g]:start[g + 1]]`, in order."""
    start = np.zeros(num_groups + 1, np.uint32)
    start[1:] = np.cumsum(np.bincount(owner, minlength=num_groups))
    return start, np.argsort(owner, kind="stable").astype(np.uint32)


def _waves(owner: I32) -> tuple[U32, U32]:
    """Group steps by their depth below the root step."""
    depth = np.zeros(owner.size, np.int32)
    for step in range(1, owner.size):
        depth[step] = depth[owner[step]] + 1
    return _group(depth, int(depth.max()) + 1)
