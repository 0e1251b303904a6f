"""CFR+ iterations against OpenSpiel's C++ solver and LiteEFG, one thread each."""

from collections.abc import Callable

from benchmarks.peers import GAMES, liteefg_cfr_plus, openspiel_cfr_plus
from benchmarks.timing import best_times, milliseconds
from sog.games.registry import load
from sog.solvers.solver import Solver


def sog_iterations(game: str, algorithm: str) -> Callable[[int], object]:
    """Iterations of one of our algorithms, going on where the last call stopped."""
    solver = Solver(load(game), algorithm)

    def run(repeats: int) -> None:
        solver.advance(repeats)

    return run


def main() -> None:
    title = "CFR+, ms an iteration"
    print(f"{title:32} {'sog':>10} {'OpenSpiel':>10} {'ratio':>7} {'LiteEFG':>10} {'ratio':>7}")
    for ours, theirs in GAMES.items():
        contestants = {
            "sog": sog_iterations(ours, "cfr+"),
            "openspiel": openspiel_cfr_plus(theirs),
            "liteefg": liteefg_cfr_plus(theirs),
        }
        times = best_times(contestants)
        ratios = {name: times[name] / times["sog"] for name in times}
        print(
            f"{ours:32} {milliseconds(times['sog']):>10} {milliseconds(times['openspiel']):>10}"
            f" {ratios['openspiel']:7.0f} {milliseconds(times['liteefg']):>10} {ratios['liteefg']:7.0f}",
            flush=True,
        )
