"""The sequential probability ratio test (Wald 1945): is A better than B by `high` rather than by `low`?

Results come in pairs of games, the same opening with colours swapped, whose five possible scores are counted:
what an opening gives to either side then cancels. The ratio compares the likeliest distribution of pairs
whose mean is what `high` Elo predict with the likeliest whose mean is what `low` predict (the generalised
test; with games that are only won or lost, one by one, it is Wald's own). Where it is not points that count
but what is won, in the unit of the game, pairs are taken as normal with a variance that is not known. As soon
as its logarithm leaves the bounds the test is over, and errs with probabilities of about `alpha` (says `high`
under `low`) and `beta`.

Verified: tests/evaluation/test_sprt.py.
"""

from dataclasses import dataclass
from math import inf, log

import numpy as np

from sog.core.arrays import F64
from sog.core.errors import InputError
from sog.evaluation.elo import win_probability

PAIR_SCORES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])  # of a pair of games, as shares of its points
_RARE = 1e-3  # pairs that did not happen, so that every mean can be met
_MAX_ELO = 2000
_LEAST_PAIRS = 10  # before a variance is believed
ELO = "Elo"


@dataclass(frozen=True)
class Sprt:
    """What is tested."""

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05
    unit: str = ELO  # or that of what is won a game

    def __post_init__(self) -> None:
        most = _MAX_ELO if self.unit == ELO else inf
        if not -most <= self.low < self.high <= most:
            limits = f", both from -{_MAX_ELO} to {_MAX_ELO}" if self.unit == ELO else ""
            raise InputError(f"sprt: the first number must be below the second{limits}")
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
        first, second = (_tilt(shares, scores, win_probability(elo)) for elo in (self.low, self.high))
        return float(counts @ np.log(second / first))

    def ratio_of_means(self, won: F64) -> float:
        """Return the logarithm of the likelihood ratio, of what was won in pairs of games [n].

        >>> round(Sprt(0, 1, unit="chips").ratio_of_means(np.array([1.0, 0.5, 1.5, 0.0, 2.0] * 4)), 3)
        10.986
        """
        if won.size < _LEAST_PAIRS:
            return 0.0
        low, high = (float(np.mean((won - mean) ** 2)) for mean in (self.low, self.high))
        least = (_RARE * (self.high - self.low)) ** 2  # pairs that are all alike prove much, not everything
        return won.size / 2 * log(max(low, least) / max(high, least))

    def decision(self, ratio: float) -> str | None:
        """Return what is decided, if anything is."""
        low, high = self.bounds
        if ratio >= high:
            return f"accepted: at least {self.high:g} {self.unit}"
        return f"rejected: at most {self.low:g} {self.unit}" if ratio <= low else None


def parse_sprt(text: str, unit: str = ELO) -> Sprt:
    """Read `ELO0,ELO1` or `ELO0,ELO1,ALPHA,BETA`, or the same in another unit.

    >>> parse_sprt("0,20")
    Sprt(low=0.0, high=20.0, alpha=0.05, beta=0.05, unit='Elo')
    """
    try:
        numbers = [float(part) for part in text.split(",")]
        if len(numbers) not in (2, 4):
            raise ValueError
    except ValueError:
        raise InputError(
            f"cannot read the test {text[:40]!r}: write ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA"
        ) from None
    low, high, *errors = numbers
    alpha, beta = errors or (0.05, 0.05)
    return Sprt(low, high, alpha, beta, unit)


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
