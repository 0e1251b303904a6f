"""Scotland Yard in London: time to expand and to encode public states, and to search with values of zero."""

import time

import numpy as np

from sog.core.arrays import U32
from sog.games.base import CHANCE, TERMINAL
from sog.games.registry import load
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Searcher
from sog.search.resolving import first_task
from sog.search.settings import parse_search

GAME = "scotland_yard(map=london)"
PLAYS = 40
SEARCHES = ("1,0.1", "100,2%", "100,1", "400,1")
FIRST_MOVE = 6  # of Mr. X, before which searches begin


def main() -> None:
    """Print a table."""
    print(f"{GAME}, states of {PLAYS} random plays, µs of CPU time")
    expand()
    search()


def play(store: StateStore, seed: int, num_moves: int = 1_000) -> list[int]:
    """Return the nodes of a random play, as far as Mr. X's log is shorter than `num_moves`."""
    rng, node, rows, nodes = np.random.default_rng(seed), ROOT, (0, 0), [ROOT]
    while store.actor(node) != TERMINAL and store.records["moves"][node] < num_moves:
        actor = store.actor(node)
        actions = 1 if actor == CHANCE else int(store.legal(node)[rows[actor]])
        node, rows = store.follow(node, rows, int(rng.integers(actions)), rng)
        nodes.append(node)
    return nodes


def expand() -> None:
    """Print the time to expand states, appended to a store, and to encode them."""
    sample = open_store(load(GAME))
    met = [node for seed in range(PLAYS) for node in play(sample, seed) if sample.actor(node) < CHANCE]
    records = sample.records[met]
    shown = np.array([int(moves) + 1 in (3, 8, 13, 18, 24) for moves in records["moves"]])
    shown &= records["turn"] == 0
    kinds = {
        "Mr. X moves, hidden": (records["turn"] == 0) & ~shown,
        "Mr. X moves, shown": shown,
        "a detective moves": records["turn"] > 0,
        "all": np.ones(len(met), bool),
    }
    for name, chosen in kinds.items():
        times, children, rows = [], 0, 0.0
        for batch in (64, 1, 64):
            store = open_store(load(GAME))
            first = store.plant(records[chosen])
            nodes = np.arange(first, first + int(chosen.sum()), dtype=np.uint32)
            start = time.process_time()
            for begin in range(0, nodes.size, batch):
                store.expand(nodes[begin : begin + batch].tolist())
            times.append((time.process_time() - start) / nodes.size)
            children = store.num_nodes - nodes.size - 1
            rows = float(np.mean([store.num_infostates(node)[0] for node in nodes[:500].tolist()]))
        coded = _encode(store, nodes)
        print(
            f" {name:20} {nodes.size:5,} states, {rows:4.0f} stations, {children / nodes.size:5.1f} children:"
            f" {1e6 * times[1]:6.1f} µs alone, {1e6 * times[-1]:5.1f} µs in 64; codes {1e6 * coded:5.1f} µs"
        )


def _encode(store: StateStore, nodes: U32) -> float:
    """Return the seconds that codes of a node take."""
    store.codes(nodes[:1])
    start = time.process_time()
    for begin in range(1, nodes.size, 64):
        store.codes(nodes[begin : begin + 64])
    return (time.process_time() - start) / nodes.size


def search() -> None:
    """Print the CPU time of searches with values of zero from Mr. X's sixth move on, each on a new store."""
    for text in SEARCHES:
        seconds = []
        for seed in range(6):
            store = open_store(load(GAME))
            node = play(store, seed, FIRST_MOVE - 1)[-1]
            if store.actor(node) == TERMINAL:
                continue
            searcher = Searcher(store, None, parse_search(text))
            start = time.process_time()
            searcher.search(first_task(store, node), seed=1)
            seconds.append(time.process_time() - start)
        seconds = seconds[1:]  # the first may compile
        print(f"  SoG({text}) with values of zero, move {FIRST_MOVE}: {1e3 * np.median(seconds):.1f} ms")
