"""The streets of a solve, and where each worker visits them.

A `StreetNode` is a street with what a solve keeps of it. Every worker has a `Workspace` in every street; the
streets of a depth share a worker's arrays, since a worker is in one of them at a time.

Verified: tests/poker/test_spot_solver.py.
"""

from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import Float, aligned_zeros
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.showdown import Work, make_work
from sog.poker.ends import Ends
from sog.poker.regret_storage import AnySums, Sums
from sog.poker.streets import Level, Street
from sog.poker.visits import Layouts, Source, fit_board
from sog.solvers.cfr import PlayerState, State

ROOT_BOARD = 0


class Workspace(NamedTuple):
    """Where a worker visits a street: work space, and where values go."""

    work: State
    players: Layouts  # the street's, for the rows of the board that is visited
    ends: Ends
    source: Source
    out: tuple[Float, Float]  # [boards, starts * rows] of each player


class StreetNode:
    """A street with what a solve keeps of it, the streets below, and a workspace for every worker."""

    def __init__(self, street: Street, level: Level, sums: tuple[AnySums, AnySums]) -> None:
        self.street, self.level = street, level
        self.units = street.layout.players
        self.sums = sums
        self.below: list[StreetNode] = []
        self.locks = np.zeros(0, np.uint8), np.zeros(0, np.uint8)  # see `visits.visit_boards`
        nothing = np.zeros(0, np.uint32)
        self.slots = nothing, nothing  # [starts] the starts' slots in the street above, for one hand
        self.places = nothing, nothing  # [starts] where their values are among its leaves, for one hand
        self.workspaces: list[Workspace] = []
        self.leaf_values: tuple[Float, Float] | None = None  # [leaves * rows of all boards] of a saved solve

    def num_leaf_values(self, player: int) -> int:
        """Return how many values the leaves of all boards have."""
        return int(self.street.layout.num_values[player] * self.level.lists[player].first_row[-1])

    def leaf_block(self, player: int, board: int) -> slice:
        """Return where the values of a board's leaves are among those of all boards."""
        leaves, ends = self.street.layout.num_values[player], self.level.lists[player].first_row
        return slice(leaves * int(ends[board]), leaves * int(ends[board + 1]))

    def sums_block(self, player: int, board: int) -> slice:
        """Return where a board's slots are among the sums of all boards; those of the starts have none."""
        layout, first_row = self.street.layout, self.level.lists[player].first_row
        starts, slots = int(self.units[player].steps[0]["rows"]), int(layout.num_slots[player])
        rows, later = self.level.num_rows(player, board), int(first_row[-1] - first_row[board])
        first = len(self.sums[player].average) - (slots - starts) * later - starts * rows
        return slice(first, first + slots * rows)

    def with_sums(self, workspace: Workspace) -> State:
        """Return the state of a street with a single board."""
        states = []
        for work, sums in zip(workspace.work, self.sums, strict=True):
            assert isinstance(sums, Sums)
            states.append(work._replace(regret=sums.regret, average=sums.average, gain=sums.gain))
        return states[0], states[1]


class Arena(NamedTuple):
    """One worker's arrays for all streets of a depth."""

    states: State  # without sums
    ends: Work


def make_workspaces(root: StreetNode, levels: list[Level], threads: int, dtype: Any, is_short: bool) -> None:
    """Give every worker a workspace in every street; the root, which one worker visits, has one."""
    start = np.zeros(1, np.uint32)
    sizes = root.level.num_rows(0, ROOT_BOARD), root.level.num_rows(1, ROOT_BOARD)
    first, second = (own.first_row for own in root.level.lists)
    rows = np.arange(max(sizes), dtype=np.uint16)
    ones = np.ones(max(sizes), dtype)
    everything = Source((ones, ones), (start, start), (first, second), (rows, rows))
    arena = _make_arena([root], dtype, False)
    root.workspaces.append(_make_workspace(root, arena, everything, _make_out([root], sizes, dtype)))
    fit_board(np.uint64(ROOT_BOARD), root.units, root.workspaces[0].players, root.workspaces[0].ends)
    above = [root]
    for depth in range(1, len(levels)):
        above = _make_workspaces_below(above, levels, depth, threads, dtype, is_short)


def _make_workspaces_below(
    above: list[StreetNode], levels: list[Level], depth: int, threads: int, dtype: Any, is_short: bool
) -> list[StreetNode]:
    """Make the workspaces of a depth; return its streets."""
    nodes = [node for parent in above for node in parent.below]
    deals, lists = levels[depth - 1].deals, levels[depth].lists
    assert deals is not None
    first_row = levels[depth - 1].lists[0].first_row, levels[depth - 1].lists[1].first_row
    first, second = (int(np.diff(own.first_row[deals.first_board]).max()) for own in lists)
    for worker in range(threads):
        arena = _make_arena(nodes, dtype, is_short)
        shared = None if depth == 1 else _make_out(nodes, (first, second), dtype)
        for parent in above:
            reach = tuple(own.reach for own in parent.workspaces[worker if depth > 1 else 0].work)
            for node in parent.below:
                # Values of the first street below are collected when all workers are done.
                out = shared or (
                    node.workspaces[0].out if node.workspaces else _make_out([node], (first, second), dtype)
                )
                source = Source((reach[0], reach[1]), node.slots, first_row, deals.origin)
                node.workspaces.append(_make_workspace(node, arena, source, out))
    return nodes


def _make_out(nodes: list[StreetNode], rows: tuple[int, int], dtype: Any) -> tuple[Float, Float]:
    starts = max(len(node.street.starts) for node in nodes)
    return aligned_zeros(starts * rows[0], dtype), aligned_zeros(starts * rows[1], dtype)


def _make_arena(nodes: list[StreetNode], dtype: Any, is_short: bool) -> Arena:
    """Return arrays that are large enough for each of several streets, on any board."""
    level, layouts = nodes[0].level, [node.street.layout for node in nodes]
    most = [level.most_rows(player) for player in range(NUM_PLAYERS)]
    states, nothing = [], np.zeros(0, dtype)
    for player, rows in enumerate(most):
        slots = rows * max(layout.num_slots[player] for layout in layouts)
        decisions = rows * max(layout.num_rows[player] for layout in layouts)
        leaves = rows * max(layout.num_values[player] for layout in layouts)
        regret, average, policy, reach, values = (aligned_zeros(slots, dtype) for _ in range(5))
        states.append(
            PlayerState(
                regret=regret if is_short else nothing,
                average=average if is_short else nothing,
                policy=policy,
                reach=reach,
                gain=nothing,
                values=values,
                rows=aligned_zeros(decisions, dtype),
                leaves=aligned_zeros(leaves, dtype),
                faced=nothing,
            )
        )
    return Arena((states[0], states[1]), make_work(max(most), dtype))


def _make_workspace(node: StreetNode, arena: Arena, source: Source, out: tuple[Float, Float]) -> Workspace:
    ends = Ends(node.street.ends, node.street.batches, node.level.lists, arena.ends)
    first, second = (unit._replace(steps=unit.steps.copy(), leaves=unit.leaves.copy()) for unit in node.units)
    return Workspace(arena.states, (first, second), ends, source, out)
