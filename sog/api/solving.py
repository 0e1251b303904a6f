"""`sog.solve`: tabular solves of games and of hold'em spots.

Verified: tests/test_api.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from sog.api.results import AnyPath, Printed, policy_of
from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.registry import load
from sog.games.view import PublicView
from sog.interfaces.cli.holdem_solves import SPOT_DTYPE, make_answer, make_spot_solver, save_spot
from sog.interfaces.cli.holdem_spots import HOLDEM, is_spot, spot_from_options
from sog.interfaces.cli.option_types import DEFAULT_ITERATIONS, DEFAULT_MAX_STATES
from sog.interfaces.cli.solves import DEFAULT_DTYPE, Limits, make_solver, run_solver
from sog.interfaces.cli.solving_arguments import SpotOptions
from sog.interfaces.cli.tree_building import build_limited_tree
from sog.interfaces.output import shorten
from sog.poker.spot_solver import SpotSolver
from sog.solvers.algorithms import parse_algorithm
from sog.solvers.loop import Solution
from sog.solvers.policies import Choice
from sog.solvers.solver import Solver


@dataclass(repr=False)
class SolveResult(Printed):
    """A solved game."""

    solution: Solution
    solver: Solver | SpotSolver

    @property
    def value(self) -> float:
        """What player 0 wins when both play the average policy."""
        return self.solution.value

    @property
    def exploitability(self) -> float:
        """What a player can gain on average by answering the average policy best."""
        return self.solution.exploitability

    @cached_property
    def strategy(self) -> list[Choice]:
        """How every infostate plays."""
        if isinstance(self.solver, SpotSolver):
            raise InputError("a spot has too many infostates: save it and use sog show-strategy")
        return self.solver.table()

    def policy(self, infostate: str) -> dict[str, float]:
        """Return how an infostate plays, by its name."""
        return policy_of(self.strategy, infostate)

    def save(self, path: AnyPath) -> None:
        """Write a file that `sog play --opponent` and `sog solve --resume` read."""
        if isinstance(self.solver, SpotSolver):
            save_spot(Path(path), self.solver)
        else:
            self.solver.save(Path(path))

    def __str__(self) -> str:
        found = self.solution
        return (
            f"{shorten(found.game, 90)} by {found.algorithm}\n"
            f"  value for player 0 {found.value:.6f}, exploitability {found.exploitability:.3g}\n"
            f"  {found.iterations:,} iterations in {found.seconds:.3g} s, {found.infostates:,} infostates"
        )


def solve(
    game: str | AnyGame | PublicView,
    algorithm: str = "dcfr",
    *,
    iterations: int | None = None,
    until: float | None = None,
    seconds: float | None = None,
    dtype: str | None = None,
    seed: int = 0,
    max_states: int = DEFAULT_MAX_STATES,
    **spot: Any,
) -> SolveResult:
    """Solve a game by tabular regret minimisation, until the first limit (default: 1,000 iterations).

    game: a name, a game, or a public view. Hold'em spots are told as for the command:
    `solve("holdem", board="9s7c5s4h3c", pot=200, stack=19900)`; a bet that a saved solve does not have is
    answered by `solve("holdem", answer="turn.npz", add_bet=["check,bet60"])`.

    >>> round(solve("kuhn").value, 3)
    -0.056
    """
    limits = Limits(iterations, until, seconds)
    if limits == Limits():
        limits = Limits(DEFAULT_ITERATIONS)
    name = parse_algorithm(algorithm).name
    solver: Solver | SpotSolver
    if isinstance(game, str) and is_spot(game):
        solver = _spot_solver(game, spot, name, dtype or SPOT_DTYPE)
    else:
        if spot:
            raise InputError(f"{', '.join(spot)}: for holdem only")
        own = load(game) if isinstance(game, str) else game
        solver = make_solver(own, name, build_limited_tree(own, max_states), dtype or DEFAULT_DTYPE, seed)
    return SolveResult(run_solver(solver, limits), solver)


def _spot_solver(game: str, said: Mapping[str, Any], algorithm: str, dtype: str) -> SpotSolver:
    unknown = [name for name in said if name not in SpotOptions._fields]
    if unknown:
        raise InputError(
            f"there is no {unknown[0]!r} of a spot: choose from {', '.join(SpotOptions._fields)}"
        )
    options = SpotOptions(**said)
    if game == HOLDEM and options.answer is not None:
        return make_answer(Path(options.answer), options, algorithm, dtype)
    return make_spot_solver(spot_from_options(game, options), algorithm, dtype)
