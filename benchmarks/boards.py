"""Simulations a second of GT-CFR and of AlphaZero's MCTS: the same network, the same store, on one core.

Seconds are the processor's, so that neighbours on a busy machine do not count.

The network is an untrained residual one (see `NETWORK`), whose answers are "worth nothing" and "uniform".
Both searches ask it about one position at a time, GT-CFR with a regret update after each simulation
(`SoG(s,1)`), and in batches: GT-CFR with an update after eight simulations, MCTS with eight walks a call.
`other` is the share of a search's time that is neither the network's nor the rules' nor a kernel's: Python.

    OMP_NUM_THREADS=1 python -m benchmarks boards
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import torch

from sog.core.spec import parse_spec
from sog.games.base import AnyGame
from sog.games.registry import load
from sog.nets.cvpn import make_network
from sog.nets.evaluator import NetworkEvaluator
from sog.nets.spec import NetworkSpec, sizes_of
from sog.public.evaluator import Batch
from sog.public.opening import open_view
from sog.public.store import ROOT, StateStore
from sog.search import gtcfr, puct_forest
from sog.search.gtcfr import Searcher
from sog.search.puct import PuctSettings
from sog.search.puct_forest import PuctForest
from sog.search.resolving import first_task
from sog.search.settings import SearchSettings, parse_search

GAMES = ("chess", "go(size=9)")
NETWORK = NetworkSpec("resnet", layers=6, width=64)
SCHEDULES = ((1, (100, 800)), (8, (100, 800, 8000)))  # simulations an update and a call, in all
ROUNDS = {100: 3, 800: 2, 8000: 1}


class Clock:
    """Adds up the time that is spent in wrapped functions, not counting those that they call in turn."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._inside = [0.0]

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with the clock around it."""

        def timed(*arguments: Any) -> Any:
            started = time.thread_time()
            self._inside.append(0.0)
            try:
                return function(*arguments)
            finally:
                spent = time.thread_time() - started
                own = spent - self._inside.pop()
                self._inside[-1] += spent
                self.seconds[name] = self.seconds.get(name, 0.0) + own

        return timed


class Figures(NamedTuple):
    """Of one search."""

    rate: float  # simulations a second
    network: float  # share of the time
    rules: float
    kernels: float

    @property
    def other(self) -> float:
        """The rest: Python."""
        return 1 - self.network - self.rules - self.kernels


def main() -> None:
    torch.set_num_threads(1)
    print(f"simulations a second, network {NETWORK.kind} {NETWORK.layers}x{NETWORK.width}, one core")
    columns = ("GT-CFR", "MCTS", "ratio", "network", "rules", "kernels", "other", "MCTS other")
    print(f"{'':32}" + "".join(f"{column:>11}" for column in columns))
    for text in GAMES:
        game = load(text)
        evaluator = make_evaluator(game)
        for batch, numbers in SCHEDULES:
            for simulations in numbers:
                settings = parse_search(f"{simulations},{batch}")
                rounds = ROUNDS[simulations]
                ours = best_of(rounds, partial(run_gtcfr, game, evaluator, settings))
                theirs = best_of(rounds, partial(run_mcts, game, evaluator, simulations, batch))
                label = f"{parse_spec(text, 'game')[0]}, {settings.name}, batch {batch}"
                figures = (
                    f"{ours.rate:11.0f}{theirs.rate:11.0f}{ours.rate / theirs.rate:11.2f}"
                    f"{ours.network:11.0%}{ours.rules:11.0%}{ours.kernels:11.0%}{ours.other:11.0%}"
                    f"{theirs.other:11.0%}"
                )
                print(f"{label:32}{figures}", flush=True)


def make_evaluator(game: AnyGame) -> NetworkEvaluator:
    """Return the untrained network as an evaluator."""
    assert game.encoding is not None
    return NetworkEvaluator(make_network(NETWORK, sizes_of(game.encoding), seed=0))


def best_of(rounds: int, run: Callable[[], Figures]) -> Figures:
    """Return the fastest of a few runs."""
    return max((run() for _ in range(rounds)), key=lambda figures: figures.rate)


def run_gtcfr(game: AnyGame, evaluator: NetworkEvaluator, settings: SearchSettings) -> Figures:
    """Search once, from the start of the game, on a fresh store."""
    clock = Clock()
    store = timed_store(game, clock)
    searcher = Searcher(store, TimedEvaluator(evaluator, clock), settings)
    kernels = ("advance", "read_answers", "summarise")
    return _run(
        gtcfr, kernels, clock, settings.simulations, lambda: searcher.search(first_task(store, ROOT), 1)
    )


def run_mcts(game: AnyGame, evaluator: NetworkEvaluator, simulations: int, batch: int) -> Figures:
    """Search once, from the start of the game, on a fresh store."""
    clock = Clock()
    store = timed_store(game, clock)
    settings = PuctSettings(simulations=simulations, batch=batch)
    search = PuctForest(store, TimedEvaluator(evaluator, clock), settings)
    kernels = ("gather_all", "absorb_all", "plant_all")
    return _run(puct_forest, kernels, clock, simulations, lambda: search.search([ROOT], [1]))


class TimedEvaluator:
    """Another evaluator, with a clock around its network."""

    has_priors = True

    def __init__(self, of: NetworkEvaluator, clock: Clock) -> None:
        self.name, self._evaluator = of.name, of
        self._forward = clock.wrap("network", of._forward)

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        """Answer, the network timed."""
        network, self._evaluator._forward = self._evaluator._forward, self._forward
        try:
            self._evaluator.evaluate(store, batch)
        finally:
            self._evaluator._forward = network


def timed_store(game: AnyGame, clock: Clock) -> StateStore:
    """Return a fresh store with a clock around the rules' kernels."""
    view = open_view(game)
    for name in ("open", "successors", "write_planes", "encode"):
        setattr(view, name, clock.wrap("rules", getattr(view, name)))
    return StateStore(view)


def _run(
    module: Any, kernels: tuple[str, ...], clock: Clock, simulations: int, search: Callable[[], object]
) -> Figures:
    """Run a search with a clock around a module's kernels."""
    plain = {name: getattr(module, name) for name in kernels}
    for name, function in plain.items():
        setattr(module, name, clock.wrap("kernels", function))
    try:
        started = time.thread_time()
        search()
        seconds = time.thread_time() - started
    finally:
        for name, function in plain.items():
            setattr(module, name, function)
    shares = [clock.seconds.get(name, 0.0) / seconds for name in ("network", "rules", "kernels")]
    return Figures(simulations / seconds, *shares)


if __name__ == "__main__":
    main()
