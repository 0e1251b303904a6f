"""Locked strategies against trees without the moves that are never played, and by hand."""

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.cards import parse_board, parse_hand
from sog.games.holdem.ranges import parse_range
from sog.games.holdem.spot import Spot, make_spot
from sog.poker.solved_spot import SolvedSpot
from sog.poker.spot_solver import SpotSolver

NUTS, AIR, CATCHER = "KcKd", "QhJh", "AcAd"


def polar_spot(*locks: str) -> Spot:
    """Return the nuts or air against a hand between them; the pot is 200, the bet as large."""
    ranges = np.array([parse_range(f"{NUTS},{AIR}"), parse_range(CATCHER)])
    sizes = parse_bet_sizes("oop:100/none;ip:none")
    return make_spot(parse_board("KsKh7d4c2s"), 200, 1_000, sizes, ranges, locks=locks)


def turn_spot(locks: tuple[str, ...] = (), removed: tuple[str, ...] = ()) -> Spot:
    ranges = np.array([parse_range("AA,KQs,76s,A5s"), parse_range("QQ,JJ,A9s,T8s:0.5")])
    sizes = parse_bet_sizes("50/none")
    return make_spot(parse_board("9s7s4h3h"), 100, 300, sizes, ranges, locks=locks, removed=removed)


@pytest.mark.parametrize(("called", "bluffs"), [(0.4, 1.0), (0.6, 0.0)])
def test_the_rest_makes_the_best_of_a_locked_caller(called: float, bluffs: float) -> None:
    """Who calls a bet of the pot less than half the time is bluffed always, who calls more never."""
    spot = polar_spot(f"bet100 > call {CATCHER}:{called}")
    solver = SpotSolver(spot, "dcfr", np.float64)
    solution = solver.run(iterations=300)
    assert solution.exploitability < 1e-3  # the caller may not do better than its lock
    solved = SolvedSpot(spot, solver)
    start, answer = solved.strategy(solved.find("")), solved.strategy(solved.find("bet100"))
    assert answer.policy[:, parse_hand(CATCHER)] == pytest.approx([1 - called, called], abs=1e-12)
    assert start.policy[1, parse_hand(AIR)] == pytest.approx(bluffs, abs=1e-3)
    nuts = 200 + 200 * called
    air = max(0.0, 200 * (1 - called) - 200 * called)
    assert solution.value == pytest.approx((nuts + air) / 2 - 100, abs=0.1)


@pytest.mark.parametrize(
    "locks", [(f"bet100 > call {CATCHER}:0.4",), (f"> bet100 {NUTS}:0.7 | check {NUTS}:0.3",), ()]
)
def test_the_rest_is_exploitable_by_what_is_said(locks: tuple[str, ...]) -> None:
    """In plain Python, long before the solve is done: free hands at their best, locked ones as they are."""
    free = "AsAh"  # calls as it likes
    spot = polar_spot()
    spot = polar_spot(*locks)._replace(ranges=np.array([spot.ranges[0], parse_range(f"{CATCHER},{free}")]))
    solver = SpotSolver(spot, "dcfr", np.float64)
    solver.advance(3)
    solved = SolvedSpot(spot, solver)
    start, answer = solved.strategy(solved.find("")), solved.strategy(solved.find("bet100"))
    bets = {hand: float(start.policy[1, parse_hand(hand)]) for hand in (NUTS, AIR)}
    calls = {hand: float(answer.policy[1, parse_hand(hand)]) for hand in (CATCHER, free)}

    def won(hand: str, bet: float, call: float) -> float:
        """Return what the bettor wins of a deal: 100 or a bet of 200 more."""
        sign = 1 if hand == NUTS else -1
        return (1 - bet) * sign * 100 + bet * ((1 - call) * 100 + call * sign * 300)

    def best(own: dict[str, float], other: dict[str, float], sign: int) -> float:
        """Return what a player has per deal if its free hands choose the better of their two moves."""
        total = 0.0
        for hand, share in own.items():
            is_locked = any(hand in lock for lock in locks)
            worth = [
                sign * sum(won(hand, x, y) if sign > 0 else won(theirs, y, x) for theirs, y in other.items())
                for x in ((share,) if is_locked else (0, 1))
            ]
            total += max(worth)
        return total / 4

    gain = (best(bets, calls, 1) + best(calls, bets, -1)) / 2
    assert gain > 1
    assert solver.exploitability() == pytest.approx(gain, abs=1e-9)


@pytest.mark.parametrize("is_short", [False, True])
@pytest.mark.parametrize(
    ("lock", "removed"), [("bet50 > call random", "bet50,fold"), ("check,check > check random", "")]
)
def test_a_range_that_never_plays_a_move_might_as_well_not_have_it(
    lock: str, removed: str, is_short: bool
) -> None:
    """On the turn and, after checks, on every river."""
    other = turn_spot(removed=(removed,)) if removed else turn_spot(removed=("check,check,bet50",))
    dtype = np.float32 if is_short else np.float64
    locked = SpotSolver(turn_spot(locks=(lock,)), "dcfr", dtype, is_short=is_short)
    without = SpotSolver(other, "dcfr", np.float64)
    for solver in (locked, without):
        assert solver.run(iterations=400).exploitability < 0.1
    assert locked.value() == pytest.approx(without.value(), abs=0.1)


@pytest.mark.parametrize("is_short", [False, True])
def test_locked_hands_keep_their_shares_beside_free_ones(is_short: bool) -> None:
    spot = turn_spot(locks=("check,check > check AA:0.75 | bet50 AA:0.25",))
    solver = SpotSolver(spot, "dcfr", np.float32, is_short=is_short)
    assert solver.run(iterations=200).exploitability < 0.1
    solved = SolvedSpot(spot, solver)
    shares = solved.strategy(solved.find("check,check,2c")).policy
    for hand in ("AsAd", "AdAc"):
        assert shares[:, parse_hand(hand)] == pytest.approx([0.75, 0.25], abs=1e-5)


def test_hands_that_are_not_named_are_free_and_suits_that_are_stay_apart() -> None:
    spot = turn_spot(locks=("bet50 > call QsQh",))
    solver = SpotSolver(spot, "dcfr", np.float64)
    solver.run(iterations=100)
    answer = SolvedSpot(spot, solver).strategy(SolvedSpot(spot, solver).find("bet50"))
    calls = answer.policy[1]
    assert calls[parse_hand("QsQh")] == 1
    assert calls[parse_hand("QdQc")] != 1 or calls[parse_hand("QhQd")] != 1
    assert solver.run(iterations=101).exploitability < 5


@pytest.mark.parametrize(
    ("lock", "reason"),
    [
        ("bet100", "write moves, >"),
        ("bet100 > raise AA", "'raise' is not a move here"),
        ("bet100 > call", "call: name the hands"),
        ("bet100 > call AA | call KK", "call is there twice"),
        ("bet100 > call AA:0.7 | fold AA:0.7", "more than 1"),
        ("bet100,call > check AA", "there is nothing to decide"),
        ("bet75 > call AA", "'bet75' is not a move here"),
    ],
)
def test_locks_that_mean_nothing_are_refused(lock: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        polar_spot(lock)


def test_locks_go_where_policies_are_shares_of_regrets() -> None:
    with pytest.raises(InputError, match="same place"):
        polar_spot("bet100 > call AA", "bet100 > fold AA")
    with pytest.raises(InputError, match="regret matching"):
        SpotSolver(polar_spot("bet100 > call AA"), "cfr(minimiser=normal-hedge)", np.float64)
    with pytest.raises(InputError, match="sog solve holdem alone"):
        polar_spot("bet100 > call AA").own_view()
