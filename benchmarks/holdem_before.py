"""Two spots with the ranges that people use, two with all hands: this program and an earlier one, by turns.

    python -m benchmarks.holdem_before CHECKOUT [turn|flop|full-river|full-turn …] [--rounds 2]
        [--iterations N] [--cache FOLDER]

CHECKOUT is a folder with an earlier version of this repository, such as one made by
`git worktree add ../before 19a71af`. Each process solves its spot to the goal, and everything that it does
counts: start, building, iterations, measuring. Kernels and Python files are compiled in a first run of one
iteration that does not count. The peer's figures were measured once beside CHECKOUT's on another machine;
they are not of this run. `--iterations` takes so many iterations instead of solving to the goal; `--cache`
keeps what is compiled for the next time.
"""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

FLOP_OOP = (
    "88+,A8s+,A5s-A2s:0.5,AJo+,ATo:0.75,K9s+,KQo,KJo:0.75,KTo:0.25,Q9s+,QJo:0.5,J8s+,JTo:0.25,T8s+,T7s:0.45,"
    "97s+,96s:0.45,87s,86s:0.75,85s:0.45,75s+:0.75,74s:0.45,65s:0.75,64s:0.5,63s:0.45,54s:0.75,53s:0.5,"
    "52s:0.45,43s:0.5,42s:0.45,32s:0.45"
)
FLOP_IP = (
    "AA:0.25,99-22,AJs-A2s,AQo-A8o,K2s+,K9o+,Q2s+,Q9o+,J6s+,J9o+,T6s+,T9o,96s+,95s:0.5,98o,86s+,85s:0.5,75s+,"
    "74s:0.5,64s+,63s:0.5,54s,53s:0.5,43s"
)
TURN_OOP = "22+,A2s+,K2s+,Q5s+,J7s+,T7s+,96s+,86s+,75s+,64s+,A7o+,K9o+,Q9o+,J9o+"
TURN_IP = "22+,A2s+,K4s+,Q7s+,J8s+,T8s+,97s+,86s+,76s,65s,54s,A8o+,KTo+,QTo+,JTo"


class Plan(NamedTuple):
    """A spot, the goal, and what the peer took beside the earlier version on another machine."""

    spot: str
    ranges: tuple[str, str]
    until: str
    peer: str


PLANS = {
    "turn": Plan(
        "--board Td9d6hQc --pot 200 --stack 900 --bets 60,108,allin/60",
        (TURN_OOP, TURN_IP),
        "0.1%",
        "postflop-solver .36 of it",
    ),
    "flop": Plan(
        "--board QsJh2h --pot 180 --stack 910 --bets flop:52/45;turn:55/45;river:70/45",
        (FLOP_OOP, FLOP_IP),
        "0.5%",
        "postflop-solver .46 of it and 1.29 GB",
    ),
    "full-river": Plan(
        "--board 9s7c5s4h3c --pot 200 --stack 19900 --bets river:100,allin",
        ("random", "random"),
        "0.01%",
        "an iteration of postflop-solver .42 ms beside .16",
    ),
    "full-turn": Plan(
        "--board 3s7hTdKc --pot 1000 --stack 19000 --bets 50,100,allin",
        ("random", "random"),
        "20%",
        "an iteration of postflop-solver .88 s beside .39, 0.90 GB",
    ),
}
_CLI = """
import sys
sys.path.insert(0, sys.argv.pop(1))  # before the folder that this was called in
from sog.interfaces.cli import main
sys.exit(main(sys.argv[1:]))
"""


class Figures(NamedTuple):
    """What a process took."""

    cpu_seconds: float
    peak_bytes: int
    iterations: int


def run(checkout: Path, arguments: list[str], cache: str) -> Figures:
    """Solve with a checkout in a process of its own; what it compiles goes into a folder."""
    environment = {**os.environ, "XDG_CACHE_HOME": cache, "OMP_NUM_THREADS": "1"}
    environment["PYTHONPYCACHEPREFIX"] = cache
    for name in ("NUMBA_CACHE_DIR", "PYTHONDONTWRITEBYTECODE", "PYTHONPATH"):
        environment.pop(name, None)
    command = [sys.executable, "-c", _CLI, str(checkout), "solve", "holdem", *arguments, "--json"]
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as messages:
        files = [(os.POSIX_SPAWN_DUP2, output.fileno(), 1), (os.POSIX_SPAWN_DUP2, messages.fileno(), 2)]
        process = os.posix_spawn(sys.executable, command, environment, file_actions=files)
        _, status, used = os.wait4(process, 0)
        output.seek(0)
        messages.seek(0)
        if status:
            raise RuntimeError(messages.read().decode())
        return Figures(used.ru_utime + used.ru_stime, 1024 * used.ru_maxrss, json.load(output)["iterations"])


def measure(name: str, before: Path, rounds: int, iterations: int | None, cache: str) -> None:
    """Print a line for each program: the least CPU-seconds and the highest peak of its runs."""
    plan, now = PLANS[name], Path(__file__).resolve().parent.parent
    spot = [*plan.spot.split(), "--range-oop", plan.ranges[0], "--range-ip", plan.ranges[1]]
    programs = {
        "before": (before, []),
        "now": (now, []),
        "now, --dtype int16": (now, ["--dtype", "int16"]),
    }
    found: dict[str, list[Figures]] = {program: [] for program in programs}
    for checkout, more in programs.values():
        run(checkout, [*spot, *more, "--iterations", "1"], cache)
    for _ in range(rounds):
        for program, (checkout, more) in programs.items():
            goal = ["--until", plan.until] if iterations is None else ["--iterations", str(iterations)]
            found[program].append(run(checkout, [*spot, *more, *goal], cache))
    aim = f"to {plan.until} of the pot" if iterations is None else f"for {iterations} iterations"
    print(f"{name} {aim} (elsewhere, to the goal: {plan.peer})")
    unit = min(figures.cpu_seconds for figures in found["before"])
    for program, runs in found.items():
        best, peak = min(figures.cpu_seconds for figures in runs), max(figures.peak_bytes for figures in runs)
        line = f"  {program:20} {best:7.2f} CPU-seconds {best / unit:6.2f} of before"
        print(f"{line} {peak / 1e9:7.3f} GB {runs[0].iterations:5} iterations", flush=True)


def main() -> None:
    """Measure the spots that were asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkout", type=Path)
    parser.add_argument("spots", nargs="*", help="; ".join(PLANS))
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--iterations", type=int)
    parser.add_argument("--cache", type=Path)
    options = parser.parse_args()
    if unknown := set(options.spots) - PLANS.keys():
        parser.error(f"no spot is called {unknown.pop()}: choose of {', '.join(PLANS)}")
    before = options.checkout.resolve()
    if not (before / "sog").is_dir():
        parser.error(f"{options.checkout} is no checkout: it has no folder sog")
    with tempfile.TemporaryDirectory() as folder:
        cache = folder if options.cache is None else str(options.cache.resolve())
        for name in options.spots or PLANS:
            measure(name, before, options.rounds, options.iterations, cache)


if __name__ == "__main__":
    main()
