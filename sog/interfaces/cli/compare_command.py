"""`sog compare GAME`: several algorithms on one game, and their convergence in one picture.

Verified: tests/interfaces/cli/test_compare_command.py.
"""

from pathlib import Path
from typing import NamedTuple

from sog.core.errors import InputError
from sog.core.spec import split_list
from sog.games.base import AnyGame
from sog.games.holdem.spot import Spot
from sog.games.registry import load
from sog.interfaces.cli.holdem_solves import SPOT_DTYPE, exploitability_words, make_spot_solver, spot_title
from sog.interfaces.cli.holdem_spots import is_spot, refuse_spot_options, spot_from_options
from sog.interfaces.cli.option_types import DEFAULT_ITERATIONS
from sog.interfaces.cli.solves import (
    DEFAULT_DTYPE,
    Limits,
    draw_solutions,
    iterations_per_second,
    make_solver,
    run_solver,
    solution_figures,
)
from sog.interfaces.cli.solving_arguments import SpotOptions
from sog.interfaces.cli.tree_building import build_limited_tree
from sog.interfaces.output import PICTURES, check_output, columns, print_json
from sog.solvers.algorithms import parse_algorithm
from sog.solvers.loop import Solution

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
    spot: SpotOptions


def run(options: Options) -> int:
    """Check everything, solve by each algorithm, then draw and print; Ctrl-C leaves out what is not done."""
    game = _read_game(options)
    title = spot_title(game) if isinstance(game, Spot) else game.info.name
    algorithms = _read_algorithms(options.algorithms)
    check_output("--plot", options.plot, PICTURES)
    limits = Limits(options.iterations, seconds=options.seconds)
    if limits == Limits():
        limits = Limits(DEFAULT_ITERATIONS)
    solutions = _solve_all(game, algorithms, limits, options)
    try:
        if options.plot is not None:
            draw_solutions(title, solutions, options.plot)
    finally:
        _print(title, solutions, options.json)
    return 0


def _read_game(options: Options) -> AnyGame | Spot:
    if is_spot(options.game):
        return spot_from_options(options.game, options.spot)
    game = load(options.game)
    refuse_spot_options(options.spot, game.info.name)
    return game


def _read_algorithms(text: str) -> list[str]:
    names = [parse_algorithm(part).name for part in split_list(text)]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"--algorithms has {name} more than once")
    return names


def _solve_all(
    game: AnyGame | Spot, algorithms: list[str], limits: Limits, options: Options
) -> list[Solution]:
    """Solve by each algorithm in turn, a game on one tree."""
    tree = None if isinstance(game, Spot) else build_limited_tree(game, options.max_states)
    solutions: list[Solution] = []
    for algorithm in algorithms:
        if isinstance(game, Spot):
            spot_solver = make_spot_solver(game, algorithm, options.dtype or SPOT_DTYPE)
            solutions.append(run_solver(spot_solver, limits, exploitability_words(game)))
        else:
            assert tree is not None
            solver = make_solver(game, algorithm, tree, options.dtype or DEFAULT_DTYPE, options.seed or 0)
            solutions.append(run_solver(solver, limits))
        if solutions[-1].was_interrupted:
            break
    return solutions


def _print(title: str, solutions: list[Solution], is_json: bool) -> None:
    if is_json:
        print_json({"game": title, "solves": [solution_figures(solution) for solution in solutions]})
        return
    rows = [_HEADER, *(_row(solution) for solution in solutions)]
    print("\n".join([title, *(f"  {line}" for line in columns(rows, gap=3))]))


def _row(solution: Solution) -> tuple[str, ...]:
    return (
        solution.algorithm,
        f"{solution.exploitability:.6g}",
        f"{solution.value:.6f}",
        f"{solution.iterations:,}",
        f"{solution.seconds:.3g}",
        f"{iterations_per_second(solution):,.0f}" + (", interrupted" if solution.was_interrupted else ""),
    )
