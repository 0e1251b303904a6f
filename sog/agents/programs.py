"""Programs that play one kind of game, as bots.

Verified: tests/agents/test_programs.py.
"""

import time

from sog.agents.bot import Explanation, Limits, Watch
from sog.agents.cursor import Stores
from sog.agents.seated import CursorBot
from sog.games.programs import Program

_SEEDS = 2**62
_FIRST_SIMULATIONS = 200  # to learn how many a second has


class ProgramBot(CursorBot):
    """Plays what a program visited most."""

    draws = False

    def __init__(self, program: Program, stores: Stores | None = None) -> None:
        super().__init__(stores)
        self._program = program

    def _consider(self, limits: Limits, watch: Watch | None) -> Explanation:
        cursor, start = self.cursor, time.perf_counter()
        record, seed = cursor.store.records[cursor.node], int(self._rng.integers(_SEEDS))
        simulations = limits.simulations
        if limits.seconds is not None:  # as many as there is time for, by how long a few take
            self._program.visit_moves(record, cursor.row, seed, _FIRST_SIMULATIONS)
            rate = _FIRST_SIMULATIONS / (time.perf_counter() - start)
            most = max(1, int(rate * limits.seconds))
            simulations = most if simulations is None else min(simulations, most)
        visits = self._program.visit_moves(record, cursor.row, seed, simulations)
        return Explanation(
            cursor.action_names(),
            [float(count) for count in visits],
            simulations=int(visits.sum()),
            seconds=time.perf_counter() - start,
        )
