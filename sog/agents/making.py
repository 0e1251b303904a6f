"""Bots from how they are written: networks are read, engines started, games solved, kernels compiled.

Verified: tests/agents/test_making.py.
"""

import sys
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from sog.agents.boards import BoardBot
from sog.agents.bot import Bot, Limits
from sog.agents.cursor import Stores
from sog.agents.gtp_engine import GtpBot
from sog.agents.methods import parse_method
from sog.agents.programs import ProgramBot
from sog.agents.rebel import RebelBot
from sog.agents.rollouts import MctsBot, MctsSettings, OpenSpielBot
from sog.agents.searching import SearchBot
from sog.agents.seated import UniformBot
from sog.agents.specs import (
    UNTRAINED,
    USUAL_METHOD,
    AgentSpec,
    GtpSpec,
    OpenSpielSpec,
    ProgramSpec,
    SolutionSpec,
    Spec,
    UciSpec,
    check_bot,
    find_agent,
)
from sog.agents.table import Table
from sog.agents.tabular import IsMctsBot, IsMctsSettings, PolicyBot
from sog.agents.uci_engine import UciBot
from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.board_view import is_board_game
from sog.games.programs import open_program
from sog.nets.agents import Agent, make_network_evaluator
from sog.nets.evaluator import NetworkEvaluator
from sog.nets.spec import NetworkSpec, sizes_of
from sog.public.enumeration import Enumeration
from sog.public.limits import enumerate_within
from sog.public.opening import encoding_of
from sog.search.analysis import Method
from sog.search.puct import PuctSettings
from sog.search.rebel import RebelSettings, read_settings
from sog.search.settings import SearchSettings
from sog.solvers.checkpoint import load_checkpoint
from sog.solvers.solver import Solver

PATIENCE = 60.0  # seconds that an engine may need for an answer
_UNTRAINED_BOARD = NetworkSpec("resnet", layers=1, width=8)  # it knows nothing: the smaller the better
_UNTRAINED = NetworkSpec("mlp", layers=1, width=8)
_SOLVING = "dcfr"
_SOLVED_SHARE = 1e-4  # of the largest utility: exploitability of a solved game
_SOLVING_ITERATIONS, _SOLVING_SECONDS = 5000, 60.0


def solve_quietly(solver: Solver, until: float | None) -> None:
    """Run a solver until little can be gained against it."""
    solver.run(_SOLVING_ITERATIONS, until, _SOLVING_SECONDS)


class BotMaker:
    """Makes the bots of one game in one process; they share what the rules say.

    >>> from sog.agents.specs import parse_bot
    >>> from sog.games.registry import load
    >>> bot, words = BotMaker(load("kuhn")).make(parse_bot("uniform"))
    >>> words
    'plays any legal move'
    """

    def __init__(
        self,
        game: AnyGame,
        patience: float = PATIENCE,
        enumerate_whole: Callable[[AnyGame], Enumeration] = enumerate_within,
        solve: Callable[[Solver, float | None], None] = solve_quietly,
    ) -> None:
        """enumerate_whole, solve: with limits and progress, for people who wait."""
        self.game, self._patience = game, patience
        self._enumerate, self._solve, self._stores = enumerate_whole, solve, Stores()

    def make(self, spec: Spec) -> tuple[Bot, str]:
        """Return a bot, ready to play, and what it does, in words."""
        check_bot(spec, self.game)
        if isinstance(spec, AgentSpec):
            return self._make_agent(spec)
        if isinstance(spec, UciSpec):
            return UciBot(spec.command, spec.settings, self._patience), "is a UCI engine"
        if isinstance(spec, GtpSpec):
            return GtpBot(spec.command, self.game, self._patience), "is a GTP engine"
        if isinstance(spec, OpenSpielSpec):
            words = f"searches with {spec.simulations:,} rollouts of OpenSpiel's"
            return OpenSpielBot(self.game, spec.simulations), words
        if isinstance(spec, MctsSettings):
            words = f"searches with {spec.simulations:,} random rollouts a move"
            return self._warm(MctsBot(spec)), words
        if isinstance(spec, IsMctsSettings):
            words = f"searches with {spec.simulations:,} simulations of IS-MCTS a move"
            return IsMctsBot(self._whole, spec), words
        if isinstance(spec, ProgramSpec):
            program = open_program(spec.name, spec.settings, self.game)
            return self._warm(ProgramBot(program, self._stores)), f"is {spec.name} ({spec.settings})"
        if isinstance(spec, SolutionSpec):
            return self._make_solution(spec)
        return UniformBot(), "plays any legal move"

    @cached_property
    def _whole(self) -> Enumeration:
        return self._enumerate(self.game)

    def _make_solution(self, spec: SolutionSpec) -> tuple[Bot, str]:
        if spec.path is None:
            solver = Solver(self.game, _SOLVING, whole=self._whole)
            self._solve(solver, _SOLVED_SHARE * self.game.info.max_utility or None)
        else:
            path, saved = Path(spec.path), load_checkpoint(Path(spec.path))
            is_single = any(array.dtype == np.float32 for array in saved.arrays.values())
            kind: type[np.floating[Any]] = np.float32 if is_single else np.float64
            solver = Solver(self.game, saved.algorithm, kind, whole=self._whole)
            solver.resume(path)
        words = f"plays a policy that is exploitable by {solver.exploitability():.3g} a game"
        return PolicyBot(self._whole, solver.policy()), words

    def _make_agent(self, spec: AgentSpec) -> tuple[Bot, str]:
        game = self.game
        agent = find_agent(spec.agent, game.info.name.partition("(")[0])
        settings = settings_of(agent, spec.method)
        has_priors = not isinstance(settings, RebelSettings) or settings.uses_priors
        evaluator = make_evaluator(agent, game, has_priors)
        if "torch" in sys.modules:
            sys.modules["torch"].set_num_threads(1)  # small networks are slower on several cores
        if isinstance(settings, RebelSettings):
            bot: Bot = RebelBot(evaluator, settings, self._stores)
        elif is_board_game(game):
            bot = BoardBot(evaluator, settings)
        elif isinstance(settings, SearchSettings):
            bot = SearchBot(evaluator, settings, self._stores)
        else:
            raise InputError(f"mcts with a network is for boards that hide nothing, not {game.info.name}")
        learned = (
            "has learned nothing" if agent is None else f"has learned the game for {agent.steps:,} steps"
        )
        return self._warm(bot), f"{learned} and searches at each turn: {name_method(settings)}"

    def _warm(self, bot: Bot) -> Bot:
        """Compile or load the kernels: have a bot act once."""
        table = Table(self.game, (bot, UniformBot()), 0)
        while not table.is_over:
            turn = table.play.turn
            table.step(Limits(simulations=2))
            if turn == 0:
                break
        return bot


def settings_of(agent: Agent | None, method: Method | None) -> Method | RebelSettings:
    """Return how an agent searches: as it is told, as ReBeL if it has learned so, or as usual."""
    if method is None and agent is not None and agent.rebel is not None:
        return read_settings(agent.rebel)
    if method is None and agent is not None and agent.search:
        return parse_method(f"gtcfr:{agent.search}")
    return parse_method(USUAL_METHOD) if method is None else method


def name_method(settings: Method | RebelSettings) -> str:
    """Return how a search is called, for people.

    >>> name_method(parse_method("mcts:80"))
    'MCTS(80)'
    """
    return f"MCTS({settings.simulations})" if isinstance(settings, PuctSettings) else settings.name


def make_evaluator(agent: Agent | None, game: AnyGame, has_priors: bool = True) -> NetworkEvaluator:
    """Return an agent's network, or an untrained one, as an evaluator of a game's states."""
    if agent is not None:
        return make_network_evaluator(agent, game, has_priors)
    from sog.nets.cvpn import make_network  # imports torch, which is slow

    sizes = sizes_of(encoding_of(game))
    spec = _UNTRAINED_BOARD if sizes.is_board else _UNTRAINED
    return NetworkEvaluator(make_network(spec, sizes, seed=0), UNTRAINED)
