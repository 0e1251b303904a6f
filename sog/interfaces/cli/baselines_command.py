"""`sog baselines GAME`: how exploitable reinforcement learning in self-play is, along its learning.

Verified: tests/interfaces/cli/test_baselines_command.py.
"""

from pathlib import Path
from typing import NamedTuple

from sog.core.errors import InputError
from sog.evaluation.baselines import METHODS, BaselineGame, learn
from sog.evaluation.curves import Curve, CurveFile, curves_as_json
from sog.interfaces.cli.progress import learning
from sog.interfaces.output import columns, print_json
from sog.interfaces.plots.learning_curves import check_curve_output, read_beside, save_curves

_HEADER = ("learner", "lowest", "late mean", "last", "episodes", "seconds")


class Options(NamedTuple):
    """The options of `sog baselines`."""

    game: str
    methods: list[str]
    episodes: int
    seed: int
    beside: list[Path]
    save: Path | None
    plot: Path | None
    json: bool


def run(options: Options) -> int:
    """Check everything, learn by each method, then save, draw and print; Ctrl-C keeps what was learned."""
    _check(options)
    game = BaselineGame(options.game)
    beside = read_beside(options.beside, game.info)
    curves = []
    for method in options.methods:
        with learning(f"{game.name} {method}", options.episodes) as report:
            curves.append(learn(game, method, options.episodes, options.seed, report))
        if curves[-1].points[-1].episodes != options.episodes:  # interrupted
            break
    file = CurveFile(game.name, game.info.unit, [*curves, *beside])
    uniform = game.uniform_exploitability()
    try:
        if options.save is not None:
            save_curves(options.save, file)
        if options.plot is not None:
            from sog.interfaces.plots.learning_plot import draw_learning  # matplotlib is slow to import

            draw_learning(file, uniform, options.plot)
    finally:
        _print(file, uniform, options.json)
    return 0


def _check(options: Options) -> None:
    for method in options.methods:
        if method not in METHODS:
            raise InputError(f"--methods: unknown {method[:40]!r}, there are {', '.join(METHODS)}")
        if options.methods.count(method) > 1:
            raise InputError(f"--methods has {method} more than once")
    if not options.methods and not options.beside:
        raise InputError("--methods names none: then --beside must name curves")
    check_curve_output(options.save, options.plot)


def _print(file: CurveFile, uniform: float, is_json: bool) -> None:
    if is_json:
        print_json(curves_as_json(file))
        return
    title = f"{file.game}, learners in self-play: exploitability in {file.unit} (uniform play: {uniform:.4g})"
    rows = [_HEADER, *(_row(curve) for curve in file.curves)]
    print("\n".join([title, *(f"  {line}" for line in columns(rows, gap=3))]))


def _row(curve: Curve) -> tuple[str, ...]:
    """Return a line of the table; the late mean is over what was measured in the second half of the time."""
    last = curve.points[-1]
    late = [point.exploitability for point in curve.points if 2 * point.seconds >= last.seconds]
    lowest = min(point.exploitability for point in curve.points)
    figures = (f"{figure:.4g}" for figure in (lowest, sum(late) / len(late), last.exploitability))
    episodes = "-" if last.episodes is None else f"{last.episodes:,}"
    return (curve.label, *figures, episodes, f"{last.seconds:.3g}")
