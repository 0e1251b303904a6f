import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba.core.errors import TypingError

from sog.core import jit

PLAIN = """
import numpy as np
from sog.games.registry import load
from sog.solvers.solver import Solver
solver = Solver(load("kuhn"), "{algorithm}")
solver.advance(20)
print(repr(float(solver.evaluation.nash_conv(solver.policy()))), end="")
"""


def test_cache_is_keyed_by_the_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text("# kernel 1")
    (tmp_path / "b.py").write_text("# other")
    monkeypatch.setattr(jit, "_PACKAGE", tmp_path)
    before = jit.source_hash()
    (tmp_path / "b.py").write_text("# changed, but without compiled code")
    assert jit.source_hash() == before
    (tmp_path / "a.py").write_text("# kernel 2")
    after = jit.source_hash()
    assert after != before
    (tmp_path / "b.py").write_text("from sog.core.jit import inlined")  # parts of kernels elsewhere
    parts = jit.source_hash()
    assert parts not in (before, after)
    (tmp_path / "b.py").write_text("from numba.extending import intrinsic")  # what numba makes of parts
    assert jit.source_hash() not in (before, after, parts)


def test_kernels_refuse_to_allocate() -> None:
    def allocates() -> float:
        return float(np.zeros(3).sum())

    with pytest.raises(TypingError):
        jit.kernel(allocates)()


@pytest.mark.parametrize(
    "algorithm", ["dcfr", "cfr(minimiser=normal-hedge)", "flop", "mccfr", "outcome-mccfr"]
)
def test_plain_python_gives_the_same(algorithm: str) -> None:
    results = []
    for disabled in ("0", "1"):
        environment = {**os.environ, "NUMBA_DISABLE_JIT": disabled}
        command = [sys.executable, "-W", "ignore", "-c", PLAIN.format(algorithm=algorithm)]
        run = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        results.append(float(run.stdout))
    assert results[0] == pytest.approx(results[1], rel=1e-9)
