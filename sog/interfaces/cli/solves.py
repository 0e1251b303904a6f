"""What `sog solve`, `sog compare` and `sog play` share: one solve with progress, and its figures.

Verified: tests/interfaces/cli/test_solve_command.py, tests/interfaces/cli/test_compare_command.py.
"""

from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.own_files import warn_if_changed
from sog.games.view import PublicView
from sog.interfaces.cli.progress import plain_number, preparing, solving
from sog.interfaces.cli.tree_building import build_limited_tree
from sog.public.enumeration import Enumeration
from sog.solvers.algorithms import parse_algorithm
from sog.solvers.checkpoint import Checkpoint, load_checkpoint
from sog.solvers.loop import Solution, SolveLoop
from sog.solvers.solver import Solver

DEFAULT_DTYPE, SHORT = "float64", "int16"
DTYPES: dict[str, type[np.floating[Any]]] = {"float32": np.float32, "float64": np.float64}


class Limits(NamedTuple):
    """When a solve stops, whichever comes first."""

    iterations: int | None = None
    until: float | None = None
    seconds: float | None = None


def make_solver(
    game: AnyGame | PublicView, algorithm: str, tree: Enumeration, dtype: str, seed: int = 0
) -> Solver:
    """Return a solver at its start."""
    if dtype not in DTYPES:
        raise InputError(f"--dtype {dtype} is for hold'em spots: choose from {', '.join(DTYPES)}")
    with preparing():
        return Solver(game, algorithm, DTYPES[dtype], seed, whole=tree)


def run_solver(
    solver: SolveLoop, limits: Limits, describe: Callable[[float], str] = plain_number
) -> Solution:
    """Run a solver to its limits, with progress on standard error; `describe` says an exploitability."""

    def seconds_left() -> float:
        if limits.until is None or solver.iterations == 0:
            return inf
        missing = solver.expected_iterations(limits.until) - solver.iterations
        return max(0.0, missing * solver.seconds / solver.iterations)

    name, total = solver.algorithm.name, limits.iterations
    with solving(name, solver.iterations, total, describe, seconds_left) as report:
        return solver.run(limits.iterations, limits.until, limits.seconds, on_progress=report)


def restore_solver(game: AnyGame, path: Path, saved: Checkpoint, max_states: int) -> Solver:
    """Return a solver that stands where a saved solve of this game stood."""
    tree = build_limited_tree(game, max_states)
    solver = make_solver(game, saved.algorithm, tree, saved_dtype(saved))
    solver.resume(path)
    return solver


def load_solution(game: AnyGame, path: Path) -> Checkpoint:
    """Read a saved solve and check, before any tree is built, that it is of this game."""
    saved = load_checkpoint(path)
    check_solution(path, saved, game.info.name)
    return saved


def check_solution(path: Path, saved: Checkpoint, name: str) -> None:
    """Refuse a saved solve of another game than the one of that name, or by an algorithm not known."""
    if saved.game != name:
        raise InputError(f"{path} is a solution of {saved.game}, not of {name}")
    warn_if_changed(saved.source, name, str(path))
    try:
        parse_algorithm(saved.algorithm)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def saved_dtype(saved: Checkpoint) -> str:
    """Return the precision of a saved solve."""
    kinds = {str(array.dtype) for array in saved.arrays.values()}
    if not kinds.isdisjoint((SHORT, "uint16")):  # regrets, averages
        return SHORT
    return "float32" if "float32" in kinds else DEFAULT_DTYPE


def solution_figures(solution: Solution) -> dict[str, Any]:
    """Return what a solve has found, for JSON."""
    return {
        "game": solution.game,
        "algorithm": solution.algorithm,
        "iterations": solution.iterations,
        "exploitability": solution.exploitability,
        "nash_conv": 2 * solution.exploitability,
        "value": solution.value,
        "seconds": solution.seconds,
        "seconds_measuring": solution.measuring,
        "iterations_per_second": iterations_per_second(solution),
        "infostates": solution.infostates,
        "was_interrupted": solution.was_interrupted,
        "trace": [list(progress) for progress in solution.trace],
    }


def iterations_per_second(solution: Solution) -> float:
    """Return the speed of the iterations alone, without building and measuring."""
    iterating = solution.seconds - solution.measuring
    return solution.iterations / iterating if iterating > 0 else 0.0


def draw_solutions(title: str, solutions: Sequence[Solution], path: Path) -> None:
    """Draw how solves converged."""
    from sog.interfaces.plots.convergence_plot import Curve, draw_convergence  # matplotlib is slow to import

    draw_convergence(title, [Curve(solution.algorithm, solution.trace) for solution in solutions], path)
