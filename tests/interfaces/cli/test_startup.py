"""Commands that ask small networks do without torch, which takes seconds to import."""

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
