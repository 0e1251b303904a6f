"""What was played in one iteration of a search, at every public state of its tree.

ReBeL goes on from the beliefs of an iteration that was drawn at random, instead of re-solving under a gadget
(`sog.search.rebel`). Policies are those of the iteration. Ranges are what leaves were asked about in it: of
the same policies, or, where leaves are asked about averages, of the average policies so far.

Verified: tests/search/test_rebel.py.
"""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, Records
from sog.games.base import NUM_PLAYERS
from sog.search.lanes import INTERIOR, NONE, OPEN, SLOTS, STEPS, Index, Lanes


class IterationSnapshot(NamedTuple):
    """One iteration, or the average of all. N nodes of the tree, the root first; S slots a player."""

    nodes: Records  # [N] TREE_NODE
    leaves: tuple[Records, Records]  # [P][N] LEAF
    steps: tuple[Records, Records]  # [P] STEP
    policy: tuple[F64, F64]  # [P][S]
    reach: tuple[F64, F64]  # [P][S]

    def places(self) -> dict[int, int]:
        """Return the numbers in this tree of the store's nodes."""
        return {node: place for place, node in enumerate(self.nodes["state"].tolist())}

    def is_interior(self, place: int) -> bool:
        """Return whether the search looked beyond a node."""
        return bool(self.nodes[place]["kind"] == INTERIOR)

    def open_places(self) -> list[int]:
        """Return the leaves at which the game is not over."""
        found: list[int] = np.flatnonzero(self.nodes["kind"] == OPEN).tolist()
        return found

    def decisions(self) -> list[int]:
        """Return the nodes at which somebody's policy is known."""
        found: list[int] = np.flatnonzero(self.nodes["decision"] != NONE).tolist()
        return found

    def choices(self, place: int, actor: int) -> F64:
        """Return the policy [A, H] of whoever acts at a node."""
        step = self.steps[actor][self.nodes[place]["decision"]]
        shape, first = (int(step["num_actions"]), int(step["rows"])), int(step["output"])
        return self.policy[actor][first : first + shape[0] * shape[1]].reshape(shape)

    def reach_at(self, place: int, player: int) -> F64:
        """Return a player's reach of a node, by infostate."""
        leaf = self.leaves[player][place]
        return self.reach[player][int(leaf["slot"]) : int(leaf["slot"]) + int(leaf["rows"])]

    def ranges(self, place: int) -> tuple[F64, F64]:
        """Return both players' ranges at a node, each of which sums to one; uniform for who never comes."""
        found = []
        for player in range(NUM_PLAYERS):
            own = self.reach_at(place, player)
            total = own.sum()
            found.append(own / total if total > 0 else np.full(own.size, 1 / own.size))
        return found[0], found[1]


def read_snapshot(lanes: Lanes, lane: Index, policy_field: Index, reach_field: Index) -> IterationSnapshot:
    """Copy two fields of the slots of a finished lane: of the iteration that it has kept, or averages."""
    num_nodes = int(lanes.lane[lane]["num_nodes"])
    counts = lanes.counts[:, lane]
    leaves, steps, policy, reach = zip(
        *(
            (
                lanes.leaves[player, lane, :num_nodes].copy(),
                lanes.steps[player, lane, : counts[player, STEPS]].copy(),
                lanes.slots[player, lane, policy_field, : counts[player, SLOTS]].copy(),
                lanes.slots[player, lane, reach_field, : counts[player, SLOTS]].copy(),
            )
            for player in range(NUM_PLAYERS)
        ),
        strict=True,
    )
    return IterationSnapshot(
        lanes.nodes[lane, :num_nodes].copy(),
        (leaves[0], leaves[1]),
        (steps[0], steps[1]),
        (policy[0], policy[1]),
        (reach[0], reach[1]),
    )
