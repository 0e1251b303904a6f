"""ReBeL as a bot: plays as in an iteration of the subgame drawn at random, then solves the next subgame.

Every subgame on the way of a play is solved, whichever player moves at its root: what the bot believes about
an opponent comes from the iteration drawn, not from what the opponent would rather do. No opponent knows
which iteration it is, so there is nothing in that to be exploited (Brown et al. 2020, section 6, theorem 4).

Verified: tests/agents/test_rebel.py.
"""

from dataclasses import replace
from typing import Any

from sog.agents.bot import Explanation, Limits, Watch
from sog.agents.cursor import Stores
from sog.agents.seated import CursorBot
from sog.games.base import AnyGame
from sog.public.evaluator import Evaluator
from sog.search.gtcfr import Searcher
from sog.search.iteration_snapshot import IterationSnapshot
from sog.search.rebel import RebelSettings, Subgame, first_subgame

_SEEDS = 2**63


class RebelBot(CursorBot):
    """Plays by one iteration of each subgame.

    >>> from sog.games.registry import load
    >>> bot = RebelBot(None, RebelSettings(iterations=50))
    >>> bot.begin(load("kuhn"), seat=0, seed=1)
    >>> bot.observe("deal", "K"); bot.observe("deal", None)
    >>> bot.explain().names
    ['pass', 'bet']
    """

    def __init__(
        self, evaluator: Evaluator | None, settings: RebelSettings, stores: Stores | None = None
    ) -> None:
        super().__init__(stores)
        self._evaluator, self.settings = evaluator, settings

    def begin(self, game: AnyGame, seat: int, seed: int, world: Any = None) -> None:
        """Sit down, with a subgame to be solved once the play is there."""
        super().begin(game, seat, seed, world)
        store = self.cursor.store
        self._searcher = Searcher(store, self._evaluator, self.settings.search())
        self._next: Subgame = first_subgame(store)
        self._snapshot: IterationSnapshot | None = None
        self._places: dict[int, int] = {}
        self._walked = 0  # nodes of the path on which every subgame is solved

    def _consider(self, limits: Limits, watch: Watch | None) -> Explanation:
        cursor = self.cursor
        path = cursor.store.path(cursor.node)
        settings = self._settings_for(limits)
        for node in path[self._walked :]:
            self._solve(node, settings)
        self._walked = len(path)
        assert self._snapshot is not None
        policy = self._snapshot.choices(self._places[cursor.node], self.seat)
        return Explanation(cursor.action_names(), policy[: cursor.num_moves, cursor.row].tolist())

    def _settings_for(self, limits: Limits) -> RebelSettings:
        """Return settings with no more iterations than a limit of simulations; how long they take is open."""
        iterations = min(limits.simulations or self.settings.iterations, self.settings.iterations)
        settings = replace(self.settings, iterations=iterations, warm=min(self.settings.warm, iterations - 1))
        if settings.search() != self._searcher.settings:
            self._searcher = Searcher(self.cursor.store, self._evaluator, settings.search())
        return settings

    def _solve(self, node: int, settings: RebelSettings) -> None:
        """Solve the subgame that begins at a node, if one does."""
        if self._snapshot is not None and node in self._places:
            place = self._places[node]
            if self._snapshot.is_interior(place):
                return
            self._next = Subgame(node, self._snapshot.ranges(place))
        if node != self._next.node:
            return  # chance has not dealt yet
        iteration = settings.draw_iterations(1, self._rng)[0]
        task = self._next.task(iteration, stops_there=True)
        self._snapshot = self._searcher.search(task, int(self._rng.integers(_SEEDS))).snapshot
        assert self._snapshot is not None
        self._places = self._snapshot.places()
