"""Solving a hold'em spot street by street: two numbers kept for each hand and move, all cores at work.

>>> import numpy as np
>>> from sog.games.holdem.bet_sizes import parse_bet_sizes
>>> from sog.games.holdem.cards import parse_board
>>> from sog.games.holdem.spot import make_spot
>>> spot = make_spot(parse_board("9s7c5s4h3c"), 200, 400, parse_bet_sizes("100,allin"), np.ones((2, 1326)))
>>> SpotSolver(spot).run(iterations=200).exploitability < 0.2  # chips
True

Verified: tests/poker/test_spot_solver.py.
"""

import hashlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import Float, aligned_zeros
from sog.core.errors import InputError
from sog.core.threads import ThreadPool, num_cores
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.showdown import Work, make_work
from sog.games.holdem.spot import Spot
from sog.poker.ends import Ends
from sog.poker.regret_storage import AnySums, Sums, make_short_sums, make_sums
from sog.poker.streets import Level, Street, make_levels, make_street, min_moves
from sog.poker.visits import (
    ANSWER,
    ENTER,
    LEARN,
    LEAVE,
    MEET,
    Layouts,
    Source,
    Visit,
    collect_cards,
    fit_board,
    iterate_river,
    visit_boards,
)
from sog.solvers.algorithms import Algorithm, parse_algorithm
from sog.solvers.cfr import PlayerState, State
from sog.solvers.checkpoint import fingerprint
from sog.solvers.loop import SolveLoop
from sog.solvers.schedules import BEST_RESPONSE, MINIMISERS, Variant, discounts

_BOARDS_A_TASK = 12  # enough that calling a kernel costs nothing, few enough that all cores end together
_BOTH = (True, True)
_IN_TURN = ((True, False), (False, True))
_ROOT_BOARD = 0


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
        nothing = np.zeros(0, np.uint32)
        self.slots = nothing, nothing  # [starts] the starts' slots in the street above, for one hand
        self.places = nothing, nothing  # [starts] where their values are among its leaves, for one hand
        self.workspaces: list[Workspace] = []


class SpotSolver(SolveLoop):
    """A solve of a spot by a variant of CFR.

    `use_suits` takes cards and hands of alike suits once; `is_short` keeps later streets in sixteen bits.
    """

    is_costly = True

    def __init__(
        self,
        spot: Spot,
        algorithm: str = "dcfr",
        dtype: type[np.floating[Any]] = np.float32,
        threads: int | None = None,
        use_suits: bool = True,
        is_short: bool = False,
    ) -> None:
        super().__init__()
        self.spot, self.name = spot, spot.name
        self.algorithm = parse_algorithm(algorithm)
        self.variant = check_variant(self.algorithm)
        self.dtype, self.is_short = np.dtype(dtype), is_short
        if is_short and (dtype is not np.float32 or self.variant.optimism > 0):
            raise InputError("sixteen bits go with float32 and with variants that are not optimistic")
        street = make_street(spot, [spot.betting], min_moves(spot))
        self.levels = make_levels(spot, _height(street), use_suits, dtype)
        self._threads = ThreadPool(num_cores() if threads is None else threads)
        self.root = self._make_node(street)
        self._make_workspaces()
        self.infostates = sum(
            node.street.layout.num_rows[player] * node.level.lists[player].head_place.size
            for node in self.nodes()
            for player in range(NUM_PLAYERS)
        )
        self._is_current = False  # whether the root's policies are those of its regrets
        self._load_kernels()

    def _load_kernels(self) -> None:
        """Compile or load what iterations and measuring call, so that their clocks see nothing of it."""
        self._iterate(1, 0)
        for node in self.root.below:
            visit = self._make_visit(LEARN, _BOTH, np.zeros(4))
            self._call(visit, LEAVE, node, node.workspaces[0], 0, 0, 0, 0)
            self._collect(visit, self.root, self.root.workspaces[0], node, node.workspaces[0], 0)

    @property
    def storage(self) -> str:
        """The kind of numbers that are kept."""
        return "int16" if self.is_short else str(self.dtype)

    def nodes(self) -> Iterator[StreetNode]:
        """Go through all streets, those above first."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop(0)
            yield node
            waiting.extend(node.below)

    def fingerprint(self) -> str:
        """Return a short hash of the shapes of all streets."""
        digest = hashlib.sha256()
        for node in self.nodes():
            digest.update(f"{fingerprint(node.street.layout)} {len(node.level.boards)}".encode())
            for own in node.level.lists:
                digest.update(own.first_row.tobytes())
        return digest.hexdigest()[:16]

    def arrays(self) -> dict[str, Any]:
        """Return regrets and averages of all streets; call `advance` after writing into them."""
        self._is_current = False
        return {
            f"{name}{player}_{number}": getattr(node.sums[player], name)
            for number, node in enumerate(self.nodes())
            for player in range(NUM_PLAYERS)
            for name in type(node.sums[player])._fields
        }

    def value(self) -> float:
        """Return what player 0 wins when both play the average policy."""
        return self._answer(MEET, 0)

    def exploitability(self) -> float:
        """Return what a player can gain on average by answering the average policy best."""
        best = self._answer(ANSWER, 0) + self._answer(ANSWER, 1)
        if self.spot.rake.percent:  # otherwise what both win by the average policy is zero
            best -= self._answer(MEET, 0) + self._answer(MEET, 1)
        return best / 2

    def _answer(self, mode: int, player: int) -> float:
        self._visit(self._make_visit(mode, _IN_TURN[player], np.zeros(4)))
        self._is_current = False
        return float(self.root.workspaces[0].out[player].astype(np.float64).sum())

    def visit_alone(self, mode: int, way: list[tuple[StreetNode, int]]) -> State:
        """Go down a way of streets and boards, value what follows it, and return the last street's state.

        The state is work space: it holds until the next visit.
        """
        visit = self._make_visit(mode, _BOTH, np.zeros(4))
        self._is_current = False
        if len(way) == 1:
            self._visit(visit)
            return self.root.workspaces[0].work
        above = _ROOT_BOARD
        for node, board in way:
            self._enter(visit, node, node.workspaces[0], above, board)
            above = board
        node, board = way[-1]
        if node.below:
            self._visit_below(visit, 0, node, node.workspaces[0], board)
        self._leave(visit, node, node.workspaces[0], board, board)
        return node.workspaces[0].work

    def _make_visit(self, mode: int, learners: tuple[bool, bool], weights: Any) -> Visit:
        return Visit(mode, MINIMISERS.index(self.variant.minimiser), learners, weights)

    def _iterate(self, first: int, count: int) -> None:
        weights = discounts(self.variant, first, count)
        turns = _IN_TURN if self.variant.updates == "alternating" else (_BOTH,)
        workspace = self.root.workspaces[0]
        if not self._is_current or count == 0:
            everything = self._make_visit(LEARN, _BOTH, np.array([1.0, 1.0, 1.0, self.variant.optimism]))
            self._enter(everything, self.root, workspace, _ROOT_BOARD, _ROOT_BOARD)
            self._is_current = True
        if not self.root.below:
            minimiser = MINIMISERS.index(self.variant.minimiser)
            state = _with_sums(self.root, workspace)
            iterate_river(minimiser, len(turns) > 1, weights, workspace.players, workspace.ends, state)
            return
        for row in weights:
            for learners in turns:
                self._visit(self._make_visit(LEARN, learners, row))

    def _visit(self, visit: Visit) -> None:
        """Visit the root, its streets below by all workers."""
        root, workspace = self.root, self.root.workspaces[0]
        if visit.mode != LEARN:
            self._enter(visit, root, workspace, _ROOT_BOARD, _ROOT_BOARD)
        tasks = [
            (node, board, min(board + step, len(node.level.boards)))
            for node in root.below
            for step in [1 if node.below else _BOARDS_A_TASK]
            for board in range(0, len(node.level.boards), step)
        ]
        self._threads.run(
            lambda worker, task: self._visit_boards(visit, worker, _ROOT_BOARD, *task, 0), tasks
        )
        for node in root.below:
            self._collect(visit, root, workspace, node, node.workspaces[0], 0)
        self._leave(visit, root, workspace, _ROOT_BOARD, 0)
        if visit.mode == LEARN:
            self._enter(visit, root, workspace, _ROOT_BOARD, _ROOT_BOARD)

    def _visit_boards(
        self, visit: Visit, worker: int, above: int, node: StreetNode, first: int, last: int, first_out: int
    ) -> None:
        """Visit boards of a street, all after one board above, and all streets below them."""
        workspace = node.workspaces[worker]
        if not node.below:
            self._call(visit, ENTER | LEAVE, node, workspace, above, first, last - first, first_out)
            return
        for board in range(first, last):
            self._enter(visit, node, workspace, above, board)
            self._visit_below(visit, worker, node, workspace, board)
            self._leave(visit, node, workspace, board, first_out)

    def _visit_below(
        self, visit: Visit, worker: int, node: StreetNode, workspace: Workspace, board: int
    ) -> None:
        deals = node.level.deals
        assert deals is not None
        first, last = int(deals.first_board[board]), int(deals.first_board[board + 1])
        for below in node.below:
            self._visit_boards(visit, worker, board, below, first, last, first)
            self._collect(visit, node, workspace, below, below.workspaces[worker], board)

    def _enter(self, visit: Visit, node: StreetNode, workspace: Workspace, above: int, board: int) -> None:
        self._call(visit, ENTER, node, workspace, above, board, 1, board)

    def _leave(
        self, visit: Visit, node: StreetNode, workspace: Workspace, board: int, first_out: int
    ) -> None:
        self._call(visit, LEAVE, node, workspace, 0, board, 1, first_out)  # nothing is asked of the one above

    def _call(
        self,
        visit: Visit,
        phases: int,
        node: StreetNode,
        workspace: Workspace,
        above: int,
        first: int,
        count: int,
        first_out: int,
    ) -> None:
        visit_boards(
            visit, phases, np.uint64(above), np.uint64(first), np.uint64(count), np.uint64(first_out),
            node.units, workspace.players, workspace.ends, workspace.source, node.sums, workspace.work,
            workspace.out,
        )  # fmt: skip

    def _collect(
        self,
        visit: Visit,
        node: StreetNode,
        workspace: Workspace,
        below: StreetNode,
        workspace_below: Workspace,
        board: int,
    ) -> None:
        """Bring the values of a street below to the leaves that it continues."""
        deals = node.level.deals
        assert deals is not None
        first, last = deals.first_board[board], deals.first_board[board + 1]
        for player in range(NUM_PLAYERS):
            if visit.learners[player]:
                collect_cards(
                    np.uint64(first), np.uint64(last - first), deals.copies,
                    below.level.lists[player].first_row, deals.origin[player], workspace_below.out[player],
                    below.places[player], np.uint64(node.level.num_rows(player, board)),
                    workspace.work[player].leaves,
                )  # fmt: skip

    def _make_node(self, street: Street) -> StreetNode:
        level = self.levels[street.depth]
        node = StreetNode(
            street, level, (self._make_sums(street, level, 0), self._make_sums(street, level, 1))
        )
        for link in street.below:
            below = self._make_node(link.street)
            first, second = (own.leaves[link.leaves] for own in node.units)
            below.slots = first["slot"].copy(), second["slot"].copy()
            below.places = first["value"].copy(), second["value"].copy()
            node.below.append(below)
        return node

    def _make_sums(self, street: Street, level: Level, player: int) -> AnySums:
        rows = level.lists[player].first_row
        if self.is_short and street.depth > 0:  # the first street is small, and used where it stands
            return make_short_sums(street.layout, player, rows)
        return make_sums(street.layout, player, rows, self.variant.optimism > 0, self.dtype)

    def _make_workspaces(self) -> None:
        """Give every worker a workspace in every street; the streets of a depth share a worker's arrays."""
        root, start = self.root, np.zeros(1, np.uint32)
        sizes = root.level.num_rows(0, _ROOT_BOARD), root.level.num_rows(1, _ROOT_BOARD)
        first, second = (own.first_row for own in root.level.lists)
        rows = np.arange(max(sizes), dtype=np.uint16)
        ones = np.ones(max(sizes), self.dtype)
        everything = Source((ones, ones), (start, start), (first, second), (rows, rows))
        arena = self._make_arena([root], False)
        root.workspaces.append(_make_workspace(root, arena, everything, self._make_out([root], sizes)))
        fit_board(np.uint64(_ROOT_BOARD), root.units, root.workspaces[0].players, root.workspaces[0].ends)
        self._make_workspaces_below([root], 1)

    def _make_workspaces_below(self, above: list[StreetNode], depth: int) -> None:
        nodes = [node for parent in above for node in parent.below]
        if not nodes:
            return
        deals, lists = self.levels[depth - 1].deals, self.levels[depth].lists
        assert deals is not None
        first_row = self.levels[depth - 1].lists[0].first_row, self.levels[depth - 1].lists[1].first_row
        first, second = (int(np.diff(own.first_row[deals.first_board]).max()) for own in lists)
        for worker in range(self._threads.size):
            arena = self._make_arena(nodes, self.is_short)
            shared = None if depth == 1 else self._make_out(nodes, (first, second))
            for parent in above:
                reach = tuple(own.reach for own in parent.workspaces[worker if depth > 1 else 0].work)
                for node in parent.below:
                    # Values of the first street below are collected when all workers are done.
                    out = shared or (
                        node.workspaces[0].out if node.workspaces else self._make_out([node], (first, second))
                    )
                    source = Source((reach[0], reach[1]), node.slots, first_row, deals.origin)
                    node.workspaces.append(_make_workspace(node, arena, source, out))
        self._make_workspaces_below(nodes, depth + 1)

    def _make_out(self, nodes: list[StreetNode], rows: tuple[int, int]) -> tuple[Float, Float]:
        starts = max(len(node.street.starts) for node in nodes)
        return aligned_zeros(starts * rows[0], self.dtype), aligned_zeros(starts * rows[1], self.dtype)

    def _make_arena(self, nodes: list[StreetNode], is_short: bool) -> "Arena":
        """Return arrays that are large enough for each of several streets, on any board."""
        level, layouts = nodes[0].level, [node.street.layout for node in nodes]
        most = [level.most_rows(player) for player in range(NUM_PLAYERS)]
        states, nothing = [], np.zeros(0, self.dtype)
        for player, rows in enumerate(most):
            slots = rows * max(layout.num_slots[player] for layout in layouts)
            decisions = rows * max(layout.num_rows[player] for layout in layouts)
            leaves = rows * max(layout.num_values[player] for layout in layouts)
            regret, average, policy, reach, values = (aligned_zeros(slots, self.dtype) for _ in range(5))
            states.append(
                PlayerState(
                    regret=regret if is_short else nothing,
                    average=average if is_short else nothing,
                    policy=policy,
                    reach=reach,
                    gain=nothing,
                    values=values,
                    rows=aligned_zeros(decisions, self.dtype),
                    leaves=aligned_zeros(leaves, self.dtype),
                    faced=nothing,
                )
            )
        return Arena((states[0], states[1]), make_work(max(most), self.dtype))


class Arena(NamedTuple):
    """One worker's arrays for all streets of a depth."""

    states: State  # without sums
    ends: Work


def _make_workspace(node: StreetNode, arena: Arena, source: Source, out: tuple[Float, Float]) -> Workspace:
    ends = Ends(node.street.ends, node.street.batches, node.level.lists, arena.ends)
    first, second = (unit._replace(steps=unit.steps.copy(), leaves=unit.leaves.copy()) for unit in node.units)
    return Workspace(arena.states, (first, second), ends, source, out)


def _with_sums(node: StreetNode, workspace: Workspace) -> State:
    """Return the state of a street with a single board."""
    states = []
    for work, sums in zip(workspace.work, node.sums, strict=True):
        assert isinstance(sums, Sums)
        states.append(work._replace(regret=sums.regret, average=sums.average, gain=sums.gain))
    return states[0], states[1]


def _height(street: Street) -> int:
    return 1 + max((_height(link.street) for link in street.below), default=0)


def check_variant(algorithm: Algorithm) -> Variant:
    """Return the settings of an algorithm; refuse one that cannot go street by street."""
    name, settings = algorithm
    if not isinstance(settings, Variant):
        raise InputError(f"{name} walks single histories: a hold'em spot has too many")
    if MINIMISERS.index(settings.minimiser) == BEST_RESPONSE:
        raise InputError(f"{name} answers on the whole tree at once: choose a variant of CFR")
    return settings
