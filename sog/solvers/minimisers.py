"""Regret minimisers: how the regrets of a decision become its next policy, and what an iteration adds.

Kernels work on one step of a player (`sog.public.layout`), rows side by side; `scratch` is per decision row.

Verified: tests/solvers/test_minimisers.py.
"""

import numpy as np

from sog.core.arrays import Float
from sog.core.jit import inlined, kernel
from sog.public.layout import PlayerLayout

_NORMAL_HEDGE_STEPS = 60  # bisections of the scale: beyond double precision


@inlined
def match_regrets(
    number: np.uint64,
    own: PlayerLayout,
    is_optimistic: bool,
    regret: Float,
    gain: Float,
    scratch: Float,
    policy: Float,
    reach: Float,
) -> None:
    """Regret matching: play in proportion to positive regret, uniformly where there is none; push the reach.

    With optimism the last iteration's weighted gain is added to the regret first. scratch, policy and the
    reach of the step's slots modified.
    """
    step = own.steps[number]
    rows, output, first = np.uint64(step["rows"]), np.uint64(step["output"]), np.uint64(step["first_row"])
    source, num_actions = np.uint64(step["input"]), np.uint64(step["num_actions"])
    zero, one = regret.dtype.type(0), regret.dtype.type(1)
    for row in range(rows):
        scratch[first + row] = zero
    slot = output
    for _ in range(num_actions):
        for row in range(rows):
            total = regret[slot + row]
            if is_optimistic:
                total += gain[slot + row]
            scratch[first + row] += max(total, zero)
        slot += rows
    is_free, every = own.legal.size == 0, regret.dtype.type(num_actions)
    for row in range(rows):  # minus the number of legal actions where there is no positive regret
        total = scratch[first + row]
        legal = every if is_free else regret.dtype.type(own.legal[first + row])
        scratch[first + row] = total if total > zero else -legal
    slot = output
    for action in range(num_actions):
        place = regret.dtype.type(action)
        for row in range(rows):
            share = regret[slot + row]
            if is_optimistic:
                share += gain[slot + row]
            total = scratch[first + row]
            uniform = one if place < -total else zero
            share = max(share, zero) if total > zero else uniform
            # A division, not a product with 1/total: a single positive regret must be played with exactly 1.
            played = share / abs(total)
            policy[slot + row] = played
            reach[slot + row] = reach[source + row] * played
        slot += rows


@inlined
def add_regrets(
    number: np.uint64,
    own: PlayerLayout,
    positive: np.floating,
    negative: np.floating,
    optimism: np.floating,
    values: Float,
    row_values: Float,
    regret: Float,
    gain: Float,
) -> None:
    """Add an iteration's regrets, then discount them; regret (and, with optimism, gain) modified in place."""
    step = own.steps[number]
    rows, slot, first = np.uint64(step["rows"]), np.uint64(step["output"]), np.uint64(step["first_row"])
    zero, is_free = regret.dtype.type(0), own.legal.size == 0
    for action in range(np.uint64(step["num_actions"])):
        for row in range(rows):
            added = values[slot + row] - row_values[first + row]
            if not is_free:
                added = added if action < np.uint64(own.legal[first + row]) else zero
            total = regret[slot + row] + added
            regret[slot + row] = total * (positive if total > zero else negative)
            if optimism > zero:
                gain[slot + row] = added * optimism
        slot += rows


@kernel
def normal_hedge(
    number: np.uint64, own: PlayerLayout, is_optimistic: bool, regret: Float, gain: Float, policy: Float
) -> None:
    """NormalHedge (Chaudhuri, Freund and Hsu 2009); policy modified in place.

    Plays positive regrets x with weights `x/c · exp(x²/2c)`, where the mean of `exp(x²/2c)` is e.
    """
    step = own.steps[number]
    rows, output, first = np.uint64(step["rows"]), np.uint64(step["output"]), np.uint64(step["first_row"])
    for row in range(rows):
        legal = np.uint64(own.legal[first + row] if own.legal.size > 0 else step["num_actions"])
        largest = 0.0
        slot = output + row
        for action in range(np.uint64(step["num_actions"])):
            total = regret[slot] + gain[slot] if is_optimistic else regret[slot]
            policy[slot] = max(total, 0.0) if action < legal else 0.0
            largest = max(largest, policy[slot])
            slot += rows
        scale = _normal_hedge_scale(output + row, rows, legal, largest, policy) if largest > 0 else 1.0
        total = 0.0
        slot = output + row
        for _ in range(legal):
            share = policy[slot] / largest if largest > 0 else 1.0
            if largest > 0:  # relative to the largest weight, so that nothing overflows
                policy[slot] = share * np.exp((share * share - 1) / (2 * scale))
            else:
                policy[slot] = 1.0
            total += policy[slot]
            slot += rows
        slot = output + row
        for _ in range(legal):
            policy[slot] /= total
            slot += rows


@kernel
def _normal_hedge_scale(
    slot: np.uint64, stride: np.uint64, count: np.uint64, largest: float, positive: Float
) -> float:
    """Return c in units of the largest regret's square, by bisection of its logarithm."""
    low, high = np.log(1e-4), np.log(1e4)
    for _ in range(_NORMAL_HEDGE_STEPS):
        middle = (low + high) / 2
        scale = np.exp(middle)
        total = 0.0
        at = slot
        for _ in range(count):
            share = positive[at] / largest
            total += np.exp(share * share / (2 * scale) - 1)  # compared with e, divided by e
            at += stride
        if total > count:
            low = middle
        else:
            high = middle
    return float(np.exp((low + high) / 2))
