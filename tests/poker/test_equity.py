"""Equity against every pair of hands and every runout, and against a published one."""

from itertools import combinations, product

import numpy as np
import pytest

from sog.core.arrays import F64
from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.cards import HANDS, NUM_CARDS, NUM_HANDS, hand_name, parse_board
from sog.games.holdem.ranges import parse_range
from sog.games.holdem.spot import Spot, make_spot
from sog.games.holdem.strength import IMPOSSIBLE, RIVER_CARDS, strengths_of_boards
from sog.poker.solved_spot import SolvedSpot
from sog.poker.spot_solver import SpotSolver
from tests.games.holdem.published import THREE_BET_IP, THREE_BET_OOP


def solve_checked_down(board: str, oop: str, ip: str) -> SolvedSpot:
    """Return a spot without bets: hands are worth their equity of the pot, whatever is played."""
    ranges = np.array([parse_range(oop), parse_range(ip)])
    spot = make_spot(parse_board(board), 100, 100, parse_bet_sizes("none"), ranges)
    return SolvedSpot(spot, SpotSolver(spot, threads=1))


def equity_by_pairs(spot: Spot) -> F64:
    """Return the equity of player 0's hands over all runouts, pair by pair: [1326]."""
    rest = sorted(set(range(NUM_CARDS)) - set(spot.board))
    runouts = list(combinations(rest, RIVER_CARDS - len(spot.board)))
    strengths = strengths_of_boards([(*spot.board, *runout) for runout in runouts])
    won, met = np.zeros(NUM_HANDS), np.zeros(NUM_HANDS)
    ours, theirs = (np.flatnonzero(held) for held in spot.ranges)
    for one, other in product(ours, theirs):
        if not set(HANDS[one]) & set(HANDS[other]):
            are_dealt = (strengths[:, one] != IMPOSSIBLE) & (strengths[:, other] != IMPOSSIBLE)
            points = (np.sign(strengths[:, one] - strengths[:, other]) + 1) / 2
            met[one] += spot.ranges[1, other] * are_dealt.sum()
            won[one] += spot.ranges[1, other] * points[are_dealt].sum()
    with np.errstate(invalid="ignore"):
        return np.asarray(won / met)


@pytest.mark.parametrize("board", ["QsJh2h", "AhKh7h", "Td9d6hQc"])
def test_every_pair_of_hands_and_every_runout(board: str) -> None:
    solved = solve_checked_down(board, "AA,76s:0.5", "KK,AsQs,65s:0.25")
    found, expected = solved.equity(solved.start()), equity_by_pairs(solved.spot)
    for hand in np.flatnonzero(solved.spot.ranges[0]):
        assert found[hand] == pytest.approx(expected[hand], abs=1e-6, nan_ok=True), hand_name(int(hand))


@pytest.mark.parametrize("path", ["", "check,check,7c"])
def test_a_hand_is_worth_its_equity_of_the_pot_where_nobody_bets(path: str) -> None:
    solved = solve_checked_down("QsJh2h", "AA,76s,T9s", "KK,AsQs,65s")
    node = solved.find(path)
    np.testing.assert_allclose(100 * solved.equity(node), solved.strategy(node).ev, atol=1e-3)


def test_the_published_equity_of_a_flop_spot() -> None:
    """Equity 55.3 % out of position in the spot that solvers are compared by, "3betpotFAST"."""
    solved = solve_checked_down("QsJh2h", THREE_BET_OOP, THREE_BET_IP)
    node = solved.start()
    strategy, equity = solved.strategy(node), solved.equity(node)
    weights = strategy.reach * strategy.met
    assert np.nansum(weights * equity) / weights.sum() == pytest.approx(0.553, abs=5e-4)
