"""What a search may be told: SoG(s, c) and everything else that the papers leave open.

The defaults are the papers' except where measuring found better (docs/results.md): iterations are averaged
quadratically, and the gadget's follow range is normalised.
"""

from dataclasses import dataclass, replace
from math import ceil, inf, isfinite

import numpy as np

from sog.core.arrays import F64
from sog.core.errors import InputError
from sog.solvers.schedules import Variant, discounts

MAX_UPDATES = 10_000_000
MAX_DEPTH = 1_000_000


@dataclass(frozen=True)
class SearchSettings:
    """SoG(s, c) is `SearchSettings(simulations=s, per_update=c)`."""

    simulations: int = 100  # s, in all
    per_update: float = 1.0  # c, between two phases of updates; below one, 1/c updates between simulations
    depth: int = 1  # of the first tree below the current state; the papers' has the children alone
    variant: Variant = Variant(beta=-inf, gamma=2, updates="simultaneous")  # noqa: RUF009  # a frozen value
    exploration: float = 1.0  # PUCT's constant, values being divided by their scale
    puct_share: float = 0.5  # how often a simulation follows PUCT instead of CFR
    expansion_policy: str = "average"  # of CFR, followed by the other simulations; or "current"
    prior_temperature: float = 1.0
    first_policy: str = "uniform"  # of a new decision; or "prior"
    top_actions: int | None = None  # added at a time; None: 1 with perfect information, else all
    max_outcomes: int = 0  # of chance; larger nodes are sampled; 0 for no limit
    gadget_mix: float = 0.5  # α: share of the follow range, the rest is the range of the search before
    gadget_normalises: bool = True
    is_safe: bool = True  # re-solve under the gadget; False takes the old ranges as they are

    def __post_init__(self) -> None:
        if self.simulations < 1:
            raise InputError(f"search: simulations must be 1 or more, not {self.simulations}")
        if not (isfinite(self.per_update) and self.per_update > 0):
            raise InputError(f"search: simulations per update must be positive, not {self.per_update}")
        if not 1 <= self.depth <= MAX_DEPTH:
            raise InputError(f"search: depth must be from 1 to {MAX_DEPTH}, not {self.depth}")
        if self.num_updates > MAX_UPDATES:
            raise InputError(f"search: {self.num_updates:,} updates are more than {MAX_UPDATES:,}")
        if self.variant.minimiser != "regret-matching":
            raise InputError(f"search: needs regret matching, not {self.variant.minimiser}")
        for name, value, choices in (
            ("expansion_policy", self.expansion_policy, ("average", "current")),
            ("first_policy", self.first_policy, ("uniform", "prior")),
        ):
            if value not in choices:
                raise InputError(f"search: {name} must be one of {', '.join(choices)}, not {value!r}")
        if not 0 <= self.gadget_mix <= 1:
            raise InputError(f"search: gadget_mix must be from 0 to 1, not {self.gadget_mix}")
        if not self.prior_temperature > 0:
            raise InputError(f"search: prior_temperature must be positive, not {self.prior_temperature}")

    @property
    def updates_per_phase(self) -> int:
        """⌈1/c⌉, the regret updates of an iteration of GT-CFR."""
        return ceil(1 / self.per_update - 1e-9)

    @property
    def simulations_per_phase(self) -> int:
        """⌈c⌉, the simulations of an iteration of GT-CFR."""
        return ceil(self.per_update - 1e-9)

    @property
    def num_phases(self) -> int:
        """How many iterations of GT-CFR there are."""
        return ceil(self.simulations / self.simulations_per_phase)

    @property
    def num_updates(self) -> int:
        """How many regret updates there are in all."""
        return self.num_phases * self.updates_per_phase

    @property
    def name(self) -> str:
        """How the papers write it.

        >>> SearchSettings(simulations=10, per_update=0.01).name
        'SoG(10,0.01)'
        """
        return f"SoG({self.simulations},{self.per_update:g})"

    def weights(self) -> F64:
        """Return [updates, 4]: discounts of positive and negative regrets, weight in averages, optimism."""
        weights = discounts(self.variant, 1, self.num_updates)
        weights[:, 2] = np.arange(1, self.num_updates + 1, dtype=np.float64) ** self.variant.gamma
        return weights


def parse_search(text: str, settings: SearchSettings | None = None) -> SearchSettings:
    """Read `s,c`; everything else as in `settings`.

    >>> parse_search("100,1").name
    'SoG(100,1)'
    """
    parts = text.split(",")
    try:
        simulations, per_update = int(parts[0]), float(parts[1])
        if len(parts) != 2:
            raise ValueError
    except (ValueError, IndexError):
        message = "write SIMULATIONS,PER_UPDATE such as 100,1 or 10,0.01"
        raise InputError(f"cannot read the search {text!r}: {message}") from None
    return replace(settings or SearchSettings(), simulations=simulations, per_update=per_update)
