"""Monte Carlo CFR: regrets from sampled plays, on the slots of the public tree.

External sampling walks all actions of one player and samples everybody else's; outcome sampling follows a
single history and weighs what it finds by its probability (Lanctot et al. 2009). An iteration samples once
for each player. Discounting works by periods of nodes touched: after period n all sums are multiplied by
n/(n+1) (`linear`), or once by 1/10 after the first period (`initial`), as in the discounted CFR paper.

Verified: tests/solvers/test_mccfr.py.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, Float
from sog.core.jit import ONE, ZERO, kernel
from sog.core.rng import RngState, next_uniform
from sog.games.base import CHANCE, TERMINAL
from sog.public.pairs import PairGraph
from sog.solvers.evaluation import Profile

SCHEMES = ("external", "outcome")
DISCOUNTS = ("none", "linear", "initial")
_INITIAL_DISCOUNT = 0.1


@dataclass(frozen=True)
class Sampling:
    """One way to sample."""

    scheme: str = "external"  # or outcome
    discount: str = "none"  # or linear, or initial
    period: float = 1e7  # nodes touched between discounts
    exploration: float = 0.6  # outcome sampling: share of uniformly chosen own actions


SAMPLERS: dict[str, Sampling] = {
    "mccfr": Sampling(),
    "linear-mccfr": Sampling(discount="linear"),
    "outcome-mccfr": Sampling(scheme="outcome"),
}


class Sums(NamedTuple):
    """What sampling gathers, all modified in place."""

    regret: Profile  # [P][slots]
    average: Profile  # [P][slots]
    touched: F64  # [2] nodes, and periods that have ended
    rng: RngState


def sample(sampling: Sampling, iterations: int, graph: PairGraph, sums: Sums) -> None:
    """Run iterations; sums modified in place."""
    is_outcome, discount = sampling.scheme == "outcome", DISCOUNTS.index(sampling.discount)
    _sample(is_outcome, discount, sampling.period, sampling.exploration, iterations, graph, sums)


@kernel
def _sample(
    is_outcome: bool,
    discount: int,
    period: float,
    exploration: float,
    iterations: int,
    graph: PairGraph,
    sums: Sums,
) -> None:
    touched = sums.touched
    for _ in range(iterations):
        for player in range(2):
            if is_outcome:
                _walk_outcome(ZERO, player, exploration, 1.0, 1.0, graph, sums)
            else:
                _walk_external(ZERO, player, graph, sums)
            if discount > 0 and touched[0] >= (touched[1] + 1) * period:
                touched[1] += 1
                _discount(discount, touched[1], sums.regret, sums.average)


@kernel
def _discount(discount: int, periods: float, regret: Profile, average: Profile) -> None:
    """Weigh down everything gathered so far; regret, average modified in place."""
    if discount == 2 and periods > 1:
        return
    factor = periods / (periods + 1) if discount == 1 else _INITIAL_DISCOUNT
    for player in range(2):
        for slot in range(regret[player].size):
            regret[player][slot] *= factor
            average[player][slot] *= factor


@kernel
def _positive_sum(slot: np.uint64, stride: np.uint64, count: np.uint64, regret: Float) -> float:
    total = 0.0
    for _ in range(count):
        total += max(regret[slot], 0.0)
        slot += stride
    return total


@kernel
def _choose(slot: np.uint64, stride: np.uint64, count: np.uint64, regret: Float, rng: RngState) -> np.uint64:
    """Draw an action by regret matching."""
    total = _positive_sum(slot, stride, count, regret)
    if total <= 0:
        return min(np.uint64(next_uniform(rng) * count), count - ONE)
    left = next_uniform(rng) * total
    chosen = ZERO
    for action in range(count):
        weight = max(regret[slot + action * stride], 0.0)
        if weight > 0:
            chosen = np.uint64(action)
            left -= weight
            if left < 0:
                break
    return chosen


@kernel
def _choose_outcome(start: np.uint64, count: np.uint64, graph: PairGraph, rng: RngState) -> np.uint64:
    """Draw one of chance's outcomes."""
    left = next_uniform(rng)
    for outcome in range(count):
        left -= graph.moves[start + outcome]["chance"]
        if left < 0:
            return np.uint64(outcome)
    return count - ONE


@kernel
def _walk_external(number: np.uint64, player: int, graph: PairGraph, sums: Sums) -> float:
    """Return a sample of `player`'s value of a row; sums modified in place."""
    row = graph.rows[number]
    sums.touched[0] += 1
    if row["actor"] == TERMINAL:
        return float(row["utility"] if player == 0 else -row["utility"])
    start, count = np.uint64(row["move_start"]), np.uint64(row["num_moves"])
    if row["actor"] == CHANCE:
        outcome = _choose_outcome(start, count, graph, sums.rng)
        after = np.uint64(graph.moves[start + outcome]["row"])
        return _walk_external(after, player, graph, sums)
    actor = np.int64(row["actor"])
    slot, stride = np.uint64(row["slot"]), np.uint64(row["stride"])
    mine = sums.regret[actor]
    total = _positive_sum(slot, stride, count, mine)
    if actor != player:
        average = sums.average[actor]
        for action in range(count):
            at = slot + action * stride
            average[at] += max(mine[at], 0.0) / total if total > 0 else 1 / count
        chosen = _choose(slot, stride, count, mine, sums.rng)
        after = np.uint64(graph.moves[start + chosen]["row"])
        return _walk_external(after, player, graph, sums)
    # The regrets of this infostate change below it only if a player forgets: the policy stays as it is here.
    mean = 0.0
    for action in range(count):
        at = slot + action * stride
        weight = max(mine[at], 0.0) / total if total > 0 else 1 / count
        after = np.uint64(graph.moves[start + action]["row"])
        value = _walk_external(after, player, graph, sums)
        mean += weight * value
        mine[at] += value
    for action in range(count):
        mine[slot + action * stride] -= mean
    return mean


@kernel
def _walk_outcome(
    number: np.uint64,
    player: int,
    exploration: float,
    other_reach: float,
    sampled: float,
    graph: PairGraph,
    sums: Sums,
) -> float:
    """Follow one history; return the utility over the probability of sampling what follows the row.

    `other_reach` is the opponent's and chance's part of the row's probability, `sampled` that of sampling it.
    """
    row = graph.rows[number]
    sums.touched[0] += 1
    if row["actor"] == TERMINAL:
        return float(row["utility"] if player == 0 else -row["utility"])
    start, count = np.uint64(row["move_start"]), np.uint64(row["num_moves"])
    if row["actor"] == CHANCE:
        outcome = _choose_outcome(start, count, graph, sums.rng)
        move = graph.moves[start + outcome]
        chance = move["chance"]
        after = np.uint64(move["row"])
        return _walk_outcome(after, player, exploration, other_reach * chance, sampled * chance, graph, sums)
    actor = np.int64(row["actor"])
    slot, stride = np.uint64(row["slot"]), np.uint64(row["stride"])
    mine = sums.regret[actor]
    total = _positive_sum(slot, stride, count, mine)
    if actor == player and next_uniform(sums.rng) < exploration:
        chosen = min(np.uint64(next_uniform(sums.rng) * count), count - ONE)
    else:
        chosen = _choose(slot, stride, count, mine, sums.rng)
    at = slot + chosen * stride
    policy = max(mine[at], 0.0) / total if total > 0 else 1 / count
    after = np.uint64(graph.moves[start + chosen]["row"])
    if actor != player:
        value = _walk_outcome(after, player, exploration, other_reach * policy, sampled * policy, graph, sums)
        average = sums.average[actor]
        for action in range(count):
            here = slot + action * stride
            share = max(mine[here], 0.0) / total if total > 0 else 1 / count
            average[here] += share * other_reach / sampled
        return value
    chosen_share = exploration / count + (1 - exploration) * policy
    below = _walk_outcome(after, player, exploration, other_reach, sampled * chosen_share, graph, sums)
    value = below / chosen_share
    mean = policy * value
    weight = other_reach / sampled
    for action in range(count):
        mine[slot + action * stride] -= weight * mean
    mine[at] += weight * value
    return mean
