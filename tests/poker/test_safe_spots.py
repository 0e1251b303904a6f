"""Safe solves with a gadget at their root, alone and in a row: turn, bets that are not on the menu, river."""

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.games.base import CHANCE, TERMINAL
from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.betting import Betting, actor, apply, at_stake, deal, is_showdown, legal_moves
from sog.games.holdem.cards import HANDS, NUM_CARDS, card_name, compatible_hands, parse_board
from sog.games.holdem.ranges import count_deals, parse_range
from sog.games.holdem.showdown import chance_weight
from sog.games.holdem.spot import Spot, make_spot
from sog.games.holdem.strength import strengths_of_boards
from sog.poker.composed import ComposedPlay
from sog.poker.grafting import graft
from sog.poker.off_tree import answer_bet, ask
from sog.poker.safe_spots import SafeSolver
from sog.poker.solved_spot import SolvedSpot
from sog.poker.spot_solver import SpotSolver

BOARD = "3s7hTdKs"
RANGES = "AhAc,KcKh,QcQd,9c8c,Ah5h,7c6c,2h2c", "AdAc,QhQd,Tc9c,8c7c,KcQc,5c5d,JhTh"
BETS = "turn:100;river:100;cap:2"

Policy = Callable[[str, int], dict[str, float]]
"""How a hand plays after moves and cards: probabilities by move."""


def make_turn(*added: str) -> Spot:
    ranges = np.array([parse_range(text) for text in RANGES])
    return make_spot(parse_board(BOARD), 200, 600, parse_bet_sizes(BETS), ranges, 2, added_bets=added)


def solve(spot: Spot, iterations: int) -> SolvedSpot:
    solver = SpotSolver(spot, threads=1)
    solver.advance(iterations)
    return SolvedSpot(spot, solver)


class Plain:
    """The best answer to a policy, hand by hand in plain Python."""

    def __init__(self, spot: Spot, opponent: int, policy: Policy) -> None:
        self.spot, self.opponent, self.policy = spot, opponent, policy
        self.mine, self.theirs = (
            [(int(hand), float(weights[hand])) for hand in np.flatnonzero(weights)]
            for weights in (spot.ranges[opponent], spot.ranges[1 - opponent])
        )

    def best(self) -> float:
        """Return what the opponent wins at best, in chips per deal."""
        found = self.value("", self.spot.betting, self.spot.board, dict(self.theirs))
        return sum(weight * found[hand] for hand, weight in self.mine) / count_deals(self.spot.ranges)

    def value(
        self, path: str, betting: Betting, board: tuple[int, ...], reach: dict[int, float]
    ) -> dict[int, float]:
        mover = actor(betting)
        if mover == TERMINAL:
            return self.end(betting, board, reach)
        if mover == CHANCE:
            return self.cards(path, betting, board, reach)
        moves = legal_moves(betting, self.spot.sizes)
        found = []
        for move in moves:
            on = ",".join(word for word in (path, move.label) if word)
            after = reach
            if mover != self.opponent:
                after = {hand: mass * self.policy(path, hand)[move.label] for hand, mass in reach.items()}
            found.append(self.value(on, apply(betting, move), board, after))
        join = max if mover == self.opponent else sum
        return {hand: join(values[hand] for values in found) for hand, _ in self.mine}

    def cards(
        self, path: str, betting: Betting, board: tuple[int, ...], reach: dict[int, float]
    ) -> dict[int, float]:
        total = dict.fromkeys((hand for hand, _ in self.mine), 0.0)
        for card in (card for card in range(NUM_CARDS) if card not in board):
            left = {hand: mass for hand, mass in reach.items() if card not in HANDS[hand]}
            on = ",".join(word for word in (path, card_name(card)) if word)
            found = self.value(on, deal(betting), (*board, card), left)
            for hand, _ in self.mine:
                if card not in HANDS[hand]:
                    total[hand] += found[hand] / (NUM_CARDS - len(board) - 4)
        return total

    def end(self, betting: Betting, board: tuple[int, ...], reach: dict[int, float]) -> dict[int, float]:
        strengths = strengths_of_boards([board])[0] if is_showdown(betting) else None
        found = {}
        for hand, _ in self.mine:
            found[hand] = 0.0
            for other, mass in reach.items():
                if set(HANDS[hand]) & set(HANDS[other]):
                    continue
                if strengths is None:
                    sign = -1 if betting.folded == self.opponent else 1
                else:
                    sign = int(np.sign(int(strengths[hand]) - int(strengths[other])))
                found[hand] += sign * mass * at_stake(betting)
        return found


def policy_of(player: int, *solves: tuple[str, SolvedSpot]) -> Policy:
    """Return the policy of several solves, each from its path on; the last one that has begun counts."""
    known: dict[str, tuple[list[str], np.ndarray]] = {}

    def play(path: str, hand: int) -> dict[str, float]:
        if path not in known:
            start, solved = [one for one in solves if f"{path},".startswith(f"{one[0]}," if one[0] else "")][
                -1
            ]
            node = solved.find(path[len(start) :].strip(","))
            assert node.betting.to_act == player
            shown = solved.strategy(node)
            known[path] = shown.actions, shown.policy
        actions, policy = known[path]
        return dict(zip(actions, policy[:, hand].tolist(), strict=True))

    return play


class Sequence(NamedTuple):
    """A solve of the turn, the answer to a bet that it does not have, and both in one."""

    base: SolvedSpot
    answer: SafeSolver
    whole: SpotSolver
    opponent: int

    @property
    def bound(self) -> float:
        """What the opponent wins at best if the answer is safe."""
        share = count_deals(self.answer.spot.ranges) / count_deals(self.base.spot.ranges)
        return self.base.solver.best_value(self.opponent) + share * self.answer.excess()


def answered(iterations: int, history: str, bet: str, base_iterations: int, mix: float = 1.0) -> Sequence:
    base = solve(make_turn(), base_iterations)
    moves = ",".join(word for word in (history, bet) if word)
    answer = answer_bet(base, moves, mix, threads=1)
    answer.advance(iterations)
    whole = ComposedPlay(make_turn(moves), 1)
    graft(whole, base.solver, answer.resolver)
    graft(whole, answer, answer.resolver, history)
    return Sequence(base, answer, whole, answer.opponent)


@pytest.mark.parametrize("mix", [1.0, 0.5])
@pytest.mark.parametrize(("history", "bet"), [("check", "bet60"), ("", "bet40"), ("bet100", "raise150")])
def test_an_answer_to_a_bet_is_never_above_its_bound(history: str, bet: str, mix: float) -> None:
    """However poor base and answer are: the bound knows what is missing."""
    for iterations in (2, 30):
        found = answered(iterations, history, bet, 10, mix)
        assert found.whole.best_value(found.opponent) < found.bound + 1e-3


def test_hands_of_alike_suits_stop_and_enter_together() -> None:
    """On a board of one suit rows stand for several hands; the bound and the plain best answer hold."""
    ranges = np.array([parse_range("AhAc,AhAd,AcAd,QhQd,QhQc,QcQd,6s5s"), parse_range("JJ,9s8s")])
    ranges *= compatible_hands(parse_board("3s7sTsKs"))
    spots = [
        make_spot(parse_board("3s7sTsKs"), 200, 400, parse_bet_sizes(BETS), ranges, 2, added_bets=added)
        for added in ((), ("check,bet60",))
    ]
    base = solve(spots[0], 20)
    assert base.solver.levels[0].num_rows(0, 0) < np.count_nonzero(ranges[0]) + 8
    answer = answer_bet(base, "check,bet60", mix=1.0, threads=1)
    answer.advance(30)
    whole = SpotSolver(spots[1], threads=1)
    graft(whole, base.solver, 0)
    graft(whole, answer, 0, "check")
    found = Sequence(base, answer, whole, 1)
    assert whole.best_value(1) < found.bound + 1e-3
    plain = Plain(spots[1], 1, policy_of(0, ("", base), ("check", SolvedSpot(answer.spot, answer))))
    assert plain.best() == pytest.approx(whole.best_value(1), abs=1e-2)


def test_the_plain_best_answer_to_a_sequence_is_the_measured_one() -> None:
    found = answered(20, "check", "bet60", 30)
    play = policy_of(0, ("", found.base), ("check", SolvedSpot(found.answer.spot, found.answer)))
    # No node of the base is asked for below the bet, and nothing was put together by the code under test.
    plain = Plain(found.whole.spot, found.opponent, play)
    assert plain.best() == pytest.approx(found.whole.best_value(found.opponent), abs=1e-2)


def test_solving_safely_what_is_in_the_tree_is_never_worse() -> None:
    """The old strategy keeps all hands at their stop values, so a converged answer has no excess."""
    base = solve(make_turn("check,bet60"), 6)
    before = base.solver.best_value(1)
    answer = answer_bet(base, "check,bet60", mix=1.0, threads=1)
    answer.advance(1_500)
    assert answer.exploitability() < 0.05
    assert answer.excess() < 0.1
    graft(base.solver, answer, 0, "check")
    assert base.solver.best_value(1) < before + 0.05
    assert base.solver.best_value(1) < before - 1  # the base was poor


def test_turn_bets_off_the_tree_and_rivers_in_a_row_never_rise_above_their_bounds() -> None:
    """Turn, a bet that it does not have, rivers, a bet that the river does not have; each solved safely."""
    sequence = answered(1_200, "check", "bet60", 40)
    found, bounds = [sequence.whole.best_value(1)], [sequence.bound]
    whole = sequence.whole
    assert isinstance(whole, ComposedPlay)
    for _ in range(2):  # rivers are solved anew, from the best answers to those before
        bounds.append(found[-1])
        whole.resolve_rivers(400, whole.best_answers(), mix=1.0)
        found.append(whole.best_value(1))
    spot, river = whole.spot, "check,bet60,call,2c"
    last = answer_bet(SolvedSpot(spot, whole), f"{river},check,bet40", mix=1.0, threads=1)
    last.advance(600)
    share = count_deals(last.spot.ranges) / count_deals(spot.ranges) * chance_weight(4, 5)
    bounds.append(found[-1] + share * last.excess())
    # The bet is there on all rivers: others have no answer yet, so only this river's is asked for.
    larger = make_turn("check,bet60", "check,bet60,call,check,bet40")
    play = policy_of(0, ("", SolvedSpot(spot, whole)), (f"{river},check", SolvedSpot(last.spot, last)))
    found.append(OneRiver(larger, 1, play, river).best())
    for measured, bound in zip(found, bounds, strict=True):
        assert measured < bound + 0.05  # chips of 200: iterations are missing
    for before, after in pairwise(found[:-1]):
        assert after < before + 0.05


class OneRiver(Plain):
    """The same where the bet of 40 % may be made on one river alone."""

    def __init__(self, spot: Spot, opponent: int, policy: Policy, river: str) -> None:
        super().__init__(spot, opponent, policy)
        self.river = river

    def value(
        self, path: str, betting: Betting, board: tuple[int, ...], reach: dict[int, float]
    ) -> dict[int, float]:
        words = path.split(",")
        if words[-1] == "bet40" and ",".join(words[:-2]) != self.river:
            return {hand: -np.inf for hand, _ in self.mine}
        return super().value(path, betting, board, reach)


def test_wrong_thoughts_of_the_opponent_cost_only_without_the_gadget() -> None:
    """The best hands are thought never to check behind: the bound holds with the gadget alone."""
    spot = make_turn("check,bet60")
    before = solve(spot, 100)
    bound = before.solver.best_value(1)
    question = ask(before, "check,bet60")
    wrong = question.before * (parse_range("AdAc,KcQc,QhQd") == 0)
    ranges = question.spot.ranges.copy()
    ranges[1] *= np.clip(wrong, 1e-6, 1)
    unsafe = SpotSolver(question.spot._replace(ranges=ranges), threads=1)
    safe = SafeSolver(question.spot, question.stops, wrong, mix=0.5, threads=1)
    measured = []
    for part in (unsafe, safe):
        part.advance(500)
        whole = solve(spot, 100)
        graft(whole.solver, part, 0, "check")
        measured.append(whole.solver.best_value(1))
    assert measured[0] > bound + 5  # chips of 200
    assert measured[1] < bound + 0.5


def test_stop_values_that_no_hand_takes_leave_an_ordinary_solve() -> None:
    base = solve(make_turn(), 40)
    question = ask(base, "check,bet60")
    answer = SafeSolver(question.spot, np.full(1326, -1e4), algorithm="dcfr", threads=1)
    answer.advance(200)
    plain = SpotSolver(question.spot, threads=1)
    plain.advance(200)
    played = answer.play()
    assert played.spot.ranges[1] == pytest.approx(question.spot.ranges[1], abs=1e-3)
    assert answer.value() == pytest.approx(plain.value(), abs=0.05)


def test_stop_values_are_what_hands_win_at_best() -> None:
    base = solve(make_turn(), 25)
    question = ask(base, "bet100")  # the opponent acts first: its stop values are those of the whole game
    ranges = base.spot.ranges
    answer = SafeSolver(question.spot, question.stops, threads=1)
    assert answer._stops.sum() == pytest.approx(base.solver.best_value(0), abs=1e-3)
    assert (question.spot.ranges == ranges).all()


def test_an_answer_is_refused_where_it_cannot_be_safe() -> None:
    spot = make_turn()
    rake = make_spot(spot.board, 200, 600, spot.sizes, spot.ranges, 2, locks=["check > check random"])
    with pytest.raises(InputError, match="locked"):
        ask(solve(rake, 1), "check,bet60")
    with pytest.raises(InputError, match="alternate"):
        SafeSolver(spot, np.zeros(1326), algorithm="dcfr(updates=simultaneous)")
    with pytest.raises(InputError, match="no bet"):
        ask(solve(spot, 1), "")
