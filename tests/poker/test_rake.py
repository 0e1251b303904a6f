"""Rake against sums over all deals, by hand."""

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.betting import Rake, apply, legal_moves, rake_chips, start_street
from sog.games.holdem.cards import HANDS, NUM_HANDS, parse_board
from sog.games.holdem.ranges import parse_range
from sog.games.holdem.spot import Spot, make_spot
from sog.games.holdem.strength import board_strengths
from sog.poker.solved_spot import SolvedSpot
from sog.poker.spot_solver import SpotSolver

BOARD = parse_board("9s7c5s4h3c")


def raked_spot(bets: str, rake: Rake) -> Spot:
    ranges = np.array([parse_range("AA,86o,KQs:0.5,AK:0.3"), parse_range("TT+,A6s,KQ")])
    return make_spot(BOARD, 200, 400, parse_bet_sizes(bets), ranges, rake=rake)


def showdown_value(spot: Spot, player: int, rake: float) -> float:
    """Return what a player wins if both check, deal by deal."""
    strengths, total, won = board_strengths(BOARD), 0.0, 0.0
    for mine in np.flatnonzero(spot.ranges[player]):
        for theirs in np.flatnonzero(spot.ranges[1 - player]):
            if not set(HANDS[mine]) & set(HANDS[theirs]):
                weight = spot.ranges[player][mine] * spot.ranges[1 - player][theirs]
                share = (np.sign(strengths[mine] - strengths[theirs]) + 1) / 2  # of the pot
                total, won = total + weight, won + weight * (share * (200 - rake) - 100)
    return float(won / total)


@pytest.mark.parametrize(("rake", "taken"), [(Rake(5), 10), (Rake(5, 4), 4), (Rake(), 0)])
def test_showdowns_with_rake_deal_by_deal(rake: Rake, taken: float) -> None:
    spot = raked_spot("none", rake)
    solver = SpotSolver(spot, "cfr", np.float64)
    solver.advance(1)
    assert solver.value() == pytest.approx(showdown_value(spot, 0, taken), abs=1e-9)
    assert solver.exploitability() == pytest.approx(0, abs=1e-9)


def test_evs_sum_to_the_pot_less_rake() -> None:
    """With bets and folds: what both win from the start on is the pot without what the house takes."""
    spot = raked_spot("50,allin", Rake(5, 15))
    solver = SpotSolver(spot, "dcfr", np.float64)
    assert solver.run(iterations=2_000).exploitability < 0.05
    solved = SolvedSpot(spot, solver)
    both = [np.zeros(NUM_HANDS), np.zeros(NUM_HANDS)]
    for node in solved.decisions():
        strategy = solved.strategy(node)
        for place, action in enumerate(strategy.actions):
            if action in ("fold", "call") or (action == "check" and strategy.path):
                end = apply(node.betting, legal_moves(node.betting, spot.sizes)[place])
                played = strategy.reach * strategy.met * strategy.policy[place]
                both[0] += played * rake_chips(end, spot.rake)
                both[1] += played
    taken = both[0].sum() / both[1].sum()
    assert 10 < taken < 15
    start = solved.strategy(solved.find(""))
    weights = start.reach * start.met
    first = np.nansum(weights * start.ev) / weights.sum()
    second = solver._answer(2, 1) + 100  # MEET, player 1
    assert first + second == pytest.approx(200 - taken, abs=1e-6)


def test_an_uncalled_bet_is_not_raked_and_the_cap_holds() -> None:
    state, sizes = start_street(3, 200, 400), parse_bet_sizes("allin")
    bet = apply(state, legal_moves(state, sizes)[1])
    fold, call = (apply(bet, move) for move in legal_moves(bet, sizes))
    assert [rake_chips(end, Rake(10)) for end in (fold, call)] == [20, 100]
    assert rake_chips(call, Rake(10, 30)) == 30


def test_rake_is_refused_where_it_does_not_go() -> None:
    with pytest.raises(InputError, match="rake and locked strategies are for sog solve holdem alone"):
        raked_spot("none", Rake(5)).own_view()
    with pytest.raises(InputError, match="rake: from 0 to 50 percent"):
        raked_spot("none", Rake(90))
