"""Every example runs as people run it, and prints something."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted(path.name for path in (ROOT / "examples").glob("[!_]*.py"))
SAYS = {
    "bot.py": "honest: -",
    "coin.py": "",
    "own_view.py": "cards by dcfr",
    "river_spot.py": "value for player 0",
    "search.py": "K",
    "solve.py": "a king after two deals: {'pass': ",
    "train.py": "coin.py:Coin, network of ",
}


def test_every_example_is_known() -> None:
    assert list(SAYS) == EXAMPLES


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_run(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / name)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert SAYS[name] in done.stdout
