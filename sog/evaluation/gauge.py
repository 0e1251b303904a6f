"""How exploitable the agents of a training run are, on its way.

Verified: tests/evaluation/test_gauge.py.
"""

from dataclasses import replace
from typing import Any

from sog.core.errors import InputError
from sog.evaluation.perfect import PerfectEvaluation
from sog.evaluation.positions import PositionGauge
from sog.evaluation.rebel import RebelEvaluation
from sog.evaluation.searching import SearchEvaluation
from sog.games.base import AnyGame
from sog.nets.agents import Agent, make_network_evaluator
from sog.nets.cvpn import make_network
from sog.nets.spec import NetworkSpec, sizes_of
from sog.public.enumeration import Enumeration
from sog.public.evaluator import Evaluator
from sog.public.opening import encoding_of
from sog.search.rebel import RebelSettings
from sog.search.settings import parse_search


class Gauge:
    """Measures weights of one network on one game, always with the same searches and seeds."""

    def __init__(self, game: AnyGame, whole: Enumeration, spec: NetworkSpec, searches: str, seeds: int):
        """searches: as for `sog evaluate --search`, separated by spaces."""
        self.unit = game.info.unit
        self._game, self._spec, self._seeds = game, spec, range(seeds)
        self._searches = [parse_search(text) for text in searches.split()]
        if not self._searches:
            raise InputError("run.evaluate_search names no search")
        self._evaluation = SearchEvaluation(whole)

    def prepare(self) -> None:
        """Have everything compiled."""
        network = make_network(self._spec, sizes_of(encoding_of(self._game)), seed=0)
        evaluator = self._evaluator(network.state_dict())
        self._evaluation.sample(replace(self._searches[0], simulations=1, per_update=1.0), evaluator, 0)

    def measure(self, weights: dict[str, Any]) -> dict[str, float]:
        """Return the mean exploitability in the game's unit, by the name of the search."""
        evaluator = self._evaluator(weights)
        found = {}
        for settings in self._searches:
            values = self._evaluation.report(settings, evaluator, self._seeds).exploitabilities()
            found[settings.name] = sum(values) / len(values) / self._game.info.unit_size
        return found

    def _evaluator(self, weights: dict[str, Any]) -> Evaluator:
        return make_network_evaluator(Agent(self._game.info.name, self._spec, weights, 0), self._game)


class RebelGauge:
    """Measures what ReBeL's agents play: a bound from a few playthroughs, always of the same seed."""

    def __init__(
        self,
        game: AnyGame,
        evaluation: RebelEvaluation | PerfectEvaluation,
        spec: NetworkSpec,
        settings: RebelSettings,
        playthroughs: int,
    ):
        self.unit = game.info.unit
        self._game, self._spec, self._settings, self._playthroughs = game, spec, settings, playthroughs
        self._evaluation = evaluation

    def prepare(self) -> None:
        """Have everything compiled."""
        network = make_network(self._spec, sizes_of(encoding_of(self._game)), seed=0)
        evaluator = self._evaluator(network.state_dict())
        self._evaluation.report(self._settings.shorten(), evaluator, 1, seed=0)

    def measure(self, weights: dict[str, Any]) -> dict[str, float]:
        """Return the bound on exploitability in the game's unit, by the name of the search."""
        report = self._evaluation.report(self._settings, self._evaluator(weights), self._playthroughs, seed=0)
        return {report.search: report.exploitabilities[-1] / self._game.info.unit_size}

    def _evaluator(self, weights: dict[str, Any]) -> Evaluator:
        agent = Agent(self._game.info.name, self._spec, weights, 0)
        return make_network_evaluator(agent, self._game, self._settings.uses_priors)


AnyGauge = Gauge | RebelGauge | PositionGauge
