"""`sog.evaluate` and `sog.check`: how exploitable an agent is, and whether a game keeps its promises.

Verified: tests/test_api.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sog.api.results import AnyPath, Printed, as_game
from sog.evaluation.searching import SearchEvaluation
from sog.games.base import AnyGame
from sog.interfaces.cli.evaluate_command import DEFAULT_SEARCH
from sog.interfaces.cli.measure_rebel import make_rebel_evaluation
from sog.interfaces.cli.option_types import DEFAULT_MAX_STATES
from sog.interfaces.cli.subjects import Subject, choose_subjects
from sog.interfaces.cli.tree_building import build_limited_tree
from sog.public import checking
from sog.search.rebel import read_settings
from sog.search.settings import parse_search


@dataclass(repr=False)
class EvaluateResult(Printed):
    """How exploitable agents are that search at every decision."""

    game: str
    values: str  # whose, in words
    unit: str
    exploitability: dict[str, list[float]]  # in the unit, by search, for each seed

    def mean(self, search: str | None = None) -> float:
        """Return the mean over the seeds of a search (default: the first)."""
        found = self.exploitability[search or next(iter(self.exploitability))]
        return sum(found) / len(found)

    def __str__(self) -> str:
        lines = [f"{self.game}, {self.values}: exploitability in {self.unit}"]
        for name, found in self.exploitability.items():
            spread = f"{min(found):.4g} to {max(found):.4g}, {len(found)} seeds"
            lines.append(f"  {name}  {self.mean(name):.4g}  ({spread})")
        return "\n".join(lines)


def evaluate(
    agent: AnyPath | None = None,
    *,
    game: str | AnyGame | None = None,
    evaluator: str | None = None,
    search: str | Sequence[str] | None = None,
    seeds: int = 10,
    playthroughs: int = 1024,
    first_seed: int = 0,
    max_states: int = DEFAULT_MAX_STATES,
) -> EvaluateResult:
    """Measure how exploitable an agent is that searches; or, with a game, a rule that learns nothing.

    search: one or several, as for the command (default 100,1). An agent that has learned by ReBeL plays as
    ReBeL does unless a search is said: an upper bound by so many playthroughs.

    >>> evaluate(game="kuhn", evaluator="exact", search="50,1", seeds=2).mean() < 0.1
    True
    """
    label = game if game is None or isinstance(game, str) else game.info.name
    if isinstance(game, str) or game is None:
        subjects, own = choose_subjects(None if agent is None else str(agent), False, label, evaluator)
    else:
        subjects, own = choose_subjects(None, False, "kuhn", evaluator)[0], game
    learned = subjects[0].agent
    if search is None and learned is not None and learned.rebel is not None:
        return _evaluate_rebel(subjects[0], own, learned.rebel, playthroughs, first_seed, max_states)
    texts = [search or DEFAULT_SEARCH] if search is None or isinstance(search, str) else search
    searches = [parse_search(text) for text in texts]
    answers = subjects[0].evaluator(own)
    evaluation = SearchEvaluation(build_limited_tree(own, max_states))
    numbers = range(first_seed, first_seed + seeds)
    found = {
        settings.name: [
            value / own.info.unit_size
            for value in evaluation.report(settings, answers, numbers).exploitabilities()
        ]
        for settings in searches
    }
    return EvaluateResult(own.info.name, subjects[0].words, own.info.unit, found)


def _evaluate_rebel(
    subject: Subject, game: AnyGame, learned: dict[str, Any], playthroughs: int, seed: int, max_states: int
) -> EvaluateResult:
    settings = read_settings(learned)
    evaluator = subject.evaluator(game, settings.uses_priors)
    report = make_rebel_evaluation(game, max_states).report(settings, evaluator, playthroughs, seed)
    bound = report.exploitabilities[-1] / game.info.unit_size
    return EvaluateResult(game.info.name, subject.words, game.info.unit, {report.search: [bound]})


def check(
    game: str | AnyGame,
    *,
    max_histories: int = checking.MAX_HISTORIES,
    plays: int = checking.NUM_PLAYS,
    seconds: float = checking.NUM_SECONDS,
    seed: int = 0,
) -> checking.CheckReport:
    """Play a game through, and say which of its promises it breaks.

    >>> check("kuhn").is_good
    True
    """
    return checking.check(as_game(game), max_histories, plays, seconds, seed)
