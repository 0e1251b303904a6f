"""ReBeL: subgames of a fixed depth, each begun at a leaf of the one before (Brown et al. 2020).

A subgame is a public state with beliefs. Its tree has a fixed depth and never grows, which is GT-CFR with one
phase of T updates and no simulation after it (`RebelSettings.search`). Every iteration estimates leaves from
the beliefs of the iteration's policies (CFR-D), or from those of the average policies (CFR-AVE in both forms
of appendix E; fictitious play and FLOP, which answer to averages). Updates are simultaneous:
the evaluator answers for both players at once, so an iteration that moves one player alone would ask as much
for half of the progress.

What is played, and where the next subgame begins, is told by one iteration, drawn with the weight that it has
in averages (algorithm 2). Nobody knows which, so beliefs can be handed down as they are and no gadget is
needed (theorem 4).

Verified: tests/search/test_rebel.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F64
from sog.core.errors import InputError
from sog.core.tables import fill
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Task
from sog.search.iteration_snapshot import IterationSnapshot
from sog.search.settings import MAX_UPDATES, SearchSettings

PLAYED_ITERATIONS = 1024  # the paper's, in training and in play


class Algorithm(NamedTuple):
    """How a subgame is solved."""

    regrets: str  # how they are weighed, by name
    leaf_ranges: str  # of the policies that leaves are asked about


ALGORITHMS = {
    "cfr-d": Algorithm("lcfr", "current"),
    "cfr-ave": Algorithm("lcfr", "average"),
    "cfr-ave-sound": Algorithm("lcfr", "both"),
    "fp": Algorithm("fp", "average"),
    "linear-fp": Algorithm("linear-fp", "average"),
    "flop": Algorithm("flop", "average"),
}


@dataclass(frozen=True)
class RebelSettings:
    """How subgames are solved; the defaults are those of the paper's Liar's Dice."""

    depth: int = 2
    iterations: int = PLAYED_ITERATIONS
    algorithm: str = "cfr-d"  # or another of ALGORITHMS
    stale: float = 0.0  # an answer stands while its leaf's ranges, times reach, have moved less than this
    warm: int = 0  # iterations for which the policy network's answer counts as played (appendix J: 15)

    def __post_init__(self) -> None:
        if self.algorithm not in ALGORITHMS:
            names = ", ".join(ALGORITHMS)
            raise InputError(f"rebel: algorithm must be one of {names}, not {self.algorithm!r}")
        if not 1 <= self.iterations <= MAX_UPDATES:
            raise InputError(f"rebel: iterations must be from 1 to {MAX_UPDATES}, not {self.iterations}")
        if not 0 <= self.warm < self.iterations:
            raise InputError(
                f"rebel: warm must be from 0 to {self.iterations - 1}, below the iterations, not {self.warm}"
            )
        if self.warm > 0 and self.shorten().search().is_fictitious:
            raise InputError(f"rebel: {self.algorithm} keeps no regrets that could be warm: leave out warm")
        self.search()

    def search(self) -> SearchSettings:
        """Return the settings of a search that makes its first tree and stays with it."""
        regrets, leaf_ranges = ALGORITHMS[self.algorithm]
        return SearchSettings(
            simulations=1,
            per_update=1 / self.iterations,
            depth=self.depth,
            algorithm=regrets,
            alternates=False,
            leaf_ranges=leaf_ranges,
            stale=self.stale,
            first_policy="prior" if self.warm > 0 else "uniform",
            prior_iterations=self.warm,
            prior_temperature=1.0,
        )

    @property
    def uses_priors(self) -> bool:
        """Whether the evaluator is asked for policies as well."""
        return self.warm > 0

    def shorten(self) -> "RebelSettings":
        """Return the same with a single iteration, to compile what a search needs."""
        return replace(self, iterations=1, warm=0)

    @property
    def name(self) -> str:
        """A short name.

        >>> RebelSettings().name
        'ReBeL(cfr-d,depth=2,iterations=1024)'
        """
        warm = f",warm={self.warm}" if self.warm > 0 else ""
        return f"ReBeL({self.algorithm},depth={self.depth},iterations={self.iterations}{warm})"

    def draw_iterations(self, count: int, rng: np.random.Generator) -> list[int]:
        """Return iterations, counted from 1, each as likely as it weighs in averages."""
        return self.find_iterations(rng.random(count))

    def find_iterations(self, shares: F64) -> list[int]:
        """Return the iterations at which the weights so far reach shares of all weights."""
        bounds = np.cumsum(self.search().weights()[:, 2])
        drawn = np.searchsorted(bounds, shares * bounds[-1], side="right") + 1
        found: list[int] = np.minimum(drawn, self.iterations).tolist()
        return found


def read_settings(table: Mapping[str, Any]) -> RebelSettings:
    """Return settings that were written down as a table.

    >>> read_settings({"depth": 1}).depth
    1
    """
    return fill(RebelSettings(), table, "rebel")


class Subgame(NamedTuple):
    """A public belief state."""

    node: int  # of the store
    ranges: tuple[F64, F64]  # [P][H] each sums to one

    def task(self, snapshot_iteration: int, stops_there: bool = False) -> Task:
        """Return the search of it that keeps an iteration, and goes on for its averages or stops."""
        return Task(
            self.node, self.node, self.ranges, snapshot_iteration=snapshot_iteration, stops_there=stops_there
        )


def first_subgame(store: StateStore) -> Subgame:
    """Return where play begins: past everything that chance does before anybody sees a difference."""
    node = ROOT
    while store.actor(node) == CHANCE and len(store.children(node)) == 1:
        node = store.children(node)[0]
    first, second = store.alive(node)
    return Subgame(node, (first / first.sum(), second / second.sum()))


def open_subgames(snapshot: IterationSnapshot) -> list[Subgame]:
    """Return all subgames that begin where a search ended."""
    return [
        Subgame(int(snapshot.nodes[place]["state"]), snapshot.ranges(place))
        for place in snapshot.open_places()
    ]


def sample_leaf(
    store: StateStore,
    subgame: Subgame,
    snapshot: IterationSnapshot,
    exploration: float,
    rng: np.random.Generator,
) -> Subgame | None:
    """Play to a leaf of the subgame; return the subgame that begins there, None if the game is over.

    One of the players, drawn at random, plays uniformly random actions with probability `exploration`.
    """
    explorer = int(rng.integers(NUM_PLAYERS))
    places, node = snapshot.places(), subgame.node
    rows = store.draw_pair(node, subgame.ranges, rng)
    while snapshot.is_interior(place := places[node]):
        actor, action = store.actor(node), 0
        if actor < NUM_PLAYERS:
            legal = int(store.legal(node)[rows[actor]])
            policy = snapshot.choices(place, actor)[:legal, rows[actor]]
            if actor == explorer and rng.random() < exploration:
                policy = np.ones(legal)
            action = int(rng.choice(legal, p=policy / policy.sum()))
        node, rows = store.follow(node, rows, action, rng)
    return None if store.actor(node) == TERMINAL else Subgame(node, snapshot.ranges(places[node]))
