import pytest

from sog.core.arrays import Float
from sog.games.holdem.teh import make_teh
from sog.poker.composed import ComposedPlay
from sog.poker.regret_storage import Sums
from sog.poker.spot_solver import SpotSolver


def tabular_averages(solver: SpotSolver) -> tuple[Float, Float]:
    first, second = solver.root.sums
    assert isinstance(first, Sums)
    assert isinstance(second, Sums)
    return first.average, second.average


def test_rivers_solved_anew_get_better_with_iterations() -> None:
    spot = make_teh(stack=3_000)
    tabular = SpotSolver(spot, threads=1)
    tabular.advance(60)
    play = ComposedPlay(spot, 1)
    play.take_turn(tabular.levels[0], tabular_averages(tabular))
    found = []
    for iterations in (5, 20, 80):
        play.solve_rivers(iterations)
        found.append(play.exploitability())
    assert found[0] > found[1] > found[2]
    assert found[2] < 2 * tabular.exploitability()
    assert play.start_values(0).sum() == pytest.approx(play.value(), rel=1e-4)
    assert play.start_values(1).sum() == pytest.approx(-play.value(), rel=1e-3)
    again = ComposedPlay(spot, 2)  # however many cores there are
    again.take_turn(tabular.levels[0], tabular_averages(tabular))
    again.solve_rivers(80)
    assert again.exploitability() == found[2]


@pytest.mark.slow
def test_the_tabular_row_of_rebels_second_figure() -> None:
    """Linear CFR on the paper's test spot; other orders of adding in float32 move these by some percent."""
    solver = SpotSolver(make_teh(), "lcfr")
    found = []
    for iterations in (32, 32, 61):
        solver.advance(iterations)
        found.append(10 * solver.exploitability())  # mbb a hand
    assert found == pytest.approx([1_648, 623, 229], rel=0.05)


@pytest.mark.slow
def test_a_tabular_turn_with_rivers_solved_anew() -> None:
    tabular = SpotSolver(make_teh())
    tabular.advance(150)
    assert 10 * tabular.exploitability() == pytest.approx(124, rel=0.05)
    play = ComposedPlay(make_teh())
    play.take_turn(tabular.levels[0], tabular_averages(tabular))
    play.solve_rivers(300)
    assert 10 * play.exploitability() == pytest.approx(64, rel=0.05)
