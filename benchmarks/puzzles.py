"""How many positions with known answers each search solves, with an untrained network, by simulations.

Mates in 1, 2 and 3 and problems of Go on 9x9 (`tests/search/data`), all of them, also those that no search
solves with so few simulations. GT-CFR has an update after ten simulations (c = 10). Half of them follow CFR's
average policy, or all of them PUCT (`puct_share=1`). Seconds are the processor's, of all positions together.

    OMP_NUM_THREADS=1 python -m benchmarks puzzles
"""

import time
from collections.abc import Callable

import torch

from sog.search.puct import PuctSettings
from sog.search.settings import SearchSettings
from tests.search.puzzles import Puzzle, choose, read_mates, read_problems

SIMULATIONS = (300, 1000, 3000, 10000)
SEARCHES: dict[str, Callable[[int], SearchSettings | PuctSettings]] = {
    "GT-CFR": lambda simulations: SearchSettings(simulations=simulations, per_update=10.0),
    "GT-CFR, PUCT alone": lambda simulations: SearchSettings(
        simulations=simulations, per_update=10.0, puct_share=1.0
    ),
    "MCTS": lambda simulations: PuctSettings(simulations=simulations),
}


def main() -> None:
    torch.set_num_threads(1)
    puzzles = read_mates() + read_problems()
    kinds = list(dict.fromkeys(puzzle.kind for puzzle in puzzles))
    counts = [f"{kind} ({sum(puzzle.kind == kind for puzzle in puzzles)})" for kind in kinds]
    print(f"{'solved':28}" + "".join(f"{count:>18}" for count in counts) + f"{'seconds':>10}")
    for simulations in SIMULATIONS:
        for name, settings in SEARCHES.items():
            solved, seconds = solve(puzzles, settings(simulations))
            figures = [sum(puzzle.kind == kind for puzzle in solved) for kind in kinds]
            line = "".join(f"{figure:18}" for figure in figures)
            print(f"{simulations:6}  {name:20}{line}{seconds:10.0f}", flush=True)


def solve(puzzles: list[Puzzle], settings: SearchSettings | PuctSettings) -> tuple[list[Puzzle], float]:
    """Return the puzzles that a search solves, and how long it took in all."""
    started = time.process_time()
    solved = [puzzle for puzzle in puzzles if choose(puzzle, settings) in puzzle.answers]
    return solved, time.process_time() - started


if __name__ == "__main__":
    main()
