import subprocess
import sys
from pathlib import Path

import pytest

from sog.core.errors import InputError
from sog.training.examples import EXAMPLE
from sog.training.memory import check_memory, machine_bytes
from sog.training.run import Run
from sog.training.sources.local import LocalSource
from tests.training.tiny import tiny_config


def test_what_a_process_takes_grows_with_what_it_holds() -> None:
    """In a process of its own: here, memory that was freed may be taken again."""
    script = (
        "import numpy as np\nfrom sog.training.memory import machine_bytes, resident_bytes\n"
        "before, held = resident_bytes(), np.ones(200_000_000, np.uint8)\n"
        "assert 150_000_000 < resident_bytes() - before < 250_000_000\n"
        "assert held.nbytes < resident_bytes() < machine_bytes()\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.skipif(sys.platform != "linux", reason="no malloc_trim")
def test_what_was_freed_goes_back_to_the_system() -> None:
    """Arrays that are too small to be mapped each by itself, below one that stays."""
    script = (
        "import numpy as np\nfrom sog.core.resident import give_back\n"
        "from sog.training.memory import resident_bytes\n"
        "many = [np.ones(100_000, np.uint8) for _ in range(1_000)]\nlast = many.pop()\n"
        "full = resident_bytes()\ndel many\nkept = resident_bytes()\ngive_back()\n"
        "assert full - kept < 10_000_000\nassert 90_000_000 < kept - resident_bytes()\nassert last.all()\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_what_cannot_fit_is_refused_in_one_line_with_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sog.training.memory.machine_bytes", lambda: 2_000 * 2**20)
    config = tiny_config(replay={"examples": 10**6})
    check_memory(config, 1_000.0)
    message = (
        r"^kuhn: too much for 2,000 MB of memory: 1,049 MB for replay.examples = 1,000,000 of 1,100 bytes"
        r" each or more, 1,024 MB for run.memory_mb$"
    )
    with pytest.raises(InputError, match=message):
        check_memory(config, 1_100.0)


def test_a_run_is_refused_before_any_work_or_after_its_first_examples(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"of {EXAMPLE.itemsize} bytes each or more"):
        Run(tiny_config(replay={"examples": 10**9}, run={"memory_mb": 1e8}), tmp_path)
    run = Run(tiny_config(replay={"examples": int(machine_bytes() / 60)}), tmp_path)
    with pytest.raises(InputError, match=r"too much for .* of [\d]{2,3} bytes each or more"):
        run.go(LocalSource)
    assert run.learner.steps == 0
