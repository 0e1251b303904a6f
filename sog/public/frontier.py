"""Evaluating the frontier: the one place where the traversal asks a game for values.

A kind of payoffs is a NamedTuple of arrays together with a kernel that fills one player's leaf values from
the opponent's reach. Kernels call `evaluate_frontier`; the compiler picks the kernel by the tuple's class, so
one traversal serves matrices, poker's showdowns and whatever else is registered.
"""

from collections.abc import Callable
from typing import Any, Protocol

from numba.extending import overload

from sog.core.arrays import Float
from sog.core.jit import OVERLOAD_FLAGS
from sog.public.tree import PlayerLayout


class AnyPayoffs(Protocol):
    """What all kinds of payoffs have besides their arrays."""

    @property
    def is_complete(self) -> bool:
        """Whether every leaf has a value of its own: no leaf waits to be expanded or estimated."""

    @property
    def dtype(self) -> Any:
        """The kind of floats in which values are wanted."""


Evaluate = Callable[[PlayerLayout, PlayerLayout, Any, int, Float, Float], None]
_EVALUATORS: dict[type, Evaluate] = {}


def register_evaluator(payoffs: type, evaluate: Evaluate) -> None:
    """Make `evaluate(own, other, payoffs, player, reach, values)` the kernel of this class of payoffs."""
    _EVALUATORS[payoffs] = evaluate


def evaluate_frontier(
    own: PlayerLayout, other: PlayerLayout, payoffs: Any, player: int, reach: Float, values: Float
) -> None:
    """Fill `values` [leaf rows of `player`] from the opponent's reach [slots]; modified in place."""
    _EVALUATORS[type(payoffs)](own, other, payoffs, player, reach, values)


@overload(evaluate_frontier, jit_options=OVERLOAD_FLAGS)
def _compile_evaluate_frontier(
    own: Any, other: Any, payoffs: Any, player: Any, reach: Any, values: Any
) -> Any:
    evaluate = _EVALUATORS[payoffs.instance_class]

    # The compiler wants this signature to be the one above, annotations included.
    def call(own: Any, other: Any, payoffs: Any, player: Any, reach: Any, values: Any) -> Any:
        evaluate(own, other, payoffs, player, reach, values)

    return call
