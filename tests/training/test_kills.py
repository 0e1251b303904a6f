"""Five kills of one run; scripts/kills.py has thirty, in three games, and measures what they learned."""

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts.kills import Victim
from sog.training.checkpoint import load_newest
from sog.training.config import as_toml, make_config
from sog.training.metrics import read_metrics
from sog.training.run_status import Counts
from tests.training.tiny import TABLES

KINDS = ["worker", "message", "main", "checkpoint", "main+message"]
SECONDS = 300  # that a busy machine may take


def wait(victim: Victim, is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not is_so():
        assert victim.process.poll() is None, "it ended by itself"
        assert time.monotonic() < end, "it hangs"
        time.sleep(0.02)


def last_step(folder: Path) -> int:
    lines = read_metrics(folder)
    return lines[-1]["step"] if lines else 0


def test_a_run_that_is_killed_again_and_again_goes_on_and_leaves_nothing(tmp_path: Path) -> None:
    run = {**TABLES["run"], "steps": 10**9, "checkpoint_minutes": 0.001, "log_steps": 1}
    config = make_config({**TABLES, "game": "leduc", "run": run}, "test")
    (tmp_path / "run.toml").write_text(as_toml(config))
    folder, rng = tmp_path / "run", random.Random(1)
    victim = Victim(tmp_path / "run.toml", folder, pause=0.5)
    try:
        step = 0
        for kind in rng.sample(KINDS, len(KINDS)):
            wait(victim, lambda: last_step(folder) > step and len(victim.workers()) == 2)  # noqa: B023
            step = last_step(folder)
            victim.strike(kind, rng)
        wait(victim, lambda: last_step(folder) > step)
        victim.process.terminate()
        victim.wait_for_the_end("the end")
    finally:
        victim.end()
    log = (tmp_path / "run.log").read_text()
    assert victim.process.returncode == 0, log
    assert list(folder.rglob("*.part")) == []
    saved = load_newest(folder, pytest.fail)
    assert saved["learner"]["steps"] > step
    assert 1 <= Counts(*saved["counts"]).deaths <= log.count("another one goes on") <= 2
