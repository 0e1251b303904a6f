"""Solving a game: any algorithm, stopped by iterations, time or exploitability, saved and resumed.

>>> from sog.games.registry import load
>>> solution = Solver(load("kuhn"), "dcfr").run(iterations=1000)
>>> abs(solution.value + 1 / 18) < 1e-3
True

Verified: tests/solvers/test_solver.py.
"""

from typing import Any, Protocol

import numpy as np

from sog.core.autotune import FasterOf
from sog.core.rng import make_rng_state
from sog.games.view import PublicView
from sog.public.enumeration import Enumeration, enumerate_game
from sog.public.layout import Progress
from sog.public.opening import Viewed
from sog.public.pairs import collect_pairs
from sog.solvers import mccfr
from sog.solvers.algorithms import parse_algorithm
from sog.solvers.cfr import SAVED_FIELDS, State, iterate, make_state
from sog.solvers.checkpoint import fingerprint
from sog.solvers.evaluation import Evaluation, Profile
from sog.solvers.loop import SolveLoop
from sog.solvers.policies import Choice, average_policy, tabulate
from sog.solvers.schedules import MINIMISERS, Variant, discounts
from sog.solvers.wide import is_wide, iterate_wide


class _Engine(Protocol):
    """Runs iterations on its own arrays."""

    def advance(self, first: int, count: int) -> None:
        """Run iterations first, first + 1, … (count of them)."""

    def sums(self) -> Profile:
        """Return the sums whose row shares are the average policy."""

    def arrays(self) -> dict[str, Any]:
        """Return everything that must be saved, by name, to be written into on resume."""


class Solver(SolveLoop):
    """A solve of one game by one algorithm, from the start or from a checkpoint.

    A game that has been enumerated (`whole`, by `enumerate_game` or by another solver) is shared.
    """

    def __init__(
        self,
        game: Viewed | PublicView,
        algorithm: str = "dcfr",
        dtype: type[np.floating[Any]] = np.float64,
        seed: int = 0,
        on_build: Progress | None = None,
        whole: Enumeration | None = None,
    ) -> None:
        super().__init__()
        self.algorithm = parse_algorithm(algorithm)
        self.whole = enumerate_game(game, progress=on_build) if whole is None else whole
        self.name, self.layout = self.whole.store.facts.name, self.whole.layout
        self.infostates = self.layout.infostates(0) + self.layout.infostates(1)
        self.evaluation = Evaluation(self.layout, self.whole.terminals(dtype))
        self._engine = _make_engine(self, dtype, seed)
        self._engine.advance(1, 0)  # compiles or loads the kernels, so that the clock sees iterations alone

    def policy(self) -> Profile:
        """Return the average policy."""
        sums, players = self._engine.sums(), self.layout.players
        return average_policy(players[0], sums[0]), average_policy(players[1], sums[1])

    def table(self, policy: Profile | None = None) -> list[Choice]:
        """Return a policy by infostate and action names."""
        return tabulate(self.whole, self.policy() if policy is None else policy)

    def fingerprint(self) -> str:
        """Return a short hash of the tree's shape."""
        return fingerprint(self.layout)

    def arrays(self) -> dict[str, Any]:
        """Return the arrays that a checkpoint holds, by name; writing into them changes the solve."""
        return self._engine.arrays()

    def value(self) -> float:
        """Return what player 0 wins when both play the average policy."""
        return self.evaluation.value(self.policy())

    def exploitability(self) -> float:
        """Return what a player can gain on average by answering the average policy best."""
        return self.evaluation.exploitability(self.policy())

    def _iterate(self, first: int, count: int) -> None:
        self._engine.advance(first, count)

    def variant_state(self) -> State:
        """Return regrets and all else of a CFR or fictitious play solve."""
        assert isinstance(self._engine, _VariantEngine)
        return self._engine.state


class _VariantEngine:
    """CFR and fictitious play."""

    def __init__(self, solver: Solver, variant: Variant, dtype: type[np.floating[Any]]) -> None:
        self.variant, self._players = variant, solver.layout.players
        self._terminals = solver.evaluation.terminals
        self._minimiser = MINIMISERS.index(variant.minimiser)
        self.state = make_state(solver.layout, self._minimiser, dtype)
        self._is_wide = is_wide(self._terminals, solver.layout.num_slots)
        self._iterate = FasterOf(iterate, iterate_wide)

    def advance(self, first: int, count: int) -> None:
        weights = discounts(self.variant, first, count)
        is_alternating = self.variant.updates == "alternating"
        call = self._minimiser, is_alternating, weights, self._players, self._terminals, self.state
        if self._is_wide:
            self._iterate(count, *call)
        else:
            iterate(*call)

    def sums(self) -> Profile:
        return self.state[0].average, self.state[1].average

    def arrays(self) -> dict[str, Any]:
        return {
            f"{name}{player}": getattr(mine, name)
            for player, mine in enumerate(self.state)
            for name in SAVED_FIELDS
        }


class _SamplingEngine:
    """Monte Carlo CFR."""

    def __init__(self, solver: Solver, sampling: mccfr.Sampling, seed: int) -> None:
        self._sampling = sampling
        self._graph, _ = collect_pairs(solver.whole)
        slots = solver.layout.num_slots
        regret, average = ((np.zeros(slots[0]), np.zeros(slots[1])) for _ in range(2))
        self._sums = mccfr.Sums(regret, average, np.zeros(2), make_rng_state(seed))

    def advance(self, first: int, count: int) -> None:
        mccfr.sample(self._sampling, count, self._graph, self._sums)

    def sums(self) -> Profile:
        return self._sums.average

    def arrays(self) -> dict[str, Any]:
        named: dict[str, Any] = {"touched": self._sums.touched, "rng": self._sums.rng}
        for player in range(2):
            named[f"regret{player}"] = self._sums.regret[player]
            named[f"average{player}"] = self._sums.average[player]
        return named


def _make_engine(solver: Solver, dtype: type[np.floating[Any]], seed: int) -> _Engine:
    settings = solver.algorithm.settings
    if isinstance(settings, Variant):
        return _VariantEngine(solver, settings, dtype)
    return _SamplingEngine(solver, settings, seed)
