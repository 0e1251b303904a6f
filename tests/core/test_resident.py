import re
import sys
from pathlib import Path

import numpy as np
import pytest

from sog.core.resident import _find_unwritten, release_compiler
from sog.games.registry import load
from sog.solvers.solver import Solver

HEAD = "{range} r{access}p 0000 fe:00 17 {path}\nSize: 4 kB\nAnonymous: {written} kB\n"


def test_only_the_compiler_as_it_is_in_its_file() -> None:
    lines = [
        HEAD.format(range="1000-2000", access="-x", path="/a/libllvmlite.so", written=0),
        HEAD.format(range="3000-4000", access="--", path="/a/libllvmlite.so", written=8),  # relocated: kept
        HEAD.format(range="5000-6000", access="w-", path="", written=0),
        HEAD.format(range="7000-8000", access="-x", path="/a/libpython.so", written=0),
    ]
    assert _find_unwritten("".join(lines)) == [(0x1000, 0x2000)]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere nothing happens")
def test_less_is_resident_and_the_compiler_still_works() -> None:
    solver = Solver(load("kuhn"), "dcfr")
    solver.advance(10)  # LLVM has loaded kernels
    before = _resident()
    release_compiler()
    assert _resident() < before - 20_000  # kB
    solver = Solver(load("kuhn"), "dcfr", np.float32)  # kernels for other types are loaded or compiled
    solver.advance(1000)
    assert abs(solver.value() + 1 / 18) < 1e-3


def _resident() -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+)", status)
    assert found is not None
    return int(found[1])
