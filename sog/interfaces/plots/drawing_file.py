"""Drawings as files: SVG as it is, PNG by matplotlib.

Verified: tests/interfaces/plots/test_play_pictures.py.
"""

from itertools import groupby
from pathlib import Path
from typing import Any

from sog.core.files import write_file
from sog.games.drawing import Box, Circle, Drawing, Label, Line, Shape, write_svg

_DPI = 100
_POINTS = 72 / _DPI  # of a pixel


def write_drawing(drawing: Drawing, path: Path) -> None:
    """Write a drawing in the format that the file's name ends in: .svg or .png."""
    if path.suffix.lower() == ".svg":
        write_file(path, write_svg(drawing).encode())
        return
    from matplotlib.figure import Figure  # slow to import

    from sog.interfaces.plots.picture_file import write_figure

    figure = Figure((drawing.width / _DPI, drawing.height / _DPI), facecolor=drawing.background)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, drawing.width)
    axes.set_ylim(drawing.height, 0)
    for order, (_, shapes) in enumerate(groupby(drawing.shapes, type)):
        _add(axes, list(shapes), order)
    write_figure(figure, path, _DPI)


def _add(axes: Any, shapes: list[Shape], order: int) -> None:
    """Add shapes of one type above all before them."""
    from matplotlib.collections import LineCollection, PatchCollection

    lines = [shape for shape in shapes if isinstance(shape, Line)]
    if lines:
        segments = [((line.x0, line.y0), (line.x1, line.y1)) for line in lines]
        widths = [line.width * _POINTS for line in lines]
        styles = [
            "solid"
            if line.dashes is None
            else (0, (line.dashes[0] / line.width, line.dashes[1] / line.width))
            for line in lines
        ]
        colours = [line.colour for line in lines]
        axes.add_collection(
            LineCollection(segments, linewidths=widths, colors=colours, linestyles=styles, zorder=order)
        )
    patches = [_patch(shape) for shape in shapes if isinstance(shape, Circle | Box)]
    if patches:
        axes.add_collection(PatchCollection(patches, match_original=True, zorder=order))
    for label in shapes:
        if isinstance(label, Label):
            axes.text(
                label.x,
                label.y,
                label.text.replace("$", r"\$"),
                fontsize=label.size * _POINTS,
                color=label.colour,
                fontweight="bold" if label.is_bold else "normal",
                ha={"start": "left", "middle": "center", "end": "right"}[label.anchor],
                va="baseline",
                zorder=order,
            )


def _patch(shape: Circle | Box) -> Any:
    from matplotlib.colors import to_rgba
    from matplotlib.patches import Circle as Disc
    from matplotlib.patches import Rectangle

    edge: dict[str, Any] = {"edgecolor": shape.edge, "linewidth": shape.edge_width * _POINTS}
    if isinstance(shape, Circle):
        return Disc((shape.x, shape.y), shape.radius, facecolor=to_rgba(shape.fill, shape.opacity), **edge)
    return Rectangle((shape.x, shape.y), shape.width, shape.height, facecolor=shape.fill, **edge)
