"""Processes take seconds to start, so each test looks at several things."""

import os
import re
import signal
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sog.core.children import Child
from sog.core.errors import InputError
from sog.core.supervisor import MOST_DEATHS
from sog.core.workplace import Worker
from sog.training.checkpoint import find_checkpoints, load_newest
from sog.training.config import make_config
from sog.training.context import State, weights_of
from sog.training.generator import Generator, RoundOutput
from sog.training.run import Run
from sog.training.run_status import Counts
from sog.training.sources.processes import WorkerSource
from sog.training.sources.source import SourceError
from tests.training.tiny import tiny_config


def _random_numbers(state: State) -> Any:
    return re.findall(rb'"state": {"state": \d+', state["text"].tobytes())


def process_of(worker: Worker) -> Any:
    assert isinstance(worker, Child)
    return worker.process


def kill(worker: Worker) -> None:
    os.kill(process_of(worker).pid, signal.SIGKILL)


def collect_for_ever(source: WorkerSource) -> None:
    while True:
        source.collect()


def test_two_workers_feed_a_learner_and_go_on_from_a_checkpoint(tmp_path: Path) -> None:
    config = tiny_config(run={"steps": 30, "checkpoint_minutes": 0.01})
    run = Run(config, tmp_path)
    assert run.go(partial(WorkerSource, workers=2))
    assert run.learner.steps == 30
    assert run.status.counts.solved > 0
    data = load_newest(tmp_path, pytest.fail)
    assert 1 <= len(data["sources"]) <= 2  # one may have made nothing yet
    data["config"]["run"]["steps"] = 40
    more = Run.resume(data, make_config(data["config"], "test"), tmp_path)
    assert more.status.counts.solved >= run.status.counts.solved
    assert more.go(partial(WorkerSource, workers=1))  # another number of workers will do
    assert more.learner.steps == 40


def test_messages_deaths_and_the_end() -> None:
    said: list[str] = []
    source = WorkerSource(tiny_config(), [], workers=2, warn=said.append)
    try:
        outputs: list[RoundOutput] = []
        while len(source._at_work) < 2:
            outputs += source.collect()
        states, before = source.states()
        assert len(states) == 2
        assert not np.array_equal(states[0]["text"], states[1]["text"])  # each has seeds of its own
        assert all(output.examples for output in [*outputs, *before])
        source.hand_over(weights_of(Generator(tiny_config(), 0)._context.network), 1)
        first, second = source._staff.workers
        kill(second)
        outputs = []
        while len(source._at_work) < 2 or source._staff.workers[1] is second:  # another one takes its place
            outputs += source.collect()
        assert said == ["worker 2 died (SIGKILL): another one goes on"]
        assert sum(output.counts.deaths for output in outputs) == 1
        assert source._staff.workers[0] is first
        begun = source._known[1]  # with what it began
        assert begun is not None
        assert _random_numbers(begun) != _random_numbers(states[1])
        assert np.array_equal(begun["store0"], states[1]["store0"])
        assert len(source.states()[0]) == 2
        kill(source._staff.workers[1])
        states, outputs = source.states()  # while we ask
        assert len(states) == 2
    finally:
        source.close()
    assert not any(process_of(worker).is_alive() for worker in source._staff.workers)


def test_workers_that_die_again_and_again_end_the_run_with_a_checkpoint(tmp_path: Path) -> None:
    said: list[str] = []

    class Doomed(WorkerSource):
        def collect(self) -> list[RoundOutput]:
            if run.learner.steps >= 10:
                kill(self._staff.workers[0])
            return super().collect()

    run = Run(tiny_config(run={"steps": 10**6, "checkpoint_minutes": 60.0}), tmp_path)
    with pytest.raises(SourceError, match=r"more than 5 workers died .*, worker 1 last \(SIGKILL\)"):
        run.go(partial(Doomed, workers=1, warn=said.append))
    assert len(said) == MOST_DEATHS
    data = load_newest(tmp_path, pytest.fail)
    assert data["learner"]["steps"] == run.learner.steps >= 10
    assert Counts(*data["counts"]).deaths == MOST_DEATHS


def test_a_worker_that_cannot_work_says_why(tmp_path: Path) -> None:
    config = replace(tiny_config(), game="no_such_game")
    source = WorkerSource(config, [], workers=1)
    try:
        with pytest.raises(InputError, match="unknown game 'no_such_game'"):
            collect_for_ever(source)
    finally:
        source.close()
    assert find_checkpoints(tmp_path) == []
