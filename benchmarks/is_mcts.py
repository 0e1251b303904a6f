"""IS-MCTS on Leduc: the paper's sweep over simulations and C, and simulations a second against OpenSpiel's.

Table 5 of *Player of Games* (Schmid et al. 2021): a policy is put together from independent searches at every
infostate, and its exploitability is the mean over five such policies.
"""

import time
from collections.abc import Callable
from itertools import product

import numpy as np

from benchmarks.peers import openspiel_is_mcts
from benchmarks.timing import best_times
from sog.games.registry import load
from sog.public.enumeration import enumerate_game
from sog.search.is_mcts import FINAL_RULES, IsMcts
from sog.solvers.evaluation import Evaluation

SIMULATIONS = (10, 100, 1000, 10_000)
EXPLORATION = (1.0, 2.0, 5.0, 10.0, 13.0, 20.0, 26.0)
POLICIES = 5
MILLI = 1000  # a big blind is a chip
SPEED_GAMES = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}
SPEED_SIMULATIONS = 1000

# The paper's, by (simulations, C): visits, max-visits, max-value.
PAPER = dict(
    zip(
        product(SIMULATIONS, EXPLORATION),
        [
            (2168, 2449, 2173), (2058, 2408, 2341), (1902, 2615, 2517), (1738, 2555, 2360),
            (1799, 2517, 2598), (1821, 2830, 2349), (1888, 2861, 2669),
            (1489, 1509, 1333), (1404, 1587, 1395), (1239, 1145, 1094), (1213, 1195, 1245),
            (1218, 1292, 1227), (1350, 1456, 1342), (1448, 1747, 1568),
            (1323, 1218, 1177), (1069, 1212, 864), (699, 778, 681), (697, 601, 632),
            (741, 759, 744), (859, 962, 991), (966, 1029, 1057),
            (1348, 948, 1134), (911, 877, 763), (516, 582, 538), (490, 485, 480),
            (511, 465, 470), (572, 505, 505), (631, 575, 570),
        ],
        strict=True,
    )
)  # fmt: skip


def main() -> None:
    _print_speed()
    print()
    _print_exploitability()


def _print_speed() -> None:
    print(f"{'IS-MCTS, thousand simulations a second':40} {'sog':>8} {'OpenSpiel':>10} {'ratio':>7}")
    for ours, theirs in SPEED_GAMES.items():
        times = best_times(
            {"sog": _sog_searches(ours), "openspiel": openspiel_is_mcts(theirs, SPEED_SIMULATIONS)}
        )
        rates = {name: SPEED_SIMULATIONS / seconds / 1e3 for name, seconds in times.items()}
        ratio = rates["sog"] / rates["openspiel"]
        print(f"{ours:40} {rates['sog']:8.0f} {rates['openspiel']:10.0f} {ratio:7.1f}", flush=True)


def _sog_searches(name: str) -> Callable[[int], object]:
    """Searches of the infostate of the first decision."""
    search = IsMcts(enumerate_game(load(name)))

    def run(repeats: int) -> None:
        for seed in range(repeats):
            search.run(SPEED_SIMULATIONS, 1.0, seed, [0])

    return run


def _print_exploitability() -> None:
    whole = enumerate_game(load("leduc"))
    search, evaluation = IsMcts(whole), Evaluation(whole.layout, whole.terminals())
    search.run(1, 1.0, 0)  # compiles or loads the kernels
    print(f"Leduc, mbb/h (mean of {POLICIES}; the paper's in parentheses)")
    print(f"{'simulations':>11} {'C':>4} " + " ".join(f"{rule:>13}" for rule in FINAL_RULES) + "  s a policy")
    for (simulations, exploration), paper in PAPER.items():
        start = time.perf_counter()
        found = [search.run(simulations, exploration, seed) for seed in range(POLICIES)]
        seconds = (time.perf_counter() - start) / POLICIES
        cells = []
        for rule, theirs in zip(FINAL_RULES, paper, strict=True):
            mean = np.mean([evaluation.exploitability(search.policy(each, rule)) for each in found])
            cells.append(f"{MILLI * mean:6.0f} ({theirs:4})")
        print(f"{simulations:11,} {exploration:4.0f} {' '.join(cells)}  {seconds:10.3f}", flush=True)
