"""Pictures as data: a game lays out shapes, and files are written of them.

Lengths are pixels, x to the right and y downwards; what comes later covers what came before. A shape's kind
says what it stands for, so that pictures can be searched and styled.

Verified: tests/games/test_drawing.py.
"""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

INK = "#222222"


class Line(NamedTuple):
    """A straight line."""

    x0: float
    y0: float
    x1: float
    y1: float
    colour: str
    width: float
    dashes: tuple[float, float] | None = None  # lengths of a dash and of the gap behind it
    kind: str = ""


class Circle(NamedTuple):
    """A disc with an edge."""

    x: float
    y: float
    radius: float
    fill: str
    opacity: float = 1.0  # of the inside
    edge: str = "none"
    edge_width: float = 0.0
    kind: str = ""


class Box(NamedTuple):
    """A rectangle with an edge, by its upper left corner."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    edge: str = "none"
    edge_width: float = 0.0
    kind: str = ""


class Label(NamedTuple):
    """A line of text; y is where its letters stand."""

    x: float
    y: float
    text: str
    size: float
    colour: str = INK
    is_bold: bool = False
    anchor: str = "start"  # start, middle or end: what of the text is at x
    kind: str = ""


Shape = Line | Circle | Box | Label


class Drawing(NamedTuple):
    """A picture."""

    width: int
    height: int
    background: str
    shapes: Sequence[Shape]


def write_svg(drawing: Drawing) -> str:
    """Return a picture as SVG.

    >>> write_svg(Drawing(8, 4, "white", [Label(1, 2, "a < b", 3)])).splitlines()[-2]
    '<text x="1" y="2" font-size="3" fill="#222222">a &lt; b</text>'
    """
    width, height = drawing.width, drawing.height
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
            f' viewBox="0 0 {width} {height}" font-family="DejaVu Sans, Verdana, sans-serif">',
            f'<rect width="{width}" height="{height}" fill="{drawing.background}"/>',
            *map(_write_shape, drawing.shapes),
            "</svg>\n",
        ]
    )


def _write_shape(shape: Shape) -> str:
    kind = f' class="{escape(shape.kind)}"' if shape.kind else ""
    if isinstance(shape, Label):
        bold = ' font-weight="bold"' if shape.is_bold else ""
        anchor = f' text-anchor="{shape.anchor}"' if shape.anchor != "start" else ""
        return (
            f'<text{kind} x="{_short(shape.x)}" y="{_short(shape.y)}" font-size="{_short(shape.size)}"'
            f' fill="{shape.colour}"{bold}{anchor}>{escape(shape.text)}</text>'
        )
    if isinstance(shape, Line):
        dashes = "" if shape.dashes is None else f' stroke-dasharray="{shape.dashes[0]} {shape.dashes[1]}"'
        ends = zip(("x1", "y1", "x2", "y2"), shape[:4], strict=True)
        where = " ".join(f'{name}="{_short(number)}"' for name, number in ends)
        return f'<line{kind} {where} stroke="{shape.colour}" stroke-width="{shape.width}"{dashes}/>'
    edge = f' stroke="{shape.edge}" stroke-width="{shape.edge_width}"' if shape.edge_width else ""
    if isinstance(shape, Circle):
        opacity = f' fill-opacity="{shape.opacity:.2f}"' if shape.opacity < 1 else ""
        return (
            f'<circle{kind} cx="{_short(shape.x)}" cy="{_short(shape.y)}" r="{_short(shape.radius)}"'
            f' fill="{shape.fill}"{opacity}{edge}/>'
        )
    return (
        f'<rect{kind} x="{_short(shape.x)}" y="{_short(shape.y)}" width="{_short(shape.width)}"'
        f' height="{_short(shape.height)}" fill="{shape.fill}"{edge}/>'
    )


def _short(number: float) -> str:
    """Return a length with one digit behind the point, if it needs one."""
    return f"{number:.1f}".removesuffix(".0")
