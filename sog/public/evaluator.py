"""The one way in which a search learns what a public state is worth: batches of belief states, in arrays.

A query is a public state with a normalised range of either player. The answer holds, for every infostate of
both players, the **expected utility given that infostate**, divided by the state's `value_scale` (see
`sog.public.derived`), and for the acting player's slots a prior over actions. Scale, and the mass of the
opponent's range that is compatible with an infostate, are multiplied back in by the search.

An answer must depend on its query alone, not on the others in the batch: searches that share batches must
find what they would find alone.
"""

from typing import NamedTuple, Protocol, runtime_checkable

from sog.core.arrays import F64, I32, I64
from sog.public.store import StateStore


class Batch(NamedTuple):
    """B queries and room for their answers, infostates side by side."""

    nodes: I32  # [B] of the store
    start: tuple[I64, I64]  # [P][B + 1] first infostate of each query in the four arrays below
    ranges: tuple[F64, F64]  # [P][infostates] each query's sum to one
    values: tuple[F64, F64]  # [P][infostates] to be filled in
    prior_start: I64  # [B + 1] first slot of each query in `priors`; one without slots asks for no prior
    priors: F64  # [slots] of the acting player, action by action; uniform unless filled in

    def rows(self, player: int, query: int) -> slice:
        """Return where a query's infostates stand."""
        return slice(int(self.start[player][query]), int(self.start[player][query + 1]))


class Evaluator(Protocol):
    """Estimates values and policies of belief states."""

    @property
    def name(self) -> str:
        """The string that makes it."""

    @property
    def has_priors(self) -> bool:
        """Whether its priors say more than "uniform"."""

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        """Answer every query of a batch; its values and priors are modified in place."""


@runtime_checkable
class PolicyEvaluator(Evaluator, Protocol):
    """Knows how belief states are played, and so what that is worth to whoever else comes there."""

    def evaluate_faced(self, store: StateStore, batch: Batch, faced: tuple[F64, F64]) -> None:
        """Answer what policies made for a batch's ranges are worth where `faced` [P][infostates] come."""
