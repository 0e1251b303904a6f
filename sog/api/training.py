"""`sog.train`: a game learned by self-play, and a run that goes on.

Verified: tests/test_api.py.
"""

from dataclasses import dataclass
from pathlib import Path

from sog.api.results import AnyPath, Printed
from sog.games.base import AnyGame
from sog.games.registry import name_of_object
from sog.interfaces.cli import train_command
from sog.training.queries import AgentMonitor
from sog.training.run import Run
from sog.training.run_status import Measurement


@dataclass(repr=False)
class TrainResult(Printed):
    """A training run, done or stopped."""

    run: Run
    monitor: AgentMonitor | None
    is_done: bool

    @property
    def folder(self) -> Path:
        """Where it is; also the name of its newest agent."""
        return self.run.folder

    @property
    def steps(self) -> int:
        """Gradient steps."""
        return self.run.status.steps

    @property
    def curve(self) -> list[Measurement]:
        """How exploitable the agents were on the way, where that could be measured."""
        return self.run.status.curve

    def __str__(self) -> str:
        return "\n".join(train_command.describe(self.run, self.monitor, self.is_done))


def train(
    game: str | AnyGame | None = None,
    out: AnyPath | None = None,
    *,
    resume: AnyPath | None = None,
    config: AnyPath | None = None,
    method: str | None = None,
    begins_from: AnyPath | None = None,
    steps: int | None = None,
    minutes: float | None = None,
    workers: int = 0,
    seed: int | None = None,
) -> TrainResult:
    """Learn a game by sound self-play in the folder `out`, or go on with the run in the folder `resume`.

    With `begins_from`, an agent, the first weights are that agent's. Ctrl-C stops and saves.
    A game that is an object must be one that its file and class can make again.
    """
    options = train_command.Options(
        game=game if game is None or isinstance(game, str) else name_of_object(game),
        config=None if config is None else str(config),
        steps=steps,
        minutes=minutes,
        workers=workers,
        seed=seed,
        out=None if out is None else Path(out),
        resume=None if resume is None else Path(resume),
        method=method,
        begins_from=None if begins_from is None else str(begins_from),
    )
    return TrainResult(*train_command.train(options))
