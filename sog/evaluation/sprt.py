"""The sequential probability ratio test (Wald 1945): is A better than B by `elo1` rather than `elo0`?

Results come in pairs of games, the same opening with colours swapped, whose five possible scores are counted:
what an opening gives to either side then cancels. The ratio compares the likeliest distribution of pairs
whose mean is what `elo1` predicts with the likeliest whose mean is what `elo0` predicts (the generalised
test; with games that are only won or lost, one by one, it is Wald's own). As soon as its logarithm leaves the
bounds the test is over, and errs with probabilities of about `alpha` (says elo1 under elo0) and `beta`.

Verified: tests/evaluation/test_sprt.py.
"""

from dataclasses import dataclass
from math import log

import numpy as np

from sog.core.arrays import F64
from sog.core.errors import InputError
from sog.evaluation.elo import win_probability

PAIR_SCORES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])  # of a pair of games, as shares of its points
_RARE = 1e-3  # pairs that did not happen, so that every mean can be met
_MAX_ELO = 2000


@dataclass(frozen=True)
class Sprt:
    """What is tested."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -_MAX_ELO <= self.elo0 < self.elo1 <= _MAX_ELO:
            raise InputError(f"sprt: ELO0 must be below ELO1, both from -{_MAX_ELO} to {_MAX_ELO}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise InputError("sprt: alpha and beta must be between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The logarithms of the ratio at which the test is over."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def ratio(self, counts: F64, scores: F64 = PAIR_SCORES) -> float:
        """Return the logarithm of the likelihood ratio. counts [S]: how often each of the scores was seen.

        >>> round(Sprt(0, 50).ratio(np.array([10.0, 30.0]), np.array([0.0, 1.0])), 3)
        2.465
        """
        if counts.sum() == 0:
            return 0.0
        shares = np.maximum(counts, _RARE)
        shares = shares / shares.sum()
        first, second = (_tilt(shares, scores, win_probability(elo)) for elo in (self.elo0, self.elo1))
        return float(counts @ np.log(second / first))

    def decision(self, ratio: float) -> str | None:
        """Return what is decided, if anything is."""
        low, high = self.bounds
        if ratio >= high:
            return f"accepted: at least {self.elo1:g} Elo"
        return f"rejected: at most {self.elo0:g} Elo" if ratio <= low else None


def parse_sprt(text: str) -> Sprt:
    """Read `ELO0,ELO1` or `ELO0,ELO1,ALPHA,BETA`.

    >>> parse_sprt("0,20")
    Sprt(elo0=0.0, elo1=20.0, alpha=0.05, beta=0.05)
    """
    try:
        numbers = [float(part) for part in text.split(",")]
        if len(numbers) not in (2, 4):
            raise ValueError
    except ValueError:
        raise InputError(
            f"cannot read the test {text[:40]!r}: write ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA"
        ) from None
    return Sprt(*numbers)


def _tilt(shares: F64, scores: F64, mean: float) -> F64:
    """Return the likeliest distribution with a mean, given shares: shares / (1 + λ (score - mean))."""
    away = scores - mean
    low, high = -1 / away.max(), -1 / away.min()  # λ for which all shares stay positive
    for _ in range(60):
        middle = (low + high) / 2
        if (shares * away / (1 + middle * away)).sum() > 0:
            low = middle
        else:
            high = middle
    tilted: F64 = shares / (1 + (low + high) / 2 * away)
    return tilted
