"""`sog sweep CONFIG --grid KEY=A,B,C`: many short trainings, one table and picture at the end.

Verified: tests/interfaces/cli/test_sweep_command.py, tests/cluster/test_cluster.py.
"""

from collections.abc import Generator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from sog.core.errors import InputError
from sog.core.task_pool import share_out
from sog.games.own_files import lasting_name, present_name
from sog.interfaces.cli.arguments import INTERRUPTED
from sog.interfaces.cli.progress import counting, say
from sog.interfaces.cli.sweep_folder import Result, SweepFolder
from sog.interfaces.cli.sweep_grid import at_point, parse_grid, words_of
from sog.interfaces.cli.sweep_training import Trained, Trial, begin_to_train, train_one
from sog.interfaces.cli.train_command import limited
from sog.interfaces.cli.workplaces import check_cluster, check_workers, open_workplace
from sog.interfaces.output import PICTURES, check_folder, check_output, columns, print_json_list
from sog.interfaces.plots.sweep_plot import draw_sweep, goal_of
from sog.training.config import Config
from sog.training.methods import check_method
from sog.training.presets import find_config


class Options(NamedTuple):
    """The options of `sog sweep`."""

    config: str
    grid: list[str]
    out: Path
    game: str | None
    steps: int | None
    minutes: float | None
    workers: int
    ray: str | None
    plot: Path | None
    json: bool


def run(options: Options) -> int:
    """Check everything, do the trainings that are not done yet, then draw and print."""
    check_workers("--workers", options.workers)
    check_cluster(options.ray)
    check_output("--plot", options.plot, PICTURES)
    config = _configure(options)
    points = parse_grid(options.grid, config)
    check_folder("--out", options.out)
    folder = SweepFolder(options.out, config)
    kept = [folder.find(point) for point in points]
    trials = [
        Trial(point, at_point(config, point))
        for point, result in zip(points, kept, strict=True)
        if result is None
    ]
    if len(trials) < len(points) and not options.json:
        say(f"{len(points) - len(trials)} of {len(points)} trainings were done before")
    folder.open()
    is_done = _train(options, folder, trials, len(points))
    results = [result for point in points if (result := folder.find(point)) is not None]
    if results:
        draw_sweep(f"{present_name(config.game)}: sweep", results, options.plot or options.out / "sweep.png")
        _print(options, config, results)
    if not is_done:
        say(f"interrupted: the same command goes on from {options.out}")
    return 0 if is_done else INTERRUPTED


def _configure(options: Options) -> Config:
    config = find_config(options.config)
    config = replace(config, game=options.game or config.game)
    if not config.game:
        raise InputError("which game? --game GAME, or a key of the configuration")
    config = limited(replace(config, game=lasting_name(config.game)), options.steps, options.minutes)
    check_method(config)
    return config


def _train(options: Options, folder: SweepFolder, trials: list[Trial], total: int) -> bool:
    """Do trainings and keep each when it is done; return whether none is left."""
    done = total - len(trials)
    with counting("training", "runs", total) as note, closing(_trained(options, trials)) as finished:
        for _ in range(done):
            note()
        try:
            for trained in finished:
                if trained.result is None:
                    return False
                folder.add(trained.result, trained.files)
                done += 1
                note()
                if not options.json:
                    say(f"{done}/{total} {words_of(trained.result.point)}: {_words(trained.result)}")
        except KeyboardInterrupt:
            return False
    return True


def _trained(options: Options, trials: list[Trial]) -> Generator[Trained, None, None]:
    if not trials:
        return
    if not options.workers and options.ray is None:
        for trial in trials:
            yield train_one(trial)
        return
    with (
        open_workplace(options.ray, options.workers) as place,
        closing(share_out(place.workplace, place.workers, begin_to_train, trials, say)) as answers,
    ):
        for _, trained in answers:
            yield trained


def _words(result: Result) -> str:
    measured = [f"{value:.4g} {result.unit} by {name}" for name, value in result.exploitability.items()]
    return ", ".join(measured) or (
        "no step" if result.value_loss is None else f"value loss {result.value_loss:.4f}"
    )


def _print(options: Options, config: Config, results: list[Result]) -> None:
    if options.json:
        print_json_list([_figures(result) for result in results])
        return
    searches = list(results[0].exploitability)
    header = (*results[0].point, *searches, "value loss", "policy loss", "steps", "seconds")
    rows = [header]
    for result in results:
        losses = ("-" if loss is None else f"{loss:.4f}" for loss in (result.value_loss, result.policy_loss))
        rows.append(
            (
                *(str(value) for value in result.point.values()),
                *(f"{result.exploitability[search]:.4g}" for search in searches),
                *losses,
                f"{result.steps:,}",
                f"{result.seconds:.1f}",
            )
        )
    unit = f", exploitability in {results[0].unit}" if searches else ""
    print(f"{present_name(config.game)}: {len(results)} trainings in {options.out}{unit}")
    print("\n".join(f"  {line}" for line in columns(rows, gap=3)))
    reached = [
        (goal, number) for number, result in enumerate(results) if (goal := goal_of(result)) is not None
    ]
    if reached:
        best = results[min(reached)[1]]
        print(f"best: {words_of(best.point)}, {_words(best)}")


def _figures(result: Result) -> dict[str, Any]:
    return {
        **result.point,
        "exploitability": result.exploitability,
        "unit": result.unit,
        "value_loss": result.value_loss,
        "policy_loss": result.policy_loss,
        "steps": result.steps,
        "seconds": result.seconds,
    }
