import numpy as np
import pytest

from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.cards import NUM_HANDS, parse_board
from sog.games.holdem.spot import Spot, make_spot
from sog.poker.composed import ComposedPlay
from sog.poker.spot_solver import SpotSolver
from sog.poker.turn_boards import TurnBoard
from sog.poker.turn_search import Beliefs, TurnSearch, check_down

BOARD = parse_board("3s7hTdKs")


def make_turn(bets: str, board: str = "3s7hTdKs", seed: int = 0) -> Spot:
    weights = np.random.default_rng(seed).random((2, NUM_HANDS))
    weights[1, ::5] = 0
    return make_spot(parse_board(board), 200, 600, parse_bet_sizes(bets), weights, 2)


@pytest.mark.parametrize("algorithm", ["dcfr(updates=simultaneous)", "lcfr"])
def test_where_rivers_are_checked_down_a_search_is_the_whole_solve(algorithm: str) -> None:
    """No bets on the river: values of checking down are exact, before the river and when all-in."""
    spot = make_turn("turn:50,100,allin;river:none")
    search = TurnSearch(spot, TurnBoard(BOARD, 2), check_down, algorithm)
    search.run(12)
    whole = SpotSolver(spot, algorithm, threads=1)
    whole.advance(12)
    for player in range(2):
        own, rows = whole.root.sums[player].average, whole.levels[0].rows(0)[player]
        theirs, mine = search.sums[player].average, search.level.rows(0)[player]
        assert mine.hands.tolist() == rows.hands.tolist()
        assert np.abs(theirs - own).max() < 1e-3 * own.max()


def test_composed_play_of_checked_down_rivers_is_what_the_search_plays() -> None:
    spot = make_turn("turn:50,100,allin;river:none")
    search = TurnSearch(spot, TurnBoard(BOARD, 2), check_down, "dcfr")
    search.run(40)
    whole = SpotSolver(spot, "dcfr", threads=1)
    whole.advance(40)
    play = ComposedPlay(spot, 1)
    play.take_turn(search.level, (search.sums[0].average, search.sums[1].average))
    play.solve_rivers(1)
    assert play.exploitability() == pytest.approx(whole.exploitability(), rel=0.01)
    assert play.value() == pytest.approx(whole.value(), abs=1e-3)


def test_alike_suits_play_alike() -> None:
    """On a board of one suit the whole solve takes hands of the three others once."""
    spot = make_turn("turn:100;river:none", "3s7sTsKs")._replace(ranges=np.ones((2, NUM_HANDS)))
    left = make_spot(spot.board, 200, 600, spot.sizes, np.ones((2, NUM_HANDS)), 2)
    search = TurnSearch(left, TurnBoard(left.board, 2), check_down, "dcfr")
    search.run(30)
    play = ComposedPlay(left, 1)
    assert play.levels[0].num_rows(0, 0) < search.level.num_rows(0, 0)
    play.take_turn(search.level, (search.sums[0].average, search.sums[1].average))
    play.solve_rivers(1)
    whole = SpotSolver(left, "dcfr", threads=1)
    whole.advance(30)
    assert play.exploitability() == pytest.approx(whole.exploitability(), rel=0.01)


@pytest.mark.parametrize("algorithm", ["dcfr", "dcfr(updates=simultaneous)"])
def test_every_iteration_is_seen_once(algorithm: str) -> None:
    spot, seen = make_turn("turn:100;river:100"), []

    def note(iteration: int, beliefs: Beliefs) -> None:
        seen.append((iteration, beliefs.reach.shape))

    search = TurnSearch(spot, TurnBoard(BOARD, 2), check_down, algorithm)
    search.run(3, note)
    assert [iteration for iteration, _ in seen] == [0, 1, 2]
    assert {shape for _, shape in seen} == {(1128, 2, len(search.leaves))}
    depths = sorted({leaf.depth for leaf in search.leaves})
    assert depths[-1] == 3.0
    if algorithm != "dcfr":  # both players' values are then of the same policies
        first, second = search.values()
        assert first.sum() == pytest.approx(-second.sum(), abs=0.05)


def test_values_of_averages_are_those_of_the_whole_solve() -> None:
    spot = make_turn("turn:50,allin;river:none")
    search = TurnSearch(spot, TurnBoard(BOARD, 2), check_down)
    search.run(12)
    whole = SpotSolver(spot, "dcfr(updates=simultaneous)", threads=1)
    whole.advance(12)
    first, second = search.average_values()
    assert first.sum() == pytest.approx(whole.value(), rel=1e-3)
    assert first.sum() == pytest.approx(-second.sum(), abs=0.01)
