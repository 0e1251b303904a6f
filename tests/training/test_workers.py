"""Processes take seconds to start, so each test looks at several things."""

import os
import signal
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.training.checkpoint import find_checkpoints, load_newest
from sog.training.config import make_config
from sog.training.generator import Generator, Lot
from sog.training.ground import weights_of
from sog.training.run import Run
from sog.training.workers import WorkerSource
from tests.training.tiny import tiny_config


def collect_for_ever(source: WorkerSource) -> None:
    while True:
        source.collect()


def test_two_workers_feed_a_learner_and_go_on_from_a_checkpoint(tmp_path: Path) -> None:
    config = tiny_config(run={"steps": 30, "checkpoint_minutes": 0.01})
    run = Run(config, tmp_path)
    assert run.go(partial(WorkerSource, workers=2))
    assert run.learner.steps == 30
    assert run.standing.counts.solved > 0
    data = load_newest(tmp_path, pytest.fail)
    assert len(data["sources"]) == 2
    data["config"]["run"]["steps"] = 40
    more = Run.resume(data, make_config(data["config"], "test"), tmp_path)
    assert more.standing.counts.solved >= run.standing.counts.solved
    assert more.go(partial(WorkerSource, workers=1))  # another number of workers will do
    assert more.learner.steps == 40


def test_messages_deaths_and_the_end() -> None:
    source = WorkerSource(tiny_config(), [], workers=2)
    try:
        lots: list[Lot] = []
        while len(lots) < 4:
            lots += source.collect()
        states, before = source.states()
        assert len(states) == 2
        assert not np.array_equal(states[0]["text"], states[1]["text"])  # each has seeds of its own
        assert all(lot.examples for lot in [*lots, *before])
        source.hand_over(weights_of(Generator(tiny_config(), 0)._ground.network))
        os.kill(source._workers[1].process.pid or 0, signal.SIGKILL)
        with pytest.raises(InputError, match=r"worker 2 died \(exit status -9\)"):
            collect_for_ever(source)
        os.kill(source._workers[0].process.pid or 0, signal.SIGINT)  # Ctrl-C is not for workers
        time.sleep(0.1)
        assert source._workers[0].process.is_alive()
    finally:
        source.close()
    assert not any(worker.process.is_alive() for worker in source._workers)


def test_a_worker_that_cannot_work_says_why(tmp_path: Path) -> None:
    config = replace(tiny_config(), game="no_such_game")
    source = WorkerSource(config, [], workers=1)
    try:
        with pytest.raises(InputError, match="unknown game 'no_such_game'"):
            collect_for_ever(source)
    finally:
        source.close()
    assert find_checkpoints(tmp_path) == []
