import pytest

from sog.core.errors import InputError
from sog.evaluation.monitor import Monitor, RebelMonitor
from sog.evaluation.rebel import RebelEvaluation
from sog.evaluation.searching import SearchEvaluation
from sog.games.registry import load
from sog.nets.agents import Agent, make_network_evaluator
from sog.nets.cvpn import make_network
from sog.nets.spec import NetworkSpec, sizes_of
from sog.public.enumeration import enumerate_game
from sog.public.opening import encoding_of
from sog.search.rebel import RebelSettings
from sog.search.settings import SearchSettings


def test_it_measures_what_sog_evaluate_measures() -> None:
    game, spec = load("kuhn"), NetworkSpec(layers=1, width=8)
    weights = make_network(spec, sizes_of(encoding_of(game)), seed=1).state_dict()
    monitor = Monitor(game, enumerate_game(game), spec, "10,1 40,1", seeds=2)
    monitor.prepare()
    found = monitor.measure(weights)
    assert list(found) == ["SoG(10,1)", "SoG(40,1)"]
    evaluator = make_network_evaluator(Agent("kuhn", spec, weights, 0), game)
    report = SearchEvaluation(enumerate_game(game)).report(SearchSettings(40), evaluator, range(2))
    assert found["SoG(40,1)"] == pytest.approx(sum(report.exploitabilities()) / 2 / game.info.unit_size)
    assert monitor.measure(weights) == found


def test_there_must_be_a_search() -> None:
    game = load("kuhn")
    with pytest.raises(InputError, match="names no search"):
        Monitor(game, enumerate_game(game), NetworkSpec(), " ", seeds=1)


def test_rebel_s_agents_are_measured_by_what_they_play() -> None:
    game, spec, settings = load("kuhn"), NetworkSpec(layers=1, width=8), RebelSettings(1, 12)
    weights = make_network(spec, sizes_of(encoding_of(game)), seed=1).state_dict()
    monitor = RebelMonitor(game, RebelEvaluation(enumerate_game(game)), spec, settings, playthroughs=10)
    monitor.prepare()
    evaluator = make_network_evaluator(Agent("kuhn", spec, weights, 0), game, has_priors=False)
    report = RebelEvaluation(enumerate_game(game)).report(settings, evaluator, 10, seed=0)
    assert monitor.measure(weights) == {settings.name: pytest.approx(report.exploitabilities[-1])}
