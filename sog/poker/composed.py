"""How exploitable play is that searches on the turn and solves every river anew: exact.

The turn's average policies are put into a solve of the whole spot, rivers are solved from the ranges that
these policies lead to, each of them alone, and the best response to all of it is taken. What was composed is
a solution like others: it can be saved, shown and browsed.

Rivers are solved for both players at once (unsafe), or for each of them by itself, with stop values for the
opponent's hands (`sog.poker.safe_rivers`).

Verified: tests/poker/test_composed.py, tests/poker/test_safe_rivers.py.
"""

from collections.abc import Iterator

import numpy as np

from sog.core.arrays import Float
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.spot import Spot
from sog.poker.regret_storage import Sums
from sog.poker.safe_rivers import GADGET_MIX, GADGET_SIZE, resolve_boards
from sog.poker.spot_solver import SpotSolver
from sog.poker.streets import Level
from sog.poker.visits import ANSWER, LEARN, MEET, Visit
from sog.poker.workspaces import ROOT_BOARD, StreetNode
from sog.solvers.schedules import discounts

_BOTH = (True, True)
_ONE = ((True, False), (False, True))
_BOARDS_A_TASK = 4

Stops = list[tuple[Float, Float]]
"""Of each street below the turn both players' stop values: [boards, starts * rows], board by board."""


class ComposedPlay(SpotSolver):
    """A spot on the turn whose rivers are solved by themselves."""

    def __init__(self, spot: Spot, threads: int | None = None) -> None:
        super().__init__(spot, "dcfr", threads=threads)

    def take_turn(self, level: Level, averages: tuple[Float, Float], iterations: int = 0) -> None:
        """Play these averages on the turn: [slots] for the rows of a level, as `TurnSearch.sums` has them.

        A row that stands for several alike hands here plays as one of them. iterations: what they cost.
        """
        for player in range(NUM_PLAYERS):
            sums, own, theirs = self.root.sums[player], self.levels[0].rows(0)[player], level.rows(0)[player]
            assert isinstance(sums, Sums)
            row_of = np.zeros(self.spot.ranges.shape[1], np.intp)
            row_of[theirs.hands] = theirs.row
            table = averages[player].reshape(-1, theirs.size)
            sums.average.reshape(-1, own.size)[:, own.row] = table[:, row_of[own.hands]]
        self.iterations, self._is_current = iterations, False

    def solve_rivers(self, iterations: int) -> None:
        """Forget all rivers, and solve them from the ranges that the turn's averages lead to."""
        root = self.root
        for node in root.below:
            for player in range(NUM_PLAYERS):
                _forget(node, player)
        self._enter(self._make_visit(MEET, _BOTH, np.zeros(4)), root, root.workspaces[0], 0, 0)
        weights = discounts(self.variant, 1, iterations)

        def solve(worker: int, task: tuple[int, int, int]) -> None:
            node = root.below[task[0]]
            for row in weights:
                for learners in _ONE:
                    self._visit_boards(self._make_visit(LEARN, learners, row), worker, 0, node, *task[1:], 0)

        self._threads.run(solve, list(self._tasks()))
        self._is_current = False

    def best_answers(self) -> Stops:
        """Return what the hands of both players can win at best on all rivers as they are, as stop values."""
        return self._value_rivers(ANSWER)

    def river_values(self) -> Stops:
        """Return what the hands of both players win on all rivers when both play on as they do."""
        return self._value_rivers(MEET)

    def start_values(self, player: int) -> Float:
        """Return what a player's rows win at the start, in chips per deal, when both play on as they do."""
        self._answer(MEET, player)
        return self.root.workspaces[0].out[player].astype(np.float64)

    def _value_rivers(self, mode: int) -> Stops:
        root, found = self.root, []
        for player in range(NUM_PLAYERS):
            visit = self._make_visit(mode, _ONE[player], np.zeros(4))
            self._enter(visit, root, root.workspaces[0], 0, 0)

            def answer(worker: int, task: tuple[int, int, int], visit: Visit = visit) -> None:
                self._visit_boards(visit, worker, 0, root.below[task[0]], *task[1:], 0)

            self._threads.run(answer, list(self._tasks()))
            found.append([node.workspaces[0].out[player].copy() for node in root.below])
        self._is_current = False
        return list(zip(*found, strict=True))

    def resolve_rivers(self, iterations: int, stops: Stops, mix: float = GADGET_MIX) -> None:
        """Forget all rivers, and solve them for each player by itself, against stop values.

        mix: see `resolve_boards`; with 1 the opponent's range is nothing but its choice to enter.
        """
        root = self.root
        self._enter(self._make_visit(MEET, _BOTH, np.zeros(4)), root, root.workspaces[0], 0, 0)
        weights = discounts(self.variant, 1, iterations)
        most = max(values.size for pair in stops for values in pair)
        gadgets = [np.zeros((GADGET_SIZE, most), self.dtype) for _ in range(self._threads.size)]
        for resolver in range(NUM_PLAYERS):
            for node in root.below:
                _forget(node, resolver)
            spare = [_spare_sums(node, 1 - resolver) for node in root.below]

            def resolve(
                worker: int,
                task: tuple[int, int, int],
                resolver: int = resolver,
                spare: list[Sums] = spare,
            ) -> None:
                node, workspace = root.below[task[0]], root.below[task[0]].workspaces[worker]
                sums = (node.sums[0], spare[task[0]]) if resolver == 0 else (spare[task[0]], node.sums[1])
                first, count = np.uint64(task[1]), np.uint64(task[2] - task[1])
                resolve_boards(
                    resolver, mix, weights, np.uint64(ROOT_BOARD), first, count, node.units,
                    workspace.players, workspace.ends, workspace.source, sums,
                    stops[task[0]][1 - resolver], gadgets[worker], workspace.work,
                )  # fmt: skip

            self._threads.run(resolve, list(self._tasks()))
        self._is_current = False

    def _tasks(self) -> Iterator[tuple[int, int, int]]:
        """Go through the boards of all rivers: the number of a street, the first board and the one after."""
        for number, node in enumerate(self.root.below):
            for board in range(0, len(node.level.boards), _BOARDS_A_TASK):
                yield number, board, min(board + _BOARDS_A_TASK, len(node.level.boards))


def _forget(node: StreetNode, player: int) -> None:
    sums = node.sums[player]
    assert isinstance(sums, Sums)
    sums.regret[:], sums.average[:] = 0, 0


def _spare_sums(node: StreetNode, player: int) -> Sums:
    """Return room for what an opponent learns that nobody plays."""
    sums = node.sums[player]
    assert isinstance(sums, Sums)
    return Sums(*map(np.zeros_like, sums))
