"""One seed of `sog evaluate`, measured by a worker: the same sample that the command itself finds.

Verified: tests/interfaces/cli/test_evaluate_command.py, tests/cluster/test_cluster.py.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from sog.evaluation.searching import Sample, SearchEvaluation
from sog.games.registry import load
from sog.interfaces.cli.subjects import Subject
from sog.public.enumeration import enumerate_game
from sog.public.evaluator import Evaluator
from sog.search.settings import SearchSettings


class Trial(NamedTuple):
    """What is to be measured."""

    subject: int
    settings: SearchSettings
    seed: int


def begin_to_measure(name: str, subjects: list[Subject]) -> Callable[[Trial], Sample]:
    """Return what measures trials of a game."""
    import torch  # slow to import, and needless where no worker measures

    torch.set_num_threads(1)
    game = load(name)
    evaluation = SearchEvaluation(enumerate_game(game))

    @cache
    def evaluator_of(number: int) -> Evaluator | None:
        return subjects[number].evaluator(game)

    def measure(trial: Trial) -> Sample:
        return evaluation.sample(trial.settings, evaluator_of(trial.subject), trial.seed)

    return measure
