"""The public view of a game: what the public tree consumes.

A public state has an actor, and for each player a row of infostates. The acting player's infostates have
**slots**, one for each (action, infostate) pair, numbered `action_ordinal * num_infostates + infostate`: the
ordinal counts the infostate's own legal actions, so that the slots of an infostate with fewer actions than
others are simply unused. Infostates *flow* into the children of a public state by a sparse 0/1 map, from the
actor's slots and from the other player's infostates; reach flows down by that map, values flow up by it.

`DerivedView` makes this for any game from its world view; large games write their own class.
"""

from collections.abc import Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from sog.core.arrays import F64, I32

State = TypeVar("State")


class Flow(NamedTuple):
    """How one player's infostates reach a child's: `child[target[k]] += parent[source[k]]`.

    Where child infostate `k` comes from exactly `start + k` for all k, the arrays are left out (`None`).
    """

    size: int  # infostates of this player in the child
    start: int  # first source, where the map is contiguous
    source: I32 | None  # [K] slots (actor) or infostates (other player, chance) of the parent
    target: I32 | None  # [K] infostates of the child


class Child(NamedTuple, Generic[State]):
    """One public outcome of a public state."""

    observation: str
    state: State
    flows: tuple[Flow, Flow]  # of player 0 and player 1


class Legal(NamedTuple):
    """The acting player's choices."""

    num_actions: int  # A, the largest count among the infostates
    counts: I32  # [H] legal actions of each infostate
    num_waiting: int = 0  # infostates that have no choice because somebody else is to move


class Payoff(NamedTuple):
    """Chance-weighted utilities of player 0 in a terminal public state, one entry per compatible pair."""

    infostates: I32  # [2, W]
    utilities: F64  # [W] sum over the pair's histories of chance probability times utility


class PublicView(Protocol[State]):
    """A game as its public states."""

    @property
    def name(self) -> str:
        """The string that loads the game."""

    def root(self) -> State:
        """Return the public state before anything has happened."""

    def actor(self, state: State) -> int:
        """Return who acts: 0, 1, CHANCE or TERMINAL."""

    def num_infostates(self, state: State) -> tuple[int, int]:
        """Return how many infostates each player may be in."""

    def legal(self, state: State) -> Legal:
        """Return the acting player's choices. Asked only where a player acts."""

    def children(self, state: State) -> list[Child[State]]:
        """Return every public outcome of the next move. Asked only of states that are not terminal."""

    def infostate_name(self, state: State, player: int, infostate: int) -> str:
        """Return what the player knows, for people and for matching infostates across programs."""

    def action_names(self, state: State, infostate: int) -> list[str]:
        """Return the names of the acting infostate's legal actions, in slot order."""


class ScaledView(PublicView[State], Protocol[State]):
    """A public view whose states say how large their values are."""

    def value_scale(self, state: State) -> float:
        """Return what evaluators' answers are divided by."""


def make_flow(size: int, source: Sequence[int], target: Sequence[int]) -> Flow:
    """Return the flow of these pairs, without arrays where the map is contiguous."""
    start = source[0]
    if (
        len(source) == size
        and list(target) == list(range(size))
        and list(source) == list(range(start, start + size))
    ):
        return Flow(size, start, None, None)
    return Flow(size, 0, np.array(source, np.int32), np.array(target, np.int32))
