"""Searching bots for boards that hide nothing: the analysis that UCI and GTP tell of, played.

Verified: tests/agents/test_boards.py.
"""

import time
from collections.abc import Sequence
from typing import Any

from sog.agents.bot import Explanation, Limits, Watch
from sog.agents.methods import MOST_SIMULATIONS
from sog.agents.seated import WorldBot
from sog.games.base import AnyGame
from sog.public.evaluator import Evaluator
from sog.search.analysis import Analysis, Analyst, Method, Progress

_SEEDS = 2**63
_MOST_BYTES = 300_000_000  # that a search may leave for the next one to go on with


class BoardBot(WorldBot):
    """Searches by GT-CFR or by AlphaZero's search, and plays what is proven or found best."""

    def __init__(self, evaluator: Evaluator, method: Method) -> None:
        super().__init__()
        self._evaluator, self._method = evaluator, method

    def begin(self, game: AnyGame, seat: int, seed: int, world: Any = None) -> None:
        """Sit down, with nothing known of games before."""
        super().begin(game, seat, seed, world)
        self._analyst = Analyst(game, self._evaluator, self._method)

    def _think(self, moves: Sequence[str], limits: Limits, watch: Watch | None) -> Explanation:
        started, world = time.perf_counter(), self.world

        def should_stop(progress: Progress) -> bool:
            is_late = limits.seconds is not None and progress.seconds >= limits.seconds
            done, seconds = progress.simulations, progress.seconds
            return is_late or (
                watch is not None and watch(done, seconds, lambda: self._explain(moves, progress.look()))
            )

        self._analyst.drop_beyond(_MOST_BYTES)
        asked = self._method.simulations if limits.simulations is None else limits.simulations
        seed, simulations = int(self._rng.integers(_SEEDS)), min(asked, MOST_SIMULATIONS)
        found = self._analyst.analyse(world, simulations, seed, should_stop)
        return self._explain(moves, found)._replace(seconds=time.perf_counter() - started)

    def _explain(self, moves: Sequence[str], found: Analysis) -> Explanation:
        game, world, names = self.game, self.world, list[str]()
        legal = game.legal_actions(world)
        weights = dict.fromkeys(legal, 0.0) | {move.action: move.weight for move in found.moves}
        best = found.best
        for action in best.variation:
            names.append(game.action_name(world, action))
            world = game.apply(world, action)
        return Explanation(
            names=list(moves),
            weights=[weights[action] for action in legal],
            value=found.value,
            simulations=found.simulations,
            seconds=found.seconds,
            variation=tuple(names),
            choice=legal.index(best.action),
        )
