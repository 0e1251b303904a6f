"""How exploitable play is that searches on the turn and solves every river anew: exact.

The turn's average policies are put into a solve of the whole spot, rivers are solved from the ranges that
these policies lead to, each of them alone, and the best response to all of it is taken. What was composed is
a solution like others: it can be saved, shown and browsed.

Verified: tests/poker/test_composed.py.
"""

import numpy as np

from sog.core.arrays import Float
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.spot import Spot
from sog.poker.regret_storage import Sums
from sog.poker.spot_solver import SpotSolver
from sog.poker.streets import Level
from sog.poker.visits import LEARN, MEET
from sog.solvers.schedules import discounts

_BOTH = (True, True)
_BOARDS_A_TASK = 4


class ComposedPlay(SpotSolver):
    """A spot on the turn whose rivers are solved by themselves."""

    def __init__(self, spot: Spot, threads: int | None = None) -> None:
        super().__init__(spot, "dcfr", threads=threads)

    def take_turn(self, level: Level, averages: tuple[Float, Float], iterations: int = 0) -> None:
        """Play these averages on the turn: [slots] for the rows of a level, as `TurnSearch.sums` has them.

        A row that stands for several alike hands here plays as one of them. iterations: what they cost.
        """
        for player in range(NUM_PLAYERS):
            sums, own, theirs = self.root.sums[player], self.levels[0].rows[0][player], level.rows[0][player]
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
            for sums in node.sums:
                assert isinstance(sums, Sums)
                sums.regret[:], sums.average[:] = 0, 0
        self._enter(self._make_visit(MEET, _BOTH, np.zeros(4)), root, root.workspaces[0], 0, 0)
        weights = discounts(self.variant, 1, iterations)
        tasks = [
            (number, board, min(board + _BOARDS_A_TASK, len(node.level.boards)))
            for number, node in enumerate(root.below)
            for board in range(0, len(node.level.boards), _BOARDS_A_TASK)
        ]

        def solve(worker: int, task: tuple[int, int, int]) -> None:
            node = root.below[task[0]]
            for row in weights:
                for player in range(NUM_PLAYERS):
                    visit = self._make_visit(LEARN, (player == 0, player == 1), row)
                    self._visit_boards(visit, worker, 0, node, *task[1:], 0)

        self._threads.run(solve, tasks)
        self._is_current = False
