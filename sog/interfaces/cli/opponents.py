"""Who a person plays against: as asked for, the agent that is shipped for the game, or else a program for
this kind of game, or a search.

Verified: tests/interfaces/cli/test_play_opponents.py.
"""

import shlex
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

from sog.agents.bot import NO_LIMITS, Bot, Limits
from sog.agents.making import BotMaker, settings_of
from sog.agents.methods import MOST_SIMULATIONS, parse_method
from sog.agents.rollouts import MctsSettings
from sog.agents.searching import SearchBot
from sog.agents.specs import AgentSpec, SolutionSpec, Spec, UniformSpec, check_bot, parse_bot
from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.programs import USUAL
from sog.games.registry import SPOTS, load
from sog.interfaces.cli import solves
from sog.interfaces.cli.progress import preparing
from sog.interfaces.cli.tree_building import build_limited_tree
from sog.nets import agents
from sog.nets.agents import load_agent, load_shipped_agent, shipped_agents
from sog.search.evaluators import RolloutEvaluator
from sog.search.settings import SearchSettings
from sog.solvers.solver import Solver

_SOLVING_LIMITS = solves.Limits(iterations=5000, seconds=60)
_USUAL_SECONDS = 2.0  # that a search without a trained agent thinks about a move
_MOST_ROLLOUTS = 1_000_000  # of such a search, where nothing is hidden
_HIDDEN_SEARCH = SearchSettings(simulations=10_000)  # of such a search, where something is


class Choice(NamedTuple):
    """Who plays, before anything is loaded."""

    name: str
    spec: Spec | None  # None: a search with rollouts, where something is hidden
    limits: Limits


class Opponent(NamedTuple):
    """A bot, and what a person is told of it."""

    bot: Bot
    make_another: Callable[[], Bot]  # of the same kind
    limits: Limits  # of its thinking about a move
    name: str
    words: str  # what it does
    hint: str = ""  # how to learn how good it is


class InterruptedSolveError(Exception):
    """The person did not want to wait."""


def choose_opponent(
    game: AnyGame, opponent: str | None, agent: str | None, search: str | None, seconds: float | None
) -> Choice:
    """Return who plays: as asked for, the shipped agent of the game, a program for it, or a search."""
    limits = NO_LIMITS if seconds is None else Limits(MOST_SIMULATIONS, seconds)
    if opponent is not None:
        for option, value in (("--agent", agent), ("--search", search)):
            if value is not None:
                raise InputError(f"{option} is for a trained agent: leave it out with --opponent")
        spec = parse_bot(opponent)
        check_bot(spec, game)
        if seconds is not None and isinstance(spec, SolutionSpec | UniformSpec):
            raise InputError(f"--seconds is for opponents that search, and {opponent} does not")
        return Choice(opponent, spec, limits)
    name = agent or _shipped(game)
    if name is None:
        if search is not None:
            raise InputError(
                f"--search is for a trained agent: --agent names one that has learned {game.info.name}"
            )
        if (usual_program := USUAL.get(game.info.name.partition("(")[0])) is not None:
            return Choice(usual_program, parse_bot(usual_program), limits)
        usual = Limits(seconds=seconds or _USUAL_SECONDS)
        return Choice("a search", _rollouts() if game.info.is_perfect_information else None, usual)
    learned = load(load_agent(name).game).info.name
    if learned != game.info.name:
        raise InputError(f"{name} is an agent of {learned}, not of {game.info.name}")
    return Choice(f"the agent {name}", AgentSpec(name, parse_method(search) if search else None), limits)


def _rollouts() -> MctsSettings:
    return MctsSettings(simulations=_MOST_ROLLOUTS)


def make_opponent(game: AnyGame, choice: Choice, max_states: int) -> Opponent:
    """Return the opponent, ready to play: networks read, games solved, everything compiled."""
    spec = choice.spec

    def run(solver: Solver, until: float | None) -> None:
        if solves.run_solver(solver, _SOLVING_LIMITS._replace(until=until)).was_interrupted:
            raise InterruptedSolveError

    maker = BotMaker(game, enumerate_whole=lambda game: build_limited_tree(game, max_states), solve=run)

    def make() -> tuple[Bot, str]:
        if spec is None:
            return SearchBot(RolloutEvaluator(rollouts=1), _HIDDEN_SEARCH), "searches"
        return maker.make(spec)

    with nullcontext() if isinstance(spec, SolutionSpec) else preparing("a minute"):
        bot, words = make()
    if spec is None or spec == _rollouts():
        words = f"tries moves out with random play, {choice.limits.seconds:g} seconds a move"
    return Opponent(bot, lambda: make()[0], choice.limits, choice.name, words, _hint(game, spec))


def _shipped(game: AnyGame) -> str | None:
    for name in shipped_agents():
        learned = load_shipped_agent(name).game
        if learned not in SPOTS and load(learned).info.name == game.info.name:
            return str(agents.SHIPPED / f"{name}.npz") if Path(name).exists() else name
    return None


def _hint(game: AnyGame, spec: Spec | None) -> str:
    """Return the command that says how good an agent is, where that can be measured."""
    if not isinstance(spec, AgentSpec) or game.info.is_perfect_information:
        return ""
    settings = settings_of(load_agent(spec.agent), spec.method)
    command = f"sog evaluate {shlex.quote(spec.agent)}"
    if isinstance(settings, SearchSettings):
        command += f" --search {settings.name.removeprefix('SoG(').removesuffix(')')}"
    return f"How exploitable your opponent is: {command}"
