"""Safe re-solving of rivers: the theorem of its bound, and what unsafe re-solving loses."""

from itertools import pairwise

import numpy as np
import pytest

from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.cards import NUM_HANDS, parse_board
from sog.games.holdem.spot import make_spot
from sog.games.holdem.teh import make_teh
from sog.nets.cvpn import make_network
from sog.nets.ladder import Ladder, forward_of
from sog.nets.spec import NetworkSpec
from sog.poker.composed import ComposedPlay
from sog.poker.regret_storage import Sums
from sog.poker.river_examples import SIZES
from sog.poker.river_stops import ask_stops
from sog.poker.river_values import RiverValues
from sog.poker.spot_solver import SpotSolver
from sog.poker.turn_boards import TurnBoard
from sog.poker.turn_search import TurnSearch, check_down


@pytest.fixture(scope="module")
def tabular() -> SpotSolver:
    solver = SpotSolver(make_teh(stack=3_000), threads=1)
    solver.advance(30)
    return solver


def play_turn_of(tabular: SpotSolver, threads: int = 1) -> ComposedPlay:
    play = ComposedPlay(tabular.spot, threads)
    first, second = tabular.root.sums
    assert isinstance(first, Sums)
    assert isinstance(second, Sums)
    play.take_turn(tabular.levels[0], (first.average, second.average))
    return play


@pytest.mark.parametrize("river_iterations", [3, 40])
def test_safe_rivers_are_never_worse_than_what_their_stop_values_say(
    tabular: SpotSolver, river_iterations: int
) -> None:
    play = play_turn_of(tabular)
    play.solve_rivers(river_iterations)
    before = play.exploitability()
    play.resolve_rivers(300, play.best_answers(), mix=1.0)
    assert play.exploitability() < before + 0.2  # chips of 2,000: iterations are missing


def test_a_sequence_of_safe_solves_never_rises_above_its_bound(tabular: SpotSolver) -> None:
    """Each is solved against the best answers to the one before; the first rivers are poor, the last good."""
    play = play_turn_of(tabular)
    play.solve_rivers(4)
    found = [play.exploitability()]
    for _ in range(3):
        play.resolve_rivers(200, play.best_answers(), mix=1.0)
        found.append(play.exploitability())
    for before, after in pairwise(found):
        assert after < before + 0.3  # chips of 2,000: iterations are missing
    assert found[-1] < 0.6 * found[0]


def test_safe_rivers_are_about_as_good_as_unsafe_ones_with_exact_stop_values(tabular: SpotSolver) -> None:
    play = play_turn_of(tabular)
    play.solve_rivers(150)
    before = play.exploitability()
    play.resolve_rivers(150, play.best_answers())
    assert play.exploitability() < before + 0.001 * 2_000  # .1 % of the pot


def test_any_number_of_threads_gives_the_same(tabular: SpotSolver) -> None:
    play = play_turn_of(tabular)
    play.solve_rivers(5)
    play.resolve_rivers(5, play.best_answers())
    other = play_turn_of(tabular, 2)
    other.solve_rivers(5)
    other.resolve_rivers(5, other.best_answers())
    assert other.exploitability() == play.exploitability()


def test_useless_stop_values_leave_everybody_in(tabular: SpotSolver) -> None:
    """Hands whose stop values are very low enter with everything they have; very high ones stay out."""
    play = play_turn_of(tabular)
    play.solve_rivers(1)
    low = [(one * 0 - 1e3, two * 0 - 1e3) for one, two in play.best_answers()]
    play.resolve_rivers(60, low, mix=1.0)
    entered = play.exploitability()
    high = [(one + 2e3, two + 2e3) for one, two in low]
    play.resolve_rivers(60, high, mix=1.0)
    assert play.exploitability() > 3 * entered  # nobody to learn from


@pytest.mark.parametrize("board", ["3s7hTdKs", "3s7sTsKs"])
def test_stop_values_of_checking_down_are_the_exact_ones(board: str) -> None:
    """Without bets on the river nobody can do better; on a board of one suit rows stand for alike hands."""
    sizes = parse_bet_sizes("turn:50,100,allin;river:none")
    spot = make_spot(parse_board(board), 200, 600, sizes, np.ones((2, NUM_HANDS)), 2)
    search = TurnSearch(spot, TurnBoard(spot.board, 2), check_down)
    search.run(5)
    play = ComposedPlay(spot, 1)
    play.take_turn(search.level, (search.sums[0].average, search.sums[1].average))
    play.solve_rivers(1)
    asked = ask_stops(search, play.root.street, play.root.below[0].level, None)
    for exact, found in zip(play.best_answers(), asked, strict=True):
        for player in range(2):
            scale = np.abs(exact[player]).max()
            assert np.abs(found[player] - exact[player]).max() < 1e-4 * scale


def test_rivers_one_by_one_add_up_to_what_searches_ask_for() -> None:
    network = make_network(NetworkSpec("ladder", 1, 16, row_units=8), SIZES, seed=1)
    assert isinstance(network, Ladder)
    network.value.weight.data.normal_(std=0.3)
    spot = make_teh(stack=4_000)
    values = RiverValues(forward_of(network), spot.sizes, every=3)
    search = TurnSearch(spot, TurnBoard(spot.board, 8), values)
    search.run(2)
    beliefs = search.live(search.average_beliefs())
    parts = values.river_by_river(beliefs)
    assert parts.shape == (48, *beliefs.reach.shape)
    whole = values(beliefs)
    assert np.abs(parts.sum(axis=0) - whole).max() < 1e-4 * np.abs(whole).max()
