"""Where a training run stands: counts, losses and the curve of exploitability."""

from dataclasses import dataclass, field
from typing import NamedTuple

from sog.core.errors import InputError


class Counts(NamedTuple):
    """What generators have done."""

    games: int = 0
    resigned: int = 0
    score: float = 0.0  # of player 0 in all games, as shares of the largest utility
    searches: int = 0  # of self-play
    moves: int = 0
    solved: int = 0  # queries
    recursive: int = 0  # queries that came of those
    seconds: float = 0.0  # of CPU
    deaths: int = 0  # of workers

    def plus(self, other: "Counts") -> "Counts":
        """Return both together."""
        return Counts(
            games=self.games + other.games,
            resigned=self.resigned + other.resigned,
            score=self.score + other.score,
            searches=self.searches + other.searches,
            moves=self.moves + other.moves,
            solved=self.solved + other.solved,
            recursive=self.recursive + other.recursive,
            seconds=self.seconds + other.seconds,
            deaths=self.deaths + other.deaths,
        )


class DivergedError(InputError):
    """Numbers of a training run are no numbers any more."""


class Losses(NamedTuple):
    """Of one step, or the mean of some, before weighting."""

    value: float
    policy: float


class Measurement(NamedTuple):
    """How exploitable the agent was."""

    step: int
    seconds: float
    exploitability: dict[str, float]  # in the game's unit, by the name of the search


@dataclass
class RunStatus:
    """Where a run stands."""

    steps: int = 0
    seconds: float = 0.0  # of training, without measuring
    counts: Counts = Counts()  # noqa: RUF009  # a frozen value
    waiting: int = 0  # queries of the generator that was heard last
    losses: Losses | None = None  # mean of the steps since the last line of metrics
    examples: int = 0  # ever made
    buffer: int = 0  # examples to draw from
    memory: dict[str, int] = field(default_factory=dict)  # bytes of the generator that was heard last
    curve: list[Measurement] = field(default_factory=list)
