"""Pictures of a training run: losses and exploitability against gradient steps.

Verified: tests/interfaces/cli/test_train_command.py.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from sog.interfaces.plots.picture_file import write_figure
from sog.interfaces.plots.plot_style import add_legend, draw_curve, open_axes
from sog.training.metrics import read_metrics
from sog.training.run_status import Measurement


def draw_losses(game: str, run: Path, path: Path) -> None:
    """Draw both losses of a run, as its metrics tell them."""
    lines = [line for line in read_metrics(run) if line.get("loss")]
    curves = {name: [(line["step"], line["loss"][name]) for line in lines] for name in ("value", "policy")}
    _draw(f"{game}: losses", "loss", curves, path, marker="", linewidth=1.5)


def draw_exploitability(game: str, unit: str, curve: Sequence[Measurement], path: Path) -> None:
    """Draw how exploitability fell, for every search that was measured."""
    searches = list(curve[0].exploitability) if curve else []
    curves = {search: [(at.step, at.exploitability[search]) for at in curve] for search in searches}
    _draw(f"{game}: exploitability", f"exploitability, {unit}", curves, path)


def _draw(
    title: str, upwards: str, curves: Mapping[str, Sequence[tuple[int, float]]], path: Path, **style: object
) -> None:
    figure, axes = open_axes(title, "gradient steps", upwards)
    for number, (label, points) in enumerate(curves.items()):
        draw_curve(axes, points, number, label, **style)
    values = [value for points in curves.values() for _, value in points]
    if values and min(values) > 0:
        axes.set_yscale("log")
    if values:
        add_legend(axes)
    write_figure(figure, path)
