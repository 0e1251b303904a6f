"""`sog evaluate AGENT` or `--game GAME`: how exploitable an agent is that searches at every decision.

Verified: tests/interfaces/cli/test_evaluate_command.py.
"""

from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from sog.core.errors import InputError
from sog.core.interrupts import deferred_interrupt
from sog.core.task_pool import share_out
from sog.evaluation.searching import Sample, SearchEvaluation, SearchReport
from sog.games.base import AnyGame, GameInfo
from sog.interfaces.cli.arguments import INTERRUPTED
from sog.interfaces.cli.measure_rebel import Question, make_rebel_evaluation, measure_rebel
from sog.interfaces.cli.progress import counting, preparing, say
from sog.interfaces.cli.seed_measuring import Trial, begin_to_measure
from sog.interfaces.cli.subjects import Subject, choose_subjects
from sog.interfaces.cli.tree_building import build_limited_tree
from sog.interfaces.cli.workplaces import check_cluster, check_workers, open_workplace
from sog.interfaces.output import columns, print_json_list
from sog.interfaces.plots.learning_curves import (
    Wanted,
    check_curve_output,
    finish_curves,
    read_beside,
    read_clock,
)
from sog.search.rebel import RebelSettings, read_settings
from sog.search.settings import SearchSettings, parse_search

DEFAULT_SEARCH = "100,1"
_DEFAULT_SEEDS = 10
_DEFAULT_PLAYTHROUGHS = 1024  # the paper's
_HEADER = ("search", "minimum", "mean", "maximum", "seconds a seed")


class Options(NamedTuple):
    """The options of `sog evaluate`."""

    agent: str | None
    checkpoints: bool
    game: str | None
    evaluator: str | None
    spot: str | None
    safe: str | None
    off_tree: list[str] | None
    search: list[str] | None
    playthroughs: int | None
    iterations: int | None
    seeds: int | None
    first_seed: int
    unsafe: bool
    at_once: bool
    algorithm: str | None
    json: bool
    plot: Path | None
    save: Path | None
    beside: list[Path]
    max_states: int
    workers: int = 0
    ray: str | None = None


class _Measured(NamedTuple):
    """One subject with one setting."""

    subject: Subject
    settings: SearchSettings
    report: SearchReport


class _StoppedError(Exception):
    """Ctrl-C was pressed."""


def run(options: Options) -> int:
    """Check everything, search with every setting and seed, then draw and print."""
    if options.spot is not None:
        return _measure_spot(options, options.spot)
    if options.safe is not None:
        raise InputError("--safe is about rivers: it needs --spot (other searches are safe unless --unsafe)")
    if options.off_tree is not None:
        raise InputError("--off-tree is about bets of hold'em: it needs --spot")
    check_workers("--workers", options.workers)
    check_cluster(options.ray)
    subjects, game = choose_subjects(options.agent, options.checkpoints, options.game, options.evaluator)
    wanted = _wanted_curves(options, game.info)
    rebel = _rebel_settings(options, subjects)
    if rebel is not None:
        return _run_rebel(options, game, subjects, rebel, wanted)
    base = SearchSettings(
        is_safe=not options.unsafe,
        alternates=False if options.at_once else None,
        algorithm=SearchSettings.algorithm if options.algorithm is None else options.algorithm,
    )
    searches = [parse_search(text, base) for text in options.search or [DEFAULT_SEARCH]]
    for settings in searches:
        if searches.count(settings) > 1:
            raise InputError(f"--search has {settings.name} more than once")
    evaluator = subjects[0].evaluator(game)  # before a tree is built: it may not fit
    evaluation = SearchEvaluation(build_limited_tree(game, options.max_states))
    with preparing("a minute"):
        evaluation.sample(replace(searches[0], simulations=1, per_update=1), evaluator, 0)
    if options.workers or options.ray is not None:
        measured = _measure_side_by_side(options, game, subjects, searches)
    else:
        measured = list(_measure(options, evaluation, game, subjects, searches))
    if not measured:
        raise KeyboardInterrupt
    try:
        if wanted is not None:
            finish_curves(game.info, wanted, _curves(game.info, measured))
        if options.plot is not None and (wanted is None or wanted.plot is None):
            _draw(options, game.info, measured)
    finally:
        _print(options, game.info, measured)
    return 0 if len(measured) == len(subjects) * len(searches) else INTERRUPTED


def _measure_spot(options: Options, spot: str) -> int:
    """Measure agents on a spot; refuse options that say nothing about spots."""
    for name, value in (
        ("--game", options.game),
        ("--evaluator", options.evaluator),
        ("--playthroughs", options.playthroughs),
        ("--iterations", options.iterations),
        ("--seeds", options.seeds),
        ("--unsafe", options.unsafe or None),
        ("--at-once", options.at_once or None),
        ("--plot", options.plot),
        ("--beside", options.beside or None),
        ("--workers", options.workers or None),
        ("--ray", options.ray),
    ):
        if value is not None:
            raise InputError(f"{name} says nothing about spots: leave it out with --spot")
    from sog.interfaces.cli.evaluate_spot import SpotQuestion, measure_spot  # imports torch, which is slow

    return measure_spot(
        SpotQuestion(
            agent=options.agent,
            checkpoints=options.checkpoints,
            spot=spot,
            search=options.search,
            safe=options.safe or "",
            algorithm=options.algorithm or "",
            off_tree=options.off_tree or [],
            json=options.json,
            save=options.save,
        )
    )


def _wanted_curves(options: Options, info: GameInfo) -> Wanted | None:
    """Return the curves against time that are asked for, if any are; refuse files that will not do."""
    check_curve_output(options.save, options.plot)
    if options.save is None and not options.beside:
        return None
    if not options.checkpoints or options.agent is None:
        raise InputError("--save and --beside are about learning: they need --checkpoints")
    plot = options.plot if options.beside else None  # by itself it is drawn against steps
    return Wanted(read_clock(Path(options.agent)), options.save, read_beside(options.beside, info), plot)


def _curves(info: GameInfo, measured: list[_Measured]) -> dict[str, list[tuple[int, float]]]:
    """Return steps and mean exploitability for each setting."""
    curves: dict[str, list[tuple[int, float]]] = {}
    for each in measured:
        assert each.subject.agent is not None
        point = each.subject.agent.steps, _spread(info, each.report)[1]
        curves.setdefault(each.settings.name, []).append(point)
    return curves


def _rebel_settings(options: Options, subjects: list[Subject]) -> RebelSettings | None:
    """Return how to play if it is ReBeL's agent that is measured: by its training, or by its own options."""
    is_asked = options.playthroughs is not None or options.iterations is not None
    agent = subjects[0].agent
    learned = agent.rebel if agent is not None else None
    if options.search is not None:
        if is_asked:
            raise InputError("--search is for growing trees: leave out --playthroughs and --iterations")
        return None
    if not is_asked and learned is None:
        return None
    for name, value in (
        ("--seeds", options.seeds),
        ("--unsafe", options.unsafe or None),
        ("--at-once", options.at_once or None),
        ("--workers", options.workers or None),
        ("--ray", options.ray),
    ):
        if value is not None:
            raise InputError(f"{name} is for growing trees: give a --search, or leave it out with ReBeL")
    settings = read_settings(learned or {})
    if options.algorithm is not None:
        settings = replace(settings, algorithm=options.algorithm)
    return settings if options.iterations is None else replace(settings, iterations=options.iterations)


def _run_rebel(
    options: Options, game: AnyGame, subjects: list[Subject], settings: RebelSettings, wanted: Wanted | None
) -> int:
    subjects[0].evaluator(game, settings.uses_priors)  # before a tree is built: it may not fit
    evaluation = make_rebel_evaluation(game, options.max_states)
    usual = 1 if settings.iterations == 1 else _DEFAULT_PLAYTHROUGHS  # where all of them are alike
    question = Question(settings, options.playthroughs or usual, options.first_seed, options.checkpoints)
    return measure_rebel(question, game, evaluation, subjects, options.plot, wanted, options.json)


def _measure(
    options: Options,
    evaluation: SearchEvaluation,
    game: AnyGame,
    subjects: list[Subject],
    searches: list[SearchSettings],
) -> Iterator[_Measured]:
    """Yield every subject with every setting; Ctrl-C ends it after a seed, settings that are done count."""
    count = options.seeds or _DEFAULT_SEEDS
    seeds = range(options.first_seed, options.first_seed + count)
    total = len(subjects) * len(searches) * count
    with counting("searching", "seeds", total) as note, deferred_interrupt() as is_interrupted:

        def finish_seed() -> None:
            note()
            if is_interrupted():
                raise _StoppedError

        for subject in subjects:
            evaluator = subject.evaluator(game)
            for settings in searches:
                try:
                    report = evaluation.report(settings, evaluator, seeds, finish_seed)
                except _StoppedError:
                    return
                yield _Measured(subject, settings, report)


def _measure_side_by_side(
    options: Options, game: AnyGame, subjects: list[Subject], searches: list[SearchSettings]
) -> list[_Measured]:
    """Return every subject with every setting; Ctrl-C ends it, settings that are done count."""
    first, count = options.first_seed, options.seeds or _DEFAULT_SEEDS
    tasks = [
        Trial(number, settings, seed)
        for number in range(len(subjects))
        for settings in searches
        for seed in range(first, first + count)
    ]
    skill = partial(begin_to_measure, game.info.name, subjects)
    found: dict[Trial, Sample] = {}
    with (
        open_workplace(options.ray, options.workers) as place,
        counting("searching", "seeds", len(tasks)) as note,
        suppress(KeyboardInterrupt),
        closing(share_out(place.workplace, place.workers, skill, tasks, say, in_hand=2)) as samples,
    ):
        for task, sample in samples:
            found[task] = sample
            note()
    measured = []
    for number, subject in enumerate(subjects):
        for settings in searches:
            trials = [task for task in tasks if task[:2] == (number, settings)]
            if all(task in found for task in trials):
                report = SearchReport(settings.name, [found[task] for task in trials])
                measured.append(_Measured(subject, settings, report))
    return measured


def _draw(options: Options, info: GameInfo, measured: list[_Measured]) -> None:
    from sog.interfaces.plots.search_plot import (  # matplotlib is slow to import
        Point,
        draw_searches,
        draw_training,
    )

    assert options.plot is not None
    if not options.checkpoints:
        points = [Point(each.settings.simulations, *_spread(info, each.report)) for each in measured]
        values = measured[0].subject.words
        draw_searches(f"{info.name}, {values}", info.unit, {"": points}, options.plot)
        return
    curves: dict[str, list[Point]] = {}
    for each in measured:
        assert each.subject.agent is not None
        point = Point(each.subject.agent.steps, *_spread(info, each.report))
        curves.setdefault(each.settings.name, []).append(point)
    draw_training(f"{info.name}: learning by self-play", info.unit, curves, options.plot)


def _spread(info: GameInfo, report: SearchReport) -> tuple[float, float, float]:
    """Return minimum, mean and maximum over the seeds, in the game's unit."""
    values = [value / info.unit_size for value in report.exploitabilities()]
    return min(values), sum(values) / len(values), max(values)


def _figures(info: GameInfo, measured: _Measured) -> dict[str, Any]:
    report, agent = measured.report, measured.subject.agent
    low, mean, high = _spread(info, report)
    return {
        **({} if agent is None else {"steps": agent.steps}),
        "search": report.search,
        "seeds": len(report.samples),
        "first_seed": report.samples[0].seed,
        "exploitability": {"min": low, "mean": mean, "max": high, "unit": info.unit},
        "seconds": sum(sample.seconds for sample in report.samples),
        "queries": sum(sample.queries for sample in report.samples),
    }


def _print(options: Options, info: GameInfo, measured: list[_Measured]) -> None:
    if options.json:
        print_json_list([_figures(info, each) for each in measured])
        return
    rows = [(*(("steps",) if options.checkpoints else ()), *_HEADER)]
    for each in measured:
        low, mean, high = _spread(info, each.report)
        samples, agent = each.report.samples, each.subject.agent
        seconds = sum(sample.seconds for sample in samples) / len(samples)
        steps = (f"{agent.steps:,}",) if options.checkpoints and agent is not None else ()
        rows.append(
            (*steps, each.report.search, f"{low:.4g}", f"{mean:.4g}", f"{high:.4g}", f"{seconds:.3g}")
        )
    values = "networks on the way" if options.checkpoints else measured[0].subject.words
    title = f"{info.name}, {values}, re-solving: exploitability in {info.unit}"
    print("\n".join([title, *(f"  {line}" for line in columns(rows, gap=3))]))
