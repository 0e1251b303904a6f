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
from pathlib import Path
from typing import Any

import numpy as np

from sog.core.errors import InputError
from sog.core.resident import release_compiler
from sog.core.threads import ThreadPool, num_cores
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.spot import Spot
from sog.poker.locking import lock_street
from sog.poker.regret_storage import AnySums, make_short_sums, make_sums
from sog.poker.streets import Level, Street, make_levels, make_street, min_moves
from sog.poker.visits import (
    ANSWER,
    ENTER,
    LEARN,
    LEAVE,
    MEET,
    Visit,
    collect_cards,
    iterate_river,
    visit_boards,
)
from sog.poker.workspaces import ROOT_BOARD, StreetNode, Workspace, make_workspaces
from sog.solvers.algorithms import Algorithm, parse_algorithm
from sog.solvers.cfr import State
from sog.solvers.checkpoint import Checkpoint, fingerprint, load_checkpoint
from sog.solvers.loop import SolveLoop
from sog.solvers.schedules import BEST_RESPONSE, MINIMISERS, REGRET_MATCHING, Variant, discounts

_BOARDS_A_TASK = 12  # enough that calling a kernel costs nothing, few enough that all cores end together
_BOTH = (True, True)
_IN_TURN = ((True, False), (False, True))


class SpotSolver(SolveLoop):
    """A solve of a spot by a variant of CFR.

    `use_suits` takes cards and hands of alike suits once; `is_short` keeps later streets in sixteen bits.
    """

    is_costly = True
    powers = 1.6, 1.75, 2.2  # of flop, turn and river spots with the ranges and sizes that people use

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
        if spot.locks and self.variant.minimiser != MINIMISERS[REGRET_MATCHING]:
            raise InputError("locked strategies go with regret matching alone")
        for node in self.nodes():
            node.locks = lock_street(node.street, node.level, node.sums, spot.locks)
        make_workspaces(self.root, self.levels, self._threads.size, self.dtype, self.is_short)
        self.infostates = sum(
            node.street.layout.num_rows[player] * node.level.lists[player].head_place.size
            for node in self.nodes()
            for player in range(NUM_PLAYERS)
        )
        self._is_current = False  # whether the root's policies are those of its regrets
        self.has_rivers = True  # a file that is looked into may lack them
        self._kept_leaves: dict[str, Any] = {}  # where a visit writes what leaves are worth, if anywhere
        self._load_kernels()
        release_compiler()

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
            name: array
            for number, node in enumerate(self.nodes())
            for player, sums in enumerate(node.sums)
            for name, array in zip(_names(sums, player, number), sums, strict=True)
        }

    def kept_arrays(self, with_rivers: bool = True) -> dict[str, Any]:
        """Return what a file holds: the solve, and what the leaves of its streets are worth.

        With those a street is looked at without the streets below. Without rivers only the average policies
        of earlier streets are kept: a river is solved again when it is looked at.
        """
        if not with_rivers and not self.root.below:
            raise InputError("a river spot without its river leaves nothing to save")
        leaves = self._make_leaf_arrays()
        if leaves:
            self._kept_leaves = leaves
            self._visit(self._make_visit(MEET, _BOTH, np.zeros(4)))
            self._kept_leaves, self._is_current = {}, False
        return (self.arrays() if with_rivers else self._averages_above()) | leaves

    def _make_leaf_arrays(self) -> dict[str, Any]:
        """Return room for what the leaves of all streets but the last are worth."""
        return {
            f"leaves{player}_{number}": np.zeros(node.num_leaf_values(player), self.dtype)
            for number, node in enumerate(self.nodes())
            for player in range(NUM_PLAYERS)
            if node.below
        }

    def _averages_above(self) -> dict[str, Any]:
        """Return the averages of all streets but the last."""
        above = tuple(f"_{number}" for number, node in enumerate(self.nodes()) if node.below)
        arrays = self.arrays().items()
        return {name: array for name, array in arrays if name[:7] == "average" and name.endswith(above)}

    def look_into(self, path: Path, saved: Checkpoint) -> None:
        """Take the arrays of a saved solve for the own ones, where they are."""
        own, leaves = self.arrays(), self._make_leaf_arrays()
        self.has_rivers = _is_whole(saved)
        has_leaves = not leaves.keys().isdisjoint(saved.arrays)  # files of older solves have none
        needed = own if self.has_rivers else self._averages_above()
        self._check_fit(path, saved, needed | leaves if has_leaves or not self.has_rivers else needed)
        for number, node in enumerate(self.nodes()):
            first, second = (
                # What the file does not have stays zero, and is not looked at.
                type(mine)(*(saved.arrays.get(name, own[name]) for name in _names(mine, player, number)))
                for player, mine in enumerate(node.sums)
            )
            node.sums = first, second
            if node.below and has_leaves:
                node.leaf_values = saved.arrays[f"leaves0_{number}"], saved.arrays[f"leaves1_{number}"]
        self._stand_at(saved)

    def resume(self, path: Path) -> None:
        """Continue from a file that has all streets."""
        check_whole(path, load_checkpoint(path, is_mapped=True))
        super().resume(path)

    def value(self) -> float:
        """Return what player 0 wins when both play the average policy."""
        return self._answer(MEET, 0)

    def best_value(self, player: int) -> float:
        """Return what a player wins at best against the opponent's average policy."""
        return self._answer(ANSWER, player)

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

    def visit_alone(
        self, mode: int, way: list[tuple[StreetNode, int]], learners: tuple[bool, bool] = _BOTH
    ) -> State:
        """Go down a way of streets and boards, value what follows it, and return the last street's state.

        The state is work space: it holds until the next visit. learners: whose values are asked for; of best
        answers one player's alone.
        """
        visit = self._make_visit(mode, learners, np.zeros(4))
        self._is_current = False
        node, board = way[-1]
        kept = node.leaf_values if mode == MEET else None  # a file's are those of average policies
        if len(way) == 1 and kept is None:
            self._visit(visit)
            return node.workspaces[0].work
        above = ROOT_BOARD
        for entered, number in way:
            self._enter(visit, entered, entered.workspaces[0], above, number)
            above = number
        workspace = node.workspaces[0]
        if kept is not None:
            for player, values in enumerate(kept):
                block = values[node.leaf_block(player, board)]
                workspace.work[player].leaves[: block.size] = block
        elif node.below:
            self._visit_below(visit, 0, node, workspace, board)
        self._leave(visit, node, workspace, board, board)
        return workspace.work

    def _make_visit(self, mode: int, learners: tuple[bool, bool], weights: Any) -> Visit:
        return Visit(mode, MINIMISERS.index(self.variant.minimiser), learners, weights)

    def _iterate(self, first: int, count: int) -> None:
        weights = discounts(self.variant, first, count)
        turns = _IN_TURN if self.variant.updates == "alternating" else (_BOTH,)
        workspace = self.root.workspaces[0]
        if not self._is_current or count == 0:
            everything = self._make_visit(LEARN, _BOTH, np.array([1.0, 1.0, 1.0, self.variant.optimism]))
            self._enter(everything, self.root, workspace, ROOT_BOARD, ROOT_BOARD)
            self._is_current = True
        if not self.root.below:
            minimiser = MINIMISERS.index(self.variant.minimiser)
            state = self.root.with_sums(workspace)
            iterate_river(
                minimiser, len(turns) > 1, weights, workspace.players, workspace.ends, self.root.locks, state
            )
            return
        for row in weights:
            for learners in turns:
                self._visit(self._make_visit(LEARN, learners, row))

    def _visit(self, visit: Visit) -> None:
        """Visit the root, its streets below by all workers."""
        root, workspace = self.root, self.root.workspaces[0]
        if visit.mode != LEARN:
            self._enter(visit, root, workspace, ROOT_BOARD, ROOT_BOARD)
        tasks = [
            (node, board, min(board + step, len(node.level.boards)))
            for node in root.below
            for step in [1 if node.below else _BOARDS_A_TASK]
            for board in range(0, len(node.level.boards), step)
        ]
        self._threads.run(lambda worker, task: self._visit_boards(visit, worker, ROOT_BOARD, *task, 0), tasks)
        for node in root.below:
            self._collect(visit, root, workspace, node, node.workspaces[0], 0)
        self._leave(visit, root, workspace, ROOT_BOARD, 0)
        if visit.mode == LEARN:
            self._enter(visit, root, workspace, ROOT_BOARD, ROOT_BOARD)

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
        if self._kept_leaves:
            number = next(number for number, other in enumerate(self.nodes()) if other is node)
            for player in range(NUM_PLAYERS):
                block = node.leaf_block(player, board)
                size = block.stop - block.start
                self._kept_leaves[f"leaves{player}_{number}"][block] = workspace.work[player].leaves[:size]

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
            node.units, workspace.players, workspace.ends, workspace.source, node.sums, node.locks,
            workspace.work, workspace.out,
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
        # The first street is small, and used where it stands. What is locked would lose its shares beside the
        # growing regrets of other hands.
        is_locked = any(lock.state in street.bettings for lock in self.spot.locks)
        if self.is_short and street.depth > 0 and not is_locked:
            return make_short_sums(street.layout, player, rows)
        return make_sums(street.layout, player, rows, self.variant.optimism > 0, self.dtype)


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


def _names(sums: AnySums, player: int, number: int) -> list[str]:
    """Return the names of a player's sums of a street in a file."""
    return [f"{name}{player}_{number}" for name in sums._fields]


def check_whole(path: Path, saved: Checkpoint) -> None:
    """Refuse a solve that was saved without rivers."""
    if not _is_whole(saved):
        raise InputError(f"{path} was saved without rivers: it can be looked at, but not resumed")


def _is_whole(saved: Checkpoint) -> bool:
    """Return whether a saved solve has all streets: one without rivers has no regrets."""
    return any(name.startswith("regret") for name in saved.arrays)
