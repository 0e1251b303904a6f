"""ReBeL's self-play (Brown et al. 2020, algorithm 2): subgames in lockstep, each begun at a leaf of the last.

Every subgame that is solved becomes an example: the averages of the values and of the policy at its root.
Where the policy network's answers start searches, the policy of every other decision is learned too.
An iteration is drawn, everybody plays as in it, one player now and then at random, and the leaf that is
reached begins the next subgame. There are no queries: the examples are the states that are played.

All games begin alike, and the network stays the same for a while. So the first subgame is not solved for
every game: it is solved for as many drawn iterations as there are games whenever new weights come, and games
begin with one of those.

Verified: tests/training/test_rebel.py.
"""

import time

from sog.core.rng import make_rng
from sog.games.base import NUM_PLAYERS
from sog.public.store import StateStore
from sog.search.gtcfr import Searcher
from sog.search.iteration_snapshot import IterationSnapshot
from sog.search.rebel import Subgame, first_subgame, sample_leaf
from sog.search.result import SearchResult
from sog.training.config import Config
from sog.training.context import SelfPlayContext, State, Weights
from sog.training.examples import PLAYED
from sog.training.generator import RoundOutput
from sog.training.plain import pack, unpack
from sog.training.records import SearchTarget
from sog.training.run_status import Counts

_SEEDS = 2**63
_TRIES = 20  # games that may end in the first subgame before one is left to begin there
_KINDS = (Subgame,)


class RebelGenerator:
    """Solves the present subgame of every game, and goes on from there."""

    def __init__(self, config: Config, seed: int) -> None:
        self._config = config
        self._context = SelfPlayContext(config, has_priors=config.rebel.uses_priors)
        self._rng = make_rng(seed)
        self._open()
        self._subgames = [self._first] * config.selfplay.games
        self._begun_with: list[int] = []  # iterations of the first subgame; none before it is solved
        self._openings: list[IterationSnapshot] = []
        self._games = 0  # over, in the present round

    def _open(self) -> None:
        """Make searches on its present store."""
        self._first = first_subgame(self.store)
        settings, context = self._config.rebel.search(), self._context
        self._searcher = Searcher(self.store, context.evaluator, settings, context.shares[0])

    @property
    def store(self) -> StateStore:
        """The public states met so far."""
        return self._context.store

    def _forget(self) -> None:
        """Go on with a store that knows the subgames alone."""
        routes = [self.store.route(subgame.node) for subgame in self._subgames]
        self._context.clear()
        self._open()
        self._subgames = [
            subgame._replace(node=self.store.locate(route))
            for subgame, route in zip(self._subgames, routes, strict=True)
        ]
        if self._begun_with:
            self._solve_first()
        self._context.settle()

    def take_weights(self, weights: Weights, steps: int) -> None:
        """Go on with new weights of the network."""
        self._context.take_weights(weights)
        self._begun_with, self._openings = [], []

    def round(self) -> RoundOutput:
        """Solve one subgame of every game."""
        started, self._games = time.process_time(), 0
        targets: list[SearchTarget] = []
        count, rng, settings = len(self._subgames), self._rng, self._config.rebel
        solved = count
        if not self._begun_with:
            solved += 1
            self._begun_with = settings.draw_iterations(count, rng)
            targets += self._targets(self._first, self._solve_first())
        self._subgames = [
            self._begin() if subgame.node == self._first.node else subgame for subgame in self._subgames
        ]
        iterations = settings.draw_iterations(count, rng)
        tasks = [subgame.task(number) for subgame, number in zip(self._subgames, iterations, strict=True)]
        results = self._searcher.search_many(tasks, rng.integers(_SEEDS, size=count).tolist())
        for index, (subgame, result) in enumerate(zip(self._subgames, results, strict=True)):
            targets += self._targets(subgame, result)
            assert result.snapshot is not None
            self._subgames[index] = self._play(subgame, result.snapshot) or self._first
        examples = self._context.writer.write(targets)
        memory = {**self._context.memory(), "lanes": self._searcher.num_bytes}
        if self._context.is_crowded:
            self._forget()
        seconds = time.process_time() - started
        counts = Counts(games=self._games, searches=solved, solved=solved, seconds=seconds)
        return RoundOutput([examples], counts, 0, memory)

    def _solve_first(self) -> SearchResult:
        """Solve the first subgame for the iterations that games begin with; return the longest solve."""
        unique = sorted({*self._begun_with, self._config.rebel.iterations})
        tasks = [self._first.task(iteration, stops_there=True) for iteration in unique]
        results = dict(zip(unique, self._searcher.search_many(tasks, [0] * len(tasks)), strict=True))
        snapshots = {
            iteration: result.snapshot for iteration, result in results.items() if result.snapshot is not None
        }
        self._openings = [snapshots[iteration] for iteration in self._begun_with]
        return results[unique[-1]]

    def _targets(self, subgame: Subgame, result: SearchResult) -> list[SearchTarget]:
        """Return what is to be learned of a subgame: its root, or all decisions where policies are of use."""
        found = [SearchTarget(subgame.node, subgame.ranges, result.summary(0).values, result.policy, PLAYED)]
        averages = result.averages
        if averages is None:
            return found
        for place in averages.decisions()[1:]:
            node = int(averages.nodes[place]["state"])
            masses = [float(averages.reach_at(place, player).sum()) for player in range(NUM_PLAYERS)]
            if min(masses) > 0:
                own, other = result.summary(place).values
                values = own / masses[1], other / masses[0]
                policy = averages.choices(place, self.store.actor(node))
                # Values are those of every iteration's own ranges, not of the average ones.
                found.append(
                    SearchTarget(node, averages.ranges(place), values, policy, PLAYED, is_valued=False)
                )
        return found

    def _begin(self) -> Subgame:
        """Begin a game, and play to where the first subgame ends."""
        for _ in range(_TRIES):
            opening = self._openings[int(self._rng.integers(len(self._openings)))]
            leaf = self._play(self._first, opening)
            if leaf is not None:
                return leaf
        return self._first

    def _play(self, subgame: Subgame, snapshot: IterationSnapshot) -> Subgame | None:
        """Play as in an iteration; return the next subgame, or None at the end of the game."""
        leaf = sample_leaf(self.store, subgame, snapshot, self._config.selfplay.uniform_mix, self._rng)
        self._games += leaf is None
        return leaf

    def state(self) -> State:
        """Return everything to go on with."""
        state = {
            **self._context.state(),
            "rng": self._rng,
            "subgames": self._subgames,
            "begun_with": self._begun_with,
        }
        return pack(state, _KINDS)

    def restore(self, packed: State) -> None:
        """Go on from a state; for a generator that has done nothing yet."""
        state = unpack(packed, _KINDS)
        self._context.restore(state)
        self._rng = state["rng"]
        self._subgames, self._begun_with = state["subgames"], state["begun_with"]
        if self._begun_with:
            self._solve_first()
