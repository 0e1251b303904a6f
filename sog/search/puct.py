"""AlphaZero's search (Silver et al. 2018): a tree of positions, chosen by PUCT, valued by an evaluator.

The baseline beside GT-CFR, on the same store and with the same evaluators, for games without secrets. Each
simulation walks down by

    Q(s, a) + c(s) P(s, a) √N(s) / (1 + N(s, a))        c(s) = log((1 + N(s) + base) / base) + init

to a position that is new, which the evaluator is asked about; its answer is the position's prior, and its
value is counted all the way up. Several positions may share a call: walks that are not answered yet count as
lost, so that the next one goes elsewhere. Here is how to search and what is found; `puct_forest` searches.

Verified: tests/search/test_puct.py.
"""

from dataclasses import dataclass
from math import inf, isfinite

import numpy as np

from sog.core.arrays import F64, Records
from sog.core.errors import InputError
from sog.core.rng import make_rng
from sog.search.puct_tree import NONE, OPEN, ROOT_NODE, Choice, PuctTree


@dataclass(frozen=True)
class PuctSettings:
    """How to search."""

    simulations: int = 800
    batch: int = 1  # positions that share a call of the evaluator, at most
    exploration: float = 1.25  # c at the first visits
    exploration_base: float = 19652.0  # visits after which c grows
    first_value: float = 0.0  # of a move that was not tried, to its player, in units of the largest utility
    noise_share: float = 0.0  # of the root's prior that is noise; 0.25 in self-play
    noise_alpha: float = 0.3  # of Dirichlet's distribution: about 10 over the usual number of moves

    def __post_init__(self) -> None:
        for name, number in (("simulations", self.simulations), ("batch", self.batch)):
            if number < 1:
                raise InputError(f"puct: {name} must be 1 or more, not {number}")
        if not (isfinite(self.exploration) and self.exploration >= 0 and self.exploration_base > 0):
            raise InputError("puct: exploration must be 0 or more, and its base positive")
        if not (0 <= self.noise_share <= 1 and 0 < self.noise_alpha < inf):
            raise InputError("puct: the share of noise must be from 0 to 1, and its alpha positive")


@dataclass(frozen=True)
class PuctResult:
    """What a search found at its root. A actions, in the order of the legal ones."""

    visits: F64  # [A]
    values: F64  # [A] mean utility to the player to move; of the first value where a move was not tried
    value: float  # mean utility to the player to move
    variation: list[int]  # ordinals of the most visited moves, from the root on
    simulations: int
    queries: int
    seconds: float

    def policy(self, temperature: float = 1.0) -> F64:
        """Return how often to play each move: visits to the power 1/T; the most visited one if T is 0.

        >>> PuctResult(np.array([1.0, 3.0]), np.zeros(2), 0.0, [], 4, 4, 0.0).policy()
        array([0.25, 0.75])
        """
        if temperature == 0:
            weights = (np.arange(self.visits.size) == np.argmax(self.visits)).astype(np.float64)
        else:
            weights = (self.visits / max(1.0, self.visits.max())) ** (1 / temperature)
        total = weights.sum()
        return weights / total if total > 0 else np.full(weights.size, 1 / weights.size)


def choice_of(settings: PuctSettings) -> Choice:
    """Return how walks choose, for kernels."""
    return Choice(settings.exploration, settings.exploration_base, settings.first_value)


def mix_noise(tree: PuctTree, settings: PuctSettings, seed: int) -> None:
    """Mix noise into the root's prior; tree modified in place."""
    share = settings.noise_share
    if share > 0:
        priors = _edges_of(tree, ROOT_NODE)["prior"]
        noise = make_rng(seed).dirichlet(np.full(priors.size, settings.noise_alpha))
        priors[:] = (1 - share) * priors + share * noise


def read_tree(
    tree: PuctTree, first_value: float, simulations: int, queries: int, seconds: float
) -> PuctResult:
    """Return what a search has found at its tree's root."""
    root, edges = tree.nodes[ROOT_NODE], _edges_of(tree, ROOT_NODE)
    sign = 1.0 if root["actor"] == 0 else -1.0
    visits = edges["visits"].astype(np.float64)
    means = np.full(visits.size, first_value)
    np.divide(sign * edges["returns"], visits, out=means, where=visits > 0)
    value = sign * float(root["value"] + edges["returns"].sum()) / (1 + visits.sum())
    return PuctResult(visits, means, value, _variation(tree), simulations, queries, seconds)


def _edges_of(tree: PuctTree, node: int) -> Records:
    first, count = (int(tree.nodes[node][name]) for name in ("first_edge", "num_edges"))
    return tree.edges[first : first + count]


def _variation(tree: PuctTree) -> list[int]:
    moves: list[int] = []
    node = ROOT_NODE
    while node != NONE and tree.nodes[node]["kind"] == OPEN:
        edges = _edges_of(tree, node)
        best = int(np.argmax(edges["visits"]))
        if edges[best]["visits"] == 0:
            break
        moves.append(best)
        node = int(edges[best]["child"])
    return moves
