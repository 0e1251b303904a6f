"""PimBot in London: simulations a second, a ladder of simulations, and what each part of it is worth.

`python -m benchmarks.pimbot SIMULATIONS GAMES [PART …]` plays the whole PimBot against PimBot without each
part; `python -m benchmarks.pimbot GAMES FIRST SECOND` plays FIRST against SECOND, such as `1000` and
`1000,history=0`. Every draw of stations is played twice, with roles swapped; brackets are 95 % intervals.
`python -m benchmarks.pimbot categories GAMES` says how much better location categories guess Mr. X's station
than a draw among all possible ones, over games of PimBot against itself.
"""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from sog.core.arrays import F64
from sog.evaluation.shares import wilson
from sog.games.base import CHANCE, TERMINAL
from sog.games.scotland_yard.game import ScotlandYard
from sog.games.scotland_yard.pimbot import (
    CATEGORY_WEIGHTS,
    PimBot,
    PimBotSettings,
    make_ground,
    parse_pimbot,
)
from sog.games.scotland_yard.playouts import Ground
from sog.games.scotland_yard.view import stations_of
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore

GAME = ScotlandYard("london")
LADDER = (10, 100, 1000)
PARTS = {
    "history": {"history": 0.0},
    "greedy playouts": {"hider_epsilon": 1.0, "detective_epsilon": 1.0},
    "categories": {"categories": False},
    "possible stations": {"infers": False},
    "coalition": {"coalition": 0.0},
    "filter of black tickets": {"filters_black": False},
    "filter of double moves": {"doubles": "all"},
}
Chooser = Callable[[StateStore, int, int], int]  # of a node, for Mr. X's infostate


def main() -> None:
    """Print speeds, and small matches."""
    for who, speed in zip(("Mr. X", "detectives"), measure_speed(), strict=True):
        print(f"PimBot as {who}: {speed:,.0f} simulations a second of CPU time, over whole games")
    for fewer, more in pairwise(LADDER):
        report(f"{more} against {fewer}", match(pimbot(str(more)), pimbot(str(fewer)), games=40))


def pimbot(text: str) -> Chooser:
    """Return PimBot as a chooser."""
    return chooser(parse_pimbot(text))


def chooser(settings: PimBotSettings) -> Chooser:
    """Return PimBot with settings as a chooser."""
    bot, seeds = PimBot(GAME, settings), np.random.default_rng(0)

    def choose(store: StateStore, node: int, row: int) -> int:
        record = store.records[node]
        station = stations_of(record)[row] if store.actor(node) == 0 else None
        return bot.choose(record, station, int(seeds.integers(2**62)))

    return choose


def play(players: tuple[Chooser, Chooser], seed: int) -> float:
    """Return what Mr. X, the first player, wins; the same seed draws the same stations."""
    store, rng, node, rows = open_store(GAME), np.random.default_rng(seed), ROOT, (0, 0)
    while store.actor(node) != TERMINAL:
        actor = store.actor(node)
        move = 0 if actor == CHANCE else players[actor](store, node, rows[0])
        node, rows = store.follow(node, rows, move, rng)
    return store.utility(node, rows)


def match(first: Chooser, second: Chooser, games: int, seed: int = 0) -> tuple[int, int, int]:
    """Return pairs of games, and how many the first player won as Mr. X and as the detectives."""
    as_hider = as_detectives = 0
    for pair in range(games // 2):
        as_hider += play((first, second), seed + pair) > 0
        as_detectives += play((second, first), seed + pair) < 0
    return games // 2, as_hider, as_detectives


def report(name: str, result: tuple[int, int, int]) -> None:
    """Print a match."""
    pairs, hider, detectives = result
    print(
        f"  {name:44} {share_of(hider + detectives, 2 * pairs)} of {2 * pairs} games"
        f"; as Mr. X {share_of(hider, pairs)}, as detectives {share_of(detectives, pairs)}",
        flush=True,
    )


def share_of(won: int, games: int) -> str:
    """Return a share of games with its interval."""
    low, high = wilson(won, games)
    return f"{100 * won / games:.0f} % ({100 * low:.0f} to {100 * high:.0f})"


def measure_speed(simulations: int = 2_000, games: int = 2) -> tuple[float, float]:
    """Return simulations a second of CPU time as Mr. X and as detectives, over whole games."""
    spent, searches = [0.0, 0.0], [0, 0]
    choose = chooser(PimBotSettings(simulations=simulations))

    def timed(store: StateStore, node: int, row: int) -> int:
        start, actor = time.process_time(), store.actor(node)
        move = choose(store, node, row)
        spent[actor] += time.process_time() - start
        searches[actor] += 1
        return move

    play((timed, timed), 1)  # compiles
    spent[:], searches[:] = [0.0, 0.0], [0, 0]
    for seed in range(games):
        play((timed, timed), seed)
    return simulations * searches[0] / spent[0], simulations * searches[1] / spent[1]


def guess(games: int, simulations: int = 1000) -> None:
    """Print by how much location categories are better than none, in the logarithm of Mr. X's station."""
    bot, gained = pimbot(str(simulations)), []
    for seed in range(games):
        store, rng, node, rows = open_store(GAME), np.random.default_rng([1, seed]), ROOT, (0, 0)
        while (actor := store.actor(node)) != TERMINAL:
            if actor == 1 and store.num_infostates(node)[0] > 1:
                likely = _likely(store.records[node])
                gained.append(float(np.log(likely[rows[0]] * likely.size)))
            move = 0 if actor == CHANCE else bot(store, node, rows[0] if actor == 0 else 0)
            node, rows = store.follow(node, rows, move, rng)
    error = 1.96 * np.std(gained) / np.sqrt(len(gained))
    print(f"categories: {np.mean(gained):.3f} ± {error:.3f} nats over {len(gained):,} moves of {games} games")


@cache
def _ground() -> Ground:
    return make_ground(GAME.tables)


def _likely(record: Any) -> F64:
    """Return how likely PimBot's detectives think each station where Mr. X may be."""
    weights, stations = np.array(CATEGORY_WEIGHTS), np.array(stations_of(record))
    pawns = record["detectives"][: GAME.num_detectives].astype(int)
    away = _ground().distance[pawns[:, None] - 1, stations - 1].min(axis=0)
    category = np.clip(away, 1, weights.size) - 1
    sizes = np.bincount(category, minlength=weights.size)
    shares = np.where(sizes > 0, weights, 0.0)
    likely: F64 = (shares / shares.sum())[category] / sizes[category]
    return likely


def compare_parts(simulations: int, games: int, names: Sequence[str]) -> None:
    """Print what parts of PimBot are worth to the side that has them, at equal simulations."""
    whole = PimBotSettings(simulations=simulations)
    for name in names:
        without = replace(whole, **PARTS[name])  # type: ignore[arg-type]
        report(f"with against without: {name}", match(chooser(whole), chooser(without), games))


if __name__ == "__main__":
    if sys.argv[1:2] == ["categories"]:
        guess(int(sys.argv[2]))
    elif len(sys.argv) == 4 and sys.argv[3] not in PARTS:
        number, one, other = sys.argv[1:]
        report(f"{one} against {other}", match(pimbot(one), pimbot(other), int(number)))
    elif len(sys.argv) >= 3:
        compare_parts(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:] or list(PARTS))
    else:
        main()
