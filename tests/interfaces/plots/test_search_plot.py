from pathlib import Path

from sog.interfaces.plots.search_plot import Point, draw_playthroughs, draw_searches, draw_training


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


def test_training_steps_have_a_line_for_each_search(tmp_path: Path) -> None:
    for first in (0, 10):
        path = tmp_path / f"training{first}.svg"
        points = [Point(first, 1.0, 2.0, 3.0), Point(100, 0.5, 0.6, 0.9), Point(10_000, 0.1, 0.2, 0.3)]
        draw_training("a game", "mbb/h", {"SoG(33,1)": points, "SoG(100,1)": points[:1]}, path)
        text = path.read_text()
        assert all(word in text for word in ("SoG(33,1)", "SoG(100,1)", "training steps", "mbb/h", "a game"))


def test_a_single_untrained_agent_can_be_drawn(tmp_path: Path) -> None:
    path = tmp_path / "untrained.png"
    draw_training("a game", "utility", {"SoG(1,1)": [Point(0, 0.0, 0.0, 0.0)]}, path)
    assert path.stat().st_size > 0


def test_playthroughs_are_numbers_in_full(tmp_path: Path) -> None:
    path = tmp_path / "playthroughs.svg"
    points = [Point(count, *[1 / count] * 3) for count in (256, 512, 1024)]
    draw_playthroughs("a game", "utility", {"network": points}, path)
    assert all(word in path.read_text() for word in ("playthroughs averaged", "network", "1,024", "at most"))
