"""Playthroughs of the whole tree: with right values the average policy is near an equilibrium."""

import pytest

from sog.core.errors import InputError
from sog.evaluation.rebel import RebelEvaluation
from sog.games.registry import load
from sog.search.exact import ExactEvaluator
from sog.search.rebel import RebelSettings


def test_exact_values_make_liars_dice_hard_to_exploit() -> None:
    evaluation = RebelEvaluation(load("liars_dice(dice=1,faces=3)"))
    settings = RebelSettings(iterations=256)
    done: list[int] = []
    report = evaluation.report(settings, ExactEvaluator(50), 20, seed=1, on_group=done.append)
    assert done == report.playthroughs == [16, 20]
    assert report.exploitabilities[-1] < 0.02
    assert report.subgames == 20 * 32  # bids of six, an even number of them made


def test_without_values_it_is_easy_to_exploit() -> None:
    evaluation = RebelEvaluation(load("liars_dice(dice=1,faces=3)"))
    report = evaluation.report(RebelSettings(iterations=64), None, 4, seed=1)
    assert report.exploitabilities[-1] > 0.1


def test_the_more_playthroughs_the_lower_the_bound() -> None:
    evaluation = RebelEvaluation(load("kuhn"))
    report = evaluation.report(RebelSettings(iterations=128), ExactEvaluator(200), 160, seed=1)
    assert report.exploitabilities[-1] < report.exploitabilities[0]
    assert report.exploitabilities[-1] < 0.05


def test_no_playthroughs_are_refused() -> None:
    with pytest.raises(InputError, match="1 or more"):
        RebelEvaluation(load("kuhn")).report(RebelSettings(), None, 0, seed=0)
