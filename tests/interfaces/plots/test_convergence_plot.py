from pathlib import Path
from xml.etree import ElementTree

import matplotlib.image
import pytest

from sog.interfaces.plots.convergence_plot import Curve, draw_convergence
from sog.solvers.loop import Progress


def _curve(label: str, power: float) -> Curve:
    return Curve(label, [Progress(t, t / 1000, t**-power) for t in range(1, 200, 3)])


@pytest.mark.parametrize("number", [1, 3, 9])
@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_curves_are_drawn(tmp_path: Path, number: int, suffix: str) -> None:
    path = tmp_path / f"curves.{suffix}"
    draw_convergence("leduc", [_curve(f"variant {k}", 0.5 + k / 10) for k in range(number)], path)
    assert path.stat().st_size > 5000
    if suffix == "png":
        pixels = matplotlib.image.imread(path)
        assert pixels.shape[0] >= 600
        assert pixels.shape[1] >= 900
    if suffix == "svg":
        text = "".join(ElementTree.parse(path).getroot().itertext())
        assert ("variant 0" in text) == (number > 1)
        assert "exploitability" in text
        assert "leduc" in text


def test_zeros_have_no_logarithm(tmp_path: Path) -> None:
    path = tmp_path / "curves.svg"
    zero = Curve("zero", [Progress(1, 0.0, 0.0), Progress(2, 0.0, -1e-18)])
    draw_convergence("trivial", [zero], path)
    assert "never exploitable" in path.read_text()
    draw_convergence("mixed", [zero, _curve("other", 1.0)], path)
    assert "never exploitable" not in path.read_text()
