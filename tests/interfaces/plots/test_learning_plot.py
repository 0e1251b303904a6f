from pathlib import Path

from sog.evaluation.curves import Curve, CurveFile, CurvePoint
from sog.interfaces.plots.learning_plot import draw_learning


def test_every_curve_and_uniform_play_are_named(tmp_path: Path) -> None:
    path = tmp_path / "curves.svg"
    points = [CurvePoint(0.0, 2.0), CurvePoint(1.0, 1.0), CurvePoint(10.0, 0.0)]
    draw_learning(CurveFile("leduc", "mbb/h", [Curve("A2C", points), Curve("SoG", [])]), 2.0, path)
    text = path.read_text()
    assert all(word in text for word in ("A2C", "SoG", "uniform play", "mbb/h", "leduc", "seconds"))
