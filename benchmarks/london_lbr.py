"""Detectives who know how Mr. X plays, against an agent in London: a bound on its exploitability from below.

`python -m benchmarks.london_lbr AGENT SEARCH GAMES [SEED]`, such as `london 20,0.33 100`: from every draw of
stations the agent plays Mr. X twice, against the detectives of a local best response and against its own. A
search gives Mr. X's policy at every station where he may be, so these detectives know the exact
probability of each (Lisy and Bowling, 2017). They move where they catch him most probably within the round,
and if that is equal, so that they come closer to where he may be.
"""

import sys
from itertools import product
from typing import Any

import numpy as np

from sog.core.arrays import F64
from sog.evaluation.shares import wilson
from sog.games.base import CHANCE, TERMINAL
from sog.games.scotland_yard.game import ScotlandYard
from sog.games.scotland_yard.pimbot import make_ground
from sog.games.scotland_yard.playouts import Ground
from sog.games.scotland_yard.view import stations_of
from sog.nets.agents import load_agent, make_network_evaluator
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Searcher
from sog.search.resolving import next_task
from sog.search.result import SearchResult
from sog.search.settings import parse_search
from sog.training.config import SELF_PLAY_SEARCH

GAME = ScotlandYard("london")
_NEAR = 1e-3  # what a move closer is worth beside a capture


class Hunters:
    """The detectives of a local best response."""

    def __init__(self) -> None:
        self._ground: Ground = make_ground(GAME.tables)

    def choose(self, store: StateStore, node: int, posterior: F64) -> int:
        """Return the number of the best move of the detective whose turn it is."""
        record, moves = store.records[node], []
        ends = self._ends(record, int(record["turn"]) - 1)
        stations = np.array(stations_of(record))
        others = [self._ends(record, pawn) for pawn in range(int(record["turn"]), GAME.num_detectives)]
        weight = dict(zip(stations.tolist(), posterior.tolist(), strict=True))
        for end in ends:
            caught = weight.get(end, 0.0) + _most_caught(others, weight, {end})
            moves.append(caught - _NEAR * self._away(stations, posterior, record, end))
        return int(np.argmax(moves))

    def _ends(self, record: Any, pawn: int) -> list[int]:
        """Return where a detective may go, in the order of his moves."""
        tables, bit = GAME.tables, int(record["detectives"][pawn]) - 1
        taken, tickets, ends = set(record["detectives"].tolist()), record["detective_tickets"][pawn], []
        for route in range(int(tables.route_start[bit]), int(tables.route_start[bit + 1])):
            kind, end = int(tables.route_kind[route]), int(tables.route_end[route])
            if kind < len(tickets) and tickets[kind] > 0 and end not in taken:
                ends.append(end)
        return ends

    def _away(self, stations: Any, posterior: F64, record: Any, end: int) -> float:
        """Return how far Mr. X is from this detective, and from the nearest, on average."""
        own = self._ground.distance[end - 1, stations - 1].astype(float)
        others = [int(other) for place, other in enumerate(record["detectives"]) if other
                  and place != int(record["turn"]) - 1]  # fmt: skip
        nearest = own
        for other in others:
            nearest = np.minimum(nearest, self._ground.distance[other - 1, stations - 1])
        return float(posterior @ (nearest + 0.1 * own))


def _most_caught(others: list[list[int]], weight: dict[int, float], taken: set[int]) -> float:
    """Return the most probability that detectives can still reach, each at a station of his own."""
    useful = [[end for end in ends if weight.get(end, 0.0) > 0] for ends in others]
    useful = [[*sorted(ends, key=lambda end: -weight[end])[: len(others) + 1], 0] for ends in useful if ends]
    best = 0.0
    for chosen in product(*useful):
        gone = [end for end in chosen if end]
        if len(set(gone)) == len(gone) and not taken & set(gone):
            best = max(best, sum(weight[end] for end in gone))
    return best


def play(searcher: Searcher, hunters: Hunters | None, seed: int) -> bool:
    """Return whether the agent escapes as Mr. X; without hunters from itself. Seeds draw stations."""
    store = open_store(GAME)
    searcher.store = store
    rng, node, rows = np.random.default_rng(seed), ROOT, (0, 0)
    results: list[SearchResult | None] = [None, None]
    posterior = np.ones(1)
    while (actor := store.actor(node)) != TERMINAL:
        move, weights = 0, posterior
        if actor == 1 and hunters is not None:
            move = hunters.choose(store, node, posterior)
        elif actor < CHANCE:
            task = next_task(store, results[actor], node, actor, searcher.settings.is_safe)
            result = results[actor] = searcher.search(task, int(rng.integers(2**62)))
            policy = result.policy[: int(store.legal(node)[rows[actor]]), rows[actor]]
            move = int(rng.choice(policy.size, p=policy / policy.sum()))
            if actor == 0:
                weights = (result.policy * posterior).ravel()
        node, rows = store.follow(node, rows, move, rng)
        pushed = store.push(node, 0, weights)
        posterior = pushed / pushed.sum() if pushed.sum() > 0 else np.full(pushed.size, 1 / pushed.size)
    return store.utility(node, rows) > 0


def main(agent: str = "london", search: str = "1,0.02", games: int = 100, seed: int = 0) -> None:
    """Print how often the agent escapes."""
    evaluator = make_network_evaluator(load_agent(agent), GAME)
    searcher = Searcher(open_store(GAME), evaluator, parse_search(search, SELF_PLAY_SEARCH))
    for hunters, name in ((Hunters(), "detectives who know its policy"), (None, "itself")):
        won = sum(play(searcher, hunters, seed + number) for number in range(games))
        low, high = wilson(won, games)
        print(
            f"{agent} SoG({search}) as Mr. X escapes from {name} in {100 * won / games:.0f} %"
            f" ({100 * low:.0f} to {100 * high:.0f}) of {games} games",
            flush=True,
        )


if __name__ == "__main__":
    name, how, number, *rest = sys.argv[1:] or ["london", "1,0.02", "100"]
    main(name, how, int(number), int(rest[0]) if rest else 0)
