"""A user's kernels are part of the cache's key: an edit is seen by the next process."""

import os
import subprocess
import sys
from pathlib import Path

PARTS = """
from sog.core.jit import inlined

@inlined
def scaled(value):
    return {factor} * value
"""
TABLES = """
from typing import NamedTuple
import numpy as np
from parts import scaled
from sog.core.jit import inlined, kernel
from sog.games.products import Kernels, register_products

class Tables(NamedTuple):
    table: np.ndarray

@inlined
def multiply_leaves(tables, player, leaves, reach, values):
    for index in range(leaves.size):
        values[index] = scaled(tables.table[index]) * reach[index]

@inlined
def multiply_row(tables, player, number, row, columns, reach, slot):
    return tables.table[row] * reach[slot]

@inlined
def entry(tables, number, row, column, columns):
    return tables.table[row]

@inlined
def is_alive(tables, player, number, row):
    return tables.table[row] > 0

register_products(Tables, Kernels(multiply_leaves, multiply_row, entry, is_alive))

@kernel
def total(table):
    found = 0.0
    for index in range(table.size):
        found += scaled(table[index])
    return found
"""
MAIN = """
import numpy as np
from numba.core import event
compiled = []
class Listener(event.Listener):
    def on_start(self, event): compiled.append(event)
    def on_end(self, event): pass
event.register("numba:compile", Listener())
from tables import Tables, total
from sog.games.products import LEAF
from sog.public.layout import STEP, PlayerLayout
from sog.public.terminals import Terminals, evaluate_terminals
none, ones, values = np.zeros(1, np.uint32), np.ones(1), np.zeros(1)
own = PlayerLayout(np.zeros(1, STEP), np.zeros(1, LEAF), *[none] * 7)
evaluate_terminals(own, own, Terminals(Tables(ones), none, none, ones), 0, ones, values)
print(values[0], total(ones), len(compiled) > 0)
"""

TOGETHER = """
import sys, time
from pathlib import Path
import numpy as np
from tables import total
Path(sys.argv[1]).touch()
while len(list(Path().glob("ready*"))) < 3:
    time.sleep(0.01)
print(total(np.ones(1)), sum(total.stats.cache_misses.values()))
"""


def environment_of(folder: Path) -> dict[str, str]:
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "PYTHONPATH": os.getcwd()}
    environment.pop("NUMBA_CACHE_DIR", None)
    return environment


def run(folder: Path) -> list[str]:
    environment = environment_of(folder)
    (folder / "main.py").write_text(MAIN)
    command = [sys.executable, "-W", "ignore", "main.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_an_edit_in_a_users_kernel_is_seen(tmp_path: Path) -> None:
    """Here it is a part of the kernels of a user's tables, which the package's kernels contain."""
    (tmp_path / "tables.py").write_text(TABLES)
    (tmp_path / "parts.py").write_text(PARTS.format(factor=1.0))
    assert run(tmp_path) == ["1.0", "1.0", "True"]
    assert run(tmp_path) == ["1.0", "1.0", "False"]
    (tmp_path / "parts.py").write_text(PARTS.format(factor=100.0))
    assert run(tmp_path) == ["100.0", "100.0", "True"]
    assert run(tmp_path) == ["100.0", "100.0", "False"]


def test_processes_that_start_together_compile_a_kernel_once(tmp_path: Path) -> None:
    (tmp_path / "tables.py").write_text(TABLES)
    (tmp_path / "parts.py").write_text(PARTS.format(factor=2.0))
    (tmp_path / "main.py").write_text(TOGETHER)
    processes = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "main.py", f"ready{number}"],
            cwd=tmp_path,
            env=environment_of(tmp_path),
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(3)
    ]
    found = [process.communicate()[0].split() for process in processes]
    assert [value for value, _ in found] == ["2.0"] * 3
    assert sum(int(misses) for _, misses in found) == 1
