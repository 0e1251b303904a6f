"""Commands do without what takes long to import and is not asked for: torch, numba's compiler."""

import subprocess
import sys

import pytest

RUN = """
import sys
from sog.interfaces.cli import main
try:
    status = main(sys.argv[1:])
except SystemExit as exit:
    status = exit.code
print("status", status, "torch", "torch" in sys.modules)
"""


@pytest.mark.parametrize(
    "command",
    [
        ["evaluate", "kuhn", "--search", "5,1", "--seeds", "1"],
        ["play", "kuhn", "--seed", "1"],
    ],
)
def test_small_networks_do_without_torch(command: list[str]) -> None:
    answers = "1\n" * 50
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", RUN, *command],
        input=answers, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] in ("status 0 torch False", "status None torch False"), done.stdout


def test_kernels_of_the_cache_load_without_what_compiling_takes() -> None:
    """Numba's list of all functions that it knows takes as long to read as the rest of a short solve."""
    spot = ["--board", "9s7c5s4h3c", "--pot", "200", "--stack", "100", "--bets", "river:100"]
    command = ["solve", "holdem", *spot, "--iterations", "2"]
    script = RUN.replace('"torch"', '"numba.np.linalg"')
    for _ in range(2):  # the first one may have to compile
        done = subprocess.run(
            [sys.executable, "-c", script, *command], capture_output=True, text=True, check=True
        )
    assert done.stdout.splitlines()[-1] == "status 0 numba.np.linalg False", done.stdout
