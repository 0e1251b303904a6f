"""What a search may be told: SoG(s, c) and everything else that the papers leave open.

The defaults are the papers' except where measuring found better (docs/results.md): regrets and averages are
discounted (DCFR), players learn in turns, the gadget's follow range is normalised, and with hidden
information priors guide growth but little: where they are small the tree would have holes.
"""

from dataclasses import dataclass, fields
from functools import cached_property
from math import ceil, inf

import numpy as np

from sog.core.arrays import F64
from sog.core.errors import InputError
from sog.core.spec import split_list
from sog.core.tables import AUTO, fill, plain_value
from sog.solvers.algorithms import parse_variant
from sog.solvers.schedules import Variant, discounts

MAX_UPDATES = 10_000_000
_MOST = 10**12  # as good as no limit
_CHOICES = {
    "expansion_policy": ("average", "current"),
    "first_policy": ("uniform", "prior"),
    "leaf_ranges": ("current", "average", "both"),
}
_RANGES = {
    "simulations": (1, _MOST),
    "per_update": (1 / MAX_UPDATES, _MOST),
    "depth": (1, 1_000_000),
    "prior_temperature": (1e-6, inf),
    **dict.fromkeys(("exploration", "prior_regret"), (0, 1e6)),
    **dict.fromkeys(("top_actions", "root_actions", "max_outcomes"), (0, _MOST)),
    **dict.fromkeys(("tree_share", "puct_share", "gadget_mix", "warm_start", "threshold"), (0, 1)),
}


@dataclass(frozen=True)
class SearchSettings:
    """SoG(s, c) is `SearchSettings(simulations=s, per_update=c)`."""

    simulations: int = 100  # s, in all
    per_update: float = 1.0  # c, between two phases of updates; below one, 1/c updates between simulations
    tree_share: float = 0.0  # a phase has this many simulations a node of the tree, if that is more than c
    depth: int = 1  # of the first tree below the current state; the papers' has the children alone
    algorithm: str = "dcfr"  # of regret updates, as `solvers/algorithms.py` reads it
    learns_everywhere: bool = False  # on a board: every state as if the game began there, whoever plays to it
    alternates: bool | None = None  # player 0 learns first, then player 1; None: with hidden information
    exploration: float = 1.0  # PUCT's constant, values being divided by their scale
    puct_share: float = 0.5  # how often a simulation follows PUCT instead of CFR
    expansion_policy: str = "average"  # of CFR, followed by the other simulations; or "current"
    prior_temperature: float | None = None  # of priors in PUCT; None: 1 with perfect information, else 10
    first_policy: str = "uniform"  # of a new decision; or "prior"
    prior_iterations: int = 0  # for which the prior counts as played before the first one (ReBeL, appendix J)
    prior_regret: float = 0.0  # that speaks for the prior at first, in units of the state's scale
    top_actions: int | None = None  # added at a time, 0 for all; None: 1 with perfect information, else all
    root_actions: int = 0  # of the current state in the first tree, with perfect information; 0 for all
    max_outcomes: int = 0  # of chance; larger nodes are sampled; 0 for no limit
    gadget_mix: float = 0.5  # α: share of the follow range, the rest is the range of the search before
    gadget_normalises: bool = True
    is_safe: bool = True  # re-solve under the gadget; False takes the old ranges as they are
    warm_start: float = 0.0  # share of the iterations of the search before that count as played
    leaf_ranges: str = "current"  # that leaves are asked about: CFR-D; "average" or "both": CFR-AVE
    stale: float = 0.0  # an answer stands while its leaf's ranges, times reach, have moved less than this
    threshold: float = 0.0  # moves less likely than this share of the likeliest are not played; 1: only that

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if (value := getattr(self, name)) not in choices:
                raise InputError(f"search: {name} must be one of {', '.join(choices)}, not {value!r}")
        for name, (low, high) in _RANGES.items():
            if (value := getattr(self, name)) is not None and not low <= value <= high:
                raise InputError(f"search: {name} must be from {low:g} to {high:g}, not {value:g}")
        if not 0 <= self.stale < 1:
            raise InputError(f"search: stale must be at least 0 and less than 1, not {self.stale}")
        if self.num_updates > MAX_UPDATES:
            raise InputError(f"search: {self.num_updates:,} updates are more than {MAX_UPDATES:,}")
        if self.variant.minimiser not in ("regret-matching", "best-response"):
            raise InputError(f"search: needs regret matching, not {self.variant.minimiser}")
        if self.is_fictitious and (self.num_phases > 1 or self.leaf_ranges != "average" or self.alternates):
            raise InputError(
                "search: fictitious play needs a tree that does not grow, leaf_ranges of the average"
                " and updates of both players at once"
            )
        if self.leaf_ranges != "current" and self.alternates:
            raise InputError("search: leaf_ranges of the average need updates of both players at once")
        if self.leaf_ranges == "both" and self.stale > 0:
            raise InputError("search: leaf_ranges of both need answers that are not stale")
        if not 0 <= self.prior_iterations < self.updates_per_phase:
            raise InputError(
                f"search: prior_iterations must be from 0 to {self.updates_per_phase - 1}, fewer than the"
                f" first phase has, not {self.prior_iterations}"
            )
        if self.prior_iterations > 0 and (self.is_fictitious or self.alternates is not False):
            raise InputError(
                "search: prior_iterations need regret matching and updates of both players at once"
            )
        if self.prior_iterations > 0 and (self.first_policy != "prior" or self.warm_start > 0):
            raise InputError("search: prior_iterations need first_policy of the prior and no warm_start")

    @cached_property
    def variant(self) -> Variant:
        """What `algorithm` names."""
        return parse_variant(self.algorithm)

    @property
    def is_fictitious(self) -> bool:
        """Whether players answer best to averages instead of matching regrets."""
        return self.variant.minimiser == "best-response"

    @property
    def can_be_reach_free(self) -> bool:
        """Whether every state of a board may learn as if the game began there."""
        is_plain = self.leaf_ranges == "current" and not self.is_fictitious and self.prior_iterations == 0
        return self.learns_everywhere and is_plain and not self.alternates

    @property
    def uses_priors(self) -> bool:
        """Whether a search asks for priors: a tree that does not grow, from a uniform policy, has no use."""
        return self.num_phases > 1 or self.first_policy == "prior" or self.prior_regret > 0

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
        """How many iterations of GT-CFR there are; with a `tree_share`, at most."""
        return ceil(self.simulations / self.simulations_per_phase)

    @property
    def num_updates(self) -> int:
        """How many regret updates there are in all; with a `tree_share`, at most."""
        return self.num_phases * self.updates_per_phase

    @property
    def name(self) -> str:
        """How the papers write it.

        >>> SearchSettings(simulations=10, per_update=0.01).name
        'SoG(10,0.01)'
        >>> SearchSettings(simulations=1000, tree_share=0.02).name
        'SoG(1000,2%)'
        >>> SearchSettings(simulations=100, puct_share=1).name
        'SoG(100,1,puct_share=1)'
        """
        is_share = self.tree_share > 0 and self.per_update == 1
        parts = [str(self.simulations), f"{100 * self.tree_share:g}%" if is_share else f"{self.per_update:g}"]
        for field in fields(self)[3 if is_share else 2 :]:
            if (value := getattr(self, field.name)) != field.default:
                written = AUTO if value is None else value if isinstance(value, str) else f"{value:g}"
                parts.append(f"{field.name}={written}")
        return f"SoG({','.join(parts)})"

    def weights(self, first: int = 0) -> F64:
        """Return [first + updates, 4]: discounts of positive and negative regrets, average weight, optimism.

        first: iterations before the first update, taken over from another search.
        """
        count = first + self.num_updates
        weights = discounts(self.variant, 1, count)
        before = 1 if self.is_fictitious else 0  # the uniform policy
        weights[:, 2] = (before + np.arange(1, count + 1, dtype=np.float64)) ** self.variant.gamma
        return weights


def parse_search(text: str, settings: SearchSettings | None = None) -> SearchSettings:
    """Read `s,c`, or `s,p%`: an update after p simulations for every 100 nodes; the rest as in `settings`.

    Any of the rest may follow by name.

    >>> parse_search("100,1").name
    'SoG(100,1)'
    >>> parse_search("1000,2%").tree_share
    0.02
    >>> parse_search("100,1,algorithm=dcfr(alpha=1,beta=0),is_safe=0").algorithm
    'dcfr(alpha=1,beta=0)'
    """
    simulations, _, rest = text.partition(",")
    schedule, *others = split_list(rest)
    try:
        number = float(schedule.removesuffix("%"))
        changes: dict[str, object] = {"simulations": int(simulations), "per_update": number}
    except ValueError:
        message = "write SIMULATIONS,PER_UPDATE such as 100,1 or 10,0.01 or 1000,2%"
        raise InputError(f"cannot read the search {text[:60]!r}: {message}") from None
    if schedule.endswith("%"):
        changes |= {"per_update": 1.0, "tree_share": number / 100}
        if not 0 < number <= 100:
            raise InputError(f"search: share of the tree must be more than 0%, at most 100%, not {schedule}")
    for other in others:
        name, _, value = other.partition("=")
        if name in changes:
            raise InputError(f"search: {name} is said twice in {text[:60]!r}")
        changes[name] = plain_value(value)
    return fill(settings or SearchSettings(), changes, "search")
