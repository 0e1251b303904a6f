"""What engines and contestants have in common: an evaluator, and a search of the position they are in.

Each search has an atlas of its own, which begins with the position: with nothing hidden there is nothing to
carry over but the tree.

Verified: tests/interfaces/test_uci.py, tests/interfaces/test_gtp.py.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.registry import load
from sog.nets.agents import Agent, load_agent
from sog.nets.spec import NetworkSpec, sizes_of
from sog.public.atlas import ROOT, Atlas
from sog.public.boards import BoardView
from sog.public.evaluator import Evaluator
from sog.search.gtcfr import Searcher
from sog.search.puct import Puct, PuctSettings
from sog.search.resolving import first_task
from sog.search.result import SearchResult
from sog.search.settings import SearchSettings

if TYPE_CHECKING:
    from sog.nets.boards import BoardEvaluator

UNTRAINED = "untrained"
UNTRAINED_NETWORK = NetworkSpec("resnet", layers=1, width=8)  # it knows nothing: the smaller the better
Method = SearchSettings | PuctSettings  # GT-CFR, or AlphaZero's search
MOST_SIMULATIONS = 50_000  # of one search, which keeps every position that it meets


class Limits(NamedTuple):
    """When to stop thinking; whatever comes first."""

    simulations: int
    seconds: float | None = None


class Thought(NamedTuple):
    """What a search came to."""

    actions: list[int]  # legal ones
    weights: list[float]  # how much is to be said for each
    value: float  # expected utility to the player to move
    simulations: int
    seconds: float
    variation: list[int]  # actions, the first one best

    @property
    def best(self) -> int:
        """The action to play."""
        return self.actions[int(np.argmax(self.weights))]


class Thinker:
    """Searches positions of one game, by GT-CFR or by AlphaZero's search."""

    def __init__(self, game: AnyGame, evaluator: Evaluator, settings: Method) -> None:
        self.game, self.settings = game, settings
        self._evaluator = evaluator

    def think(
        self, world: Any, limits: Limits, seed: int, is_stopped: Callable[[int, float], bool]
    ) -> Thought:
        """Search a position that is not over; `is_stopped` hears of simulations and seconds so far."""
        started = time.perf_counter()

        def should_stop(simulations: int) -> bool:
            seconds = time.perf_counter() - started
            is_late = limits.seconds is not None and seconds >= limits.seconds
            return is_stopped(simulations, seconds) or is_late

        atlas = Atlas(BoardView(self.game, world))
        simulations = max(1, min(limits.simulations, MOST_SIMULATIONS))
        search = _search_puct if isinstance(self.settings, PuctSettings) else _search_gtcfr
        settings = replace(self.settings, simulations=simulations)
        found = search(atlas, self._evaluator, settings, seed, should_stop)
        actions = atlas.board.legal_actions(ROOT).tolist()
        variation = _actions_along(atlas, found.ordinals)
        seconds = time.perf_counter() - started
        return Thought(actions, found.weights, found.value, found.simulations, seconds, variation)


class _Found(NamedTuple):
    """What either search says of a position."""

    weights: list[float]  # by ordinals of legal actions
    value: float  # to the player to move
    simulations: int
    ordinals: list[int]  # of the principal variation


def _search_gtcfr(
    atlas: Atlas, evaluator: Evaluator, settings: Any, seed: int, should_stop: Callable[[int], bool]
) -> _Found:
    searcher = Searcher(atlas, evaluator, settings)
    result = searcher.search(first_task(atlas, ROOT), seed, should_stop=should_stop)
    weights = result.policy[:, 0].tolist()
    place = result.find(ROOT)
    value = 0.0 if place is None else float(result.summary(place).values[atlas.actor(ROOT)][0])
    ordinals = _variation(atlas, result, int(np.argmax(weights)))
    return _Found(weights, value, int(result.visits.sum()), ordinals)


def _search_puct(
    atlas: Atlas, evaluator: Evaluator, settings: Any, seed: int, should_stop: Callable[[int], bool]
) -> _Found:
    result = Puct(atlas, evaluator, settings).search(ROOT, seed, should_stop)
    return _Found(result.visits.tolist(), result.value, result.simulations, result.variation)


def make_board_evaluator(agent: Agent | None, game: AnyGame) -> "BoardEvaluator":
    """Return an agent's network, or an untrained one, as an evaluator of a game's positions."""
    import torch  # slow to import

    from sog.nets.boards import BoardEvaluator
    from sog.nets.cvpn import make_network

    if game.encoding is None:
        raise InputError(f"{game.info.name} does not tell networks what it looks like")
    network = make_network(
        UNTRAINED_NETWORK if agent is None else agent.spec, sizes_of(game.encoding), seed=0
    )
    if agent is None:
        return BoardEvaluator(network, UNTRAINED)
    own = {name: tuple(weight.shape) for name, weight in network.state_dict().items()}
    if {name: tuple(weight.shape) for name, weight in agent.weights.items()} != own:
        raise InputError(f"the agent's network has other sizes than {game.info.name} asks for")
    network.load_state_dict({name: torch.as_tensor(weight) for name, weight in agent.weights.items()})
    return BoardEvaluator(network, f"network({agent.game},steps={agent.steps})")


def find_agent(name: str, kind: str) -> Agent | None:
    """Return the agent of a name, which must have learned a kind of game; None for the untrained one."""
    if name == UNTRAINED:
        return None
    agent = load_agent(name)
    learned = load(agent.game).info.name
    if learned.partition("(")[0] != kind:
        raise InputError(f"{name} is an agent of {learned}, not of {kind}")
    return agent


def _actions_along(atlas: Atlas, ordinals: list[int]) -> list[int]:
    """Return the actions that ordinals of legal ones stand for, from the first position on."""
    node, actions = ROOT, []
    for ordinal in ordinals:
        actions.append(int(atlas.board.legal_actions(node)[ordinal]))
        node = atlas.chart(node)[ordinal]
    return actions


def _variation(atlas: Atlas, result: SearchResult, best: int) -> list[int]:
    """Return the ordinals of moves that both players would most often play, from the best one on."""
    places = {int(node): place for place, node in enumerate(result.atlas_nodes.tolist())}
    node, ordinals = ROOT, [best]
    while True:
        node = atlas.chart(node)[ordinals[-1]]
        if not (node in places and atlas.is_charted(node)):
            return ordinals
        player = atlas.actor(node)
        weights = [
            float(result.summary(places[child]).ranges[player][0]) if child in places else 0.0
            for child in atlas.chart(node)
        ]
        if not max(weights, default=0.0) > 0:
            return ordinals
        ordinals.append(int(np.argmax(weights)))
