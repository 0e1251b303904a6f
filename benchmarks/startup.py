"""What a command costs before it does anything: CPU-seconds of whole processes, without and with a cache.

Goals: the first search of a game compiles in at most 30 CPU-seconds; with a cache it takes at most 1.5 s more
than importing numba. A process compiles on one core, so CPU-seconds are seconds on a quiet machine.
"""

import os
import resource
import subprocess
import sys
import tempfile

NUMBA = ("import numba", ["-c", "import numba"], "")
SEARCH = """
from sog.games.registry import load
from sog.public.opening import open_store
from sog.search.gtcfr import Searcher
from sog.search.resolving import first_task
from sog.search.settings import SearchSettings
store = open_store(load({game!r}))
node = 0
while store.actor(node) > 1:
    node = store.children(node)[0]
Searcher(store, None, SearchSettings(simulations=100)).search(first_task(store, node), seed=1)
"""
GAMES = ("leduc", "scotland_yard(map=glasses)", "tictactoe")
COMMANDS = (
    ("evaluate leduc --search 33,1 --seeds 1", ""),
    ("evaluate kuhn --search 33,1 --seeds 1", ""),
    ("play kuhn --seed 1", "1\n" * 20),
    ("solve leduc --algorithm dcfr --iterations 100", ""),
)
_CLI = "import sys; from sog.interfaces.cli import main; sys.exit(main(sys.argv[1:]))"


def cpu_seconds(arguments: list[str], answers: str, cache: str) -> float:
    """Return what a process takes that keeps its kernels in a folder."""
    environment = {**os.environ, "XDG_CACHE_HOME": cache, "OMP_NUM_THREADS": "1"}
    environment.pop("NUMBA_CACHE_DIR", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-W", "ignore", *arguments],
        input=answers, capture_output=True, text=True, env=environment, check=True,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print a line for each process."""
    searches = [(f"first search of {game}", ["-c", SEARCH.format(game=game)], "") for game in GAMES]
    commands = [(f"sog {text}", ["-c", _CLI, *text.split()], answers) for text, answers in COMMANDS]
    print(f"{'CPU-seconds':48} {'cold':>7} {'warm':>7} {'warm - numba':>13} {'warm / numba':>13}")
    unit = 0.0
    for name, arguments, answers in (NUMBA, *searches, *commands):
        with tempfile.TemporaryDirectory() as cache:
            cold, *others = (cpu_seconds(arguments, answers, cache) for _ in range(4))
        warm = min(others)
        unit = unit or warm
        print(f"{name:48} {cold:>7.2f} {warm:>7.2f} {warm - unit:>13.2f} {warm / unit:>13.2f}", flush=True)
