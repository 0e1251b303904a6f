"""ReBeL as a player: plays as in an iteration of the subgame drawn at random, then solves the next subgame.

Every subgame of a play is solved, whoever is to move at its root: what the player believes about an opponent
comes from the iteration drawn, not from what the opponent would rather do. Nobody knows which iteration it
is, so there is nothing in that to be exploited (Brown et al. 2020, section 6, theorem 4).

Verified: tests/search/test_rebel_player.py.
"""

from sog.core.arrays import F64
from sog.core.rng import make_rng
from sog.public.evaluator import Evaluator
from sog.public.store import StateStore
from sog.search.gtcfr import Searcher
from sog.search.kept import Kept
from sog.search.player import SeatedPlayer
from sog.search.rebel import RebelSettings, Subgame, first_subgame

_SEEDS = 2**63


class RebelPlayer(SeatedPlayer):
    """Plays by one iteration of each subgame.

    >>> from sog.games.registry import load
    >>> from sog.public.opening import open_store
    >>> player = RebelPlayer(open_store(load("kuhn")), None, RebelSettings(iterations=50), seat=0, seed=1)
    >>> player.note(2); player.note(0)  # chance deals the king, and the opponent the jack
    >>> player.probabilities().size
    2
    """

    def __init__(
        self, store: StateStore, evaluator: Evaluator | None, settings: RebelSettings, seat: int, seed: int
    ) -> None:
        super().__init__(store, seat)
        self._searcher, self._settings = Searcher(store, evaluator, settings.search()), settings
        self._rng = make_rng(seed)
        self._next: Subgame = first_subgame(store)  # to be solved once the play is there
        self._kept: Kept | None = None
        self._places: dict[int, int] = {}

    def note(self, move: int) -> None:
        """Hear of a move, whosever it is."""
        self._arrive()
        self._where.follow(move)

    def _policy(self, node: int) -> F64:
        assert self._kept is not None
        return self._kept.choices(self._places[node], self._seat)

    def _arrive(self) -> None:
        """Go to where somebody is to move, with a policy for that place."""
        self._solve_here()
        while self._where.pass_waits():
            self._solve_here()

    def _solve_here(self) -> None:
        """Solve the subgame that begins here, if one does."""
        node = self._where.node
        if self._kept is not None and node in self._places:
            place = self._places[node]
            if self._kept.is_interior(place):
                return
            self._next = Subgame(node, self._kept.ranges(place))
        if node != self._next.node:
            return  # chance has not dealt yet
        iteration = self._settings.draw_iterations(1, self._rng)[0]
        task = self._next.task(iteration, stops_there=True)
        self._kept = self._searcher.search(task, int(self._rng.integers(_SEEDS))).kept
        assert self._kept is not None
        self._places = self._kept.places()
