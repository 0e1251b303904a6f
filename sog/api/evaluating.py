"""`sog.evaluate` and `sog.check`: how exploitable an agent is, and whether a game keeps its promises.

Verified: tests/test_api.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sog.api.results import AnyPath, Printed, as_game
from sog.evaluation.searching import SearchEvaluation
from sog.games.base import AnyGame
from sog.interfaces.option_types import DEFAULT_MAX_STATES
from sog.interfaces.subjects import choose_subjects
from sog.interfaces.tree_building import build_limited_tree
from sog.public import checking
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
    search: str | Sequence[str] = "100,1",
    seeds: int = 10,
    first_seed: int = 0,
    max_states: int = DEFAULT_MAX_STATES,
) -> EvaluateResult:
    """Measure how exploitable an agent is that searches; or, with a game, a rule that learns nothing.

    >>> evaluate(game="kuhn", evaluator="exact", search="50,1", seeds=2).mean() < 0.1
    True
    """
    label = game if game is None or isinstance(game, str) else game.info.name
    if isinstance(game, str) or game is None:
        subjects, own = choose_subjects(None if agent is None else str(agent), False, label, evaluator)
    else:
        subjects, own = choose_subjects(None, False, "kuhn", evaluator)[0], game
    searches = [parse_search(text) for text in ([search] if isinstance(search, str) else search)]
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
