"""The public tree as a picture, growing from left to right.

A box is a public state, coloured by who acts; it tells how many infostates each player may be in, or what a
play that ends there is worth to player 0. The word on an edge is what everybody sees of the move. Lengths are
inches, so boxes and text keep their proportion however large the tree is.

Verified: tests/interfaces/plots/test_tree_picture.py.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, PathPatch
from matplotlib.path import Path as Curve

from sog.core.errors import InputError
from sog.games.base import CHANCE, TERMINAL
from sog.interfaces.output import shorten
from sog.interfaces.plots.picture_file import BLUE, GREEN, INK, VERMILION, write_figure
from sog.public.enumeration import Enumeration
from sog.public.layout import Layout
from sog.public.store import StateStore

MAX_NODES = 500
MAX_PNG_ROWS = 100  # 4,500 pixels
_ROW = 0.36  # from one leaf to the next
_BOX_WIDTH, _BOX_HEIGHT = 0.74, 0.26
_MARGIN, _HEADER = 0.3, 1.1
_BEND = 0.4  # where an edge has become level
_LETTER = 0.065  # width of an edge label's letter
_LONGEST_LABEL = 40
_LONGEST_TITLE = 60
_FEWEST_INCHES = 8.8  # the legend must fit
_EDGE = "#9a9a9a"


class _Style(NamedTuple):
    """How the boxes of one actor look."""

    fill: str
    text: str
    shape: str
    meaning: str
    sample: str


_STYLES = {
    0: _Style(BLUE, "white", "round,pad=0,rounding_size=0.07", "player 0 acts", "3 × 3"),
    1: _Style(VERMILION, "white", "round,pad=0,rounding_size=0.07", "player 1 acts", "3 × 3"),
    CHANCE: _Style(GREEN, "white", "round,pad=0,rounding_size=0.13", "chance moves", "1 × 1"),
    TERMINAL: _Style("white", INK, "square,pad=0", "the end, worth this to player 0", "±1"),
}


def draw_tree(tree: Enumeration, path: Path) -> None:
    """Draw a tree of at most `MAX_NODES` nodes into a file."""
    store, layout = tree
    rows = _place_rows(layout)
    if path.suffix.lower() == ".png" and max(rows) > MAX_PNG_ROWS:
        raise InputError(
            f"a tree with {max(rows) + 1:,.0f} ends cannot be read as .png: --depth N draws the first N"
            " moves, and .svg or .pdf can be enlarged"
        )
    labels = [shorten(store.named.observation(store, node), _LONGEST_LABEL) for node in layout.nodes]
    columns = _place_columns(layout, labels)
    width = max(columns[-1] + _BOX_WIDTH + _MARGIN, _FEWEST_INCHES)
    height = _HEADER + max(rows) * _ROW + _BOX_HEIGHT + 2 * _MARGIN
    figure, axes = _canvas(width, height)
    top = height - _HEADER - _MARGIN - _BOX_HEIGHT / 2
    places = [(columns[depth], top - row * _ROW) for depth, row in zip(layout.depth, rows, strict=True)]
    for node in range(1, layout.num_nodes):
        _draw_edge(axes, places[layout.parent[node]], places[node], labels[node])
    is_cut = (layout.num_children == 0) & (layout.actor != TERMINAL)
    for node, place in enumerate(places):
        text = _box_text(store, int(layout.nodes[node]))
        _draw_box(axes, place, _STYLES[int(layout.actor[node])], text, bool(is_cut[node]))
    title = f"Public tree of {shorten(store.facts.name, _LONGEST_TITLE)}"
    _draw_header(axes, title, int(layout.depth.max()), bool(is_cut.any()), height)
    write_figure(figure, path, dpi=120)


def _canvas(width: float, height: float) -> tuple[Figure, Axes]:
    """Return an empty picture whose coordinates are inches."""
    figure = Figure(figsize=(width, height), facecolor="white")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, width)
    axes.set_ylim(0, height)
    axes.axis("off")
    return figure, axes


def _place_rows(layout: Layout) -> list[float]:
    """Return each node's row: leaves one below the other, parents in the middle of their children."""
    rows = [0.0] * layout.num_nodes
    next_row = 0
    for node in _depth_first(layout):
        if not layout.children(node):
            rows[node] = next_row
            next_row += 1
    for node in reversed(range(layout.num_nodes)):  # children stand behind their parents
        if children := layout.children(node):
            rows[node] = (rows[children[0]] + rows[children[-1]]) / 2
    return rows


def _place_columns(layout: Layout, labels: list[str]) -> list[float]:
    """Return where the boxes of each depth begin: the labels before them must fit."""
    longest = [0] * (int(layout.depth.max()) + 1)
    for depth, label in zip(layout.depth, labels, strict=True):
        longest[depth] = max(longest[depth], len(label))
    columns = [_MARGIN]
    for letters in longest[1:]:
        columns.append(columns[-1] + _BOX_WIDTH + _BEND + 0.1 + _LETTER * letters)
    return columns


def _depth_first(layout: Layout) -> list[int]:
    order, stack = [], [0]
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(reversed(layout.children(node)))
    return order


def _draw_edge(axes: Axes, start: tuple[float, float], end: tuple[float, float], label: str) -> None:
    """Draw a curve that arrives level, and the label above its level part."""
    x0, y0 = start[0] + _BOX_WIDTH, start[1]
    x1, y1 = end
    bend = x0 + _BEND
    points = [(x0, y0), ((x0 + bend) / 2, y0), ((x0 + bend) / 2, y1), (bend, y1), (x1, y1)]
    codes = [Curve.MOVETO, Curve.CURVE4, Curve.CURVE4, Curve.CURVE4, Curve.LINETO]
    axes.add_patch(PathPatch(Curve(points, codes), fill=False, edgecolor=_EDGE, linewidth=0.9, zorder=1))
    middle = ((x0 if y0 == y1 else bend) + x1) / 2
    axes.text(middle, y1 + 0.025, label, fontsize=7.5, color=INK, ha="center", va="bottom", zorder=3)


def _draw_box(axes: Axes, place: tuple[float, float], style: _Style, text: str, is_cut: bool = False) -> None:
    x, y = place
    box = FancyBboxPatch(
        (x, y - _BOX_HEIGHT / 2),
        _BOX_WIDTH,
        _BOX_HEIGHT,
        boxstyle=style.shape,
        facecolor=style.fill,
        edgecolor=INK if is_cut or style.fill == "white" else style.fill,
        linewidth=1.2 if is_cut else 0.8,
        linestyle=(0, (2, 1.5)) if is_cut else "solid",
        zorder=2,
    )
    axes.add_patch(box)
    axes.text(
        x + _BOX_WIDTH / 2, y - 0.01, text, fontsize=8, color=style.text, ha="center", va="center", zorder=3
    )


def _draw_header(axes: Axes, title: str, depth: int, has_cut: bool, height: float) -> None:
    """Write the title and explain the boxes."""
    x, y = _MARGIN, height - 0.3
    if has_cut:
        title += f", first {depth} moves"
    axes.text(x, y, title, fontsize=12, color=INK, weight="bold", va="center")
    y -= 0.38
    for style in _STYLES.values():
        _draw_box(axes, (x, y), style, style.sample)
        axes.text(x + _BOX_WIDTH + 0.08, y, style.meaning, fontsize=8, color=INK, va="center")
        x += _BOX_WIDTH + 0.35 + _LETTER * len(style.meaning)
    note = "The numbers in a box are infostates, player 0's × player 1's; the words are what everybody sees."
    axes.text(_MARGIN, y - 0.34, note + (" Dashed boxes go on." if has_cut else ""), fontsize=8, color=INK)


def _box_text(store: StateStore, node: int) -> str:
    first, second = store.num_infostates(node)
    if store.actor(node) != TERMINAL:
        return f"{first} × {second}"
    pairs = np.argwhere(store.joint_weights(node)).tolist()
    utilities = {round(store.utility(node, (row, column)), 9) for row, column in pairs}
    return payoff_text(min(utilities), max(utilities), len(utilities))


def payoff_text(lowest: float, highest: float, count: int) -> str:
    """Return the utilities of a terminal state in a few characters.

    >>> payoff_text(-2, 2, 2), payoff_text(1, 1, 1), payoff_text(-2, 4, 5)
    ('±2', '+1', '−2 … +4')
    """
    if lowest == highest:
        return _signed(highest)
    if lowest == -highest and count == 2:
        return f"±{highest:.3g}"
    return f"{_signed(lowest)} … {_signed(highest)}"


def _signed(number: float) -> str:
    return f"{number:+.3g}".replace("-", "−") if number else "0"
