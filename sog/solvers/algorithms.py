"""Algorithms by name: `dcfr`, `dcfr(beta=-inf)`, `mccfr(discount=linear,period=1e5)`.

A name stands for a row of data (`schedules.VARIANTS`, `mccfr.SAMPLERS`); options change its fields.
"""

from dataclasses import fields, replace
from math import inf, isnan
from typing import Any, NamedTuple

from sog.core.errors import InputError
from sog.core.spec import format_spec, parse_spec
from sog.solvers.mccfr import DISCOUNTS, SAMPLERS, SCHEMES, Sampling
from sog.solvers.schedules import MINIMISERS, UPDATES, VARIANTS, Variant


class Algorithm(NamedTuple):
    """A named algorithm with its settings."""

    name: str  # the string that asks for exactly this
    settings: Variant | Sampling


ALGORITHMS: dict[str, Variant | Sampling] = {**VARIANTS, **SAMPLERS}

_CHOICES = {"minimiser": MINIMISERS, "updates": UPDATES, "scheme": SCHEMES, "discount": DISCOUNTS}
_RANGES = {
    "alpha": (-inf, inf),
    "beta": (-inf, inf),
    "gamma": (0, 1000),
    "optimism": (0, 1000),
    "reset": (0, 1000),
    "period": (1, inf),
    "exploration": (1e-6, 1),
}


def parse_algorithm(text: str) -> Algorithm:
    """Return the algorithm that `text` names.

    >>> parse_algorithm("dcfr(beta=-inf)").settings.beta
    -inf
    """
    name, options = parse_spec(text, "algorithm")
    if name not in ALGORITHMS:
        raise InputError(f"unknown algorithm {name!r}: choose from {', '.join(ALGORITHMS)}")
    settings = ALGORITHMS[name]
    known = [field.name for field in fields(settings)]
    for key, value in options.items():
        if key not in known:
            choices = ", ".join(known) or "none"
            raise InputError(f"{name} has no option {key!r} (its options: {choices})")
        _check_option(name, key, value)
    return Algorithm(format_spec(name, options), replace(settings, **options))


def parse_variant(text: str) -> Variant:
    """Return the algorithm that `text` names, if it goes through whole trees, as searches do.

    >>> parse_variant("cfr+(gamma=2)").gamma
    2
    """
    settings = parse_algorithm(text).settings
    if not isinstance(settings, Variant):
        raise InputError(f"searches go through whole trees: choose from {', '.join(VARIANTS)}, not {text!r}")
    return settings


def _check_option(name: str, key: str, value: Any) -> None:
    if key in _CHOICES:
        if value not in _CHOICES[key]:
            raise InputError(f"{name}: {key} must be one of {', '.join(_CHOICES[key])}, not {value!r}")
        return
    low, high = _RANGES[key]
    if isinstance(value, bool) or not isinstance(value, int | float) or isnan(value):
        raise InputError(f"{name}: {key} must be a number, not {value!r}")
    if not low <= value <= high:
        raise InputError(f"{name}: {key} must lie between {low:g} and {high:g}, not {value!r}")
