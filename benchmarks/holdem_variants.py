"""Hold'em spots by variants of CFR: after how many iterations they are how good, and what that takes.

Iterations do not depend on the machine. CPU-seconds are of iterations alone, one thread.
"""

import time
from collections.abc import Callable

import numpy as np

from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.betting import pot_size
from sog.games.holdem.cards import parse_board
from sog.games.holdem.ranges import parse_range
from sog.games.holdem.spot import Spot, make_spot
from sog.poker.spot_solver import SpotSolver

VARIANTS = (
    "dcfr",
    "dcfr(gamma=3)",
    "dcfr(gamma=4)",
    "dcfr(beta=-inf,gamma=3)",
    "dcfr(beta=0.5,gamma=3)",
    "dcfr(gamma=3,reset=4)",
    "dcfr(beta=0.5,gamma=3,reset=4)",
    "cfr+",
    "cfr+(gamma=2)",
    "pcfr+",
    "dcfr(gamma=3,updates=simultaneous)",
)
GOALS = (1.0, 0.5, 0.3, 0.1)  # percent of the pot
STEP, MOST = 4, 420  # iterations between measurements, and in all
TURN_RANGES = (
    "22+,A2s+,K2s+,Q5s+,J7s+,T7s+,96s+,86s+,75s+,64s+,A7o+,K9o+,Q9o+,J9o+",
    "22+,A2s+,K4s+,Q7s+,J8s+,T8s+,97s+,86s+,76s,65s,54s,A8o+,KTo+,QTo+,JTo",
)
FLOP_RANGES = ("TT-22,AJs-ATs,KTs+,QTs+,JTs,T9s,98s", "TT+,AQs+,AKo,KQs,A5s-A4s")


def main() -> None:
    for name, make in (("turn Td9d6hQc", turn_spot), ("flop QsJh2h, narrow ranges", flop_spot)):
        print(f"{name}: iterations to {', '.join(f'{goal:g} %' for goal in GOALS)} of the pot; ms each")
        for variant in VARIANTS:
            print(f"  {variant:36} {_row(make, variant)}", flush=True)


def turn_spot() -> Spot:
    return _spot("Td9d6hQc", 200, 900, "60,108,allin/60", TURN_RANGES)


def flop_spot() -> Spot:
    return _spot("QsJh2h", 60, 270, "flop:33;turn:75;river:75;cap:1", FLOP_RANGES)


def _spot(board: str, pot: int, stack: int, bets: str, ranges: tuple[str, str]) -> Spot:
    weights = np.array([parse_range(text) for text in ranges])
    return make_spot(parse_board(board), pot, stack, parse_bet_sizes(bets), weights)


def _row(make: Callable[[], Spot], variant: str) -> str:
    spot = make()
    solver, left, reached, spent = SpotSolver(spot, variant, threads=1), list(GOALS), [], 0.0
    while left and solver.iterations < MOST:
        start = time.process_time()
        solver.advance(STEP)
        spent += time.process_time() - start
        percent = 100 * solver.exploitability() / pot_size(spot.betting)
        while left and percent <= left[0]:
            reached.append(f"{solver.iterations:4}")
            left.pop(0)
    reached += [f">{MOST}"] * len(left)
    return f"{'  '.join(reached)}   {1e3 * spent / solver.iterations:6.1f}"
