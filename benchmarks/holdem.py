"""Hold'em spots: time and memory of an iteration, and how fast solutions get good.

No other solver of such spots is in the package registries. The peers' figures below were measured on this
kind of machine, on the same spots; the whole tree, solved card by card, is measured in the same run.
"""

import json
import resource
import subprocess
import sys
import time
from typing import Any

import numpy as np

from benchmarks.holdem_before import PLANS
from benchmarks.timing import best_times, milliseconds
from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.betting import BIG_BLIND
from sog.games.holdem.cards import NUM_HANDS, parse_board
from sog.games.holdem.ranges import parse_range
from sog.games.holdem.spot import Spot, make_spot
from sog.poker.spot_solver import SpotSolver
from sog.solvers.solver import Solver

RIVER_PEERS = {"public-state CFR paper": 85.0, "TexasSolver": 3.35, "postflop-solver": 0.42}  # ms
TURN_PEERS = {"TexasSolver": 3.45, "postflop-solver": 0.88}  # s, one thread
RIVER = ("9s7c5s4h3c", 200, 19_900, "river:100,allin")
TURN = ("3s7hTdKc", 1_000, 19_000, "50,100,allin")
SMALLER_TURNS = (500, 1_000, 2_000, 4_000, 8_000)  # stacks: the fewer raises, the smaller the tree
TURN_RUNS = {"one thread": (1, False), "all cores": (None, False), "all cores, int16": (None, True)}
TURN_ITERATIONS = 16
THREAD_ROUNDS = 12
GOOD = 0.2  # of the pot


def main() -> None:
    _river()
    _turn()
    _threads()
    _growth()


def _spot(board: str, pot: int, stack: int, bets: str) -> Spot:
    return make_spot(parse_board(board), pot, stack, parse_bet_sizes(bets), np.ones((2, NUM_HANDS)))


def _river() -> None:
    spot = _spot(*RIVER)
    solvers = {"streets": SpotSolver(spot, "lcfr", threads=1), "whole tree": Solver(spot, "lcfr", np.float32)}
    times = best_times({name: solver.advance for name, solver in solvers.items()})
    print("River spot 9s7c5s4h3c, float32, one thread, ms an iteration")
    print(f"  {'sog':24} {milliseconds(times['streets']):>8}")
    print(f"  {'sog, the whole tree':24} {milliseconds(times['whole tree']):>8}")
    for name, peer in RIVER_PEERS.items():
        print(f"  {name:24} {peer:8} {peer / 1e3 / times['streets']:7.1f} times as long")
    for algorithm, iterations in (("lcfr", 1000), ("dcfr", 2000)):
        solver = SpotSolver(spot, algorithm, threads=1)
        solver.advance(iterations)
        mbb = 1000 * solver.exploitability() / BIG_BLIND
        print(f"  {algorithm}: {mbb:.2f} mbb/g after {iterations:,} iterations, {solver.seconds:.2f} s")
    command = [sys.executable, "-m", "sog", "solve", "holdem", "--board", RIVER[0], "--pot", str(RIVER[1])]
    command += ["--stack", str(RIVER[2]), "--bets", RIVER[3], "--algorithm", "lcfr", "--iterations", "1000"]
    start = time.perf_counter()
    done = subprocess.run([*command, "--json"], check=True, capture_output=True, text=True)
    wall = time.perf_counter() - start
    used = json.loads(done.stdout)["seconds"]
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"  sog solve holdem: {wall:.2f} s, {used:.2f} of them iterations; {peak:.0f} MB resident")


def _turn() -> None:
    print("Turn spot 3s7hTdKc, float32, s an iteration")
    results = {name: _measure_turn(name) for name in TURN_RUNS}
    for name, result in results.items():
        print(f"  {'sog, ' + name:24} {result['seconds']:8.3f}   {result['megabytes']:,.0f} MB resident")
    one = results["one thread"]
    for name, peer in TURN_PEERS.items():
        print(f"  {name:24} {peer:8} {peer / one['seconds']:7.1f} times as long as one thread")
    print(f"  built in {one['build']:.2f} s; below {GOOD:.0%} of the pot:")
    for algorithm, (iterations, share) in results["all cores"]["good"].items():
        print(f"    {algorithm:8} after {iterations:3} iterations ({share:.1%})")


def _measure_turn(name: str) -> dict[str, Any]:
    """Measure in a process of its own, whose memory is nobody else's."""
    command = [sys.executable, "-m", "benchmarks.holdem", name]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def _print_turn(name: str) -> None:
    spot, (threads, is_short) = _spot(*TURN), TURN_RUNS[name]
    start = time.perf_counter()
    solver = SpotSolver(spot, "dcfr", threads=threads, is_short=is_short)
    build = time.perf_counter() - start
    seconds = float("inf")
    for _ in range(TURN_ITERATIONS):
        start = time.perf_counter()
        solver.advance(1)
        seconds = min(seconds, time.perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    good = {}
    for algorithm in ("dcfr", "lcfr") if name == "all cores" else ():
        del solver  # two at once would take twice the memory
        solver = SpotSolver(spot, algorithm)
        share = 1.0
        while share > GOOD:
            solver.advance(1)
            share = solver.exploitability() / TURN[1] if solver.iterations >= TURN_ITERATIONS else 1.0
        good[algorithm] = solver.iterations, share
    print(json.dumps({"seconds": seconds, "build": build, "megabytes": peak, "good": good}))


def _threads() -> None:
    print("Boards below the first street shared out to threads, float32, s an iteration")
    for name in ("turn", "flop"):
        plan = PLANS[name]
        words, ranges = plan.spot.split(), np.array([parse_range(text) for text in plan.ranges])
        board, pot, stack, bets = words[1::2]
        spot = make_spot(parse_board(board), int(pot), int(stack), parse_bet_sizes(bets), ranges)
        solvers = {threads: SpotSolver(spot, "dcfr(gamma=3)", threads=threads) for threads in (1, 2)}
        best = dict.fromkeys(solvers, (float("inf"), float("inf")))
        for _ in range(THREAD_ROUNDS):
            for threads, solver in solvers.items():
                wall, cpu = time.perf_counter(), time.process_time()
                solver.advance(1)
                wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
                best[threads] = (min(wall, best[threads][0]), min(cpu, best[threads][1]))
        for threads, (wall, cpu) in best.items():
            print(f"  {name:6} {threads} threads {wall:8.4f} wall {cpu:8.4f} CPU")


def _growth() -> None:
    print("Growth with the tree, turn spots of other stacks, one thread")
    for stack in SMALLER_TURNS:
        solver = SpotSolver(_spot(TURN[0], TURN[1], stack, TURN[3]), "dcfr", threads=1)
        entries = sum(sums.regret.size for node in solver.nodes() for sums in node.sums)
        taken = best_times({"streets": solver.advance})["streets"]
        print(f"  {entries / 1e6:6.2f} M hand-actions {taken:8.4f} s {1e9 * taken / entries:6.2f} ns each")


if __name__ == "__main__":
    _print_turn(sys.argv[1])
