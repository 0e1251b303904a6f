"""Drawings as SVG: every shape is there, where it should be, and texts are safe."""

import xml.etree.ElementTree as ET

from sog.games.drawing import Box, Circle, Drawing, Label, Line, Shape, write_svg

NAMESPACE = "{http://www.w3.org/2000/svg}"


def test_shapes_become_elements() -> None:
    shapes: list[Shape] = [
        Line(1, 2, 3.25, 4, "red", 2.0, (5.0, 3.0), "boat"),
        Circle(5, 6, 7, "#fff", 0.5, "black", 1.5, "heat"),
        Box(1, 1, 30, 20, "blue"),
        Label(9, 9, "<Mr. X> & co", 12, "#111111", True, "middle"),
    ]
    root = ET.fromstring(write_svg(Drawing(100, 50, "white", shapes)))
    assert root.get("viewBox") == "0 0 100 50"
    paper, line, circle, box, text = root
    assert paper.attrib == {"width": "100", "height": "50", "fill": "white"}
    assert line.tag == f"{NAMESPACE}line"
    assert (line.get("class"), line.get("x2"), line.get("stroke-dasharray")) == ("boat", "3.2", "5.0 3.0")
    assert (circle.get("r"), circle.get("fill-opacity"), circle.get("stroke")) == ("7", "0.50", "black")
    assert box.get("class") is None
    assert box.get("stroke") is None
    assert text.text == "<Mr. X> & co"
    assert (text.get("text-anchor"), text.get("font-weight")) == ("middle", "bold")
