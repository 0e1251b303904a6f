"""Spots with known answers."""

import numpy as np
import pytest

from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.cards import parse_board, parse_hand
from sog.games.holdem.ranges import parse_range
from sog.games.holdem.spot import Spot, make_spot
from sog.poker.solved_spot import SolvedSpot
from sog.poker.spot_solver import SpotSolver
from sog.public.store import ROOT
from sog.solvers.solver import Solver

NUTS, AIR, CATCHER = "KcKd", "QhJh", "AcAd"  # on this board quads, king high, and two pair between them
BOARD = "KsKh7d4c2s"


def polar_spot(value: float, air: float, percent: int) -> Spot:
    ranges = np.array([parse_range(f"{NUTS}:{value},{AIR}:{air}"), parse_range(CATCHER)])
    return make_spot(parse_board(BOARD), 200, 10_000, parse_bet_sizes(f"river:{percent}/none"), ranges)


def probability(solver: Solver, player: int, path: list[str], hand: str, action: str) -> float:
    store, place = solver.whole.store, ROOT
    for label in path:
        place = solver.layout.children(place)[_moves(solver, place).index(label)]
    row = store.view.hands.tolist().index(parse_hand(hand))  # type: ignore[attr-defined]
    slots = solver.layout.slots_of(place, row, len(_moves(solver, place)))
    return float(solver.policy()[player][slots][_moves(solver, place).index(action)])


def _moves(solver: Solver, place: int) -> list[str]:
    store = solver.whole.store
    return store.named.action_names(store, int(solver.layout.nodes[place]), 0)


# Weight of the nuts and of air, and the bet as a share b of the pot. Betting with b/(1+b) bluffs for each
# value hand makes a call break even; calling 1/(1+b) of the time makes a bluff break even.
POLAR = [
    (1.0, 1.0, 0.5),
    (1.0, 1.0, 1.0),
    (1.0, 1.0, 2.0),
    (0.5, 1.0, 1.0),
    (0.25, 1.0, 0.75),
]


@pytest.mark.parametrize(("value", "air", "share"), POLAR)
def test_nuts_or_air_against_a_bluff_catcher(value: float, air: float, share: float) -> None:
    spot = polar_spot(value, air, round(100 * share))
    solver = Solver(spot, "dcfr", np.float64)
    solution = solver.run(iterations=20_000)
    bet = f"bet{round(100 * share)}"
    bluffs = value * share / (1 + share) / air
    assert probability(solver, 0, [], NUTS, bet) == pytest.approx(1, abs=1e-3)
    assert probability(solver, 0, [], AIR, bet) == pytest.approx(bluffs, abs=1e-3)
    assert probability(solver, 1, [bet], CATCHER, "call") == pytest.approx(1 / (1 + share), abs=1e-3)
    # The bettor wins the pot whenever it bets: folding and calling are worth nothing to the caller.
    pot, betting = 200.0, (value + air * bluffs) / (value + air)
    assert solution.value == pytest.approx(pot * betting - pot / 2, abs=0.05)


@pytest.mark.parametrize(("value", "air", "share"), POLAR)
def test_the_solver_of_spots_plays_it_as_well(value: float, air: float, share: float) -> None:
    spot, bet = polar_spot(value, air, round(100 * share)), f"bet{round(100 * share)}"
    solver = SpotSolver(spot, "dcfr", np.float64)
    solution = solver.run(iterations=5_000)
    solved = SolvedSpot(spot, solver)
    bets, calls = (solved.strategy(solved.find(path)).policy for path in ("", bet))
    bluffs = value * share / (1 + share) / air
    assert bets[1, parse_hand(NUTS)] == pytest.approx(1, abs=1e-3)
    assert bets[1, parse_hand(AIR)] == pytest.approx(bluffs, abs=1e-3)
    assert calls[1, parse_hand(CATCHER)] == pytest.approx(1 / (1 + share), abs=1e-3)
    assert solution.value == pytest.approx(200 * (value + air * bluffs) / (value + air) - 100, abs=0.05)


def test_single_precision_agrees() -> None:
    spot = polar_spot(1.0, 1.0, 100)
    solver = Solver(spot, "lcfr", np.float32)
    assert solver.run(iterations=3_000).value == pytest.approx(50, abs=0.5)


def test_the_papers_river_spot_converges_as_published() -> None:
    """Uniform play loses 3,004.5 chips; linear CFR is below 1 mbb a game after 1,000 iterations."""
    ranges = np.ones((2, 1326))
    spot = make_spot(parse_board("9s7c5s4h3c"), 200, 19_900, parse_bet_sizes("river:100,allin"), ranges)
    solver = Solver(spot, "lcfr", np.float32)
    uniform = solver.evaluation.exploitability(solver.evaluation.uniform_policy())
    assert uniform == pytest.approx(3_004.5, abs=0.1)
    mbb = 1000 / 100
    assert solver.run(iterations=100).exploitability * mbb == pytest.approx(37, rel=0.2)
    assert solver.run(iterations=1000).exploitability * mbb < 1


def test_turn_spots_are_solved_over_all_rivers() -> None:
    """Drawing dead or not: with no bets left, the value is the equity over the 44 rivers."""
    ranges = np.array([parse_range("AsAh"), parse_range("KsQs")])
    spot = make_spot(parse_board("2s7s9dTc"), 200, 0, parse_bet_sizes("allin"), ranges)
    solver = Solver(spot, "cfr", np.float64)
    solution = solver.run(iterations=1)
    flushes, jacks = 8, 3  # of the nine spades left one is the ace in the other hand; jacks not of spades
    wins = flushes + jacks
    assert solution.value == pytest.approx(100 * (44 - 2 * wins) / 44, abs=1e-9)
