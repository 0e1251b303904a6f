"""Bots that search with random rollouts and no network: UCT of our own, and OpenSpiel's.

Verified: tests/agents/test_rollouts.py.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sog.agents.bot import Explanation, Limits, Watch
from sog.agents.seated import WorldBot
from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.openspiel import import_openspiel
from sog.search.mcts import Mcts

_SEEDS = 2**63
_ROLLOUTS = 1  # from each new position
_EXPLORATION = 2.0  # OpenSpiel's own default in its examples
_MEGABYTES = 1000


@dataclass(frozen=True)
class MctsSettings:
    """How UCT searches a game of perfect information."""

    simulations: int = 1000
    exploration: float | None = None  # C in units of utility; None: as wide as utilities range
    solve: bool = True  # carry ends of the game upwards as proofs


class MctsBot(WorldBot):
    """Searches the world it is in by UCT.

    >>> from sog.games.registry import load
    >>> bot = MctsBot(MctsSettings(simulations=200))
    >>> bot.begin(load("tictactoe"), seat=0, seed=1)
    >>> len(bot.explain().names)
    9
    """

    def __init__(self, settings: MctsSettings) -> None:
        super().__init__()
        self._settings = settings

    def begin(self, game: AnyGame, seat: int, seed: int, world: Any = None) -> None:
        """Sit down."""
        super().begin(game, seat, seed, world)
        self._search = Mcts(game, self._settings.exploration, self._settings.solve)

    def _think(self, moves: Sequence[str], limits: Limits, watch: Watch | None) -> Explanation:
        started, asked = time.perf_counter(), limits.simulations or self._settings.simulations

        def should_stop(simulations: int) -> bool:
            return limits.seconds is not None and time.perf_counter() - started >= limits.seconds

        found = self._search.run(self.world, asked, int(self._rng.integers(_SEEDS)), should_stop)
        best = found.best()
        value = float(np.nan_to_num(found.means[best])) if found.value is None else found.value
        seconds = time.perf_counter() - started
        weights = found.visits.tolist()
        return Explanation(list(moves), weights, value, found.simulations, seconds, (moves[best],), best)


class OpenSpielBot(WorldBot):
    """OpenSpiel's MCTS bot with random rollouts, in C++; moves are told by their names."""

    def __init__(self, game: AnyGame, simulations: int) -> None:
        super().__init__()
        self._pyspiel = import_openspiel("pyspiel")
        self._spiel, self._simulations = self._pyspiel.load_game(openspiel_name(game)), simulations

    def begin(self, game: AnyGame, seat: int, seed: int, world: Any = None) -> None:
        """Make a new bot."""
        if world is not None:
            raise InputError("OpenSpiel's bot begins at the start of the game alone")
        super().begin(game, seat, seed)
        short = seed % (2**31 - 1)
        rollouts = self._pyspiel.RandomRolloutEvaluator(_ROLLOUTS, short)
        self._bot: Any = self._pyspiel.MCTSBot(
            self._spiel, rollouts, _EXPLORATION, self._simulations, _MEGABYTES, True, short, False
        )
        self._state: Any = self._spiel.new_initial_state()

    def _follow(self, action: int, after: Any) -> None:
        self._state.apply_action(self.game.notation.openspiel_action(self._state, self.world, action))
        super()._follow(action, after)

    def _think(self, moves: Sequence[str], limits: Limits, watch: Watch | None) -> Explanation:
        started, chosen = time.perf_counter(), self._bot.step(self._state)
        number = self.game.notation.openspiel_action
        actions = self.game.legal_actions(self.world)
        weights = [float(number(self._state, self.world, action) == chosen) for action in actions]
        return Explanation(
            list(moves), weights, simulations=self._simulations, seconds=time.perf_counter() - started
        )


def openspiel_name(game: AnyGame) -> str:
    """Return what OpenSpiel calls a game of ours with the same rules."""
    if game.notation.openspiel:
        return game.notation.openspiel
    raise InputError(f"openspiel-mcts plays connect_four, breakthrough and tictactoe, not {game.info.name}")
