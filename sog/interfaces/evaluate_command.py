"""`sog evaluate --game GAME`: how exploitable an agent is that searches at every decision.

Verified: tests/interfaces/test_evaluate_command.py.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from sog.core.errors import InputError
from sog.evaluation.searching import SearchEvaluation, SearchReport
from sog.games.base import GameInfo
from sog.games.registry import load
from sog.interfaces.output import PICTURES, check_output, columns, print_json_list
from sog.interfaces.progress import counting, preparing
from sog.interfaces.tree_building import build_limited_tree
from sog.search.evaluators import make_evaluator
from sog.search.settings import SearchSettings, parse_search

_HEADER = ("search", "minimum", "mean", "maximum", "seconds a seed")


class Options(NamedTuple):
    """The options of `sog evaluate`."""

    game: str
    evaluator: str
    search: list[str]
    seeds: int
    unsafe: bool
    warm: float | None
    json: bool
    plot: Path | None
    max_states: int


def run(options: Options) -> int:
    """Check everything, search with every setting and seed, then draw and print."""
    game = load(options.game)
    evaluator = make_evaluator(options.evaluator)
    base = SearchSettings(is_safe=not options.unsafe, warm_start=options.warm or 0.0)
    searches = [parse_search(text, base) for text in options.search]
    for settings in searches:
        if searches.count(settings) > 1:
            raise InputError(f"--search has {settings.name} more than once")
    check_output("--plot", options.plot, PICTURES)
    evaluation = SearchEvaluation(game, build_limited_tree(game, options.max_states))
    with preparing("a minute"):
        evaluation.sample(replace(searches[0], simulations=1, per_update=1), evaluator, 0)
    reports = []
    with counting("searching", "seeds", len(searches) * options.seeds) as note:
        for settings in searches:
            reports.append(evaluation.report(settings, evaluator, range(options.seeds), note))
    try:
        if options.plot is not None:
            _draw(options, game.info, searches, reports)
    finally:
        _print(options, game.info, reports)
    return 0


def _draw(
    options: Options, info: GameInfo, searches: list[SearchSettings], reports: list[SearchReport]
) -> None:
    from sog.interfaces.search_plot import Point, draw_searches  # matplotlib is slow to import

    assert options.plot is not None
    points = [
        Point(settings.simulations, *_spread(info, report))
        for settings, report in zip(searches, reports, strict=True)
    ]
    draw_searches(f"{info.name}, {options.evaluator} values", info.unit, {"": points}, options.plot)


def _spread(info: GameInfo, report: SearchReport) -> tuple[float, float, float]:
    """Return minimum, mean and maximum over the seeds, in the game's unit."""
    values = [value / info.unit_size for value in report.exploitabilities()]
    return min(values), sum(values) / len(values), max(values)


def _figures(info: GameInfo, report: SearchReport) -> dict[str, Any]:
    low, mean, high = _spread(info, report)
    return {
        "search": report.search,
        "seeds": len(report.samples),
        "exploitability": {"min": low, "mean": mean, "max": high, "unit": info.unit},
        "seconds": sum(sample.seconds for sample in report.samples),
        "queries": sum(sample.queries for sample in report.samples),
    }


def _print(options: Options, info: GameInfo, reports: list[SearchReport]) -> None:
    if options.json:
        print_json_list([_figures(info, report) for report in reports])
        return
    rows = [_HEADER]
    for report in reports:
        low, mean, high = _spread(info, report)
        seconds = sum(sample.seconds for sample in report.samples) / len(report.samples)
        rows.append((report.search, f"{low:.4g}", f"{mean:.4g}", f"{high:.4g}", f"{seconds:.3g}"))
    agent = "unsafe re-solving" if options.unsafe else "re-solving"
    agent = agent if options.warm is None else f"warm-started ({options.warm:g}) {agent}"
    title = f"{info.name}, {options.evaluator} values, {agent}: exploitability in {info.unit}"
    print("\n".join([title, *(f"  {line}" for line in columns(rows, gap=3))]))
