"""`sog solve GAME`: solve a game, print what was found, save it, draw how it converged.

Verified: tests/interfaces/test_solve_command.py.
"""

import sys
from pathlib import Path
from typing import NamedTuple

from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.registry import load
from sog.interfaces.arguments import DEFAULT_ITERATIONS
from sog.interfaces.output import PICTURES, SOLUTIONS, check_output, columns, print_json, shorten
from sog.interfaces.solves import (
    DEFAULT_DTYPE,
    Limits,
    build_tree_for,
    draw_solutions,
    iterations_per_second,
    load_solution,
    make_solver,
    restore_solver,
    run_solver,
    saved_dtype,
    solution_figures,
)
from sog.interfaces.strategy_table import table_lines, table_records
from sog.solvers.algorithms import parse_algorithm
from sog.solvers.checkpoint import Checkpoint
from sog.solvers.solver import Solution, Solver

DEFAULT_ALGORITHM = "dcfr"


class Options(NamedTuple):
    """The options of `sog solve`."""

    game: str
    algorithm: str | None
    iterations: int | None
    until: float | None
    seconds: float | None
    save: Path | None
    resume: Path | None
    json: bool
    plot: Path | None
    strategy: bool
    rows: int
    dtype: str | None
    seed: int | None
    max_states: int


def run(options: Options) -> int:
    """Check everything, solve, then save, draw and print; a failed save still prints what was found."""
    game = load(options.game)
    check_output("--save", options.save, SOLUTIONS)
    check_output("--plot", options.plot, PICTURES)
    solver = _make_solver(game, options)
    solution = run_solver(solver, _limits(options))
    try:
        if options.save is not None:
            solver.save(options.save)
        if options.plot is not None:
            draw_solutions(f"{solution.game}, {solution.algorithm}", [solution], options.plot)
    finally:
        _print(options, solver, solution)
    return 0


def _make_solver(game: AnyGame, options: Options) -> Solver:
    """Return a solver at its start, or where the file resumed from left off."""
    if options.resume is None:
        algorithm = parse_algorithm(options.algorithm or DEFAULT_ALGORITHM).name
        tree = build_tree_for(game, algorithm, options.max_states)
        return make_solver(game, algorithm, tree, options.dtype or DEFAULT_DTYPE, options.seed or 0)
    saved = load_solution(game, options.resume)
    _refuse_changes(options, options.resume, saved)
    solver = restore_solver(game, options.resume, saved, options.max_states)
    total = _limits(options).iterations
    if total is not None and saved.iterations >= total:
        done = f"{options.resume} has {saved.iterations:,} iterations already"
        print(f"{done}: nothing to do (--iterations counts them all)", file=sys.stderr)
    return solver


def _refuse_changes(options: Options, path: Path, saved: Checkpoint) -> None:
    """Refuse options that would make a resumed solve another one."""
    if options.algorithm is not None:
        ours, theirs = parse_algorithm(options.algorithm), parse_algorithm(saved.algorithm)
        if ours.settings != theirs.settings:
            raise InputError(f"{path} was solved by {theirs.name}, not by {ours.name}")
    if options.dtype is not None and options.dtype != saved_dtype(saved):
        raise InputError(f"{path} was solved in {saved_dtype(saved)}, not in {options.dtype}")
    if options.seed is not None:
        raise InputError(f"--seed cannot change the solve in {path}")


def _limits(options: Options) -> Limits:
    limits = Limits(options.iterations, options.until, options.seconds)
    return Limits(iterations=DEFAULT_ITERATIONS) if limits == Limits() else limits


def _print(options: Options, solver: Solver, solution: Solution) -> None:
    choices = solver.table(solution.policy) if options.strategy else []
    if options.json:
        strategy = {"strategy": table_records(choices)} if options.strategy else {}
        print_json({**solution_figures(solution), **strategy})
        return
    print("\n".join([_headline(solution), *_figure_lines(solution)]))
    if options.strategy:
        print("\n".join(table_lines(choices, options.rows)))


def _headline(solution: Solution) -> str:
    by = f"{shorten(solution.game, 80)} by {solution.algorithm}"
    return f"{by}, interrupted" if solution.was_interrupted else by


def _figure_lines(solution: Solution) -> list[str]:
    rows = [
        ("value for player 0", f"{solution.value:.6f}"),
        ("exploitability", f"{solution.exploitability:.6g}"),
        ("iterations", f"{solution.iterations:,}"),
        ("seconds", f"{solution.seconds:.3g}"),
        ("iterations per second", f"{iterations_per_second(solution):,.0f}"),
        ("infostates", f"{solution.infostates:,}"),
    ]
    return [f"  {line}" for line in columns(rows, gap=4)]
