"""`sog compare GAME`: several algorithms on one game, and their convergence in one picture.

Verified: tests/interfaces/test_compare_command.py.
"""

from pathlib import Path
from typing import Any, NamedTuple

from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.registry import load
from sog.interfaces.arguments import DEFAULT_ITERATIONS
from sog.interfaces.output import PICTURES, check_output, columns, print_json
from sog.interfaces.solves import (
    DEFAULT_DTYPE,
    Limits,
    build_tree_for,
    draw_solutions,
    iterations_per_second,
    make_solver,
    run_solver,
    solution_figures,
)
from sog.public.tree import PublicTree
from sog.solvers.algorithms import parse_algorithm
from sog.solvers.solver import Solution, needs_unmerged_tree

_HEADER = ("algorithm", "exploitability", "value", "iterations", "seconds", "iterations/s")


class Options(NamedTuple):
    """The options of `sog compare`."""

    game: str
    algorithms: str
    iterations: int | None
    seconds: float | None
    plot: Path | None
    json: bool
    dtype: str | None
    seed: int | None
    max_states: int


def run(options: Options) -> int:
    """Check everything, solve by each algorithm, then draw and print; Ctrl-C leaves out what is not done."""
    game = load(options.game)
    algorithms = _read_algorithms(options.algorithms)
    check_output("--plot", options.plot, PICTURES)
    solutions = _solve_all(game, algorithms, options)
    try:
        if options.plot is not None:
            draw_solutions(game.info.name, solutions, options.plot)
    finally:
        _print(game, solutions, options.json)
    return 0


def split_list(text: str) -> list[str]:
    """Split at the commas that stand outside parentheses.

    >>> split_list("dcfr(alpha=1.5,beta=0),cfr+")
    ['dcfr(alpha=1.5,beta=0)', 'cfr+']
    """
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _read_algorithms(text: str) -> list[str]:
    names = [parse_algorithm(part).name for part in split_list(text)]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"--algorithms has {name} more than once")
    return names


def _solve_all(game: AnyGame, algorithms: list[str], options: Options) -> list[Solution]:
    """Solve by each algorithm in turn, on one tree where they can share it."""
    limits = Limits(options.iterations, seconds=options.seconds)
    if limits == Limits():
        limits = Limits(DEFAULT_ITERATIONS)
    trees: dict[bool, PublicTree[Any]] = {}
    solutions: list[Solution] = []
    for algorithm in algorithms:
        is_unmerged = game.merges_infostates and needs_unmerged_tree(parse_algorithm(algorithm))
        if is_unmerged not in trees:
            trees[is_unmerged] = build_tree_for(game, algorithm, options.max_states)
        dtype = options.dtype or DEFAULT_DTYPE
        solver = make_solver(game, algorithm, trees[is_unmerged], dtype, options.seed or 0)
        solutions.append(run_solver(solver, limits))
        if solutions[-1].was_interrupted:
            break
    return solutions


def _print(game: AnyGame, solutions: list[Solution], is_json: bool) -> None:
    if is_json:
        print_json({"game": game.info.name, "solves": [solution_figures(solution) for solution in solutions]})
        return
    rows = [_HEADER, *(_row(solution) for solution in solutions)]
    print("\n".join([game.info.name, *(f"  {line}" for line in columns(rows, gap=3))]))


def _row(solution: Solution) -> tuple[str, ...]:
    return (
        solution.algorithm,
        f"{solution.exploitability:.6g}",
        f"{solution.value:.6f}",
        f"{solution.iterations:,}",
        f"{solution.seconds:.3g}",
        f"{iterations_per_second(solution):,.0f}" + (", interrupted" if solution.was_interrupted else ""),
    )
