from pathlib import Path

from sog.interfaces.search_plot import Point, draw_searches


def test_curves_ribbon_and_rate_are_drawn(tmp_path: Path) -> None:
    path = tmp_path / "curves.svg"
    points = [Point(10, 1.0, 2.0, 3.0), Point(100, 0.5, 0.6, 0.9)]
    draw_searches("a game", "mbb/h", {"exact": points, "zero": points}, path)
    text = path.read_text()
    assert all(word in text for word in ("exact", "zero", "theorem 1", "mbb/h", "a game"))


def test_an_exploitability_of_zero_needs_no_logarithm(tmp_path: Path) -> None:
    path = tmp_path / "zero.png"
    draw_searches("a game", "utility", {"": [Point(1, 0.0, 0.0, 0.0)]}, path)
    assert path.stat().st_size > 0
