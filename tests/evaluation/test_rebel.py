"""Playthroughs of the whole tree: with right values the average policy is near an equilibrium."""

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.core.rng import make_rng
from sog.evaluation import rebel
from sog.evaluation.rebel import RebelEvaluation
from sog.games.base import NUM_PLAYERS
from sog.games.registry import load
from sog.public.enumeration import enumerate_game
from sog.search.exact import ExactEvaluator
from sog.search.gtcfr import Searcher
from sog.search.rebel import RebelSettings
from sog.solvers.cfr import iterate, make_state
from sog.solvers.evaluation import Evaluation
from sog.solvers.policies import average_policy
from sog.solvers.schedules import REGRET_MATCHING, VARIANTS, discounts
from sog.solvers.traversal import push_reach

DICE = "liars_dice(dice=1,faces=3)"


def test_exact_values_make_liars_dice_hard_to_exploit() -> None:
    evaluation = RebelEvaluation(enumerate_game(load(DICE)))
    settings = RebelSettings(iterations=256)
    done: list[int] = []

    def listen(count: int, _: float) -> bool:
        done.append(count)
        return False

    report = evaluation.report(settings, ExactEvaluator(50), 20, seed=1, on_group=listen)
    assert done == report.playthroughs == [8, 16, 20]
    assert report.exploitabilities[-1] < 0.02
    assert 0 < report.subgames <= 20 * 32  # bids of six, an even number of them made


def test_the_sound_form_of_cfr_ave_converges_with_exact_values() -> None:
    """The modified form does not, as values of an exact solver jump (docs/rebel.md)."""
    settings = RebelSettings(iterations=256, algorithm="cfr-ave-sound")
    report = RebelEvaluation(enumerate_game(load(DICE))).report(settings, ExactEvaluator(50), 16, seed=1)
    assert report.exploitabilities[-1] < 0.02


def test_without_values_it_is_easy_to_exploit() -> None:
    report = RebelEvaluation(enumerate_game(load(DICE))).report(RebelSettings(iterations=64), None, 4, seed=1)
    assert report.exploitabilities[-1] > 0.1


def test_the_more_playthroughs_the_lower_the_bound() -> None:
    evaluation = RebelEvaluation(enumerate_game(load("kuhn")))
    settings, exact = RebelSettings(iterations=128), ExactEvaluator(200)
    one, many = (evaluation.report(settings, exact, count, seed=1).exploitabilities[-1] for count in (1, 160))
    assert many < 0.05 < one


@pytest.mark.parametrize("game", ["kuhn", DICE])
def test_every_iteration_once_for_its_weight_is_tabular_linear_cfr(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In subgames as deep as the game, 36 draws spread out are the first iteration once, the eighth eight."""
    iterations = 8
    monkeypatch.setattr(rebel, "FIRST_GROUP", 36)
    whole = enumerate_game(load(game))
    report = RebelEvaluation(whole).report(RebelSettings(20, iterations), None, 36, seed=2)
    exact = Evaluation(whole.layout, whole.terminals())
    layout, state = exact.layout, make_state(exact.layout, REGRET_MATCHING)
    for player in range(NUM_PLAYERS):
        state[player].policy[:] = exact.uniform_policy()[player]
        push_reach(layout.players[player], state[player].policy, state[player].reach)
    weights = discounts(VARIANTS["lcfr"], 1, iterations)
    iterate(REGRET_MATCHING, False, weights, layout.players, exact.terminals, state)
    average = [average_policy(layout.players[player], state[player].average) for player in range(2)]
    assert report.exploitabilities == [pytest.approx(exact.exploitability((average[0], average[1])))]
    assert report.subgames == iterations  # equal ones are solved once


def test_what_is_left_out_has_no_weight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reach is the same if subgames to which nobody comes are solved as well."""
    settings, found, counts = RebelSettings(iterations=64), [], []
    monkeypatch.setattr(rebel, "_draw_evenly", lambda nodes, rng: np.full(len(nodes), 0.99))
    for visits_all in (False, True):
        evaluation = RebelEvaluation(enumerate_game(load(DICE)))
        if visits_all:
            monkeypatch.setattr(evaluation, "_comes", lambda reach, node: True)
        searcher = Searcher(evaluation._whole.store, None, settings.search())
        reaches, solved = evaluation._play(searcher, settings, 1, make_rng(0))
        found.append(reaches[0])
        counts.append(solved)
    for player in range(NUM_PLAYERS):
        np.testing.assert_array_equal(found[0][player], found[1][player])
    assert counts[0] < counts[1] == 32


def test_shares_of_a_state_are_spread_out() -> None:
    nodes = [4, 7, 4, 4, 7, 9]
    drawn = np.array([rebel._draw_evenly(nodes, make_rng(seed)) for seed in range(2000)])
    for node in (4, 7, 9):
        places = [place for place, at in enumerate(nodes) if at == node]
        parts = np.sort((drawn[:, places] * len(places)).astype(int), axis=1)
        np.testing.assert_array_equal(parts, np.tile(np.arange(len(places)), (2000, 1)))
    np.testing.assert_allclose(drawn.mean(axis=0), 0.5, atol=0.03)  # each by itself is uniform
    np.testing.assert_allclose(drawn.var(axis=0), 1 / 12, atol=0.01)


def test_whoever_listens_may_stop_it() -> None:
    report = RebelEvaluation(enumerate_game(load("kuhn"))).report(
        RebelSettings(iterations=8), None, 100, seed=0, on_group=lambda count, _: count >= 16
    )
    assert report.playthroughs == [8, 16]


def test_no_playthroughs_are_refused() -> None:
    with pytest.raises(InputError, match="1 or more"):
        RebelEvaluation(enumerate_game(load("kuhn"))).report(RebelSettings(), None, 0, seed=0)
