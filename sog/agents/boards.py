"""A bot for boards that hide nothing: it searches its position by GT-CFR or by AlphaZero's search.

Each search goes on where the last one ended as far as that is of use, and what it has proven overrules what
it guesses (`sog.search.analysis`).

Verified: tests/agents/test_boards.py.
"""

from collections.abc import Sequence
from typing import Any

from sog.agents.bot import Explanation, Limits, Watch
from sog.agents.methods import MOST_SIMULATIONS, Method
from sog.agents.seated import WorldBot
from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.board_view import is_board_game
from sog.public.evaluator import Evaluator
from sog.search.analysis import Analysis, Analyst, Progress

_SEEDS = 2**63
_MOST_BYTES = 1 << 29  # that a search leaves to the next one


class BoardBot(WorldBot):
    """Plays what its search finds best.

    >>> from sog.agents.methods import parse_method
    >>> from sog.games.registry import load
    >>> BoardBot(None, parse_method("mcts:5")).begin(load("leduc"), 0, seed=1)
    Traceback (most recent call last):
    sog.core.errors.InputError: a search of positions is for boards that hide nothing, not leduc
    """

    def __init__(self, evaluator: Evaluator, settings: Method) -> None:
        super().__init__()
        self._evaluator, self.settings = evaluator, settings

    def begin(self, game: AnyGame, seat: int, seed: int, world: Any = None) -> None:
        """Sit down."""
        if not is_board_game(game):
            raise InputError(f"a search of positions is for boards that hide nothing, not {game.info.name}")
        super().begin(game, seat, seed, world)
        self._analyst = Analyst(game, self._evaluator, self.settings)

    def _think(self, moves: Sequence[str], limits: Limits, watch: Watch | None) -> Explanation:
        asked = self.settings.simulations if limits.simulations is None else limits.simulations

        def should_stop(progress: Progress) -> bool:
            if limits.seconds is not None and progress.seconds >= limits.seconds:
                return True
            return watch is not None and watch(
                progress.simulations, progress.seconds, lambda: self._explain(moves, progress.look())
            )

        self._analyst.drop_beyond(_MOST_BYTES)
        seed = int(self._rng.integers(_SEEDS))
        return self._explain(
            moves, self._analyst.analyse(self.world, min(asked, MOST_SIMULATIONS), seed, should_stop)
        )

    def _explain(self, moves: Sequence[str], found: Analysis) -> Explanation:
        game, world = self.game, self.world
        weights = {move.action: move.weight for move in found.moves}
        legal = game.legal_actions(world)
        variation, after = list[str](), world
        for action in found.best.variation:
            variation.append(game.action_name(after, action))
            after = game.apply(after, action)
        return Explanation(
            list(moves),
            [weights[action] for action in legal],
            found.value,
            found.simulations,
            found.seconds,
            tuple(variation),
            legal.index(found.best.action),
        )
