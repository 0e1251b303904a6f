"""What a search leaves to the next one: the regrets and average policies of all its decisions.

A warm-started search takes them over wherever its own tree gets a decision that the search before had. What
was learned there was learned against other ranges, so it counts for less than it did: as if only a share of
its iterations had been played. Ranges at the new root are divided by their sums; regrets follow the
opponent's and averages the player's own.

Counterfactual values are not remembered: those are averaged over the iterations of the new search alone. On a
board, where nothing is hidden, the tree itself is kept instead (`sog.search.grafting`).

Verified: tests/search/test_memory.py.
"""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, U32
from sog.games.base import NUM_PLAYERS
from sog.public.store import StoreArrays
from sog.search.lanes import (
    AVERAGE,
    CARRIED_AVERAGE,
    CARRIED_NODE,
    CARRIED_REGRET,
    CARRIED_START,
    NONE,
    REGRET,
    Index,
    Lanes,
)


class Decisions(NamedTuple):
    """One player's decisions. K decisions, C slots."""

    nodes: U32  # [K] of the store, ascending
    start: U32  # [K] first slot, [A, H] of them
    expanded: U32  # [K] iteration in which the decision came into the tree
    regret: F64  # [C]
    average: F64  # [C] weighted sums of the player's own reach


class Memory(NamedTuple):
    """All decisions of a search."""

    iterations: int  # played, and taken over
    players: tuple[Decisions, Decisions]

    def age(self, player: int, node: int) -> int:
        """Return for how many iterations a node of the store has been decided upon; 0 if it was not."""
        decisions = self.players[player]
        place = int(np.searchsorted(decisions.nodes, node))
        if place == decisions.nodes.size or decisions.nodes[place] != node:
            return 0
        return self.iterations - int(decisions.expanded[place])


def remember(rules: StoreArrays, lanes: Lanes, lane: Index) -> Memory:
    """Copy what a finished lane knows."""
    first, second = (_decisions(rules, lanes, lane, player) for player in range(NUM_PLAYERS))
    return Memory(int(lanes.lane[lane]["iteration"]), (first, second))


def _decisions(rules: StoreArrays, lanes: Lanes, lane: Index, player: int) -> Decisions:
    nodes = lanes.nodes[lane, : int(lanes.lane[lane]["num_nodes"])]
    is_own = (nodes["decision"] != NONE) & (nodes["is_partial"] == 0)
    is_own &= rules.nodes["actor"][nodes["state"]] == player
    nodes = nodes[is_own]
    nodes = nodes[np.argsort(nodes["state"])]
    steps = lanes.steps[player, lane][nodes["decision"]]
    sizes = (steps["num_actions"] * steps["rows"]).astype(np.int64)
    start = np.cumsum(sizes) - sizes
    slots = np.repeat(steps["output"].astype(np.int64) - start, sizes) + np.arange(sizes.sum())
    return Decisions(
        nodes=nodes["state"].copy(),
        start=start.astype(np.uint32),
        expanded=nodes["expanded"].copy(),
        regret=lanes.slots[player, lane, REGRET][slots],
        average=lanes.slots[player, lane, AVERAGE][slots],
    )


def plant_memory(
    lanes: Lanes,
    lane: Index,
    memory: Memory,
    regret_factors: tuple[float, float],
    average_factors: tuple[float, float],
) -> None:
    """Give a lane a memory, each player's multiplied by factors; lanes modified in place."""
    for player, decisions in enumerate(memory.players):
        count, size = decisions.nodes.size, decisions.regret.size
        lanes.carried_index[player, lane, CARRIED_NODE, :count] = decisions.nodes
        lanes.carried_index[player, lane, CARRIED_START, :count] = decisions.start
        lanes.carried[player, lane, CARRIED_REGRET, :size] = decisions.regret * regret_factors[player]
        lanes.carried[player, lane, CARRIED_AVERAGE, :size] = decisions.average * average_factors[player]


def forget(lanes: Lanes, lane: Index) -> None:
    """Take a lane's memory away; lanes modified in place."""
    lanes.carried_index[:, lane, CARRIED_NODE] = NONE
