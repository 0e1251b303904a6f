"""The last rounds of London, solved exactly: error of a network's values, and regret of its searches.

`python -m benchmarks.london_last_round AGENT POSITIONS [SEARCH …]`, such as `london 200 "1,0.02" "20,0.33"`:
positions are of games of PimBot against itself, the first of each with two or fewer moves of Mr. X to come
and not too many public states to come, and beliefs are drawn at random, all of them equally likely. What
follows is listed to the end of the game and solved. A search's regret
is how much less its policy wins than the best one, if the opponent knows the policy and both play
perfectly from the next state on; wins count 1, losses -1.
"""

import sys
import time
from typing import NamedTuple

import numpy as np

from benchmarks.pimbot import GAME, pimbot
from sog.core.arrays import F64, I64
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL
from sog.nets.agents import load_agent, make_network_evaluator
from sog.public.evaluator import Batch, Evaluator
from sog.public.layout import lay_out
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.search.exact import ExactEvaluator
from sog.search.gtcfr import Searcher, Task
from sog.search.settings import parse_search
from sog.training.config import SELF_PLAY_SEARCH

PLAYERS = "100"  # simulations of PimBot's, whose games positions are of
MOST_STATES = 10_000  # below a position
LAST_MOVES = 2  # of Mr. X, at most, that are to come
ITERATIONS = 100
Ranges = tuple[F64, F64]


class Position(NamedTuple):
    """A public state near the end of a game, and what is believed."""

    node: int
    ranges: Ranges
    size: int  # public states from there on


class TooLargeError(Exception):
    """Of a position below which there are too many public states."""


def draw_positions(store: StateStore, count: int, seed: int = 0) -> list[Position]:
    """Return positions, at most one of each game, with several possible stations."""
    found: list[Position] = []
    while len(found) < count:
        rng = np.random.default_rng([seed, len(found)])
        seed += 1
        for node in _play_late(store, rng):
            size = _count(node, store)
            if size:
                ranges = rng.dirichlet(np.ones(store.num_infostates(node)[0])), np.ones(1)
                found.append(Position(node, ranges, size))
                break
    return found


def _play_late(store: StateStore, rng: np.random.Generator) -> list[int]:
    """Return the last decisions of a play, in which Mr. X may be at several stations."""
    bot, node, rows, late = pimbot(PLAYERS), ROOT, (0, 0), []
    while (actor := store.actor(node)) != TERMINAL:
        is_late = store.records["moves"][node] >= GAME.setup.rounds - LAST_MOVES
        if is_late and actor < CHANCE and store.num_infostates(node)[0] > 1:
            late.append(node)
        move = 0 if actor == CHANCE else bot(store, node, rows[0] if actor == 0 else 0)
        node, rows = store.follow(node, rows, move, rng)
    return late


def _count(node: int, store: StateStore) -> int:
    """Return how many public states there are from a node on, 0 for too many."""

    def refuse(num_states: int) -> None:
        if num_states > MOST_STATES:
            raise TooLargeError

    try:
        return int(lay_out(store, node, progress=refuse).num_nodes)
    except TooLargeError:
        return 0


def ask(evaluator: Evaluator, store: StateStore, node: int, ranges: Ranges) -> tuple[F64, F64]:
    """Return the values that an evaluator tells of a state, ranges of either player summing to one."""
    start = tuple(np.array([0, own.size]) for own in ranges)
    batch = Batch(
        nodes=np.array([node], np.int32),
        start=(start[0], start[1]),
        ranges=ranges,
        values=(np.zeros(ranges[0].size), np.zeros(ranges[1].size)),
        prior_start=np.zeros(2, np.int64),
        priors=np.zeros(0),
    )
    evaluator.evaluate(store, batch)
    return batch.values


def value_of(exact: Evaluator, store: StateStore, node: int, ranges: Ranges) -> float:
    """Return what Mr. X wins from a state on by perfect play, times the mass of the ranges."""
    mass = float(ranges[0].sum() * ranges[1].sum())
    if mass == 0:
        return 0.0
    if store.actor(node) == TERMINAL:
        return mass * store.utility(node, (0, 0))
    normal = ranges[0] / ranges[0].sum(), ranges[1] / ranges[1].sum()
    return mass * float(normal[0] @ ask(exact, store, node, normal)[0])


def value_of_policy(exact: Evaluator, store: StateStore, node: int, ranges: Ranges, policy: F64) -> float:
    """Return what Mr. X wins if `policy` [A, H] is played at a node, and perfectly below it."""
    actor, total = store.actor(node), 0.0
    for child in store.children(node):
        pushed = [
            store.push(child, player, (policy * own).ravel() if player == actor else own)
            for player, own in enumerate(ranges)
        ]
        total += value_of(exact, store, child, (pushed[0], pushed[1]))
    return total


def main(agent: str = "london", count: int = 200, searches: tuple[str, ...] = ("1,0.02", "20,0.33")) -> None:
    """Print a table."""
    store, network = open_store(GAME), make_network_evaluator(load_agent(agent), GAME)
    positions = draw_positions(store, count)
    ways = [
        (f"{name} SoG({text})", Searcher(store, evaluator, parse_search(text, SELF_PLAY_SEARCH)))
        for evaluator, name in ((network, agent), (None, "zero"))
        for text in searches
    ]
    actors = np.array([store.actor(position.node) for position in positions])
    truth, told, spent = np.zeros((count, 2)), np.zeros((count, 3)), np.zeros(2 + len(ways))
    values = np.zeros((1 + len(ways), count))
    for place, (node, ranges, _) in enumerate(positions):
        start, exact = time.process_time(), ExactEvaluator(ITERATIONS)
        best, own = ask(exact, store, node, ranges), ask(network, store, node, ranges)
        truth[place] = ranges[0] @ best[0], -best[1][0]
        off = np.sqrt(ranges[0] @ (own[0] - best[0]) ** 2)
        told[place] = ranges[0] @ own[0] - truth[place, 0], -own[1][0] - truth[place, 0], off
        spent[0] += time.process_time() - start
        policies = [_uniform(store, node)]
        for number, (_, searcher) in enumerate(ways):
            start = time.process_time()
            policies.append(searcher.search(Task(node, node, ranges), seed=place).policy)
            spent[1 + number] += time.process_time() - start
        values[:, place] = [value_of_policy(exact, store, node, ranges, policy) for policy in policies]
    sizes = [position.size for position in positions]
    print(
        f"{count} positions of London's last rounds, {np.sum(actors == 0)} with Mr. X to move:"
        f" {np.mean(sizes):,.0f} public states on average, at most {max(sizes):,}, {spent[0] / count:.2f} s"
        f" of CPU time to solve; Mr. X wins {truth[:, 0].mean():.3f}, of whichever side's values"
        f" within {np.abs(truth[:, 0] - truth[:, 1]).mean():.5f}"
    )
    for away, who in zip(told.T, ("Mr. X's", "the detectives'"), strict=False):
        print(
            f"  {agent}, value by {who} output: off by {np.abs(away).mean():.3f} on average"
            f" (mean {away.mean():+.3f}, root mean square {np.sqrt(np.mean(away**2)):.3f})"
        )
    print(f"  {agent}, values of Mr. X's stations: root mean square {told[:, 2].mean():.3f} on average")
    titles = ["random moves", *(f"{name}, {1e3 * seconds / count:.0f} ms"
                                for (name, _), seconds in zip(ways, spent[1:], strict=False))]  # fmt: skip
    for title, row in zip(titles, values, strict=True):
        _report(title, np.where(actors == 0, truth[:, 0] - row, row - truth[:, 0]), actors)


def _uniform(store: StateStore, node: int) -> F64:
    """Return the policy [A, H] of random moves."""
    legal = store.legal(node)
    policy: F64 = (np.arange(store.num_actions(node))[:, None] < legal[None, :]) / legal[None, :]
    return policy


def _report(title: str, regret: F64, actors: I64) -> None:
    """Print how much worse policies are than the best."""
    by_side = ", ".join(
        f"{who} {regret[actors == player].mean():.4f}"
        for player, who in zip(range(NUM_PLAYERS), ("Mr. X", "detectives"), strict=True)
        if np.any(actors == player)
    )
    error = 1.96 * regret.std() / np.sqrt(regret.size)
    print(f"  regret of {title}: {regret.mean():.4f} ± {error:.4f} ({by_side})", flush=True)


if __name__ == "__main__":
    name, number, *texts = sys.argv[1:] or ["london", "200"]
    main(name, int(number), tuple(texts) or ("1,0.02", "20,0.33"))
