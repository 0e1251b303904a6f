"""Solving a game: any algorithm, stopped by iterations, time or exploitability, saved and resumed.

>>> from sog.games.registry import load
>>> solution = Solver(load("kuhn"), "dcfr").run(iterations=1000)
>>> abs(solution.value + 1 / 18) < 1e-3
True

Verified: tests/solvers/test_solver.py.
"""

import time
from collections.abc import Callable
from math import ceil, inf
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from sog.core.arrays import F64
from sog.core.errors import InputError
from sog.core.faster import FasterOf
from sog.core.interrupts import deferred_interrupt
from sog.core.rng import make_rng_state
from sog.games.base import AnyGame
from sog.games.holdem.spot import Spot
from sog.public.derived import DerivedView
from sog.public.holdem import HoldemView
from sog.public.payoffs import Payoffs, collect_payoffs
from sog.public.showdown import collect_holdem_payoffs
from sog.public.tree import PublicTree, grow_fully
from sog.public.worlds import collect_worlds
from sog.solvers import mccfr
from sog.solvers.algorithms import Algorithm, Vanilla, parse_algorithm
from sog.solvers.cfr import SAVED_FIELDS, State, iterate, make_state, warm_start
from sog.solvers.checkpoint import Checkpoint, fingerprint, load_checkpoint, save_checkpoint
from sog.solvers.evaluation import Evaluation, Profile
from sog.solvers.policies import Choice, average_policy, tabulate
from sog.solvers.schedules import MINIMISERS, Variant, discounts
from sog.solvers.traversal import push_reach
from sog.solvers.vanilla import TreeVanilla
from sog.solvers.wide import MIN_SLOTS, iterate_wide

WARM_START_ITERATIONS = 15  # ReBeL's
_TRACE_GROWTH = 1.1  # exploitability is measured again when the iterations have grown by this factor
_CHUNK_SECONDS = 0.1  # a kernel call lasts about that long, so that Ctrl-C and clocks are heard


class Progress(NamedTuple):
    """Where a solve stands."""

    iterations: int
    seconds: float
    exploitability: float


class Solution(NamedTuple):
    """What a solve has found."""

    game: str
    algorithm: str
    iterations: int
    seconds: float
    value: float  # of player 0, when both play the average policy
    exploitability: float
    infostates: int
    policy: Profile  # average, over the slots of the tree
    trace: list[Progress]
    was_interrupted: bool


class _Engine(Protocol):
    """Runs iterations on its own arrays."""

    def advance(self, first: int, count: int) -> None:
        """Run iterations first, first + 1, … (count of them)."""

    def sums(self) -> Profile:
        """Return the sums whose row shares are the average policy."""

    def arrays(self) -> dict[str, Any]:
        """Return everything that must be saved, by name, to be written into on resume."""


class Solver:
    """A solve of one game by one algorithm, from the start or from a checkpoint.

    A `tree` that has been built (by `build_tree`, or by another solver) is shared; `needs_unmerged_tree` says
    which algorithms cannot use one whose infostates are merged.
    """

    def __init__(
        self,
        game: AnyGame | Spot,
        algorithm: str = "dcfr",
        dtype: type[np.floating[Any]] = np.float64,
        seed: int = 0,
        on_build: Callable[[int], None] | None = None,
        tree: PublicTree[Any] | None = None,
    ) -> None:
        self.algorithm = parse_algorithm(algorithm)
        if tree is None:
            tree = grow_fully(PublicTree(_view_of(game, self.algorithm)), progress=on_build)
        self.tree = tree
        self.layout = self.tree.layout()
        collect = collect_holdem_payoffs if isinstance(game, Spot) else collect_payoffs
        self.evaluation = Evaluation(self.tree, self.layout, collect(self.tree, self.layout, dtype))
        self.iterations, self.seconds = 0, 0.0
        self.trace: list[Progress] = []
        self._engine = _make_engine(self, game, self.algorithm, dtype, seed)
        self._engine.advance(1, 0)  # compiles or loads the kernels, so that the clock sees iterations alone

    def run(
        self,
        iterations: int | None = None,
        until: float | None = None,
        seconds: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Solution:
        """Go on until the solve has `iterations`, its exploitability is `until`, or `seconds` have passed.

        Ctrl-C stops it too, between two iterations, and what was found so far is returned. `on_progress` is
        called about ten times a second; exploitability is measured less often, and repeated in between.
        """
        _check_limits(iterations, until, seconds)
        limit = inf if iterations is None else iterations
        deadline = inf if seconds is None else self.seconds + seconds
        next_measure = self.iterations + 1
        with deferred_interrupt() as is_interrupted:
            while self.iterations < limit and self.seconds < deadline and not is_interrupted():
                target = min(limit, max(next_measure, self.iterations + 1))
                self.advance(int(min(target - self.iterations, self._affordable())))
                if self.iterations >= next_measure or self.iterations >= limit:
                    self._measure()
                    next_measure = ceil(self.iterations * _TRACE_GROWTH)
                exploitability = self.trace[-1].exploitability
                if on_progress is not None:
                    on_progress(Progress(self.iterations, self.seconds, exploitability))
                if until is not None and exploitability <= until:
                    break
            return self.solution(was_interrupted=is_interrupted())

    def solution(self, was_interrupted: bool = False) -> Solution:
        """Return what has been found so far."""
        policy = self.policy()
        if not self.trace or self.trace[-1].iterations != self.iterations:
            self._measure()
        return Solution(
            game=self.tree.view.name,
            algorithm=self.algorithm.name,
            iterations=self.iterations,
            seconds=self.seconds,
            value=self.evaluation.value(policy),
            exploitability=self.trace[-1].exploitability,
            infostates=self.tree.infostates(0) + self.tree.infostates(1),
            policy=policy,
            trace=list(self.trace),
            was_interrupted=was_interrupted,
        )

    def policy(self) -> Profile:
        """Return the average policy."""
        sums, players = self._engine.sums(), self.layout.players
        return average_policy(players[0], sums[0]), average_policy(players[1], sums[1])

    def reach(self, policy: Profile) -> Profile:
        """Return the reach of every slot when both play `policy`."""
        reach = np.ones_like(policy[0]), np.ones_like(policy[1])
        for player in range(2):
            push_reach(self.layout.players[player], policy[player], reach[player])
        return reach

    def table(self, policy: Profile | None = None) -> list[Choice]:
        """Return a policy by infostate and action names."""
        return tabulate(self.tree, self.policy() if policy is None else policy)

    def arrays(self) -> dict[str, Any]:
        """Return the arrays that a checkpoint holds, by name; writing into them changes the solve."""
        return self._engine.arrays()

    def variant_state(self) -> State:
        """Return regrets and all else of a CFR or fictitious play solve."""
        assert isinstance(self._engine, _VariantEngine)
        return self._engine.state

    def save(self, path: Path, description: str = "") -> None:
        """Write everything needed to go on from here; `description` is kept for whoever reads the file."""
        checkpoint = Checkpoint(
            game=self.tree.view.name,
            algorithm=self.algorithm.name,
            fingerprint=fingerprint(self.layout),
            iterations=self.iterations,
            seconds=self.seconds,
            trace=np.array(self.trace, np.float64).reshape(-1, 3),
            arrays=self.arrays(),
            description=description,
        )
        save_checkpoint(path, checkpoint)

    def resume(self, path: Path) -> None:
        """Continue from a file; the iterations that follow are those of an uninterrupted run, bit for bit."""
        checkpoint = load_checkpoint(path)
        ours = self.tree.view.name, self.algorithm.name, fingerprint(self.layout)
        for what, saved, own in zip(("game", "algorithm", "tree"), checkpoint[:3], ours, strict=True):
            if saved != own:
                raise InputError(f"{path} holds another {what}: {saved}, not {own}")
        arrays = self.arrays()
        for name, array in arrays.items():
            saved_array = checkpoint.arrays.get(name)
            if saved_array is None or saved_array.shape != array.shape or saved_array.dtype != array.dtype:
                raise InputError(f"{path} is damaged: its array {name!r} does not fit")
        for name, array in arrays.items():
            array[...] = checkpoint.arrays[name]
        self.iterations, self.seconds = checkpoint.iterations, checkpoint.seconds
        self.trace = [Progress(int(row[0]), float(row[1]), float(row[2])) for row in checkpoint.trace]

    def advance(self, count: int) -> None:
        """Run so many more iterations, without measuring."""
        start = time.perf_counter()
        self._engine.advance(self.iterations + 1, count)
        self.seconds += time.perf_counter() - start
        self.iterations += count

    def warm_start(self, policy: Profile, iterations: int = WARM_START_ITERATIONS) -> None:
        """Start as if `policy` had been played for some iterations already."""
        settings = self.algorithm.settings
        if not isinstance(settings, Variant) or settings.minimiser == "best-response":
            raise InputError(f"{self.algorithm.name} cannot be started from a policy: it keeps no regrets")
        if self.iterations > 0:
            raise InputError("only a fresh solve can be started from a policy")
        payoffs = self.evaluation.payoffs
        warm_start(settings, iterations, self.layout, payoffs, policy, self.variant_state())
        self.iterations = iterations

    def _affordable(self) -> float:
        """Return how many iterations fit into one call."""
        if self.iterations == 0 or self.seconds == 0:
            return 1
        return max(1.0, _CHUNK_SECONDS * self.iterations / self.seconds)

    def _measure(self) -> None:
        exploitability = self.evaluation.exploitability(self.policy())
        self.trace.append(Progress(self.iterations, self.seconds, exploitability))


def _view_of(game: AnyGame | Spot, algorithm: Algorithm) -> DerivedView | HoldemView:
    if isinstance(game, Spot):
        return HoldemView(game)
    return DerivedView(game, merge=False if needs_unmerged_tree(algorithm) else None)


def needs_unmerged_tree(algorithm: Algorithm) -> bool:
    """Whether an algorithm tells all histories apart, also where a game lets infostates merge."""
    return isinstance(algorithm.settings, Vanilla)


class _VariantEngine:
    """CFR and fictitious play."""

    def __init__(self, solver: Solver, variant: Variant, dtype: type[np.floating[Any]]) -> None:
        self.variant, self._players = variant, solver.layout.players
        self._payoffs = solver.evaluation.payoffs
        self._minimiser = MINIMISERS.index(variant.minimiser)
        self.state = make_state(solver.layout, self._minimiser, dtype)
        self._is_wide = isinstance(self._payoffs, Payoffs) and sum(solver.layout.num_slots) >= MIN_SLOTS
        self._iterate = FasterOf(iterate, iterate_wide)

    def advance(self, first: int, count: int) -> None:
        weights = discounts(self.variant, first, count)
        is_alternating = self.variant.updates == "alternating"
        call = self._minimiser, is_alternating, weights, self._players, self._payoffs, self.state
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
        self._graph = collect_worlds(solver.tree)
        slots = solver.layout.num_slots
        self._regret = np.zeros(slots[0]), np.zeros(slots[1])
        self._average = np.zeros(slots[0]), np.zeros(slots[1])
        self._touched: F64 = np.zeros(2)
        self._rng = make_rng_state(seed)

    def advance(self, first: int, count: int) -> None:
        mccfr.sample(
            self._sampling, count, self._graph, self._regret, self._average, self._touched, self._rng
        )

    def sums(self) -> Profile:
        return self._average

    def arrays(self) -> dict[str, Any]:
        named: dict[str, Any] = {"touched": self._touched, "rng": self._rng}
        for player in range(2):
            named[f"regret{player}"] = self._regret[player]
            named[f"average{player}"] = self._average[player]
        return named


def _make_engine(
    solver: Solver, game: AnyGame | Spot, algorithm: Algorithm, dtype: type[np.floating[Any]], seed: int
) -> _Engine:
    settings = algorithm.settings
    if isinstance(settings, Variant):
        return _VariantEngine(solver, settings, dtype)
    if isinstance(game, Spot):
        raise InputError(f"{algorithm.name} walks single histories: a hold'em spot has too many")
    if isinstance(settings, mccfr.Sampling):
        return _SamplingEngine(solver, settings, seed)
    return TreeVanilla(game, solver.tree)


def _check_limits(iterations: int | None, until: float | None, seconds: float | None) -> None:
    if iterations is None and until is None and seconds is None:
        raise InputError("say when to stop: by iterations, seconds or exploitability")
    if iterations is not None and iterations < 1:
        raise InputError(f"iterations must be 1 or more, not {iterations}")
    if until is not None and not 0 < until < inf:
        raise InputError(f"the exploitability to stop at must be positive and finite, not {until}")
    if seconds is not None and not 0 < seconds < inf:
        raise InputError(f"seconds must be positive and finite, not {seconds}")
