"""Bots that know the whole game: a solution's policy, and IS-MCTS.

Verified: tests/agents/test_tabular.py.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from sog.agents.bot import Explanation, Limits, Watch
from sog.agents.cursor import Stores
from sog.agents.seated import CursorBot
from sog.core.arrays import I64
from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.public.enumeration import Enumeration
from sog.public.store import StateStore
from sog.search.is_mcts import MAX_VISITS, IsMcts
from sog.solvers.evaluation import Profile

_SEEDS = 2**63
_FIRST_SIMULATIONS = 500  # that tell how many there is time for


class EnumeratedBot(CursorBot):
    """A bot in a game whose public states are all laid out."""

    def __init__(self, whole: Enumeration) -> None:
        super().__init__(_Whole(whole.store))
        self._layout = whole.layout
        self._places = {int(node): place for place, node in enumerate(whole.layout.nodes)}

    def _slots(self) -> I64:
        """Return the slots [A] of the infostate whose turn it is."""
        cursor = self.cursor
        return self._layout.slots_of(self._places[cursor.node], cursor.row, cursor.num_moves)


class PolicyBot(EnumeratedBot):
    """Plays a policy over the slots of a layout.

    >>> from sog.games.registry import load
    >>> from sog.solvers.solver import Solver
    >>> solver = Solver(load("kuhn"))
    >>> bot = PolicyBot(solver.whole, solver.policy())
    >>> bot.begin(load("kuhn"), seat=0, seed=1)
    >>> bot.observe("deal", "K"); bot.observe("deal", None)
    >>> bot.explain().weights
    [0.5, 0.5]
    """

    def __init__(self, whole: Enumeration, policy: Profile) -> None:
        super().__init__(whole)
        self._policy = policy

    def _consider(self, limits: Limits, watch: Watch | None) -> Explanation:
        probabilities = self._policy[self.seat][self._slots()]
        return Explanation(self.cursor.action_names(), [float(share) for share in probabilities])


@dataclass(frozen=True)
class IsMctsSettings:
    """How IS-MCTS searches."""

    simulations: int = 10_000
    exploration: float | None = None  # C in units of utility; None: the largest utility
    final: str = MAX_VISITS  # one of FINAL_RULES


class IsMctsBot(EnumeratedBot):
    """Searches the infostate it is in, and forgets what it found."""

    def __init__(self, whole: Enumeration, settings: IsMctsSettings) -> None:
        super().__init__(whole)
        self._settings, self._search = settings, IsMcts(whole)
        given = settings.exploration
        self._exploration = whole.store.facts.max_utility if given is None else given
        self._run(1, 0, range(min(1, self._search.num_infostates)))  # compiles or loads the kernels

    def _consider(self, limits: Limits, watch: Watch | None) -> Explanation:
        slots, names, started = self._slots(), self.cursor.action_names(), time.perf_counter()
        index = self._search.index_of(self.seat, int(slots[0]))
        if index is None:
            return Explanation(names, [1.0])
        simulations = self._settings.simulations if limits.simulations is None else limits.simulations
        seed = int(self._rng.integers(_SEEDS))
        if limits.seconds is not None:
            self._run(_FIRST_SIMULATIONS, seed, [index])
            rate = _FIRST_SIMULATIONS / (time.perf_counter() - started)
            simulations = max(1, min(simulations, int(rate * limits.seconds)))
        policy = self._run(simulations, seed, [index])[self.seat][slots]
        return Explanation(names, policy.tolist(), None, simulations, time.perf_counter() - started)

    def _run(self, simulations: int, seed: int, infostates: Sequence[int]) -> Profile:
        findings = self._search.run(simulations, self._exploration, seed, infostates)
        return self._search.policy(findings, self._settings.final)


class _Whole(Stores):
    """The one store that a layout was made from."""

    def __init__(self, store: StateStore) -> None:
        super().__init__()
        self._store = store

    def open(self, game: AnyGame) -> StateStore:
        """Return the store, if it is of this game."""
        assert self._store is not None
        if self._store.facts.name != game.info.name:
            raise InputError(f"a bot of {self._store.facts.name} does not play {game.info.name}")
        return self._store
