"""What searches by upper confidence bounds share: the bound `mean + C · √(ln N / n)`, and its settings.

N counts the visits of a state and n those of one of its moves; C is in units of utility.
"""

from math import isfinite, log, sqrt

from sog.core.errors import InputError
from sog.core.jit import inlined

MAX_SIMULATIONS = 2**32 - 1  # visits are counted in 32 bits


def check_settings(simulations: int, exploration: float) -> None:
    """Refuse a number of simulations or a constant C that no search can have.

    >>> check_settings(1000, 1.4)
    """
    if not 1 <= simulations <= MAX_SIMULATIONS:
        raise InputError(f"simulations must be from 1 to {MAX_SIMULATIONS}, not {simulations}")
    if not (isfinite(exploration) and exploration >= 0):
        raise InputError(f"exploration must be a finite number, 0 or more, not {exploration}")


@inlined
def bound_width(exploration: float, visits: float) -> float:
    """Return the part of the bound that all moves of a state share: C · √(ln N)."""
    return exploration * sqrt(log(visits))


@inlined
def upper_bound(returns: float, visits: float, width: float) -> float:
    """Return how good a move with these visits may well be."""
    return returns / visits + width / sqrt(visits)
