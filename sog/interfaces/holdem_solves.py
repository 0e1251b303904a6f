"""What `sog solve holdem` does and says beyond other games: memory, the pot and the blinds.

Verified: tests/interfaces/test_holdem_command.py.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sog.core.errors import InputError
from sog.games.holdem.bet_sizes import format_bet_sizes
from sog.games.holdem.betting import pot_size
from sog.games.holdem.cards import board_name
from sog.games.holdem.spot import Spot
from sog.interfaces.holdem_size import check_memory, estimate_bytes, format_bytes, measure_spot
from sog.interfaces.holdem_spots import HOLDEM, spot_from_solution, spot_stack
from sog.interfaces.progress import building
from sog.interfaces.solves import make_solver, saved_dtype
from sog.public.holdem import HoldemView
from sog.public.tree import PublicTree, grow_fully
from sog.solvers.algorithms import parse_algorithm
from sog.solvers.checkpoint import load_checkpoint
from sog.solvers.schedules import Variant
from sog.solvers.solver import Solution, Solver

SPOT_DTYPE = "float32"


def make_spot_solver(spot: Spot, algorithm: str, dtype: str) -> Solver:
    """Return a solver at its start; say first how large the spot is."""
    needed = _check(spot, algorithm, dtype)
    size = f"{measure_spot(spot).public_nodes:,} public nodes, {spot.hands.size:,} hands"
    print(f"{HOLDEM}: {size}, about {format_bytes(needed)} of memory", file=sys.stderr)
    return _build(spot, algorithm, dtype)


def _check(spot: Spot, algorithm: str, dtype: str) -> int:
    """Refuse what cannot be solved, or not on this machine; return about how many bytes it takes."""
    if not isinstance(parse_algorithm(algorithm).settings, Variant):
        raise InputError(f"{algorithm} walks single histories: a hold'em spot has too many")
    needed = estimate_bytes(measure_spot(spot), spot.hands.size, dtype)
    check_memory(needed)
    return needed


def _build(spot: Spot, algorithm: str, dtype: str) -> Solver:
    with building(HOLDEM) as report:
        tree = grow_fully(PublicTree(HoldemView(spot)), progress=report)
    return make_solver(spot, algorithm, tree, dtype)


def load_spot(path: Path) -> Spot:
    """Return the spot of a saved solution."""
    return spot_from_solution(path, load_checkpoint(path))


def load_spot_solver(path: Path) -> tuple[Spot, Solver]:
    """Return the spot of a saved solution, and a solver that stands where it stood."""
    saved = load_checkpoint(path)
    spot, dtype = spot_from_solution(path, saved), saved_dtype(saved)
    _check(spot, saved.algorithm, dtype)
    solver = _build(spot, saved.algorithm, dtype)
    solver.resume(path)
    return spot, solver


def spot_title(spot: Spot) -> str:
    """Return a spot in a few words."""
    return f"{HOLDEM} {board_name(spot.board)}, pot {pot_size(spot.betting):,}, stack {spot_stack(spot):,}"


def pot_share(spot: Spot, percent: float) -> float:
    """Return a percentage of the pot in chips."""
    return percent / 100 * pot_size(spot.betting)


def exploitability_words(spot: Spot) -> Callable[[float], str]:
    """Return a function that says an exploitability in shares of the pot and of the big blind."""
    return lambda chips: f"{_pot_percent(spot, chips):.3g}% pot, {_mbb(spot, chips):.3g} mbb/g"


def _pot_percent(spot: Spot, chips: float) -> float:
    return 100 * chips / pot_size(spot.betting)


def _mbb(spot: Spot, chips: float) -> float:
    """Return chips in thousandths of a big blind."""
    return 1000 * chips / spot.betting.big_blind


def spot_figures(spot: Spot, solver: Solver, solution: Solution) -> dict[str, Any]:
    """Return what is said about a solved spot, for JSON."""
    size = measure_spot(spot)
    return {
        "board": board_name(spot.board),
        "pot": pot_size(spot.betting),
        "stack": spot_stack(spot),
        "big_blind": spot.betting.big_blind,
        "bets": format_bet_sizes(spot.sizes),
        "hands": spot.hands.size,
        "public_nodes": solver.tree.num_nodes,
        "decisions": size.decisions,
        "showdowns": size.showdowns,
        "folds": size.folds,
        "chance_nodes": size.chance,
        "exploitability_mbb": _mbb(spot, solution.exploitability),
        "exploitability_pot_percent": _pot_percent(spot, solution.exploitability),
        "dtype": str(solver.evaluation.payoffs.dtype),
        "memory_bytes": _memory(spot, solver),
    }


def spot_rows(spot: Spot, solver: Solver, solution: Solution) -> list[tuple[str, str]]:
    """Return what is said about a solved spot, for people."""
    size = measure_spot(spot)
    nodes = f"{size.decisions:,} decisions, {size.showdowns:,} showdowns, {size.folds:,} folds"
    if size.chance:
        nodes += f", {size.chance:,} for cards"
    return [
        ("of the pot", f"{_pot_percent(spot, solution.exploitability):.4g} % exploitable"),
        ("of the big blind", f"{_mbb(spot, solution.exploitability):.4g} mbb/g exploitable"),
        ("hands", f"{spot.hands.size:,}"),
        ("public nodes", f"{solver.tree.num_nodes:,}: {nodes}"),
        ("memory", f"about {format_bytes(_memory(spot, solver))}"),
    ]


def _memory(spot: Spot, solver: Solver) -> int:
    return estimate_bytes(measure_spot(spot), spot.hands.size, str(solver.evaluation.payoffs.dtype))
