"""Iterations on a wide tree: one core against both."""

from collections.abc import Callable

from benchmarks.timing import best_times, milliseconds
from sog.games.registry import load
from sog.solvers.cfr import iterate
from sog.solvers.schedules import REGRET_MATCHING, VARIANTS, discounts
from sog.solvers.solver import Solver
from sog.solvers.wide import iterate_wide

GAME = "liars_dice(dice=1,faces=7)"


def main() -> None:
    solver = Solver(load(GAME), "dcfr")
    terminals = solver.evaluation.terminals

    def make(run: Callable[..., None]) -> Callable[[int], object]:
        def repeat(count: int) -> None:
            weights = discounts(VARIANTS["dcfr"], 1, count)
            run(REGRET_MATCHING, True, weights, solver.layout.players, terminals, solver.variant_state())

        return repeat

    times = best_times({"one": make(iterate), "both": make(iterate_wide)})
    print(f"{'DCFR, ms an iteration':32} {'one core':>10} {'all cores':>10} {'ratio':>7}")
    one, both = times["one"], times["both"]
    print(f"{GAME:32} {milliseconds(one):>10} {milliseconds(both):>10} {one / both:7.2f}")
