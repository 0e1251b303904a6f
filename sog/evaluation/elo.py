"""Elo ratings from a table of results, with 95 % intervals.

Player i beats player j with probability 1 / (1 + 10^((r_j - r_i) / 400)) (Elo; Bradley & Terry 1952), a draw
counts as half a win and half a loss, and ratings are those under which the results are likeliest. Only
differences mean anything, so one player, the anchor, has 0. The interval of a rating holds the values that
the results do not contradict: with the player's rating fixed there and all others free, the likelihood falls
by less than a factor of exp(-χ²/2), χ² = 3.84 (profile likelihood; Venzon & Moolgavkar 1988).

Who has lost every game against the anchor's group is infinitely worse, as far as the likelihood goes: the
rating is then -inf, but its upper bound is a number, and the more games were lost, the lower it is. Draws
vary less than wins and losses do, which the model does not know: with many draws intervals are too wide.

Verified: tests/evaluation/test_elo.py.
"""

from collections.abc import Callable
from math import inf, log, nan
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64

_PER_NAT = 400 / log(10)  # Elo points of one unit of the logistic curve
_HALF_CHI_SQUARE = 1.9207294  # of 95 %, one degree of freedom
_RIDGE = 1e-8  # keeps infinite ratings finite while they are sought, and moves others by less than is shown
_FARTHEST = 40.0  # nats: further apart than any results can put two players
_MOST_STEPS = 200
_LONGEST_STEP = 3.0
_ACCURACY = 1e-10


class Rating(NamedTuple):
    """How much better than the anchor a player is, in Elo points; nan if nothing is known."""

    elo: float
    low: float
    high: float


def win_probability(elo: float) -> float:
    """Return the expected score of a player who is better by so many points.

    >>> round(win_probability(400), 4)
    0.9091
    """
    return float(1 / (1 + 10 ** (-elo / 400)))


def rate(points: F64, anchor: int = 0) -> list[Rating]:
    """Return everybody's rating. points [P, P]: what the row's player scored against the column's.

    >>> rate(np.array([[0.0, 3.0], [1.0, 0.0]]), anchor=1)[0].elo.__round__(1)
    190.8
    """
    best = _fit(points, np.eye(len(points)), np.zeros(len(points)))
    top = _likelihood(points, best)
    reaches = _reaches(points)
    return [
        Rating(0.0, 0.0, 0.0)
        if player == anchor
        else _rate_one(points, player, anchor, float(best[player] - best[anchor]), top, reaches)
        for player in range(len(points))
    ]


def _rate_one(points: F64, player: int, anchor: int, found: float, top: float, reaches: F64) -> Rating:
    """Return one rating; `found` is the difference at the maximum, whose logarithm is `top`."""
    can_win, can_lose = bool(reaches[player, anchor]), bool(reaches[anchor, player])
    if not (can_win or can_lose):
        return Rating(nan, -inf, inf)
    estimate = found * _PER_NAT if can_win and can_lose else inf if can_win else -inf

    def is_refuted(difference: float) -> bool:
        joined = np.delete(np.eye(len(points)), player, axis=1)  # [P, P - 1]
        joined[player] = joined[anchor]
        shift = np.zeros(len(points))
        shift[player] = difference
        return top - _likelihood(points, _fit(points, joined, shift)) > _HALF_CHI_SQUARE

    return Rating(
        estimate, _border(is_refuted, found, -1.0) * _PER_NAT, _border(is_refuted, found, 1.0) * _PER_NAT
    )


def _border(is_refuted: Callable[[float], bool], inside: float, sign: float) -> float:
    """Return how far one can go from a value before it is refuted; infinite if there is no end."""
    step = 0.25
    while not is_refuted(outside := inside + sign * step):
        step *= 2
        if step > 2 * _FARTHEST:
            return sign * inf
    while abs(outside - inside) > 1e-6:
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if is_refuted(middle) else (middle, outside)
    return inside


def _fit(points: F64, basis: F64, shift: F64) -> F64:
    """Return the likeliest ratings [P] of the form basis @ x + shift, by Newton's method.

    basis: [P, number of unknowns]; shift: [P].
    """
    games = points + points.T
    x = np.zeros(basis.shape[1])
    value = _penalised(points, basis @ x + shift)
    for _ in range(_MOST_STEPS):
        ratings = basis @ x + shift
        chances = _chances(ratings)
        gradient = basis.T @ ((points - games * chances).sum(axis=1) - _RIDGE * ratings)
        weights = games * chances * chances.T
        curvature = basis.T @ (np.diag(weights.sum(axis=1) + _RIDGE) - weights) @ basis
        step = np.linalg.solve(curvature, gradient)
        step *= min(1.0, _LONGEST_STEP / max(np.abs(step).max(), 1e-300))
        while (after := _penalised(points, basis @ (x + step) + shift)) < value - _ACCURACY:
            step /= 2
        x, value = x + step, after
        if np.abs(step).max() < 1e-7:
            break
    found: F64 = basis @ x + shift
    return found


def _chances(ratings: F64) -> F64:
    """Return [P, P]: how likely the row's player beats the column's."""
    chances: F64 = np.exp(-np.logaddexp(0.0, ratings[None, :] - ratings[:, None]))
    return chances


def _likelihood(points: F64, ratings: F64) -> float:
    """Return the logarithm of the results' likelihood."""
    return -float((points * np.logaddexp(0.0, ratings[None, :] - ratings[:, None])).sum())


def _penalised(points: F64, ratings: F64) -> float:
    return _likelihood(points, ratings) - _RIDGE * float(ratings @ ratings) / 2


def _reaches(points: F64) -> F64:
    """Return [P, P]: whether a chain of players who scored against the next leads from row to column."""
    reaches = (points > 0) | np.eye(len(points), dtype=bool)
    for through in range(len(points)):
        reaches |= reaches[:, through, None] & reaches[None, through, :]
    return reaches.astype(np.float64)
