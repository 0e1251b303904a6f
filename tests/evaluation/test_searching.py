"""Exploitability of searching agents: reproducible, falling with search, and safe."""

from dataclasses import replace

import numpy as np
import pytest

from sog.evaluation.searching import SearchEvaluation
from sog.games.registry import load
from sog.public.enumeration import enumerate_game
from sog.search.evaluators import make_evaluator
from sog.search.gtcfr import Searcher
from sog.search.settings import SearchSettings, parse_search
from sog.solvers.evaluation import Profile


@pytest.fixture(scope="module")
def leduc() -> SearchEvaluation:
    return SearchEvaluation(enumerate_game(load("leduc")))


def mean(
    evaluation: SearchEvaluation, evaluator: str, search: str, seeds: int = 4, **changes: object
) -> float:
    settings = replace(parse_search(search), **changes)  # type: ignore[arg-type]
    report = evaluation.report(settings, make_evaluator(evaluator), range(seeds))
    return float(np.mean(report.exploitabilities())) / load(evaluation.store.facts.name).info.unit_size


def test_every_decision_of_leduc_is_searched(leduc: SearchEvaluation) -> None:
    assert len(leduc.decisions) == 186


def test_a_seed_is_reproducible(leduc: SearchEvaluation) -> None:
    settings = SearchSettings(simulations=20)
    one, two = (leduc.sample(settings, None, seed=5) for _ in range(2))
    assert one.exploitability == two.exploitability
    assert leduc.sample(settings, None, seed=6).exploitability != one.exploitability


def test_search_makes_up_for_values_of_zero(leduc: SearchEvaluation) -> None:
    """With nothing known about leaves, SoG(1000,1) stays below 200 mbb/h, and below smaller searches."""
    small, large = mean(leduc, "zero", "33,1", 2), mean(leduc, "zero", "1000,1", 2)
    assert large < 200
    assert large < small / 2


def test_exploitability_falls_with_search_and_exact_values() -> None:
    evaluation = SearchEvaluation(enumerate_game(load("kuhn")))
    found = [mean(evaluation, "exact(iterations=50)", search) for search in ("10,1", "100,1", "1000,1")]
    assert found[0] > found[1] > found[2]
    assert found[2] < 0.01


def test_noise_costs_no_more_than_in_proportion() -> None:
    evaluation = SearchEvaluation(enumerate_game(load("kuhn")))
    exact = mean(evaluation, "exact(iterations=50)", "100,1")
    for epsilon in (0.05, 0.2):
        noisy = mean(evaluation, f"noisy(of='exact(iterations=50)',epsilon={epsilon})", "100,1")
        assert noisy < exact + 2 * epsilon


def test_unsafe_resolving_is_worse_with_more_search(leduc: SearchEvaluation) -> None:
    safe = mean(leduc, "zero", "1000,1", 2)
    unsafe = mean(leduc, "zero", "1000,1", 2, is_safe=False)
    assert unsafe > 1.5 * safe


@pytest.mark.slow
def test_exact_values_on_leduc_reach_the_papers_figures(leduc: SearchEvaluation) -> None:
    """Means of 8 seeds; the paper's trained network: 200 / 100 / 55 / 20 mbb/h."""
    for search, limit in (("33,1", 203), ("100,1", 94), ("300,1", 39), ("1000,1", 20)):
        assert mean(leduc, "exact", search, 8) < limit


@pytest.mark.slow
def test_unsafe_resolving_with_exact_values_does_not_converge(leduc: SearchEvaluation) -> None:
    found = [mean(leduc, "exact", search, 2, is_safe=False) for search in ("100,1", "1000,1")]
    assert found[1] > found[0]


def test_measuring_can_be_stopped(leduc: SearchEvaluation) -> None:
    """Within a search too: a stopped seed is no sample."""
    calls = 0

    def stop() -> bool:
        nonlocal calls
        calls += 1
        return calls > 60

    report = leduc.report(SearchSettings(simulations=50), None, range(1000), should_stop=stop)
    assert len(report.samples) < 20
    whole = leduc.report(SearchSettings(simulations=50), None, range(2))
    assert report.samples[:2] == [] or report.exploitabilities()[0] == whole.exploitabilities()[0]


def composed(evaluation: SearchEvaluation, search: str) -> Profile:
    """Return what an agent plays whose values are those of random play."""
    searcher = Searcher(evaluation.store, make_evaluator("uniform-rollout"), parse_search(search))
    found = evaluation.policy(searcher, 1)
    assert found is not None
    return found[0]


def test_boards_are_searched_as_boards() -> None:
    """An option that only boards know changes what an evaluated agent plays."""
    evaluation = SearchEvaluation(enumerate_game(load("go(size=2,komi=0.5,max_length=5)")))
    plain, everywhere = (composed(evaluation, search) for search in ("20,1", "20,1,learns_everywhere=1"))
    assert any((one != other).any() for one, other in zip(plain, everywhere, strict=True))
