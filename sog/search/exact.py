"""The exact evaluator: the rest of the game is solved from the ranges that are asked about.

The subgame below a public state has a layout of its own, whose root reach is the query's ranges. Tabular CFR
solves it; the answer is the average of the counterfactual values over its iterations, divided by the mass of
the opponent's range that is compatible with each infostate. (Values of the average policy would say nothing
sensible about infostates that never come here.) Layouts are kept for each state, answers for each query.

It can also say what its solution is worth to other ranges than it was made for (`evaluate_faced`): one more
pass with the average policies.

Verified: tests/search/test_evaluators.py.
"""

from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, Float
from sog.core.errors import InputError
from sog.core.jit import inlined, kernel
from sog.games.base import NUM_PLAYERS
from sog.public.evaluator import Batch
from sog.public.layout import Layout, PlayerLayout, lay_out
from sog.public.store import StateStore
from sog.public.terminals import Terminals, collect_terminals, evaluate_terminals
from sog.solvers.cfr import PlayerState, State, iterate, make_state
from sog.solvers.evaluation import fill_uniform
from sog.solvers.policies import normalise
from sog.solvers.schedules import REGRET_MATCHING, VARIANTS, discounts
from sog.solvers.traversal import MEAN, pull_values, push_reach

_VARIANT = VARIANTS["dcfr"]
_MAX_ANSWERS = 200_000


class _Subgame(NamedTuple):
    """The rest of the game below a public state."""

    layout: Layout
    terminals: Terminals
    state: State
    weights: F64  # [H0, H1] joint weights of the state
    scale: float


class ExactEvaluator:
    """Solves what it is asked about; the more iterations, the more exactly.

    >>> ExactEvaluator().name
    'exact(iterations=100)'
    """

    has_priors = False

    def __init__(self, iterations: int = 100) -> None:
        if not 1 <= iterations <= 1_000_000:
            raise InputError(f"exact: iterations must be from 1 to 1000000, not {iterations}")
        self.name = f"exact(iterations={iterations})"
        self._discounts = discounts(_VARIANT, 1, iterations)
        self._weights = np.arange(1.0, iterations + 1) ** _VARIANT.gamma
        self._store: StateStore | None = None
        self._subgames: dict[int, _Subgame] = {}
        self._answers: dict[bytes, tuple[F64, F64]] = {}

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        """Answer every query of a batch; its values are modified in place."""
        self._turn_to(store)
        for query, node in enumerate(batch.nodes.tolist()):
            rows = [batch.rows(player, query) for player in range(NUM_PLAYERS)]
            ranges = (batch.ranges[0][rows[0]], batch.ranges[1][rows[1]])
            answers = self._answer(store, node, ranges)
            for player in range(NUM_PLAYERS):
                batch.values[player][rows[player]] = answers[player]

    def evaluate_faced(self, store: StateStore, batch: Batch, faced: tuple[F64, F64]) -> None:
        """Answer what the solution for a batch's ranges is worth where the ranges `faced` come."""
        self._turn_to(store)
        for query, node in enumerate(batch.nodes.tolist()):
            rows = [batch.rows(player, query) for player in range(NUM_PLAYERS)]
            subgame = self._subgame(store, node)
            self._solve(subgame, (batch.ranges[0][rows[0]], batch.ranges[1][rows[1]]))
            coming = faced[0][rows[0]], faced[1][rows[1]]
            values = np.zeros(coming[0].size), np.zeros(coming[1].size)
            play_ranges(subgame.layout.players, subgame.terminals, subgame.state, coming, values)
            answers = _divide(values, subgame, coming, subgame.scale)
            for player in range(NUM_PLAYERS):
                batch.values[player][rows[player]] = answers[player]

    def _turn_to(self, store: StateStore) -> None:
        """Forget what was kept about another store."""
        if store is not self._store:
            self._store, self._subgames, self._answers = store, {}, {}

    def _subgame(self, store: StateStore, node: int) -> _Subgame:
        if node not in self._subgames:
            self._subgames[node] = _make_subgame(store, node)
        return self._subgames[node]

    def _answer(self, store: StateStore, node: int, ranges: tuple[F64, F64]) -> tuple[F64, F64]:
        key = node.to_bytes(4, "little") + ranges[0].tobytes() + ranges[1].tobytes()
        found = self._answers.get(key)
        if found is None:
            if len(self._answers) >= _MAX_ANSWERS:
                self._answers.clear()
            subgame = self._subgame(store, node)
            total = self._weights.sum() * subgame.scale
            found = self._answers[key] = _divide(self._solve(subgame, ranges), subgame, ranges, total)
        return found

    def _solve(self, subgame: _Subgame, ranges: tuple[F64, F64]) -> tuple[F64, F64]:
        """Return weighted sums of counterfactual values; the subgame's state is the solution's."""
        values = np.zeros(ranges[0].size), np.zeros(ranges[1].size)
        solve_ranges(
            self._discounts, self._weights, subgame.layout.players, subgame.terminals, subgame.state, ranges,
            values,
        )  # fmt: skip
        return values


def _divide(
    values: tuple[F64, F64], subgame: _Subgame, ranges: tuple[F64, F64], scale: float
) -> tuple[F64, F64]:
    """Return counterfactual values over a scale and the mass of the opponent's range that fits each."""
    masses = subgame.weights @ ranges[1], ranges[0] @ subgame.weights
    first, second = (
        np.divide(value, mass * scale, out=np.zeros_like(value), where=mass > 0)
        for value, mass in zip(values, masses, strict=True)
    )
    return first, second


def _make_subgame(store: StateStore, node: int) -> _Subgame:
    layout = lay_out(store, node)
    return _Subgame(
        layout=layout,
        terminals=collect_terminals(store, layout),
        state=make_state(layout, REGRET_MATCHING),
        weights=store.joint_weights(node),
        scale=store.value_scale(node),
    )


@kernel
def solve_ranges(
    discounts: F64,
    weights: F64,
    players: tuple[PlayerLayout, PlayerLayout],
    terminals: Terminals,
    state: State,
    ranges: tuple[Float, Float],
    values: tuple[Float, Float],
) -> None:
    """Solve a tree from ranges at its root and add up weighted root values.

    discounts: [T, 4], weights: [T]; state is work space, values [P][H] are modified in place.
    """
    for player in range(NUM_PLAYERS):
        mine = state[player]
        mine.regret[:] = 0
        mine.average[:] = 0
        mine.gain[:] = 0
        fill_uniform(players[player], mine.policy)
        _come(players[player], ranges[player], mine)
    for iteration in range(weights.size):
        iterate(REGRET_MATCHING, True, discounts[iteration : iteration + 1], players, terminals, state)
        for player in range(NUM_PLAYERS):
            for row in range(values[player].size):
                values[player][row] += weights[iteration] * state[player].values[row]


@kernel
def play_ranges(
    players: tuple[PlayerLayout, PlayerLayout],
    terminals: Terminals,
    state: State,
    ranges: tuple[Float, Float],
    values: tuple[Float, Float],
) -> None:
    """Play the averages of a solved tree from ranges at its root; state, values [P][H] modified in place."""
    for player in range(NUM_PLAYERS):
        mine = state[player]
        normalise(players[player], mine.average, mine.policy)
        _come(players[player], ranges[player], mine)
    for player in range(NUM_PLAYERS):
        own, mine = players[player], state[player]
        evaluate_terminals(own, players[1 - player], terminals, player, state[1 - player].reach, mine.leaves)
        pull_values(own, MEAN, mine.leaves, mine.policy, mine.rows, mine.values)
        for row in range(values[player].size):
            values[player][row] = mine.values[row]


@inlined
def _come(own: PlayerLayout, ranges: Float, mine: PlayerState) -> None:
    """Fill a player's reach from a range at the root; `mine.reach` modified in place."""
    for row in range(ranges.size):
        mine.reach[row] = ranges[row]
    push_reach(own, mine.policy, mine.reach)
