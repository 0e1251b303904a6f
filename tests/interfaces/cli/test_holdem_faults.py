"""Faults that players met once, as they met them."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from sog.interfaces.cli.holdem_solves import open_solution
from sog.interfaces.plots import strategy_picture
from sog.poker.solved_spot import SolvedSpot
from sog.poker.strategy_grid import action_shares
from tests.interfaces.conftest import Sog

RIVER = ["--board", "9s7c5s4h3c", "--pot", "100", "--range-oop", "AA,KQs", "--range-ip", "JJ,A6s"]
SIZES = ["--stack", "1000", "--bets", "10,33,50,75,100,150,200,allin"]


def solve(sog: Sog, path: Path, *words: str) -> None:
    assert sog("solve", "holdem", *RIVER, *words, "--iterations", 5, "--save", path).status == 0


def test_a_bet_is_the_size_that_was_written(sog: Sog, tmp_path: Path) -> None:
    """A third of the pot of 100 was 50 chips, since the smallest bet was half the pot."""
    path = tmp_path / "river.npz"
    solve(sog, path, "--stack", "500", "--bets", "river:33")
    assert "pot 133" in sog("show-strategy", path, "--node", "bet33").out
    solve(sog, path, "--stack", "500", "--bets", "river:33", "--big-blind", "50")
    lifted = sog("show-strategy", path).out
    assert "bet50c" in lifted  # what is lifted is called by its chips
    assert "bet33" not in lifted


def test_a_bet_that_is_all_in_has_both_names(sog: Sog, tmp_path: Path) -> None:
    path = tmp_path / "river.npz"
    solve(sog, path, "--stack", "100", "--bets", "river:100")
    by_size, by_name = (sog("show-strategy", path, "--node", name).out for name in ("bet100", "allin"))
    assert by_size == by_name
    assert "pot 200" in by_size


def test_a_picture_has_a_colour_for_each_action_and_its_whole_legend(
    sog: Sog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, drawn = tmp_path / "river.npz", []
    solve(sog, path, *SIZES)
    monkeypatch.setattr(strategy_picture, "write_figure", lambda figure, to: drawn.append(figure))
    assert sog("show-strategy", path, "--png", tmp_path / "grid.png").status == 0
    (figure,) = drawn
    assert isinstance(figure, Figure)
    (legend,) = figure.legends
    names = [text.get_text().split()[0] for text in legend.get_texts()]
    assert names == ["check", "bet10", "bet33", "bet50", "bet75", "bet100", "bet150", "bet200", "allin"]
    colours = {patch.get_facecolor() for patch in legend.get_patches()}
    assert len(colours) == len(names)
    figure.draw_without_rendering()
    whole = figure.get_window_extent()
    for text in legend.get_texts():
        box = text.get_window_extent()
        assert whole.x0 <= box.x0 < box.x1 <= whole.x1
        assert whole.y0 <= box.y0 < box.y1 <= whole.y1


def test_frequencies_weigh_card_removal(sog: Sog, tmp_path: Path) -> None:
    path = tmp_path / "river.npz"
    solve(sog, path, "--stack", "500", "--bets", "river:33")
    solved = SolvedSpot(*open_solution(path))
    strategy = solved.strategy(solved.find(""))
    weights = strategy.reach * strategy.met
    assert len({float(met) for met in strategy.met[strategy.reach > 0]}) > 1  # aces block A6s
    expected = strategy.policy @ weights / weights.sum()
    np.testing.assert_allclose(action_shares(strategy), expected)
    assert f"check {100 * expected[0]:.1f}%" in sog("show-strategy", path).out


def test_resuming_another_spot_names_the_option(sog: Sog, tmp_path: Path) -> None:
    path = tmp_path / "river.npz"
    solve(sog, path, "--stack", "500", "--bets", "river:33")
    complaint = sog("solve", "holdem", "--resume", path, "--bets", "river:50").complaint
    assert "was solved with --bets 'river:33', not 'river:50'" in complaint


def test_slow_solves_have_a_speed() -> None:
    from sog.interfaces.cli.solve_command import _speed

    assert [_speed(rate) for rate in (0.0123, 1.18, 250.4)] == ["0.0123", "1.18", "250"]


def test_unequal_stacks_are_the_smaller_one(sog: Sog) -> None:
    words = ["--bets", "river:33,allin", "--iterations", "20", "--json"]
    less, more = (
        sog("solve", "holdem", *RIVER, "--stack", stack, *words).json for stack in ("300", "900,300")
    )
    assert (less["game"], less["value"], less["exploitability"]) == (
        more["game"],
        more["value"],
        more["exploitability"],
    )
