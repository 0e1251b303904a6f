"""How exploitable the agents of a training run are, on its way.

Verified: tests/evaluation/test_monitor.py, tests/evaluation/test_positions.py.
"""

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any

from sog.core.errors import InputError
from sog.evaluation.perfect import PerfectEvaluation
from sog.evaluation.positions import Positions, greedy_player
from sog.evaluation.rebel import RebelEvaluation
from sog.evaluation.searching import SearchEvaluation
from sog.games.base import AnyGame
from sog.nets.agents import Agent, make_network_evaluator
from sog.nets.cvpn import make_network
from sog.nets.spec import NetworkSpec, sizes_of
from sog.public.enumeration import Enumeration
from sog.public.evaluator import Evaluator
from sog.public.opening import encoding_of
from sog.public.store import ROOT
from sog.search.gtcfr import Searcher
from sog.search.rebel import RebelSettings
from sog.search.resolving import next_task
from sog.search.settings import SearchSettings, parse_search


class AnyMonitor(ABC):
    """Measures weights of one network on one game, always in the same way."""

    def __init__(self, game: AnyGame, spec: NetworkSpec, has_priors: bool = True) -> None:
        self.unit = game.info.unit
        self._game, self._spec, self._has_priors = game, spec, has_priors

    def prepare(self) -> None:
        """Have everything compiled."""
        network = make_network(self._spec, sizes_of(encoding_of(self._game)), seed=0)
        self._try_out(self._evaluator(network.state_dict()))

    def measure(self, weights: dict[str, Any]) -> dict[str, float]:
        """Return the exploitability in the game's unit, by the name of the search."""
        found = self._measure(self._evaluator(weights))
        return {name: value / self._game.info.unit_size for name, value in found.items()}

    def _evaluator(self, weights: dict[str, Any]) -> Evaluator:
        agent = Agent(self._game.info.name, self._spec, weights, 0)
        return make_network_evaluator(agent, self._game, self._has_priors)

    @abstractmethod
    def _try_out(self, evaluator: Evaluator) -> None:
        """Search as little as possible."""

    @abstractmethod
    def _measure(self, evaluator: Evaluator) -> dict[str, float]:
        """Return the exploitability in utilities, by the name of the search."""


class SearchMonitor(AnyMonitor):
    """What monitors of agents that search have in common: searches, and seeds to take the mean over."""

    def __init__(self, game: AnyGame, spec: NetworkSpec, searches: str, seeds: int) -> None:
        """searches: as for `sog evaluate --search`, separated by spaces."""
        super().__init__(game, spec)
        self._seeds = range(seeds)
        self._searches = [parse_search(text) for text in searches.split()]
        if not self._searches:
            raise InputError("run.evaluate_search names no search")
        self._quick = replace(self._searches[0], simulations=1, per_update=1.0)

    def _measure(self, evaluator: Evaluator) -> dict[str, float]:
        found = {}
        for settings in self._searches:
            values = self._sample(settings, evaluator)
            found[settings.name] = sum(values) / len(values)
        return found

    @abstractmethod
    def _sample(self, settings: SearchSettings, evaluator: Evaluator) -> list[float]:
        """Return the exploitability of every seed."""


class Monitor(SearchMonitor):
    """Measures on the whole tree of a game."""

    def __init__(self, game: AnyGame, whole: Enumeration, spec: NetworkSpec, searches: str, seeds: int):
        super().__init__(game, spec, searches, seeds)
        self._evaluation = SearchEvaluation(whole)

    def _try_out(self, evaluator: Evaluator) -> None:
        self._evaluation.sample(self._quick, evaluator, 0)

    def _sample(self, settings: SearchSettings, evaluator: Evaluator) -> list[float]:
        return self._evaluation.report(settings, evaluator, self._seeds).exploitabilities()


class PositionMonitor(SearchMonitor):
    """Measures on all positions of a small board, on which agents play what they like best."""

    def __init__(self, positions: Positions, spec: NetworkSpec, searches: str, seeds: int) -> None:
        super().__init__(positions.game, spec, searches, seeds)
        self._positions = positions

    def _try_out(self, evaluator: Evaluator) -> None:
        store = self._positions.store
        Searcher(store, evaluator, self._quick).search(next_task(store, None, ROOT, 0), seed=0)

    def _sample(self, settings: SearchSettings, evaluator: Evaluator) -> list[float]:
        plays = [greedy_player(evaluator, settings, seed) for seed in self._seeds]
        return [self._positions.exploitability(play) for play in plays]


class RebelMonitor(AnyMonitor):
    """Measures what ReBeL's agents play: a bound from a few playthroughs, always of the same seed."""

    def __init__(
        self,
        game: AnyGame,
        evaluation: RebelEvaluation | PerfectEvaluation,
        spec: NetworkSpec,
        settings: RebelSettings,
        playthroughs: int,
    ):
        super().__init__(game, spec, settings.uses_priors)
        self._evaluation, self._settings, self._playthroughs = evaluation, settings, playthroughs

    def _try_out(self, evaluator: Evaluator) -> None:
        self._evaluation.report(self._settings.shorten(), evaluator, 1, seed=0)

    def _measure(self, evaluator: Evaluator) -> dict[str, float]:
        report = self._evaluation.report(self._settings, evaluator, self._playthroughs, seed=0)
        return {report.search: report.exploitabilities[-1]}
