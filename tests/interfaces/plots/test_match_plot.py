from math import inf, nan
from pathlib import Path

import numpy as np
import pytest
from matplotlib.lines import Line2D
from matplotlib.text import Annotation

from sog.evaluation.elo import Rating
from sog.interfaces.plots.match_plot import draw_match, make_figure
from sog.matches.curves import SIMULATIONS, STEPS, Arrangement, Curve
from sog.matches.tables import Line, Table
from tests.interfaces.conftest import Sog

RATINGS = {
    "a1": (-20.0, -80.0, 35.0),
    "a2": (90.0, 10.0, 170.0),
    "a3": (inf, 250.0, inf),
    "b1": (-inf, -inf, -120.0),
    "weak": (-inf, -inf, -222.0),
    "strong": (inf, 333.0, inf),
    "anchor": (0.0, 0.0, 0.0),
    "stranger": (nan, -inf, inf),
}
OTHERS = ["weak", "strong", "anchor", "stranger"]
CURVES = [
    Curve("us", "search one", {"a1": 100, "a3": 900, "a2": 300}),
    Curve("us", "search two", {"b1": 100}),
]


def make_lines(ratings: dict[str, tuple[float, float, float]]) -> Table:
    lines = [Line(name, Rating(*rating), 1, 1, 1, 0, 1.0) for name, rating in ratings.items()]
    return Table(lines, [], *np.zeros((2, len(lines), len(lines))))


def draw(arrangement: Arrangement, path: Path, ratings: dict[str, tuple[float, float, float]]) -> str:
    draw_match("a game: 9 games", "anchor", make_lines(ratings), arrangement, path)
    return path.read_text() if path.suffix == ".svg" else ""


@pytest.mark.parametrize("axis", [SIMULATIONS, STEPS])
def test_curves_with_lines_for_others(tmp_path: Path, axis: str) -> None:
    text = draw(Arrangement(axis, CURVES, OTHERS), tmp_path / "match.svg", RATINGS)
    words = (axis, "search one", "search two", "us", "a game: 9 games", "95 % interval, 0 = anchor")
    assert all(word in text for word in words)
    assert "weak\u2002below -222" in text
    assert "strong\u2002above 333" in text
    assert "anchor\u20020" in text
    assert "no rating: stranger" in text
    assert "nan" not in text.lower()
    assert ">800<" in text if axis == STEPS else ">900<" in text


def test_points_are_where_ratings_are() -> None:
    table = make_lines(RATINGS)
    figure = make_figure("a game", "anchor", table, Arrangement(SIMULATIONS, CURVES, OTHERS))
    (axes,) = figure.axes
    across, elo = (
        [np.asarray(get(line)).tolist() for line in axes.lines]
        for get in (Line2D.get_xdata, Line2D.get_ydata)
    )
    labels = [line.get_label() for line in axes.lines]
    first, second = labels.index("search one"), labels.index("search two")
    assert elo[first] == [-20.0, 90.0]  # the third has no estimate
    assert across[first] == pytest.approx([100, 300], rel=0.03)
    assert elo[second] == []
    assert [-80.0, 35.0] in elo
    assert [10.0, 170.0] in elo
    low, high = axes.get_ylim()
    tips = [text.xy[1] for text in axes.texts if isinstance(text, Annotation) and not text.get_text()]
    assert len(tips) == 4  # two on curves, in Elo; two at the edge, in shares of it
    assert low < tips[1] < -120
    assert 250 < tips[0] < high
    assert low < -222
    assert high > 333
    assert all(0 < tip < 1 for tip in tips[2:])


def test_curves_of_several_agents_name_them(tmp_path: Path) -> None:
    curves = [CURVES[0], CURVES[1]._replace(who="them")]
    text = draw(Arrangement(SIMULATIONS, curves, []), tmp_path / "match.svg", RATINGS)
    assert "us: search one" in text
    assert "them: search two" in text


def test_everybody_has_a_row_where_there_are_no_curves(tmp_path: Path) -> None:
    text = draw(Arrangement(None, [], list(RATINGS)), tmp_path / "match.svg", RATINGS)
    heights = [text.index(f">{name}<") for name in RATINGS if name != "stranger"]
    assert heights == sorted(heights)  # in the order of the table
    assert "no rating: stranger" in text


@pytest.mark.parametrize("axis", [SIMULATIONS, STEPS, None])
def test_a_match_without_games_can_be_drawn(tmp_path: Path, axis: str | None) -> None:
    names = [*CURVES[0].places, "anchor"]
    unknown = {name: (0.0, 0.0, 0.0) if name == "anchor" else (nan, -inf, inf) for name in names}
    arrangement = Arrangement(axis, CURVES[:1], ["anchor"]) if axis else Arrangement(None, [], names)
    draw(arrangement, tmp_path / "match.png", unknown)
    assert (tmp_path / "match.png").stat().st_size > 0


def test_a_match_is_drawn_again_without_playing(sog: Sog, tmp_path: Path) -> None:
    players = [f"untrained@mcts:{simulations}" for simulations in (2, 8)]
    match = ["match", "--game", "tictactoe", *players, "random", "--games", 2, "--out", tmp_path / "match"]
    first, second = tmp_path / "first.svg", tmp_path / "second.svg"
    assert sog(*match, "--plot", first).status == 0
    result = sog(*match, "--plot", second)
    assert "6 of 6 games were played before" in result.err
    assert first.read_text() == second.read_text()
    assert "simulations of each search" in first.read_text()
    assert "must end in .png" in sog(*match, "--plot", tmp_path / "match.gif").complaint
