"""A trained agent as an opponent: at each of its turns it searches on, with its network at the leaves.

Verified: tests/interfaces/test_agent_opponent.py.
"""

import shlex
from dataclasses import replace
from random import Random
from typing import NamedTuple

from sog.core.errors import InputError
from sog.games.base import TERMINAL, AnyGame
from sog.games.registry import load
from sog.nets.agents import Agent, load_agent, load_shipped_agent, make_network_evaluator, shipped_agents
from sog.public.opening import open_store
from sog.search.gtcfr import Searcher
from sog.search.player import Player, SeatedPlayer
from sog.search.rebel import RebelSettings, read_settings
from sog.search.rebel_player import RebelPlayer
from sog.search.settings import SearchSettings, parse_search

DEFAULT_SEARCH = "100,1"  # of an agent that does not play ReBeL
AnySettings = SearchSettings | RebelSettings


class ChosenAgent(NamedTuple):
    """An agent that has learned the game that is played."""

    name: str  # as it was typed
    agent: Agent

    def settings(self, search: str | None) -> AnySettings:
        """Return how the agent searches: as it was told, as ReBeL if it is one, or by SoG's default."""
        if search is None and self.agent.rebel is not None:
            return read_settings(self.agent.rebel)
        return parse_search(search or DEFAULT_SEARCH)

    def introduction(self, settings: AnySettings) -> str:
        """Return what a person is told of the opponent."""
        learned = f"has learned the game for {self.agent.steps:,} steps"
        return f"Your opponent {learned} and searches at each turn: {settings.name}."

    def hint(self, search: str | None) -> str:
        """Return the command that says how good the agent is."""
        command = f"sog evaluate {shlex.quote(self.name)}"
        if search is not None or self.agent.rebel is None:
            command += f" --search {search or DEFAULT_SEARCH}"
        return f"How exploitable your opponent is: {command}"


def choose_agent(game: AnyGame, name: str | None) -> ChosenAgent | None:
    """Return the agent of that name, or the shipped one that knows the game if there is any."""
    if name is not None:
        agent = load_agent(name)
        learned = load(agent.game).info.name
        if learned != game.info.name:
            raise InputError(f"{name} is an agent of {learned}, not of {game.info.name}")
        return ChosenAgent(name, agent)
    for shipped in shipped_agents():
        agent = load_shipped_agent(shipped)
        if load(agent.game).info.name == game.info.name:
            return ChosenAgent(shipped, agent)
    return None


class AgentOpponent:
    """Searches the public state it is in, each search going on where the last one ended."""

    def __init__(self, game: AnyGame, agent: Agent, settings: AnySettings, seat: int, seed: int) -> None:
        store = open_store(game)
        if isinstance(settings, RebelSettings):
            evaluator = make_network_evaluator(agent, game, settings.uses_priors)
            _warm_up(game, RebelPlayer(store, evaluator, settings.shorten(), seat, seed), seat)
            self._player: SeatedPlayer = RebelPlayer(store, evaluator, settings, seat, seed)
            return
        evaluator = make_network_evaluator(agent, game)
        quick = replace(settings, simulations=1, per_update=1)
        _warm_up(game, Player(Searcher(store, evaluator, quick), seat, seed=0), seat)
        self._player = Player(Searcher(store, evaluator, settings), seat, seed)

    def choose(self, num_moves: int, random: Random) -> int:
        """Draw a move from what a search plays."""
        probabilities = self._player.probabilities()
        assert probabilities.size == num_moves
        return random.choices(range(num_moves), probabilities.tolist())[0]

    def note(self, move: int) -> None:
        """Follow a move into the public state it leads to."""
        self._player.note(move)


def _warm_up(game: AnyGame, player: SeatedPlayer, seat: int) -> None:
    """Compile or load the kernels before the game begins, at the first turn that comes."""
    world = game.initial_world()
    while (actor := game.actor(world)) not in (seat, TERMINAL):
        player.note(0)
        world = game.apply(world, game.moves(world)[0])
    if actor == seat:
        player.probabilities()
