"""What `sog solve holdem` does and says beyond other games: memory, the pot and the blinds.

Verified: tests/interfaces/cli/test_holdem_command.py.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from sog.core.errors import InputError
from sog.games.holdem.bet_sizes import PREFLOP
from sog.games.holdem.betting import SMALLEST_BET, pot_size
from sog.games.holdem.cards import board_name
from sog.games.holdem.spot import Spot
from sog.interfaces.cli.holdem_spots import (
    HOLDEM,
    describe_spot,
    refuse_options,
    spot_from_solution,
    spot_record,
)
from sog.interfaces.cli.progress import preparing
from sog.interfaces.cli.solves import DTYPES, SHORT, saved_dtype
from sog.interfaces.cli.solving_arguments import SpotOptions
from sog.poker.fitting import check_memory
from sog.poker.off_tree import ask
from sog.poker.preflop_size import refuse_preflop
from sog.poker.safe_spots import SafeSolver
from sog.poker.solved_spot import SolvedSpot
from sog.poker.spot_size import estimate_bytes, format_bytes, measure_spot
from sog.poker.spot_solver import SpotSolver, check_variant
from sog.solvers.algorithms import parse_algorithm
from sog.solvers.checkpoint import load_checkpoint
from sog.solvers.loop import Solution

SPOT_DTYPE = "float32"
SPOT_ALGORITHM = "dcfr(gamma=3)"  # of those tried the fastest (docs/results.md)


def make_spot_solver(spot: Spot, algorithm: str, dtype: str) -> SpotSolver:
    """Return a solver at its start; say first how large the spot is."""
    needed = _check(spot, algorithm, dtype)
    size = f"{measure_spot(spot).public_nodes:,} public nodes, {_hand_words(spot)} hands"
    print(f"{HOLDEM}: {size}, about {format_bytes(needed)} of memory", file=sys.stderr)
    return _build(spot, algorithm, dtype)


def _check(spot: Spot, algorithm: str, dtype: str) -> int:
    """Refuse what cannot be solved, or not on this machine; return about how many bytes it takes."""
    settings = check_variant(parse_algorithm(algorithm))
    measure_spot(spot)  # refuses what is far too large to count
    if spot.betting.street == PREFLOP:
        refuse_preflop(spot, dtype)
    needed = estimate_bytes(spot, dtype, settings.optimism > 0)
    check_memory(spot, dtype, needed)
    return needed


def _build(spot: Spot, algorithm: str, dtype: str) -> SpotSolver:
    with preparing():
        return SpotSolver(spot, algorithm, DTYPES.get(dtype, np.float32), is_short=dtype == SHORT)


def make_answer(path: Path, options: SpotOptions, algorithm: str, dtype: str) -> SafeSolver:
    """Return a solve, at its start, that answers a bet which a saved solve does not have."""
    others = [name for name in SpotOptions._fields if name not in ("answer", "add_bet")]
    refuse_options(options, others, "cannot be given: --answer says the spot")
    if options.add_bet is None or len(options.add_bet) != 1:
        raise InputError("--answer: say the bet with --add-bet, and the moves that lead to it: check,bet60")
    if dtype == SHORT:
        raise InputError(f"--answer: safe solves keep floats, not {SHORT}")
    question = ask(SolvedSpot(*open_solution(path)), options.add_bet[0])
    _check(question.spot, algorithm, dtype)
    with preparing():
        kind = DTYPES.get(dtype, np.float32)
        return SafeSolver(question.spot, question.stops, question.before, algorithm=algorithm, dtype=kind)


def save_spot(path: Path, solver: SpotSolver, with_rivers: bool = True) -> None:
    """Write a solve to look into; of a safe one what both play, which cannot be told from another solve."""
    played = solver.play() if isinstance(solver, SafeSolver) else solver
    played.save(path, describe_spot(played.spot), played.kept_arrays(with_rivers))


def load_spot(path: Path) -> Spot:
    """Return the spot of a saved solution."""
    return spot_from_solution(path, load_checkpoint(path, is_mapped=True))


def open_solution(path: Path) -> tuple[Spot, SpotSolver]:
    """Return the spot of a saved solution, and a solver to look into: its file is read where it is needed."""
    saved = load_checkpoint(path, is_mapped=True)
    spot, dtype = spot_from_solution(path, saved), saved_dtype(saved)
    solver = _build(spot, saved.algorithm, dtype)
    solver.look_into(path, saved)
    return spot, solver


def spot_title(spot: Spot) -> str:
    """Return a spot in a few words."""
    start = spot.street_start
    chips = f"pot {pot_size(start):,}, stack {start.stack - start.committed[0]:,}"
    return ", ".join([f"{HOLDEM} {board_name(spot.board)}", chips, *spot.history])


def pot_share(spot: Spot, percent: float) -> float:
    """Return a percentage of the pot in chips."""
    return percent / 100 * pot_size(spot.betting)


def exploitability_words(spot: Spot) -> Callable[[float], str]:
    """Return a function that says an exploitability in shares of the pot and, if known, of the big blind."""

    def describe(chips: float) -> str:
        mbb = _mbb(spot, chips)
        return f"{pot_percent(spot, chips):.3g}% pot" + ("" if mbb is None else f", {mbb:.3g} mbb/g")

    return describe


def pot_percent(spot: Spot, chips: float) -> float:
    """Return chips as a percentage of the pot."""
    return 100 * chips / pot_size(spot.betting)


def _mbb(spot: Spot, chips: float) -> float | None:
    """Return chips in thousandths of a big blind; None where none was given."""
    blind = spot.betting.big_blind
    return None if blind == SMALLEST_BET else 1000 * chips / blind


def spot_figures(solver: SpotSolver, solution: Solution) -> dict[str, Any]:
    """Return what is said about a solved spot, for JSON."""
    spot, size = solver.spot, measure_spot(solver.spot)
    return {
        **spot_record(spot),
        "hands": [int(held) for held in np.count_nonzero(spot.ranges, axis=1)],
        "public_nodes": size.public_nodes,
        "decisions": size.decisions,
        "showdowns": size.showdowns,
        "folds": size.folds,
        "chance_nodes": size.chance,
        "exploitability_mbb": _mbb(spot, solution.exploitability),
        "exploitability_pot_percent": pot_percent(spot, solution.exploitability),
        "dtype": solver.storage,
        "memory_bytes": _memory(solver),
        **({"excess": solver.excess()} if isinstance(solver, SafeSolver) else {}),
    }


def spot_rows(solver: SpotSolver, solution: Solution) -> list[tuple[str, str]]:
    """Return what is said about a solved spot, for people."""
    spot, size = solver.spot, measure_spot(solver.spot)
    nodes = f"{size.decisions:,} decisions, {size.showdowns:,} showdowns, {size.folds:,} folds"
    if size.chance:
        nodes += f", {size.chance:,} for cards"
    mbb = _mbb(spot, solution.exploitability)
    safe = [("excess", f"{solver.excess():.4g}")] if isinstance(solver, SafeSolver) else []
    return [
        *safe,
        ("of the pot", f"{pot_percent(spot, solution.exploitability):.4g} % exploitable"),
        *([] if mbb is None else [("of the big blind", f"{mbb:.4g} mbb/g exploitable")]),
        ("hands", _hand_words(spot)),
        ("public nodes", f"{size.public_nodes:,}: {nodes}"),
        ("memory", f"about {format_bytes(_memory(solver))}"),
    ]


def _hand_words(spot: Spot) -> str:
    """Return how many hands are in each range."""
    first, second = np.count_nonzero(spot.ranges, axis=1)
    return f"{first:,}" if first == second else f"{first:,} and {second:,}"


def _memory(solver: SpotSolver) -> int:
    return estimate_bytes(solver.spot, solver.storage, solver.variant.optimism > 0)
