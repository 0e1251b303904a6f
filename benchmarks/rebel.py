"""ReBeL's subgames of Liar's Dice solved a second: depth 2, 1,024 iterations, a random value network.

The network is the paper's: two layers of 256 units, GeLU and LayerNorm. Subgames run side by side and share
their batches. `first` are subgames at the start of the game, the largest; `played` those that self-play with
ε = 0.25 comes to. `stale` lets an answer of the network stand while its leaf's ranges, times reach, have
moved less than that. The peer is facebookresearch/rebel's C++ (depth 2, 1,024 iterations that move one player
each, one thread, random weights), whose figures were measured on the same kind of machine; it is not run
here. Ours move both players, so 512 of them move everybody as often as the peer's 1,024 do. Times are of the
processor, one thread; `tree` is what is left for everything but the network, `off by` how far the values at
the root are from those of the first row of their kind, in utilities, weighted by belief.
"""

import time
from dataclasses import replace

import numpy as np
import torch
from torch import nn

from sog.core.rng import make_rng
from sog.games.registry import load
from sog.nets.cvpn import Cvpn, make_network
from sog.nets.evaluator import NetworkEvaluator
from sog.nets.spec import NetworkSpec, sizes_of
from sog.public.evaluator import Batch
from sog.public.opening import encoding_of, open_store
from sog.public.store import StateStore
from sog.search.gtcfr import Searcher
from sog.search.rebel import RebelSettings, Subgame, first_subgame, sample_leaf
from sog.search.result import SearchResult

PEER = {4: 8.3, 6: 4.0}  # subgames a second, by faces
SPEC = NetworkSpec("mlp", layers=2, width=256, activation="gelu")
FULL, HALF = 1024, 512
VARIANTS = (
    RebelSettings(iterations=FULL),
    RebelSettings(iterations=FULL, stale=1e-3),
    RebelSettings(iterations=FULL, stale=1e-2),
    RebelSettings(iterations=FULL, stale=1e-3, algorithm="cfr-ave"),
    RebelSettings(iterations=HALF),
    RebelSettings(iterations=HALF, stale=1e-2),
    RebelSettings(iterations=HALF, stale=1e-3, algorithm="cfr-ave"),
)
LANES = 64
EXPLORATION = 0.25


class TimedEvaluator(NetworkEvaluator):
    """Knows how long it has answered."""

    seconds = 0.0

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        """Answer, on the clock."""
        started = time.process_time()
        super().evaluate(store, batch)
        self.seconds += time.process_time() - started


def random_network(faces: int) -> tuple[StateStore, Cvpn]:
    """Return a game and a network whose values are not all zero."""
    game = load(f"liars_dice(dice=1,faces={faces})")
    network = make_network(SPEC, sizes_of(encoding_of(game)), seed=0)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        nn.init.kaiming_uniform_(network.value.weight, a=5**0.5)
    return open_store(game), network


def play(store: StateStore, network: Cvpn) -> list[Subgame]:
    """Return subgames as self-play comes to them, from short searches."""
    rng, settings = make_rng(0), RebelSettings(iterations=64)
    evaluator = NetworkEvaluator(network, has_priors=False)
    searcher = Searcher(store, evaluator, settings.search())
    found, subgames = [], [first_subgame(store)] * LANES
    for _ in range(6):
        found += subgames
        iterations = settings.draw_iterations(LANES, rng)
        tasks = [subgame.task(number) for subgame, number in zip(subgames, iterations, strict=True)]
        for index, result in enumerate(searcher.search_many(tasks, [0] * LANES)):
            assert result.snapshot is not None
            leaf = sample_leaf(store, subgames[index], result.snapshot, EXPLORATION, rng)
            subgames[index] = first_subgame(store) if leaf is None else leaf
    return [found[index] for index in rng.permutation(len(found))[:LANES]]


def measure(
    label: str, peer: float, subgames: list[Subgame], store: StateStore, network: Cvpn,
    settings: RebelSettings, expected: list[SearchResult] | None,
) -> list[SearchResult]:  # fmt: skip
    """Solve subgames on the clock, print a line, and return what was found."""
    evaluator = TimedEvaluator(network, has_priors=False)
    searcher = Searcher(store, evaluator, settings.search())
    tasks = [subgame.task(settings.iterations) for subgame in subgames]
    warm = Searcher(store, evaluator, replace(settings, iterations=2).search())
    warm.search_many(tasks, [0] * len(tasks))
    evaluator.seconds = 0.0
    started = time.process_time()
    results = searcher.search_many(tasks, [0] * len(tasks))
    spent = time.process_time() - started
    asked = np.mean([result.statistics.queries for result in results]) / settings.iterations
    rate, error = len(tasks) / spent, distance(store, subgames, results, expected or results)
    print(
        f"{label:16} {settings.algorithm:8} {settings.iterations:>10} {settings.stale:>6g} {asked:>12.1f}"
        f" {rate:>11.1f} {rate / peer:>8.1f} {1 - evaluator.seconds / spent:>9.0%} {error:>9.4f}",
        flush=True,
    )
    return results


def distance(
    store: StateStore, subgames: list[Subgame], found: list[SearchResult], expected: list[SearchResult]
) -> float:
    """Return the mean difference between the players' values at the root, in utilities."""
    differences = []
    for subgame, one, other in zip(subgames, found, expected, strict=True):
        weights = store.joint_weights(subgame.node)
        mass = subgame.ranges[0] @ weights @ subgame.ranges[1]
        for own, values, wanted in zip(
            subgame.ranges, one.summary(0).values, other.summary(0).values, strict=True
        ):
            differences.append(own @ np.abs(values - wanted) / mass)
    return float(np.mean(differences))


def main() -> None:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    print(
        f"{'subgames':16} {'solver':8} {'iterations':>10} {'stale':>6} {'asked a step':>12} {'a second':>11}"
        f" {'peer ×':>8} {'tree':>9} {'off by':>9}"
    )
    for faces, peer in PEER.items():
        store, network = random_network(faces)
        for kind, subgames in (("first", [first_subgame(store)] * LANES), ("played", play(store, network))):
            expected = None
            for settings in VARIANTS:
                found = measure(f"1x{faces}f, {kind}", peer, subgames, store, network, settings, expected)
                expected = expected or found
    torch.set_num_threads(threads)
