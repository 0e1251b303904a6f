"""Files that keep what leaves are worth, and files without rivers: both are looked at as whole solves are."""

from pathlib import Path

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.cards import parse_board
from sog.games.holdem.ranges import parse_range
from sog.games.holdem.spot import Spot, make_spot
from sog.interfaces.cli.holdem_solves import open_solution
from sog.interfaces.cli.holdem_spots import describe_spot
from sog.poker.solved_spot import RIVER_SHARE, SolvedSpot
from sog.poker.spot_solver import SpotSolver
from tests.interfaces.conftest import Sog

PATHS = ["", "check", "check,check,2c", "check,check,2d,check"]
RIVERS = ["check,check,2c,check,check,9h", "check,check,2d,allin,call,9h"]


@pytest.fixture(scope="module")
def spot() -> Spot:
    """A flop whose clubs and diamonds are alike."""
    ranges = np.array([parse_range("QQ+,AKs,98s,76s:0.5"), parse_range("JJ-99,AQs,KQs,87s,A5s:0.7")])
    return make_spot(
        parse_board("9sTh4h"), 100, 200, parse_bet_sizes("flop:none;turn:allin;river:50,allin"), ranges
    )


@pytest.fixture(scope="module", params=[False, True], ids=["float32", "int16"])
def files(request: pytest.FixtureRequest, spot: Spot, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """One solve as it was written before, with the values of leaves, and without rivers."""
    solver, folder = SpotSolver(spot, is_short=request.param), tmp_path_factory.mktemp("files")
    solver.advance(200)
    kept = (None, solver.kept_arrays(), solver.kept_arrays(with_rivers=False))
    paths = [folder / f"{name}.npz" for name in ("older", "whole", "without")]
    for path, arrays in zip(paths, kept, strict=True):
        solver.save(path, describe_spot(spot), arrays)
    return paths


def test_all_files_say_the_same_before_the_river(files: list[Path]) -> None:
    older, *others = (SolvedSpot(*open_solution(path)) for path in files)
    for path in PATHS:
        expected = older.strategy(older.find(path))
        for other in others:
            found = other.strategy(other.find(path))
            assert found.path == expected.path
            np.testing.assert_allclose(found.policy, expected.policy, atol=1e-6)
            np.testing.assert_allclose(found.ev, expected.ev, atol=2e-4)  # chips of a pot of 100


def test_leaves_are_looked_up_and_not_visited(files: list[Path]) -> None:
    """What the streets below have played does not count any more."""
    solved = SolvedSpot(*open_solution(files[1]))
    expected = solved.strategy(solved.find("")).ev
    for node in solved.solver.nodes():
        if not node.below:
            for sums in node.sums:
                sums.average[:] = 0
    again = SolvedSpot(solved.spot, solved.solver)
    np.testing.assert_array_equal(again.strategy(again.find("")).ev, expected)


def test_rivers_are_solved_again(files: list[Path]) -> None:
    whole, without = (SolvedSpot(*open_solution(path)) for path in files[1:])
    expected, found = (solved.strategy(solved.find(RIVERS[0])) for solved in (whole, without))
    assert (found.path, found.board, found.pot, found.actions) == (
        expected.path,
        expected.board,
        expected.pot,
        expected.actions,
    )
    np.testing.assert_allclose(found.reach, expected.reach, atol=1e-4)
    weights = expected.reach * expected.met
    value, again = (np.nansum(weights * each.ev) / weights.sum() for each in (expected, found))
    assert again == pytest.approx(value, abs=0.5)  # both are close to equilibrium of a pot of 100
    assert again != value
    node = without.find(RIVERS[0])
    assert node.solved is not without
    assert node.solved.solver.exploitability() <= RIVER_SHARE * found.pot
    later = without.find(RIVERS[0] + ",check")
    assert without.strategy(later).player == 1
    np.testing.assert_allclose(without.equity(node), whole.equity(whole.find(RIVERS[0])), atol=1e-4)


def test_hands_that_are_over_stay_so(files: list[Path]) -> None:
    without = SolvedSpot(*open_solution(files[2]))
    with pytest.raises(InputError, match="the hand is over there"):
        without.find(RIVERS[1])


def test_such_files_are_small_and_not_resumed(files: list[Path], spot: Spot, sog: Sog) -> None:
    assert files[2].stat().st_size < files[1].stat().st_size / 5
    assert "was saved without rivers" in sog("solve", "holdem", "--resume", files[2]).complaint
    listed = sog("show-strategy", files[2], "--all", "--json").json["nodes"]
    assert {len(node["board"]) for node in listed} == {6, 8}


def test_from_the_command_line(sog: Sog, tmp_path: Path) -> None:
    river = ["--board", "9s7c5s4h3c", "--pot", "100", "--stack", "100", "--iterations", "1"]
    turn = ["--board", "9s7c5s4h", *river[2:], "--range-oop", "AA", "--range-ip", "KK,65s"]
    path = tmp_path / "small.npz"
    assert sog("solve", "holdem", *turn, "--save", path, "--without-rivers").status == 0
    assert "9s7c5s4h2d" in sog("show-strategy", path, "--node", "check,check,2d").out
    assert (
        "nothing else would be left"
        in sog("solve", "holdem", *river, "--save", path, "--without-rivers").complaint
    )
    assert "is for --save" in sog("solve", "holdem", *turn, "--without-rivers").complaint
    assert "for holdem only" in sog("solve", "kuhn", "--save", path, "--without-rivers").complaint
