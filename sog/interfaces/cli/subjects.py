"""Whose values the searches of `sog evaluate` use: those of networks, or of a rule that learns nothing.

Verified: tests/interfaces/cli/test_evaluate_command.py.
"""

from pathlib import Path
from typing import NamedTuple

from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.registry import SPOTS, load
from sog.nets.agents import Agent, find_snapshots, load_agent, make_network_evaluator, read_agent
from sog.public.evaluator import Evaluator
from sog.search.evaluators import ZERO, make_evaluator


class Subject(NamedTuple):
    """A network, or an evaluator that learns nothing."""

    values: str  # in words
    agent: Agent | None

    @property
    def words(self) -> str:
        """Who it is, for a title."""
        return f"{self.values} values" if self.agent is None else self.values

    def evaluator(self, game: AnyGame, has_priors: bool = True) -> Evaluator | None:
        """Return what answers, with the network's priors if they are of use."""
        if self.agent is None:
            return make_evaluator(self.values)
        return make_network_evaluator(self.agent, game, has_priors)


def choose_subjects(
    name: str | None, checkpoints: bool, game: str | None, evaluator: str | None
) -> tuple[list[Subject], AnyGame]:
    """Return what is to be measured, and the game: an agent, all agents of a run, or an evaluator."""
    if name is None:
        if game is None:
            raise InputError("name an agent, or --game GAME for values that nobody has learned")
        if checkpoints:
            raise InputError("--checkpoints needs the directory of a training run")
        make_evaluator(evaluator or ZERO)
        return [Subject(evaluator or ZERO, None)], load(game)
    for option, value in (("--game", game), ("--evaluator", evaluator)):
        if value is not None:
            raise InputError(f"{option} is for values that nobody has learned: leave it out with an agent")
    agents = [read_agent(path) for path in find_snapshots(Path(name))] if checkpoints else [load_agent(name)]
    names = sorted({agent.game for agent in agents})
    if names[0] in SPOTS:
        raise InputError(f"{name} plays spots of hold'em: sog evaluate {name} --spot {names[0]}")
    if len(names) > 1:
        raise InputError(f"{name} has agents of several games: {', '.join(names)}")
    return [Subject(f"network of {agent.steps:,} steps", agent) for agent in agents], load(names[0])
