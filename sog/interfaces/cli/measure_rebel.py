"""`sog evaluate` of ReBeL's agent: an upper bound on exploitability that falls with the playthroughs.

Verified: tests/interfaces/cli/test_measure_rebel.py.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from sog.core.interrupts import deferred_interrupt
from sog.evaluation.perfect import PerfectEvaluation
from sog.evaluation.rebel import RebelEvaluation, RebelReport
from sog.games.base import AnyGame, GameInfo
from sog.interfaces.cli.arguments import INTERRUPTED
from sog.interfaces.cli.progress import averaging, preparing
from sog.interfaces.cli.subjects import Subject
from sog.interfaces.cli.tree_building import build_limited_tree
from sog.interfaces.output import columns, print_json_list
from sog.interfaces.plots.learning_curves import Wanted, finish_curves
from sog.public.opening import open_store
from sog.search.rebel import RebelSettings

AnyRebelEvaluation = RebelEvaluation | PerfectEvaluation


def make_rebel_evaluation(game: AnyGame, max_states: int) -> AnyRebelEvaluation:
    """Return what measures a game: its whole tree, or what is met of it where nothing is hidden."""
    if game.info.is_perfect_information:
        return PerfectEvaluation(open_store(game), max_states)
    return RebelEvaluation(build_limited_tree(game, max_states))


class Question(NamedTuple):
    """What is to be measured of every subject."""

    settings: RebelSettings
    playthroughs: int
    seed: int
    on_the_way: bool  # subjects are the agents of one training run


class _Measured(NamedTuple):
    subject: Subject
    report: RebelReport


def measure_rebel(
    question: Question,
    game: AnyGame,
    evaluation: AnyRebelEvaluation,
    subjects: list[Subject],
    plot: Path | None,
    wanted: Wanted | None,
    is_json: bool,
) -> int:
    """Play through the game, then draw and print; Ctrl-C keeps the playthroughs that are done."""
    with preparing("a minute"):
        quick = question.settings.shorten()
        evaluation.report(quick, subjects[0].evaluator(game, question.settings.uses_priors), 1, seed=0)
    measured = list(_measure(question, game, evaluation, subjects))
    try:
        if wanted is not None:
            bounds = [(_steps(each.subject), _bounds(game.info, each.report)[-1]) for each in measured]
            finish_curves(game.info, wanted, {question.settings.name: bounds})
        if plot is not None and (wanted is None or wanted.plot is None):
            _draw(question, game.info, measured, plot)
    finally:
        _print(question, game.info, measured, is_json)
    is_done = len(measured) == len(subjects) and measured[-1].report.playthroughs[-1] == question.playthroughs
    return 0 if is_done else INTERRUPTED


def _measure(
    question: Question, game: AnyGame, evaluation: AnyRebelEvaluation, subjects: list[Subject]
) -> Iterator[_Measured]:
    """Yield every subject, until Ctrl-C."""
    with deferred_interrupt() as is_interrupted:
        for subject in subjects:
            with averaging(f"{subject.words}", question.playthroughs, game.info.unit_size) as note:

                def finish_group(done: int, exploitability: float) -> bool:
                    note(done, exploitability)
                    return is_interrupted()

                evaluator = subject.evaluator(game, question.settings.uses_priors)
                report = evaluation.report(
                    question.settings, evaluator, question.playthroughs, question.seed, finish_group
                )
            yield _Measured(subject, report)
            if is_interrupted():
                return


def _draw(question: Question, info: GameInfo, measured: list[_Measured], path: Path) -> None:
    from sog.interfaces.plots.search_plot import Point, draw_playthroughs, draw_training  # matplotlib is slow

    if question.on_the_way:
        points = [Point(_steps(subject), *[_bounds(info, report)[-1]] * 3) for subject, report in measured]
        draw_training(
            f"{info.name}: learning by self-play", info.unit, {question.settings.name: points}, path
        )
        return
    curves = {
        subject.words: [
            Point(count, *[bound] * 3)
            for count, bound in zip(report.playthroughs, _bounds(info, report), strict=True)
        ]
        for subject, report in measured
    }
    draw_playthroughs(f"{info.name}, {question.settings.name}", info.unit, curves, path)


def _steps(subject: Subject) -> int:
    assert subject.agent is not None
    return subject.agent.steps


def _bounds(info: GameInfo, report: RebelReport) -> list[float]:
    """Return the bounds in the game's unit."""
    return [value / info.unit_size for value in report.exploitabilities]


def _figures(question: Question, info: GameInfo, measured: _Measured) -> dict[str, Any]:
    subject, report = measured
    bounds = _bounds(info, report)
    return {
        **({} if subject.agent is None else {"steps": subject.agent.steps}),
        "search": report.search,
        "playthroughs": report.playthroughs[-1],
        "seed": question.seed,
        "exploitability": {"at_most": bounds[-1], "unit": info.unit},
        "curve": [
            {"playthroughs": count, "at_most": bound}
            for count, bound in zip(report.playthroughs, bounds, strict=True)
        ],
        "subgames": report.subgames,
        "seconds": report.seconds,
    }


def _print(question: Question, info: GameInfo, measured: list[_Measured], is_json: bool) -> None:
    if is_json:
        print_json_list([_figures(question, info, each) for each in measured])
        return
    rows: list[tuple[str, ...]]
    if question.on_the_way:
        values, rows = "networks on the way", [("steps", "playthroughs", "at most", "seconds")]
        for subject, report in measured:
            bound, count = _bounds(info, report)[-1], report.playthroughs[-1]
            rows.append((f"{_steps(subject):,}", f"{count:,}", f"{bound:.4g}", f"{report.seconds:.3g}"))
    else:
        subject, report = measured[0]
        values, rows = subject.words, [("playthroughs", "at most")]
        for count, bound in zip(report.playthroughs, _bounds(info, report), strict=True):
            if count & (count - 1) == 0 or count == report.playthroughs[-1]:  # powers of two
                rows.append((f"{count:,}", f"{bound:.4g}"))
    print(f"{info.name}, {values}, {question.settings.name}: exploitability in {info.unit}")
    print("\n".join(f"  {line}" for line in columns(rows, gap=3)))
    if not question.on_the_way:
        print(f"  {measured[0].report.subgames:,} subgames in {measured[0].report.seconds:.3g} seconds")
