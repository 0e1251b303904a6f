"""`sog solve GAME`: solve a game, print what was found, save it, draw how it converged.

Verified: tests/interfaces/cli/test_solve_command.py.
"""

import sys
from pathlib import Path
from typing import NamedTuple

from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.holdem.bet_sizes import RIVER
from sog.games.holdem.spot import Spot
from sog.games.registry import load
from sog.interfaces.cli.holdem_solves import (
    SPOT_ALGORITHM,
    SPOT_DTYPE,
    exploitability_words,
    load_spot,
    make_answer,
    make_spot_solver,
    pot_share,
    save_spot,
    spot_figures,
    spot_rows,
    spot_title,
)
from sog.interfaces.cli.holdem_spots import (
    HOLDEM,
    check_same_spot,
    is_spot,
    refuse_spot_options,
    spot_from_options,
)
from sog.interfaces.cli.option_types import DEFAULT_ITERATIONS, Until
from sog.interfaces.cli.progress import plain_number
from sog.interfaces.cli.solves import (
    DEFAULT_DTYPE,
    Limits,
    check_solution,
    draw_solutions,
    iterations_per_second,
    make_solver,
    restore_solver,
    run_solver,
    saved_dtype,
    solution_figures,
)
from sog.interfaces.cli.solving_arguments import DEFAULT_ROWS, SpotOptions
from sog.interfaces.cli.strategy_table import table_lines, table_records
from sog.interfaces.cli.tree_building import build_limited_tree
from sog.interfaces.output import PICTURES, SOLUTIONS, check_output, columns, print_json, shorten
from sog.poker.spot_solver import SpotSolver, check_whole
from sog.solvers.algorithms import parse_algorithm
from sog.solvers.checkpoint import Checkpoint, load_checkpoint
from sog.solvers.loop import Solution
from sog.solvers.solver import Solver

DEFAULT_ALGORITHM = "dcfr"


class Options(NamedTuple):
    """The options of `sog solve`."""

    game: str
    algorithm: str | None
    iterations: int | None
    until: Until | None
    seconds: float | None
    save: Path | None
    without_rivers: bool
    resume: Path | None
    json: bool
    plot: Path | None
    strategy: bool
    rows: int | None
    dtype: str | None
    seed: int | None
    max_states: int
    spot: SpotOptions


def run(options: Options) -> int:
    """Check everything, solve, then save, draw and print; a failed save still prints what was found."""
    if options.rows is not None and not options.strategy:
        raise InputError("--rows is for --strategy, which prints them")
    if options.without_rivers and options.save is None:
        raise InputError("--without-rivers is for --save, which then writes a smaller file")
    check_output("--save", options.save, SOLUTIONS)
    check_output("--plot", options.plot, PICTURES)
    if options.game == HOLDEM and options.spot.answer is not None:
        answer = _make_answer(options, options.spot.answer)
        solver: Solver | SpotSolver = answer
        game: AnyGame | Spot = answer.spot
        limits = _limits(options, game)
    else:
        game = _read_spot(options) if is_spot(options.game) else _read_game(options)
        limits = _limits(options, game)
        solver = _make_solver(game, options, limits)
    describe = exploitability_words(game) if isinstance(game, Spot) else plain_number
    solution = run_solver(solver, limits, describe)
    try:
        if options.save is not None:
            _save(options.save, solver, options.without_rivers)
        if options.plot is not None:
            draw_solutions(f"{_title(game)}, {solution.algorithm}", [solution], options.plot)
    finally:
        _print(options, game, solver, solution)
    return 0


def _save(path: Path, solver: Solver | SpotSolver, is_without_rivers: bool) -> None:
    if isinstance(solver, SpotSolver):
        save_spot(path, solver, not is_without_rivers)
    else:
        solver.save(path)


def _read_game(options: Options) -> AnyGame:
    """Return a registered game; refuse what only hold'em has."""
    game = load(options.game)
    refuse_spot_options(options.spot, game.info.name)
    if options.without_rivers:
        raise InputError(f"--without-rivers: for {HOLDEM} only, not for {game.info.name}")
    if options.until is not None and options.until.is_pot_percent:
        raise InputError(f"--until: only holdem has a pot to take a percentage of, not {game.info.name}")
    return game


def _read_spot(options: Options) -> Spot:
    """Return the spot that was typed; a solve that is resumed knows its own."""
    if options.strategy:
        raise InputError("--strategy: a spot has too many infostates; save it and use sog show-strategy")
    if options.resume is not None and options.game == HOLDEM:
        spot = check_same_spot(options.resume, load_spot(options.resume), options.spot)
    else:
        spot = spot_from_options(options.game, options.spot)
    if options.without_rivers and spot.betting.street == RIVER:
        raise InputError("--without-rivers: the spot is a river, and nothing else would be left to save")
    return spot


def _make_answer(options: Options, path: Path) -> SpotSolver:
    """Return a solve that answers a bet."""
    if options.resume is not None:
        raise InputError("--resume: the answer to a bet cannot be resumed")
    algorithm = SPOT_ALGORITHM if options.algorithm is None else parse_algorithm(options.algorithm).name
    return make_answer(path, options.spot, algorithm, options.dtype or SPOT_DTYPE)


def _make_solver(game: AnyGame | Spot, options: Options, limits: Limits) -> Solver | SpotSolver:
    """Return a solver at its start, or where the file resumed from left off."""
    if options.resume is not None:
        return _restore_solver(game, options, options.resume, limits)
    default = SPOT_ALGORITHM if isinstance(game, Spot) else DEFAULT_ALGORITHM
    algorithm = parse_algorithm(default if options.algorithm is None else options.algorithm).name
    if isinstance(game, Spot):
        return make_spot_solver(game, algorithm, options.dtype or SPOT_DTYPE)
    tree = build_limited_tree(game, options.max_states)
    return make_solver(game, algorithm, tree, options.dtype or DEFAULT_DTYPE, options.seed or 0)


def _restore_solver(
    game: AnyGame | Spot, options: Options, path: Path, limits: Limits
) -> Solver | SpotSolver:
    """Return a solver where the file resumed from left off."""
    saved = load_checkpoint(path, is_mapped=isinstance(game, Spot))
    check_solution(path, saved, game.name if isinstance(game, Spot) else game.info.name)
    _refuse_changes(options, path, saved)
    solver: Solver | SpotSolver
    if isinstance(game, Spot):
        check_whole(path, saved)
        solver = make_spot_solver(game, saved.algorithm, saved_dtype(saved))
        solver.resume(path)
    else:
        solver = restore_solver(game, path, saved, options.max_states)
    if limits.iterations is not None and saved.iterations >= limits.iterations:
        done = f"{path} has {saved.iterations:,} iterations already"
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


def _limits(options: Options, game: AnyGame | Spot) -> Limits:
    until = None if options.until is None else options.until.amount
    if options.until is not None and options.until.is_pot_percent and isinstance(game, Spot):
        until = pot_share(game, options.until.amount)
    limits = Limits(options.iterations, until, options.seconds)
    return Limits(iterations=DEFAULT_ITERATIONS) if limits == Limits() else limits


def _print(options: Options, game: AnyGame | Spot, solver: Solver | SpotSolver, solution: Solution) -> None:
    choices = solver.table() if options.strategy and isinstance(solver, Solver) else []
    if options.json:
        more = spot_figures(solver, solution) if isinstance(solver, SpotSolver) else {}
        strategy = {"strategy": table_records(choices)} if options.strategy else {}
        print_json({**solution_figures(solution), **more, **strategy})
        return
    rows = spot_rows(solver, solution) if isinstance(solver, SpotSolver) else []
    print("\n".join([_headline(game, solution), *_figure_lines(solution, rows)]))
    if options.strategy:
        print("\n".join(table_lines(choices, options.rows or DEFAULT_ROWS)))


def _title(game: AnyGame | Spot) -> str:
    return spot_title(game) if isinstance(game, Spot) else game.info.name


def _headline(game: AnyGame | Spot, solution: Solution) -> str:
    by = f"{shorten(_title(game), 80)} by {solution.algorithm}"
    return f"{by}, interrupted" if solution.was_interrupted else by


def _speed(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}"


def _figure_lines(solution: Solution, more: list[tuple[str, str]]) -> list[str]:
    rows = [
        ("value for player 0", f"{solution.value:.6f}"),
        ("exploitability", f"{solution.exploitability:.6g}"),
        ("iterations", f"{solution.iterations:,}"),
        ("seconds", f"{solution.seconds:.3g}"),
        ("iterations per second", _speed(iterations_per_second(solution))),
        ("infostates", f"{solution.infostates:,}"),
        *more,
    ]
    return [f"  {line}" for line in columns(rows, gap=4)]
