"""External-sampling MCCFR iterations against OpenSpiel's C++ solver."""

from benchmarks.cfr import sog_iterations
from benchmarks.peers import GAMES, openspiel_external_sampling
from benchmarks.timing import best_times, milliseconds


def main() -> None:
    print(f"{'external sampling, ms an iteration':36} {'sog':>10} {'OpenSpiel':>10} {'ratio':>7}")
    for ours, theirs in GAMES.items():
        times = best_times(
            {"sog": sog_iterations(ours, "mccfr"), "openspiel": openspiel_external_sampling(theirs)}
        )
        ratio = times["openspiel"] / times["sog"]
        print(
            f"{ours:36} {milliseconds(times['sog']):>10} {milliseconds(times['openspiel']):>10} {ratio:7.1f}",
            flush=True,
        )
