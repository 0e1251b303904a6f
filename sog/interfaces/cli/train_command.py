"""`sog train GAME --out DIR`: learn a game by sound self-play; `sog train --resume DIR` goes on.

Verified: tests/interfaces/cli/test_train_command.py.
"""

import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from typing import NamedTuple

from sog.core.errors import InputError
from sog.evaluation.curves import Curve, CurveFile, CurvePoint
from sog.evaluation.monitor import Monitor, PositionMonitor, RebelMonitor
from sog.evaluation.perfect import TooManyStatesError
from sog.evaluation.positions import find_positions
from sog.games.own_files import lasting_name, present_name
from sog.games.registry import load
from sog.interfaces.cli.measure_rebel import make_rebel_evaluation
from sog.interfaces.cli.progress import preparing, say, training
from sog.interfaces.cli.tree_building import build_limited_tree
from sog.interfaces.cli.workplaces import Place, check_cluster, check_workers, open_workplace
from sog.interfaces.output import check_folder, columns
from sog.interfaces.plots.learning_curves import save_curves
from sog.nets.agents import load_agent
from sog.public.limits import TreeTooLargeError
from sog.training.checkpoint import find_checkpoints, load_newest
from sog.training.config import MAX_STEPS, SOG, Config, check, make_config
from sog.training.context import State
from sog.training.learner import choose_device
from sog.training.methods import check_method
from sog.training.metrics import read_metrics
from sog.training.presets import config_for, find_config
from sog.training.queries import AgentMonitor, find_training
from sog.training.run import Run
from sog.training.run_status import DivergedError, Measurement
from sog.training.sources.local import LocalSource
from sog.training.sources.processes import WorkerSource
from sog.training.sources.source import Source, SourceError

CHEAP_STATES = 5_000  # public states up to which exploitability is measured on the way
CHEAP_MEETINGS = 50_000  # the same, where only those that somebody comes to are looked at


class Options(NamedTuple):
    """The options of `sog train`."""

    game: str | None
    config: str | None
    steps: int | None
    minutes: float | None
    workers: int
    seed: int | None
    out: Path | None
    resume: Path | None
    method: str | None
    ray: str | None = None
    generator_cpus: float | None = None
    device: str = "auto"
    begins_from: str | None = None


class Trained(NamedTuple):
    """A training run that is over, done or stopped."""

    run: Run
    monitor: AgentMonitor | None
    is_done: bool


def run(options: Options) -> int:
    """Check everything, train, then draw and print; Ctrl-C keeps what was learned."""
    trained, monitor, is_done = train(options)
    try:
        _draw(trained, monitor)
    finally:
        print("\n".join(describe(trained, monitor, is_done)))
    return 0


def train(options: Options) -> Trained:
    """Check everything, and train."""
    check_workers("--workers", options.workers)
    check_cluster(options.ray, options.generator_cpus)
    trained, monitor = _resume(options) if options.resume is not None else _begin(options)
    if trained.is_done:
        print(f"{trained.folder} is done already: more --steps or --minutes go on with it", file=sys.stderr)
    limits, label = trained.config.run, present_name(trained.config.game)
    steps = limits.steps if limits.steps < MAX_STEPS else inf
    try:
        with (
            open_workplace(options.ray, options.workers, options.generator_cpus or 1.0) as place,
            training(label, trained.status, steps, limits.minutes) as report,
        ):
            is_done = trained.go(_source_maker(place), report)
    except (DivergedError, SourceError) as error:
        kept = find_checkpoints(trained.folder)
        where = f"the last good checkpoint is {kept[-1]}" if kept else "there is no checkpoint yet"
        raise InputError(f"{error}; {where}") from None
    return Trained(trained, monitor, is_done)


def _begin(options: Options) -> tuple[Run, AgentMonitor | None]:
    """Return a new run."""
    if options.out is None:
        raise InputError("--out DIR says where to write (or --resume DIR what to go on with)")
    config = _configure(options)
    check_method(config)
    if find_checkpoints(options.out):
        raise InputError(f"--out: {options.out} holds a run already: go on with --resume {options.out}")
    check_folder("--out", options.out)
    device = choose_device(options.device)
    monitor = make_monitor(config)
    return Run(config, options.out, None if monitor is None else monitor.measure, device), monitor


def _configure(options: Options) -> Config:
    """Return the configuration that was asked for: file or preset, then options."""
    if options.config is not None:
        config = find_config(options.config)
        method = options.method or config.method
        config = replace(config, game=options.game or config.game, method=method)
    else:
        config = config_for(options.game, options.method or SOG) if options.game else Config()
    if not config.game:
        raise InputError("which game? sog train GAME --out DIR")
    config = replace(config, game=lasting_name(config.game))
    if options.seed is not None:
        config = replace(config, run=replace(config.run, seed=options.seed))
    if options.begins_from is not None:
        load_agent(options.begins_from)  # a name that means nothing is told before anything is compiled
        config = replace(config, run=replace(config.run, begins_from=options.begins_from))
    return limited(config, options.steps, options.minutes)


def limited(config: Config, steps: int | None, minutes: float | None) -> Config:
    """Return the configuration with these limits in place of its own, if there is one of them."""
    if steps is None and minutes is None:
        return config
    limits = replace(
        config.run,
        steps=MAX_STEPS if steps is None else steps,
        minutes=inf if minutes is None else minutes,
    )
    config = replace(config, run=limits)
    check(config, "the command line")
    return config


def _resume(options: Options) -> tuple[Run, AgentMonitor | None]:
    """Return the run that a folder holds, with more time if that was said."""
    folder = options.resume
    assert folder is not None
    for name, value in (
        ("GAME", options.game),
        ("--config", options.config),
        ("--method", options.method),
        ("--from", options.begins_from),
        ("--seed", options.seed),
        ("--out", options.out),
    ):
        if value is not None:
            raise InputError(f"{name} cannot change the run in {folder}: leave it out")
    data = load_newest(folder, lambda line: print(f"sog: {line}: using the one before", file=sys.stderr))
    try:
        config = limited(make_config(data["config"], str(folder)), options.steps, options.minutes)
    except (KeyError, TypeError, AttributeError):
        raise InputError(f"{folder}: its checkpoint does not fit this program") from None
    device = choose_device(options.device)
    monitor = make_monitor(config)
    return Run.resume(data, config, folder, None if monitor is None else monitor.measure, device), monitor


def make_monitor(config: Config) -> AgentMonitor | None:
    """Return what measures exploitability, None where that is not cheap; kernels are compiled on the way."""
    try:
        monitor = _choose_monitor(config)
        if monitor is not None:
            with preparing("a minute"):
                monitor.prepare()
    except (TreeTooLargeError, TooManyStatesError):
        return None
    return monitor


def _choose_monitor(config: Config) -> AgentMonitor | None:
    own = find_training(config.game)
    if own is not None:
        return None if own.make_monitor is None else own.make_monitor(config)
    game, run, played = load(config.game), config.run, config.played
    if played is not None:
        states = CHEAP_MEETINGS if game.info.is_perfect_information else CHEAP_STATES
        evaluation = make_rebel_evaluation(game, states)
        return RebelMonitor(game, evaluation, config.network, played, run.playthroughs)
    try:
        tree = build_limited_tree(game, CHEAP_STATES)
    except TreeTooLargeError:
        positions = find_positions(game)
        if positions is None:
            return None
        return PositionMonitor(positions, config.network, run.evaluate_search, run.evaluate_seeds)
    return Monitor(game, tree, config.network, run.evaluate_search, run.evaluate_seeds)


def _source_maker(place: Place) -> Callable[[Config, list[State]], Source]:
    if not place.workers:
        return LocalSource
    return partial(WorkerSource, workers=place.workers, warn=say, workplace=place.workplace)


def _draw(trained: Run, monitor: AgentMonitor | None) -> None:
    from sog.interfaces.plots.training_plot import (  # matplotlib is slow to import
        draw_exploitability,
        draw_losses,
    )

    name, folder = present_name(trained.config.game), trained.folder
    draw_losses(name, folder, folder / "losses.png")
    if monitor is not None:
        draw_exploitability(name, monitor.unit, trained.status.curve, folder / "exploitability.png")
        _write_curves(name, monitor.unit, trained.status.curve, folder / "curves.json")


def describe(trained: Run, monitor: AgentMonitor | None, is_done: bool) -> list[str]:
    """Return what was done, in lines, and how to go on."""
    status, folder = trained.status, trained.folder
    counts = status.counts
    speed = counts.solved / counts.seconds if counts.seconds > 0 else 0.0
    rows = [
        ("gradient steps", f"{status.steps:,}"),
        ("minutes of training", f"{status.seconds / 60:.1f}"),
        ("games", f"{counts.games:,}"),
        ("solved queries", f"{counts.solved:,}, {speed:,.0f} per CPU-second"),
    ]
    if counts.deaths:
        rows.append(("workers replaced", f"{counts.deaths:,}"))
    if status.losses is not None:
        rows.append(("losses", "value {:.4f}, policy {:.4f}".format(*status.losses)))
    if monitor is not None and status.curve:
        first, last = status.curve[0], status.curve[-1]
        rows += [
            (
                f"exploitability of {search}",
                f"{before:.4g} → {last.exploitability[search]:.4g} {monitor.unit}",
            )
            for search, before in first.exploitability.items()
        ]
        rows += _advice(trained, first, last)
    state = "" if is_done else ", interrupted"
    game = present_name(trained.config.game)
    lines = [f"{game}, trained in {folder}{state}", *(f"  {line}" for line in columns(rows, gap=4))]
    if not is_done:
        lines.append(f"go on:  sog train --resume {folder}")
    own = find_training(game)
    if own is not None:
        return [
            *lines,
            *_by_kind(trained),
            *([f"measure:  {own.measured}".replace("DIR", str(folder))] if own.measured else []),
        ]
    return [*lines, f"play:   sog play {shlex.quote(game)} --agent {folder}"]


def _by_kind(trained: Run) -> list[str]:
    """Return the last losses on fresh examples by their kind, where a game has several."""
    found: dict[str, float] = {}
    silent: dict[str, float] = {}
    for line in read_metrics(trained.folder):
        found |= line["loss"].get("by_kind", {})
        silent |= line["loss"].get("silent_by_kind", {})
    if not found:
        return []
    rows = [
        (name, f"{loss:.4f}", f"of {silent[name]:.4f} that a silent network has")
        for name, loss in found.items()
    ]
    return ["losses on new examples, by kind", *(f"  {line}" for line in columns(rows, gap=4))]


def _advice(trained: Run, first: Measurement, last: Measurement) -> list[tuple[str, str]]:
    """Return what to try where training has not helped."""
    worse = [name for name, before in first.exploitability.items() if last.exploitability[name] >= before]
    if not worse or last.step == first.step:
        return []
    config = trained.config
    most = config.search.simulations
    ways = ["longer, --minutes", f"longer searches in self-play, search.simulations above {most}"]
    if find_training(config.game) is None and load(config.game).encoding is None:
        ways.append("an encoding for the game (docs/own_game.md)")
    return [(f"{', '.join(worse)} no better", f"try {'; or '.join(ways)}")]


def _write_curves(game: str, unit: str, measured: list[Measurement], path: Path) -> None:
    """Write the curves that `sog baselines --beside` lays over those of other learners."""
    curves = [
        Curve(search, [CurvePoint(at.seconds, at.exploitability[search]) for at in measured])
        for search in measured[0].exploitability
    ]
    save_curves(path, CurveFile(game, unit, curves))
