"""The picture of a sweep: what trainings came to, against the values of the first key.

Verified: tests/interfaces/cli/test_sweep_command.py.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sog.interfaces.cli.sweep_folder import Result
from sog.interfaces.cli.sweep_grid import SEED, words_of
from sog.interfaces.plots.picture_file import write_figure
from sog.interfaces.plots.plot_style import add_legend, colour_of, draw_curve, open_axes

_WIDE = 8  # times the smallest value: then the axis is logarithmic


def goal_of(result: Result) -> float | None:
    """Return the figure that a sweep is about: exploitability by the largest search, else the value loss."""
    return list(result.exploitability.values())[-1] if result.exploitability else result.value_loss


def draw_sweep(title: str, results: Sequence[Result], path: Path) -> None:
    """Draw a curve for every combination of the other keys: means over seeds, from the least to the most."""
    keys = [key for key in results[0].point if key != SEED] or [SEED]
    first, found = keys[0], results[0].exploitability
    goal = f"exploitability of {list(found)[-1]}, {results[0].unit}" if found else "value loss"
    figure, axes = open_axes(title, first, goal)
    values = list({repr(result.point[first]): result.point[first] for result in results}.values())
    is_number = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
    curves: dict[str, dict[float, list[float]]] = {}
    for result in results:
        value: Any = result.point[first]
        across = float(value) if is_number else float(values.index(value))
        label = words_of({key: result.point[key] for key in keys[1:]})
        reached = goal_of(result)
        if reached is not None:
            curves.setdefault(label, {}).setdefault(across, []).append(reached)
    for number, (label, points) in enumerate(curves.items()):
        ordered = sorted(points.items())
        middle = [(across, sum(found) / len(found)) for across, found in ordered]
        draw_curve(axes, middle, number, label)
        low, high = ([pick(found) for _, found in ordered] for pick in (min, max))
        axes.fill_between([across for across, _ in ordered], low, high, color=colour_of(number), alpha=0.18)
    if not is_number:
        axes.set_xticks(range(len(values)), [str(value) for value in values])
    elif min(values) > 0 and max(values) >= _WIDE * min(values):
        axes.set_xscale("log")
    if any(curves):
        add_legend(axes)
    write_figure(figure, path)
