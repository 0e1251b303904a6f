"""Growing-tree CFR: updates and nodes a second, how cost grows with simulations, and where it goes.

The second table is the expansion phase alone: simulations between two updates, on a store that knows nothing
yet and on one that has expanded everything they meet. The third sets exploitability against time. All times
are of the processor, since other programs may be running.
"""

import time
import zlib
from collections.abc import Sequence
from math import log

import numpy as np

from benchmarks.holdem import RIVER
from sog.evaluation.searching import SearchEvaluation
from sog.games.base import CHANCE, TERMINAL, AnyGame, GameInfo, OpenGame
from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.cards import NUM_HANDS, parse_board
from sog.games.holdem.spot import Spot, make_spot
from sog.games.registry import load
from sog.public.enumeration import enumerate_game
from sog.public.opening import open_store, open_view
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Searcher, Task
from sog.search.resolving import first_task
from sog.search.result import Statistics
from sog.search.settings import SearchSettings, parse_search

SIMULATIONS = (100, 300, 1000, 3000)
GAMES = ("leduc", "scotland_yard(map=glasses)", "liars_dice(dice=1,faces=6)")
SHARES = ("1", "2%")  # simulations for each update: one, or as many as 2 % of the tree's nodes
AGENTS = ("1", "2%", "10%")  # those of the table of exploitability
SEEDS = 4
ROUNDS = 5
PHASE = 1000  # simulations of the expansion phase that is profiled


class PerfectTree(OpenGame[tuple[int, ...]]):
    """A tree of perfect information: eight moves in every position, twelve plies, random ends."""

    def __init__(self, moves: int = 8, length: int = 12) -> None:
        self.width, self.length = moves, length
        self.info = GameInfo(f"perfect tree({moves}^{length})", moves, True, 1.0, length)

    def initial_world(self) -> tuple[int, ...]:
        """Return the empty history."""
        return ()

    def actor(self, world: tuple[int, ...]) -> int:
        """The players alternate."""
        return TERMINAL if len(world) == self.length else len(world) % 2

    def legal_actions(self, world: tuple[int, ...]) -> tuple[int, ...]:
        """All of them."""
        return tuple(range(self.width))

    def apply(self, world: tuple[int, ...], action: int) -> tuple[int, ...]:
        """Note the move."""
        return (*world, action)

    def returns(self, world: tuple[int, ...]) -> tuple[float, float]:
        """Draw an end."""
        utility = zlib.crc32(bytes(world)) % 2001 / 1000 - 1
        return utility, -utility

    def action_name(self, world: tuple[int, ...], action: int) -> str:
        """Name a move by its number."""
        return str(action)


def first_decision(store: StateStore) -> int:
    """Return the first public state in which somebody chooses."""
    node = ROOT
    while store.actor(node) >= CHANCE:
        node = store.children(node)[0]
    return node


class TimedStore(StateStore):
    """Knows how long it has asked the view for successors."""

    expansions, seconds = 0, 0.0

    def expand(self, nodes: Sequence[int]) -> None:
        """Expand nodes, on the clock."""
        started, before = time.process_time(), len(self.expanded)
        super().expand(nodes)
        self.seconds += time.process_time() - started
        self.expansions += len(self.expanded) - before


def best_search(searcher: Searcher, task: Task) -> tuple[float, Statistics]:
    """Return the seconds of the fastest of a few searches, and what they did."""
    statistics = searcher.search(task, seed=0).statistics  # compiles, and fills the store
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.process_time()
        searcher.search(task, seed=0)
        best = min(best, time.process_time() - started)
    return best, statistics


def river() -> Spot:
    """Return the river spot of the public-state CFR paper: 1,081 hands a player."""
    board, pot, stack, bets = RIVER
    return make_spot(parse_board(board), pot, stack, parse_bet_sizes(bets), np.ones((2, NUM_HANDS)))


def measure(name: str, game: AnyGame | Spot, share: str) -> None:
    store = open_store(game)
    task = first_task(store, first_decision(store))
    seconds = []
    for simulations in SIMULATIONS:
        settings = parse_search(f"{simulations},{share}")
        spent, statistics = best_search(Searcher(store, None, settings), task)
        seconds.append(spent)
        print(
            f"{name:32} {settings.name:>12} {spent * 1e3:>9.2f} {statistics.nodes:>7,}"
            f" {statistics.updates:>7,} {statistics.updates / spent:>10,.0f}"
            f" {statistics.nodes * statistics.updates / spent:>14,.0f}",
            flush=True,
        )
    exponent = np.polyfit([log(size) for size in SIMULATIONS], [log(spent) for spent in seconds], 1)[0]
    print(f"{'':32} cost grows as simulations^{exponent:.2f}")


def profile(game: AnyGame) -> None:
    """Print where the time of one expansion phase goes."""
    settings = SearchSettings(simulations=2 * PHASE, per_update=PHASE)
    fresh = float("inf"), 0.0, 0
    for _ in range(ROUNDS):
        store = TimedStore(open_view(game))
        task = first_task(store, first_decision(store))
        store.expansions, store.seconds = 0, 0.0
        searcher = Searcher(store, None, settings)
        started = time.process_time()
        searcher.search(task, seed=0)
        fresh = min(fresh, (time.process_time() - started, store.seconds, store.expansions))
    known, _ = best_search(searcher, task)
    whole, _ = best_search(Searcher(store, None, SearchSettings(simulations=PHASE)), task)
    total, rules, expansions = fresh
    print(
        f"{game.info.name:32} {total * 1e3:>9.1f} {expansions:>7,} {rules / total:>9.0%}"
        f" {(total - rules - known) / expansions * 1e6:>12.0f} {known / PHASE * 1e6:>13.2f}"
        f" {known / whole:>12.0%}",
        flush=True,
    )


def weigh(evaluation: SearchEvaluation, unit: float, share: str, simulations: int) -> None:
    """Print how exploitable an agent is and how long it takes."""
    settings = parse_search(f"{simulations},{share}")
    started = time.process_time()
    report = evaluation.report(settings, None, range(SEEDS))
    seconds = (time.process_time() - started) / SEEDS
    values = [value / unit for value in report.exploitabilities()]
    print(
        f"{settings.name:32} {seconds:>9.2f} {np.mean(values):>8.1f} {min(values):>8.1f} {max(values):>8.1f}",
        flush=True,
    )


def main() -> None:
    games = (*map(load, GAMES), PerfectTree())
    header = f"{'search':>12} {'ms':>9} {'nodes':>7} {'updates':>7} {'updates/s':>10} {'nodes × upd./s':>14}"
    print(f"{'first decision, values of zero':32} {header}")
    for share in SHARES:
        for game in games:
            measure(game.info.name, game, share)
        measure("hold'em river " + RIVER[0], river(), share)
    title = f"{PHASE:,} simulations, no updates"
    print(f"{title:32} {'fresh, ms':>9} {'nodes':>7} {'in rules':>9} {'µs a crossing':>12}", end=" ")
    print(f"{'µs, all known':>13} {'of SoG(s,1)':>12}")
    for game in games:
        profile(game)
    leduc = load("leduc")
    evaluation = SearchEvaluation(enumerate_game(leduc))
    samples = [evaluation.sample(SearchSettings(simulations=100), None, seed) for seed in range(ROUNDS)]
    best = min(sample.seconds for sample in samples)
    count = len(evaluation.decisions)
    print(f"SoG(100,1) of all {count} decisions of leduc: {best:.3f} s, {best / count * 1e3:.2f} ms a search")
    title = f"leduc, values of zero, {SEEDS} seeds"
    print(f"{title:32} {'s a seed':>9} {'mean':>8} {'min':>8} {'max':>8}")
    for share in AGENTS:
        for simulations in SIMULATIONS:
            weigh(evaluation, leduc.info.unit_size, share, simulations)
