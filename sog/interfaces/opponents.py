"""Who a person at the terminal plays against.

Verified: tests/interfaces/test_play_opponents.py.
"""

import shlex
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

from sog.agents.bot import Bot
from sog.agents.making import BotMaker, settings_of
from sog.agents.methods import parse_method
from sog.agents.specs import AgentSpec, SolutionSpec, Spec, check_bot, parse_bot
from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.registry import load
from sog.interfaces.progress import preparing
from sog.interfaces.solves import Limits, run_solver
from sog.interfaces.tree_building import build_limited_tree
from sog.nets import agents
from sog.nets.agents import load_agent, load_shipped_agent, shipped_agents
from sog.search.settings import SearchSettings
from sog.solvers.solver import Solver

_SOLVING_LIMITS = Limits(iterations=5000, seconds=60)


class Opponent(NamedTuple):
    """A bot, and what a person is told of it."""

    bot: Bot
    introduction: str
    hint: str = ""  # how to learn how good it is


class InterruptedSolveError(Exception):
    """The person did not want to wait."""


def choose_spec(game: AnyGame, opponent: str | None, agent: str | None, search: str | None) -> Spec:
    """Return who plays: as asked for, or the shipped agent that knows the game, or else any legal move."""
    if opponent is not None:
        for option, value in (("--agent", agent), ("--search", search)):
            if value is not None:
                raise InputError(f"{option} is for a trained agent: leave it out with --opponent")
        spec = parse_bot(opponent)
        check_bot(spec, game)
        return spec
    name = agent or _shipped(game)
    if name is None:
        if search is not None:
            raise InputError(
                f"--search is for a trained agent: --agent names one that has learned {game.info.name}"
            )
        return parse_bot("uniform")
    learned = load(load_agent(name).game).info.name
    if learned != game.info.name:
        raise InputError(f"{name} is an agent of {learned}, not of {game.info.name}")
    return AgentSpec(name, None if search is None else parse_method(search))


def make_opponent(game: AnyGame, spec: Spec, max_states: int) -> Opponent:
    """Return the opponent, ready to play: networks read, games solved, kernels compiled."""

    def run(solver: Solver, until: float | None) -> None:
        if run_solver(solver, _SOLVING_LIMITS._replace(until=until)).was_interrupted:
            raise InterruptedSolveError

    maker = BotMaker(game, enumerate_whole=lambda game: build_limited_tree(game, max_states), solve=run)
    with nullcontext() if isinstance(spec, SolutionSpec) else preparing("a minute"):
        bot, words = maker.make(spec)
    return Opponent(bot, f"Your opponent {words}.", _hint(game, spec))


def _shipped(game: AnyGame) -> str | None:
    for name in shipped_agents():
        if load(load_shipped_agent(name).game).info.name == game.info.name:
            return str(agents.SHIPPED / f"{name}.npz") if Path(name).exists() else name
    return None


def _hint(game: AnyGame, spec: Spec) -> str:
    """Return the command that says how good an agent is, where that can be measured."""
    if not isinstance(spec, AgentSpec) or game.info.is_perfect_information:
        return ""
    settings = settings_of(load_agent(spec.agent), spec.method)
    command = f"sog evaluate {shlex.quote(spec.agent)}"
    if isinstance(settings, SearchSettings):
        command += f" --search {settings.name.removeprefix('SoG(').removesuffix(')')}"
    return f"How exploitable your opponent is: {command}"
