import numpy as np
import pytest

from sog.games.holdem.cards import NUM_HANDS, compatible_hands, parse_board
from sog.games.holdem.ranges import count_deals, met_weights
from sog.games.holdem.spot import make_spot
from sog.games.holdem.teh import make_teh
from sog.poker.river_queries import LEAST_SHARE, list_rivers, solve_rivers
from sog.poker.spot_solver import SpotSolver
from sog.poker.visits import MEET

BOARDS = [parse_board(text) for text in ("3s7hTdKs2c", "AsAhAdKsKc", "2c3c4c5c7c")]
POT, STACK = 2_000, 5_000


def draw_ranges(seed: int = 0) -> np.ndarray:
    ranges = np.random.default_rng(seed).random((len(BOARDS), 2, NUM_HANDS)) ** 3
    ranges[:, 0, ::3] = 0  # hands that never come here
    return ranges


def test_values_are_those_of_the_spot_solver() -> None:
    sizes, ranges = make_teh().sizes, draw_ranges()
    betting = make_spot(BOARDS[0], POT, STACK, sizes, np.ones((2, NUM_HANDS)), 100).betting
    values, met = solve_rivers(betting, sizes, list_rivers(BOARDS), ranges, 20)
    for board, mine, won, masses in zip(BOARDS, ranges, values, met, strict=True):
        left = compatible_hands(board)
        shares = np.where(left, mine, 0)
        shares /= shares.sum(axis=1, keepdims=True)
        shares = np.where(left, np.maximum(shares, LEAST_SHARE), 0)
        shares /= shares.sum(axis=1, keepdims=True)
        solver = SpotSolver(make_spot(board, POT, STACK, sizes, shares, 100), threads=1)
        solver.advance(20)
        for player in range(2):
            solver._answer(MEET, player)
            rows, found = solver.levels[0].rows(0)[player], solver.root.workspaces[0].out[player]
            expected = np.zeros(NUM_HANDS)
            expected[rows.hands] = found[rows.row]
            per_deal = won[player] * masses[player] * shares[player] / count_deals(shares)
            assert np.abs(per_deal - expected).max() < 1e-6 * POT
            assert masses[player] == pytest.approx(np.where(left, met_weights(shares[1 - player]), 0))


def test_a_board_is_solved_alike_alone_and_in_company() -> None:
    sizes, ranges = make_teh().sizes, draw_ranges(1)
    betting = make_spot(BOARDS[0], POT, STACK, sizes, np.ones((2, NUM_HANDS)), 100).betting
    together, _ = solve_rivers(betting, sizes, list_rivers(BOARDS), ranges, 10)
    for number, board in enumerate(BOARDS):
        alone, _ = solve_rivers(betting, sizes, list_rivers([board]), ranges[number : number + 1], 10)
        assert (alone[0] == together[number]).all()


def test_values_cancel_and_hands_that_never_come_have_one() -> None:
    sizes, ranges = make_teh().sizes, draw_ranges(2)
    betting = make_spot(BOARDS[0], POT, STACK, sizes, np.ones((2, NUM_HANDS)), 100).betting
    values, met = solve_rivers(betting, sizes, list_rivers(BOARDS), ranges, 50)
    shares = np.where([compatible_hands(board) for board in BOARDS], ranges.swapaxes(0, 1), 0).swapaxes(0, 1)
    shares /= shares.sum(axis=2, keepdims=True)
    won = (shares * met * values).sum(axis=2)
    assert won.sum(axis=1) == pytest.approx(np.zeros(len(BOARDS)), abs=1e-3 * POT)
    left = compatible_hands(BOARDS[0])
    assert (values[0, 0, ::3][left[::3]] != 0).all()
    assert (values[0, 0][~left] == 0).all()
