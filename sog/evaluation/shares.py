"""Shares of games that are won, with intervals that hold near 0 and 1 too (Wilson 1927).

Verified: tests/evaluation/test_shares.py.
"""

from math import sqrt

_NORMAL_95 = 1.96  # standard errors


def wilson(won: float, games: int) -> tuple[float, float]:
    """Return the ends of the 95 % interval of a share: what the results do not refute.

    >>> [round(end, 3) for end in wilson(0, 10)], [round(end, 3) for end in wilson(340, 400)]
    ([0.0, 0.278], [0.812, 0.882])
    """
    share, square = won / games, _NORMAL_95**2 / games
    centre, away = share + square / 2, _NORMAL_95 * sqrt(share * (1 - share) / games + square / (4 * games))
    return max(0.0, (centre - away) / (1 + square)), min(1.0, (centre + away) / (1 + square))
