"""Growing-tree CFR: updates and nodes a second, and how cost grows with the number of simulations."""

import time
import zlib
from collections.abc import Hashable
from math import log

import numpy as np

from sog.evaluation.searching import SearchEvaluation
from sog.games.base import CHANCE, TERMINAL, AnyGame, Game, GameInfo
from sog.games.registry import load
from sog.public.atlas import ROOT, Atlas
from sog.search.gtcfr import Searcher, Task
from sog.search.resolving import first_task
from sog.search.settings import SearchSettings

SIMULATIONS = (100, 300, 1000, 3000)
GAMES = ("leduc", "scotland_yard(map=glasses)", "liars_dice(dice=1,faces=6)")
ROUNDS = 5


class PerfectTree(Game[tuple[int, ...]]):
    """A tree of perfect information: eight moves in every position, twelve plies, random ends."""

    def __init__(self, moves: int = 8, length: int = 12) -> None:
        self.moves, self.length = moves, length
        self.info = GameInfo(f"perfect tree({moves}^{length})", moves, True, 1.0, length)

    def initial_world(self) -> tuple[int, ...]:
        """Return the empty history."""
        return ()

    def actor(self, world: tuple[int, ...]) -> int:
        """The players alternate."""
        return TERMINAL if len(world) == self.length else len(world) % 2

    def legal_actions(self, world: tuple[int, ...]) -> tuple[int, ...]:
        """All of them."""
        return tuple(range(self.moves))

    def chance_outcomes(self, world: tuple[int, ...]) -> tuple[tuple[int, float], ...]:
        """Chance never moves."""
        return ()

    def apply(self, world: tuple[int, ...], action: int) -> tuple[int, ...]:
        """Note the move."""
        return (*world, action)

    def public_observation(self, before: tuple[int, ...], action: int, after: tuple[int, ...]) -> Hashable:
        """Everybody sees everything."""
        return action

    def private_observation(
        self, player: int, before: tuple[int, ...], action: int, after: tuple[int, ...]
    ) -> Hashable:
        """Nothing is hidden."""
        return None

    def returns(self, world: tuple[int, ...]) -> tuple[float, float]:
        """Draw an end."""
        utility = zlib.crc32(bytes(world)) % 2001 / 1000 - 1
        return utility, -utility

    def action_name(self, world: tuple[int, ...], action: int) -> str:
        """Name a move by its number."""
        return str(action)


def first_decision(atlas: Atlas) -> int:
    """Return the first public state in which somebody chooses."""
    node = ROOT
    while atlas.actor(node) >= CHANCE:
        node = atlas.chart(node)[0]
    return node


def best_search(searcher: Searcher, task: Task) -> tuple[float, int]:
    """Return the seconds of the fastest of a few searches, and the size of its tree."""
    searcher.search(task, seed=0)  # compiles, and fills the atlas
    best, nodes = float("inf"), 0
    for _ in range(ROUNDS):
        started = time.perf_counter()
        nodes = searcher.search(task, seed=0).statistics.nodes
        best = min(best, time.perf_counter() - started)
    return best, nodes


def measure(game: AnyGame) -> None:
    atlas = Atlas(game)
    task = first_task(atlas, first_decision(atlas))
    seconds = []
    for simulations in SIMULATIONS:
        spent, nodes = best_search(Searcher(atlas, None, SearchSettings(simulations=simulations)), task)
        seconds.append(spent)
        print(
            f"{game.info.name:32} {simulations:>11,} {spent * 1e3:>9.2f} {nodes:>7,}"
            f" {simulations / spent:>12,.0f} {nodes * simulations / spent:>14,.0f}",
            flush=True,
        )
    exponent = np.polyfit([log(size) for size in SIMULATIONS], [log(spent) for spent in seconds], 1)[0]
    print(f"{'':32} cost grows as simulations^{exponent:.2f}")


def main() -> None:
    title = "SoG(s,1), first decision, zero"
    header = f"{'simulations':>11} {'ms':>9} {'nodes':>7} {'updates/s':>12} {'nodes × upd./s':>14}"
    print(f"{title:32} {header}")
    for game in (*map(load, GAMES), PerfectTree()):
        measure(game)
    evaluation = SearchEvaluation(load("leduc"))
    samples = [evaluation.sample(SearchSettings(simulations=100), None, seed) for seed in range(ROUNDS)]
    best = min(sample.seconds for sample in samples)
    count = len(evaluation.decisions)
    print(f"SoG(100,1) of all {count} decisions of leduc: {best:.3f} s, {best / count * 1e3:.2f} ms a search")
