"""What engines for other programs have in common: an evaluator, and a search of the position they are in.

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
from sog.public.evaluator import Batch
from sog.search.gtcfr import Searcher
from sog.search.resolving import first_task
from sog.search.result import SearchResult
from sog.search.settings import SearchSettings

if TYPE_CHECKING:
    from sog.nets.boards import BoardEvaluator

UNTRAINED = "untrained"
UNTRAINED_NETWORK = NetworkSpec("resnet", layers=1, width=8)  # it knows nothing: the smaller the better
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
    """Searches positions of one game."""

    def __init__(self, game: AnyGame, evaluator: "BoardEvaluator", settings: SearchSettings) -> None:
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
        watched = _Watched(self._evaluator)
        searcher = Searcher(atlas, watched, replace(self.settings, simulations=simulations))
        watched.after_answers = lambda: _stop(searcher) if should_stop(watched.answers) else None
        result = searcher.search(first_task(atlas, ROOT), seed)
        actions = atlas.board.legal_actions(ROOT).tolist()
        weights = result.policy[:, 0].tolist()
        found = result.find(ROOT)
        value = 0.0 if found is None else float(result.summary(found).values[atlas.actor(ROOT)][0])
        variation = _variation(atlas, result, int(np.argmax(weights)))
        count = int(result.visits.sum())
        return Thought(actions, weights, value, count, time.perf_counter() - started, variation)


class _Watched:
    """An evaluator that lets somebody else have a word after every answer."""

    has_priors = True

    def __init__(self, evaluator: "BoardEvaluator") -> None:
        self.name, self._evaluator = evaluator.name, evaluator
        self.answers = 0  # one for each simulation that met a new position
        self.after_answers: Callable[[], None] = lambda: None

    def evaluate(self, atlas: Atlas, batch: Batch) -> None:
        """Answer every query of a batch; its values and priors are modified in place."""
        self._evaluator.evaluate(atlas, batch)
        self.answers += batch.nodes.size
        self.after_answers()


def _stop(searcher: Searcher) -> None:
    """End a search as if it had no simulations left: it finishes the updates of its phase."""
    searcher._plan = searcher._plan._replace(simulations=1)


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


def _variation(atlas: Atlas, result: SearchResult, best: int) -> list[int]:
    """Return the moves that both players would most often play, from the best one on."""
    places = {int(node): place for place, node in enumerate(result.atlas_nodes.tolist())}
    node, ordinal = ROOT, best
    actions = []
    while True:
        actions.append(int(atlas.board.legal_actions(node)[ordinal]))
        node = atlas.chart(node)[ordinal]
        if not (node in places and atlas.is_charted(node)):
            return actions
        player = atlas.actor(node)
        weights = [
            float(result.summary(places[child]).ranges[player][0]) if child in places else 0.0
            for child in atlas.chart(node)
        ]
        if not max(weights) > 0:
            return actions
        ordinal = int(np.argmax(weights))
