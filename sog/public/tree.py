"""The growable public tree in flat arrays, and the layout that the kernels walk.

Each player sees the tree as a smaller tree of **steps**. A step is a block of slots:

- a *decision* of the player, with `num_actions × rows` slots: slot `output + a * rows + s` is infostate `s`
  playing its `a`-th action, and `input + s` is the slot that infostate `s` comes from;
- a *relay*, with one slot a row and no choice, wherever infostates split, merge or drop out: its slots are
  fed by an explicit map from slots of the step above.

A **node** (public state) keeps, for each player, the first slot of its row of infostates. Public moves of the
opponent or of chance leave that row where it is: identity maps carry no arrays, and a player's steps are only
the player's own decisions and relays. Reach of a row is read at its slots, counterfactual values are added up
at the same slots. Step 0 is the relay at the root, fed by the initial reach.

Nodes and steps are appended when a node is expanded, so parents always stand before their children and a
reverse loop is bottom-up. `layout()` gives the arrays as the kernels want them.

Verified: tests/public/test_tree.py.
"""

from collections.abc import Callable
from typing import Any, Generic, NamedTuple

import numpy as np

from sog.core.arrays import I32, U32, Growable, Records
from sog.core.errors import InputError
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL
from sog.games.base import PublicStates as ViewKind
from sog.public.derived import WAIT, DerivedView
from sog.public.view import Flow, PublicView, State

ROOT = 0
NO_PARENT = -1
NO_STEP = -1


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
LEAF = np.dtype(
    [
        ("slot", "u4"),  # first slot of the node's row
        ("rows", "u4"),  # infostates
        ("value", "u4"),  # first place among the leaf values
    ]
)


class PlayerLayout(NamedTuple):
    """One player's steps. K steps, M map entries, D decision rows, F frontier nodes, L waves."""

    steps: Records  # [K] STEP
    leaves: Records  # [F] LEAF
    map_source: U32  # [M] slot above
    map_target: U32  # [M] slot of the relay
    child: U32  # [K - 1] steps fed from a step's slots
    leaf: U32  # [F] frontier nodes whose row stands in a step's slots
    legal: U32  # [D] legal actions of each decision row
    wave_start: U32  # [L + 1] range in wave
    wave: U32  # [K] steps, those of equal depth together: they may be walked in parallel


class Layout(NamedTuple):
    """A tree as the kernels see it."""

    players: tuple[PlayerLayout, PlayerLayout]
    num_slots: tuple[int, int]
    num_rows: tuple[int, int]  # decision rows
    num_values: tuple[int, int]  # frontier rows
    frontier: I32  # [F] nodes: terminal, or not expanded yet


class _Steps:
    """The growing steps of one player."""

    def __init__(self, root_rows: int) -> None:
        self.num_slots = root_rows
        self.num_rows = 0
        self.owner = Growable(np.int32)
        self.node = Growable(np.int32)
        self.num_actions = Growable(np.int32)
        self.rows = Growable(np.int32)
        self.input = Growable(np.int32)
        self.output = Growable(np.int32)
        self.first_row = Growable(np.int32)
        self.map_end = Growable(np.int32)
        self.map_source = Growable(np.int32)
        self.map_target = Growable(np.int32)
        self.legal = Growable(np.int32)
        self._append(NO_STEP, ROOT, 0, root_rows, 0, 0)

    def add_decision(self, owner: int, node: int, input_slot: int, num_actions: int, legal: I32) -> int:
        """Append a decision and return its step."""
        output = self.num_slots
        self.num_slots += num_actions * legal.size
        step = self._append(owner, node, num_actions, legal.size, input_slot, output)
        self.legal.extend(legal)
        self.num_rows += legal.size
        return step

    def add_relay(self, owner: int, node: int, base: int, flow: Flow) -> int:
        """Append a relay fed by `flow` from the slots that start at `base`; return its step."""
        output = self.num_slots
        self.num_slots += flow.size
        assert flow.source is not None
        assert flow.target is not None
        self.map_source.extend(flow.source + base)
        self.map_target.extend(flow.target + output)
        return self._append(owner, node, 0, flow.size, 0, output)

    def _append(self, owner: int, node: int, num_actions: int, rows: int, input_: int, output: int) -> int:
        self.owner.append(owner)
        self.node.append(node)
        self.num_actions.append(num_actions)
        self.rows.append(rows)
        self.input.append(input_)
        self.output.append(output)
        self.first_row.append(self.num_rows)
        return self.map_end.append(len(self.map_source))


class PublicTree(Generic[State]):
    """A part of a game's public tree that grows node by node.

    >>> from sog.games.registry import load
    >>> tree = build_tree(load("kuhn"))
    >>> tree.num_nodes, tree.count(0) + tree.count(1)
    (11, 4)
    """

    def __init__(self, view: PublicView[State], root: State | None = None) -> None:
        self.view = view
        state = view.root() if root is None else root
        self.states: list[State] = [state]
        self.observations: list[str] = [""]
        self.parent = Growable(np.int32)
        self.actor = Growable(np.int8)
        self.depth = Growable(np.int32)
        self.is_expanded = Growable(np.bool_)
        self.children: list[list[int]] = []
        sizes = view.num_infostates(state)
        self.steps = (_Steps(sizes[0]), _Steps(sizes[1]))
        self.num_waiting = [0, 0]  # rows of decisions that have no choice
        self.decision_step = Growable(np.int32)  # of the actor, NO_STEP where nobody decides
        self.owner = (Growable(np.int32), Growable(np.int32))  # [P][N] step that holds a node's row
        self.slot = (Growable(np.int32), Growable(np.int32))  # [P][N] first slot of a node's row
        self.size = (Growable(np.int32), Growable(np.int32))  # [P][N] infostates
        self._append(NO_PARENT, state, ((0, 0, sizes[0]), (0, 0, sizes[1])))

    @property
    def num_nodes(self) -> int:
        """How many public states the tree holds."""
        return len(self.states)

    def count(self, actor: int) -> int:
        """Return in how many nodes `actor` acts."""
        return int(np.count_nonzero(self.actor.values == actor))

    def infostates(self, player: int) -> int:
        """Return how many infostates `player` decides in; those that only wait are left out."""
        return self.steps[player].num_rows - self.num_waiting[player]

    def expand(self, node: int) -> list[int]:
        """Add all children of a node and return them; a node is expanded once."""
        if self.is_expanded[node]:
            return self.children[node]
        state, actor = self.states[node], int(self.actor[node])
        if actor == TERMINAL:
            raise ValueError(f"node {node} is terminal")
        decision = NO_STEP
        if actor < NUM_PLAYERS:
            choices = self.view.legal(state)
            decision = self.steps[actor].add_decision(
                self.owner[actor][node], node, self.slot[actor][node], choices.num_actions, choices.counts
            )
            self.decision_step[node] = decision
            self.num_waiting[actor] += choices.num_waiting
        for child in self.view.children(state):
            places = []
            for player, flow in enumerate(child.flows):
                if player == actor:
                    owner, base = decision, int(self.steps[player].output[decision])
                else:
                    owner, base = int(self.owner[player][node]), int(self.slot[player][node])
                places.append(self._place(player, owner, base, flow))
            self.children[node].append(self._append(node, child.state, places, child.observation))
        self.is_expanded[node] = True
        return self.children[node]

    def _place(self, player: int, owner: int, base: int, flow: Flow) -> tuple[int, int, int]:
        """Return (owner step, first slot, size) of a row that `flow` brings about."""
        if flow.source is None:
            return owner, base + flow.start, flow.size
        steps = self.steps[player]
        relay = steps.add_relay(owner, self.num_nodes, base, flow)
        return relay, int(steps.output[relay]), flow.size

    def _append(self, parent: int, state: State, places: Any, observation: str | None = None) -> int:
        node = self.parent.append(parent)
        self.actor.append(self.view.actor(state))
        self.depth.append(0 if parent == NO_PARENT else self.depth[parent] + 1)
        self.is_expanded.append(False)
        self.decision_step.append(NO_STEP)
        self.children.append([])
        if observation is not None:
            self.states.append(state)
            self.observations.append(observation)
        for player, (owner, slot, size) in enumerate(places):
            self.owner[player].append(owner)
            self.slot[player].append(slot)
            self.size[player].append(size)
        return node

    def path(self, node: int) -> list[str]:
        """Return the public observations from the root to a node."""
        seen: list[str] = []
        while node != ROOT:
            seen.append(self.observations[node])
            node = int(self.parent[node])
        return seen[::-1]

    def layout(self) -> Layout:
        """Return the arrays that the kernels walk, for the tree as it stands."""
        frontier = np.flatnonzero(~self.is_expanded.values).astype(np.int32)
        return Layout(
            players=(self._player_layout(0, frontier), self._player_layout(1, frontier)),
            num_slots=(self.steps[0].num_slots, self.steps[1].num_slots),
            num_rows=(self.steps[0].num_rows, self.steps[1].num_rows),
            num_values=(
                int(self.size[0].values[frontier].sum()),
                int(self.size[1].values[frontier].sum()),
            ),
            frontier=frontier,
        )

    def _player_layout(self, player: int, frontier: I32) -> PlayerLayout:
        grown = self.steps[player]
        owner, num_steps = grown.owner.values, len(grown.owner)
        child_start, child = _group(owner[1:], num_steps)
        leaf_start, leaf = _group(self.owner[player].values[frontier], num_steps)
        wave_start, wave = _waves(owner)
        steps = np.zeros(num_steps, STEP)
        for name in ("num_actions", "rows", "input", "output", "first_row", "map_end"):
            steps[name] = getattr(grown, name).values
        steps["map_start"][1:] = steps["map_end"][:-1]
        steps["child_start"], steps["child_end"] = child_start[:-1], child_start[1:]
        steps["leaf_start"], steps["leaf_end"] = leaf_start[:-1], leaf_start[1:]
        leaves = np.zeros(frontier.size, LEAF)
        leaves["slot"] = self.slot[player].values[frontier]
        leaves["rows"] = self.size[player].values[frontier]
        leaves["value"][1:] = np.cumsum(leaves["rows"])[:-1]
        return PlayerLayout(
            steps=steps,
            leaves=leaves,
            map_source=grown.map_source.values.astype(np.uint32),
            map_target=grown.map_target.values.astype(np.uint32),
            child=child + np.uint32(1),
            leaf=leaf,
            legal=grown.legal.values.astype(np.uint32),
            wave_start=wave_start,
            wave=wave,
        )


def build_tree(
    game: Any, max_depth: int | None = None, progress: Callable[[int], None] | None = None
) -> PublicTree[Any]:
    """Build a world-view game's public tree breadth first, whole or to a depth.

    `progress` is called now and then with the number of nodes so far.
    """
    return grow_fully(PublicTree(DerivedView(game)), max_depth, progress)


def grow_fully(
    tree: PublicTree[Any], max_depth: int | None = None, progress: Callable[[int], None] | None = None
) -> PublicTree[Any]:
    """Expand every node above `max_depth`, breadth first, and check what can only be checked at the end."""
    node = ROOT
    while node < tree.num_nodes:
        if tree.actor[node] != TERMINAL and (max_depth is None or tree.depth[node] < max_depth):
            tree.expand(node)
        if progress is not None and node % 256 == 0:
            progress(tree.num_nodes)
        node += 1
    _check_decisions_are_public(tree)
    return tree


def _check_decisions_are_public(tree: PublicTree[Any]) -> None:
    """Refuse a tree in which one infostate decides in two public states."""
    view = tree.view
    if not isinstance(view, DerivedView) or view.game.public_view is ViewKind.OBSERVED:
        return
    seen: set[tuple[int, str]] = set()
    for node in range(tree.num_nodes):
        player = int(tree.actor[node])
        if player >= CHANCE:
            continue
        for infostate, actions in enumerate(tree.states[node].legal):
            key = player, view.infostate_name(tree.states[node], player, infostate)
            if actions[0] == WAIT:
                continue
            if key in seen:
                raise InputError(
                    f"no sound public view of {view.name}: player {player} cannot tell in which public"
                    f" state the infostate {key[1]!r} is"
                )
            seen.add(key)


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
