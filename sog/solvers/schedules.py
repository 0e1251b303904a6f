"""Variants of CFR and fictitious play, as rows of data.

After iteration t every kernel sees four numbers: positive regrets are multiplied by `t^α/(t^α+1)`, negative
ones by `t^β/(t^β+1)`, the sum of policies by `(t/(t+1))^γ` (discounted CFR, Brown and Sandholm 2019), and
the last iteration counts `optimism` times more when the next policy is made. `α = ∞` keeps regrets, `β = −∞`
drops negative ones (regret matching+), `γ = 0, 1, 2` averages uniformly, linearly, quadratically. With a
`reset` r the average (nearly) forgets everything at iterations 1, r, r², … and γ counts from there, as
postflop-solver does with r = 4.

Fictitious play counts the uniform policy as its first iteration, so that every infostate has a reach and best
responses mean something off the path; the ReBeL paper's formula drops it, the authors' program keeps it.

Verified: tests/solvers/test_schedules.py, tests/solvers/test_cfr.py.
"""

from dataclasses import dataclass
from math import inf

import numpy as np

from sog.core.arrays import F64

MINIMISERS = ("regret-matching", "normal-hedge", "best-response")
REGRET_MATCHING, NORMAL_HEDGE, BEST_RESPONSE = range(3)
_NEARLY_NOTHING = 0.05  # of an iteration: an average that is measured after a reset is still a policy
_ROUNDING = 1e-9
UPDATES = ("alternating", "simultaneous")


@dataclass(frozen=True)
class Variant:
    """One algorithm: how regrets and policies are weighed, and how regrets become a policy."""

    alpha: float = inf  # exponent of the discount of positive regrets
    beta: float = inf  # exponent of the discount of negative regrets
    gamma: float = 0.0  # exponent of the weight of an iteration in the average
    reset: float = 0.0  # the average begins anew at powers of this number; 0 for never
    optimism: float = 0.0  # how many times more the last iteration counts
    minimiser: str = "regret-matching"  # or normal-hedge, or best-response (fictitious play)
    updates: str = "alternating"  # or simultaneous


VARIANTS: dict[str, Variant] = {
    "cfr": Variant(),
    "cfr+": Variant(beta=-inf, gamma=1),
    "lcfr": Variant(alpha=1, beta=1, gamma=1),
    "lcfr+": Variant(alpha=1, beta=-inf, gamma=1),
    "dcfr": Variant(alpha=1.5, beta=0, gamma=2),
    "pcfr+": Variant(beta=-inf, gamma=2, optimism=1),
    "fp": Variant(minimiser="best-response"),
    "linear-fp": Variant(gamma=1, minimiser="best-response"),
    "flop": Variant(gamma=1, optimism=2, minimiser="best-response"),
}


def discounts(variant: Variant, first: int, count: int) -> F64:
    """Return [count, 4] weights (positive, negative, average, optimism) of iterations first, first+1, …"""
    t = np.arange(first, first + count, dtype=np.float64)
    weights = np.empty((count, 4))
    weights[:, 0] = _share(t, variant.alpha)
    weights[:, 1] = _share(t, variant.beta)
    since = t
    if variant.reset > 1:
        last = variant.reset ** np.floor(np.log(t) / np.log(variant.reset) + _ROUNDING)
        since = np.maximum(t - last, _NEARLY_NOTHING)
    weights[:, 2] = (since / (since + 1)) ** variant.gamma
    weights[:, 3] = variant.optimism
    if MINIMISERS.index(variant.minimiser) == BEST_RESPONSE:
        weights[:, 2] = ((t + 1) / (t + 2)) ** variant.gamma
        weights[:, 3] = variant.optimism / (t + variant.optimism)
    return weights


def _share(t: F64, exponent: float) -> F64:
    """Return t^e / (t^e + 1), with its limits at e = ±∞ (at t = 1 too)."""
    if exponent == inf:
        return np.ones_like(t)
    if exponent == -inf:
        return np.zeros_like(t)
    return 1 / (1 + t ** np.float64(-exponent))
