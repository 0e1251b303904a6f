"""A training run: examples come in, gradient steps are taken, weights go out; looked at and saved on the way.

The run is a sequence of units: a gradient step wherever the replay's account allows one, otherwise whatever
the source of examples brings. Between two units everything is in the run's state, so it can stop and be saved
there, and what it does next depends on that state alone. With one generator in the same process
(`sources/local.py`) a run that was stopped and resumed has the weights of one that was not, bit for bit;
workers in processes of their own (`sources/processes.py`) finish when they finish.

Verified: tests/training/test_run.py.
"""

import time
from collections.abc import Callable
from dataclasses import asdict
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import torch

from sog.core.arrays import MB
from sog.core.errors import InputError
from sog.core.files import write_file
from sog.core.interrupts import deferred_interrupt
from sog.core.resident import give_back
from sog.core.rng import make_rng
from sog.games.own_files import present_name, source_hash, warn_if_changed
from sog.games.registry import load
from sog.nets.agents import (
    RUN_FILE,
    SNAPSHOTS,
    Agent,
    load_agent,
    save_agent,
    snapshot_path,
)
from sog.nets.cvpn import make_network
from sog.nets.spec import NetworkSpec
from sog.training.checkpoint import KEPT, save_checkpoint, sole_use
from sog.training.config import Config, as_tables, as_toml
from sog.training.context import State, Weights, weights_of
from sog.training.examples import EXAMPLE, Examples, take_examples
from sog.training.generator import RoundOutput
from sog.training.learner import Learner, losses, silent_loss
from sog.training.memory import check_memory, resident_bytes
from sog.training.methods import make_batch_maker
from sog.training.metrics import Metrics
from sog.training.queries import find_training
from sog.training.replay import Replay
from sog.training.run_status import Counts, Losses, Measurement, RunStatus
from sog.training.shards import ShardFolder
from sog.training.sources.source import Source, SourceError, seed_of

CONFIG_FILE = "config.toml"
_SECONDS_BETWEEN_REPORTS = 0.1

Measure = Callable[[Weights], dict[str, float]]  # exploitability by the name of the search


class Run:
    """One run in one folder."""

    def __init__(
        self, config: Config, folder: Path, measure: Measure | None = None, device: str = "cpu"
    ) -> None:
        """device: what the learner computes on."""
        self.config, self.folder, self._measure = config, folder, measure
        self._own = find_training(config.game)
        check_memory(config, max(EXAMPLE.itemsize, 0 if self._own is None else self._own.example_bytes))
        torch.set_num_threads(config.run.threads)
        self._source_hash = "" if self._own is not None else source_hash(load(config.game).info.name)
        sizes, self._batch_maker = make_batch_maker(config)
        network = make_network(config.network, sizes, config.run.seed)
        self.learner = Learner(network, config.learner, device)
        self.replay = Replay(config.replay.examples, config.replay.updates_per_example)
        self._shards = ShardFolder(folder, KEPT)
        self.status = RunStatus()
        self._rng = make_rng(seed_of(config.run.seed, -1))
        self._sums = [0.0, 0.0, 0.0]  # steps, value losses, policy losses since the last line
        self._fresh: dict[str, list[float]] = {}  # examples and their losses before they were learned from,
        # the same; by kind, where a game has several
        self.source_states: list[State] = []  # to make a source from
        self._saved_seconds = self._measured_seconds = 0.0

    @classmethod
    def resume(
        cls,
        data: dict[str, Any],
        config: Config,
        folder: Path,
        measure: Measure | None = None,
        device: str = "cpu",
    ) -> "Run":
        """Return the run that a checkpoint was made of; its configuration may have other limits by now."""
        run = cls(config, folder, measure, device)
        warn_if_changed(data.get("source", ""), present_name(config.game), f"the run in {folder}")
        try:
            run._restore(data)
        except (KeyError, ValueError, TypeError, IndexError, RuntimeError):
            raise InputError(f"{folder}: its checkpoint does not fit this program") from None
        return run

    @property
    def progress(self) -> float:
        """Share of its steps or minutes that is used up, whichever is more."""
        limits = self.config.run
        return max(
            self.learner.steps / limits.steps if limits.steps > 0 else 1.0,
            self.status.seconds / (60 * limits.minutes) if limits.minutes > 0 else 1.0,
        )

    @property
    def is_done(self) -> bool:
        """Whether its steps or minutes are used up."""
        return self.progress >= 1

    def go(
        self,
        make_source: Callable[[Config, list[State]], Source],
        on_progress: Callable[[RunStatus], None] | None = None,
    ) -> bool:
        """Train until it is done, or Ctrl-C; then measure, save and write the agent. Return if it is done.

        What goes wrong on the way leaves the last checkpoint in place; a source that cannot go on, one more.
        """
        with sole_use(self.folder), deferred_interrupt() as is_interrupted:
            self._prepare_folder()
            metrics = Metrics(self.folder, self.learner.steps)
            try:
                if self.replay.added == 0:
                    self._begin()
                    self._look(metrics)
                    self._write_checkpoint(self.source_states)
                if not self.is_done:
                    self._work(make_source, metrics, is_interrupted, on_progress)
            finally:
                metrics.close()
        return self.is_done

    def _begin(self) -> None:
        """Take the weights of the agent that the run begins from, if there is one."""
        config = self.config
        if not config.run.begins_from:
            return
        agent = load_agent(config.run.begins_from)
        if agent.spec != config.network:
            raise InputError(
                f"{config.run.begins_from}: its network has {_unlike(agent.spec, config.network)}"
                f" (the section [network] of the configuration)"
            )
        self.learner.begin_from(agent, config.game)

    def _work(
        self,
        make_source: Callable[[Config, list[State]], Source],
        metrics: Metrics,
        is_interrupted: Callable[[], bool],
        on_progress: Callable[[RunStatus], None] | None,
    ) -> None:
        source = make_source(self.config, self.source_states)
        try:
            if self.config.run.begins_from and not self.source_states:
                source.hand_over(self.weights(), self.learner.steps)
            self._loop(source, metrics, is_interrupted, on_progress)
            self._save(source)
            self._look(metrics)
            self._save(source)
        except SourceError as error:
            self._write_checkpoint(error.states)
            raise
        finally:
            source.close()

    def _loop(
        self,
        source: Source,
        metrics: Metrics,
        is_interrupted: Callable[[], bool],
        on_progress: Callable[[RunStatus], None] | None,
    ) -> None:
        run, status, last_report = self.config.run, self.status, -inf
        clock = time.perf_counter()
        while not self.is_done and not is_interrupted():
            self._advance(source, metrics)
            now = time.perf_counter()
            status.seconds += now - clock
            clock = now
            if on_progress is not None and now - last_report >= _SECONDS_BETWEEN_REPORTS:
                last_report = now
                on_progress(status)
            if status.seconds - self._saved_seconds >= 60 * run.checkpoint_minutes:
                self._save(source)
            if status.seconds - self._measured_seconds >= 60 * run.evaluate_minutes:
                self._look(metrics)
                clock = time.perf_counter()

    def _advance(self, source: Source, metrics: Metrics) -> None:
        """Do one unit of work."""
        config, status = self.config, self.status
        batch = config.learner.batch
        if self.replay.size < config.replay.warm_up or not self.replay.can_draw(batch):
            for output in source.collect():
                self._add(output)
            return
        drawn = self.replay.draw(batch, self._rng)
        self.learner.progress = min(self.progress, 1.0)
        step_losses = self.learner.step(self._batch_maker.make(drawn, self._rng))
        status.steps = self.learner.steps
        self._sums = [total + new for total, new in zip(self._sums, (1, *step_losses), strict=True)]
        status.losses = Losses(self._sums[1] / self._sums[0], self._sums[2] / self._sums[0])
        if self.learner.steps % config.run.refresh_steps == 0:
            source.hand_over(self.weights(), self.learner.steps)
        if self.learner.steps % config.run.log_steps == 0:
            metrics.write(self._figures())
            self._sums, self._fresh = [0.0, 0.0, 0.0], {}

    def weights(self) -> Weights:
        """Return the weights that play."""
        return weights_of(self.learner.averaged)

    def _add(self, output: RoundOutput) -> None:
        status, was_empty = self.status, self.replay.added == 0
        for examples in output.examples:
            if self._own is not None and self.learner.steps > 0:
                self._validate(examples)
            self.replay.add(examples)
        if was_empty:
            check_memory(self.config, self.replay.num_bytes / max(self.replay.added, 1))
        status.counts, status.waiting = status.counts.plus(output.counts), output.waiting
        status.memory = output.memory or status.memory
        status.examples, status.buffer = self.replay.added, self.replay.size

    def _validate(self, examples: Examples) -> None:
        """Note the loss of examples that have not been learned from, and that of saying nothing."""
        assert self._own is not None
        names: tuple[str, ...] = self._own.kinds or ("",)
        find = self._own.find_kinds
        kinds = np.zeros(examples.size, np.int64) if find is None else find(examples)
        for kind in np.unique(kinds).tolist():
            own = take_examples(examples, np.flatnonzero(kinds == kind))
            batch = self._batch_maker.make(own, self._rng)
            with torch.no_grad():
                value, _ = losses(self.learner.averaged, batch, self.config.learner.huber)
            silent = silent_loss(batch, self.config.learner.huber)
            sums = self._fresh.setdefault(names[kind], [0.0, 0.0, 0.0])
            for place, added in enumerate((1.0, float(value), silent)):
                sums[place] += own.size * added

    def _figures(self) -> dict[str, Any]:
        """Return a line of metrics."""
        status = self.status
        counts = status.counts
        found: dict[str, Any] = {} if status.losses is None else status.losses._asdict()
        if self._fresh:
            count, value, _ = np.sum(list(self._fresh.values()), axis=0).tolist()
            found["validation"] = value / count
        if self._own is not None and self._own.kinds:
            found["by_kind"] = {name: own[1] / own[0] for name, own in self._fresh.items()}
            found["silent_by_kind"] = {name: own[2] / own[0] for name, own in self._fresh.items()}
            found["fresh_by_kind"] = {name: int(own[0]) for name, own in self._fresh.items()}
        return {
            "step": self.learner.steps,
            "seconds": round(status.seconds, 3),
            "loss": found,
            "learning_rate": self.learner.learning_rate,
            "games": counts.games,
            "resigned": counts.resigned,
            "score": counts.score,
            "searches": counts.searches,
            "solved": counts.solved,
            "recursive": counts.recursive,
            "queue": status.waiting,
            "examples": status.examples,
            "buffer": status.buffer,
            "deaths": counts.deaths,
            "memory_mb": {
                name: round(size / MB, 1)
                for name, size in (
                    ("resident", resident_bytes()),
                    *status.memory.items(),
                    ("replay", self.replay.num_bytes),
                )
            },
            "queries_per_cpu_second": counts.solved / counts.seconds if counts.seconds > 0 else 0.0,
        }

    def _look(self, metrics: Metrics) -> None:
        """Keep the agent as it is now, and measure it where that is cheap; no time of training."""
        self._measured_seconds = self.status.seconds
        self._write_agent()
        curve = self.status.curve
        if self._measure is None or (curve and curve[-1].step == self.learner.steps):
            return
        found = self._measure(self.weights())
        self.status.curve.append(Measurement(self.learner.steps, self.status.seconds, found))
        metrics.write({**self._figures(), "exploitability": found})

    def _write_agent(self) -> None:
        config, played = self.config, self.config.played
        rebel = None if played is None else asdict(played)
        weights, steps = self.weights(), self.learner.steps
        search = config.run.played_search
        agent = Agent(config.game, config.network, weights, steps, rebel, self._source_hash, search)
        save_agent(snapshot_path(self.folder, self.learner.steps), agent)
        save_agent(self.folder / RUN_FILE, agent)

    def _prepare_folder(self) -> None:
        try:
            (self.folder / SNAPSHOTS).mkdir(parents=True, exist_ok=True)
            write_file(self.folder / CONFIG_FILE, as_toml(self.config).encode())
        except OSError as error:
            raise InputError(f"cannot write to {self.folder}: {error.strerror or error}") from None

    def _save(self, source: Source) -> None:
        """Write a checkpoint with what the source knows."""
        self._saved_seconds = self.status.seconds
        states, outputs = source.states()
        for output in outputs:
            self._add(output)
        self._write_checkpoint(states)
        # A checkpoint is made of copies that grow with the replay, and the C library keeps their room.
        del states, outputs
        give_back()

    def _write_checkpoint(self, states: list[State]) -> None:
        status = self.status
        data = {
            "config": as_tables(self.config),
            "source": self._source_hash,
            "seconds": status.seconds,
            "counts": list(status.counts),
            "curve": [list(point) for point in status.curve],
            "sums": self._sums,
            "fresh": self._fresh,
            "learner": self.learner.state(),
            "replay": self.replay.save(self._shards),
            "rng": self._rng,
            "sources": states,
        }
        save_checkpoint(self.folder, self.learner.steps, data)
        self._shards.clean(self.replay.added - self.replay.size)

    def _restore(self, data: dict[str, Any]) -> None:
        self.learner.restore(data["learner"])
        self.replay.restore(data["replay"])
        self._rng, self.source_states = data["rng"], data["sources"]
        self._sums, self._fresh = data["sums"][:3], data.get("fresh", {})
        self.status = RunStatus(
            seconds=data["seconds"],
            counts=Counts(*data["counts"]),
            curve=[Measurement(*point) for point in data["curve"]],
            steps=self.learner.steps,
            examples=self.replay.added,
            buffer=self.replay.size,
        )
        self._saved_seconds = self.status.seconds
        self._measured_seconds = self.status.curve[-1].seconds if self.status.curve else 0.0


def _unlike(theirs: NetworkSpec, ours: NetworkSpec) -> str:
    """Return in what an agent's network differs from the run's.

    >>> _unlike(NetworkSpec(width=64), NetworkSpec(width=128))
    'width 64, not 128'
    """
    pairs = ((name, value, getattr(ours, name)) for name, value in asdict(theirs).items())
    return ", ".join(f"{name} {value}, not {own}" for name, value, own in pairs if value != own)
