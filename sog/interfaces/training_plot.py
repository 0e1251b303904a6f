"""Pictures of a training run: losses and exploitability against gradient steps.

Verified: tests/interfaces/test_train_command.py.
"""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sog.interfaces.output import shorten
from sog.interfaces.picture_file import BLUE, GREEN, INK, ORANGE, PURPLE, VERMILION, write_figure
from sog.training.metrics import read_metrics
from sog.training.standing import Measurement

_COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE)
_LONGEST_TITLE = 60


def draw_losses(game: str, run: Path, path: Path) -> None:
    """Draw both losses of a run, as its metrics tell them."""
    lines = [line for line in read_metrics(run) if line.get("loss")]
    figure, axes = _begin(f"{game}: losses", "loss")
    for colour, name in zip(_COLOURS, ("value", "policy"), strict=False):
        points = [(line["step"], line["loss"][name]) for line in lines]
        axes.plot([step for step, _ in points], [loss for _, loss in points], label=name, color=colour)
    _finish(figure, axes, [line["loss"][name] for line in lines for name in ("value", "policy")], path)


def draw_exploitability(game: str, unit: str, curve: Sequence[Measurement], path: Path) -> None:
    """Draw how exploitability fell, for every search that was measured."""
    figure, axes = _begin(f"{game}: exploitability", f"exploitability, {unit}")
    searches = list(curve[0].exploitability) if curve else []
    for number, search in enumerate(searches):
        points = [(point.step, point.exploitability[search]) for point in curve]
        axes.plot(
            [step for step, _ in points],
            [value for _, value in points],
            label=search,
            color=_COLOURS[number % len(_COLOURS)],
            marker="o",
            markersize=4,
            linewidth=1.7,
        )
    _finish(figure, axes, [value for point in curve for value in point.exploitability.values()], path)


def _begin(title: str, label: str) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(6.8, 4.6), layout="constrained", facecolor="white")
    axes = figure.add_subplot()
    axes.set_title(shorten(title, _LONGEST_TITLE), fontsize=12, color=INK, loc="left", weight="bold")
    axes.set_xlabel("gradient steps", color=INK)
    axes.set_ylabel(label, color=INK)
    return figure, axes


def _finish(figure: Figure, axes: Axes, values: Sequence[float], path: Path) -> None:
    if values and min(values) > 0:
        axes.set_yscale("log")
    if values:
        axes.legend(frameon=False, fontsize=9, labelcolor=INK)
    axes.tick_params(colors=INK, which="both")
    axes.grid(which="major", color="#d0d0d0", linewidth=0.8)
    axes.grid(which="minor", color="#ececec", linewidth=0.5)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    write_figure(figure, path)
